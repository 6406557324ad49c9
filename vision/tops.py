"""Stage 4: tops. Which of the rival faces are the tops of dice, and how surely?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.bodies import Body
from vision.faces import PLACES, Face
from vision.params import TopParams
from vision.pips import Floats, Pips
from vision.reading import Frame


@dataclass(frozen=True, slots=True)
class Top:
    """The top face of one die, with what speaks for and against it.

    Attributes:
        face: The pattern of pips.
        body: The rim around it.
        weight: What it was chosen by, against its rivals.
        rival: The best other value for the same die, 0 where nothing else was near.
        rival_weight: That rival's weight.
        blemish: The largest difference from the body's colour at a place that must be without a pip,
            as a share of the pips' contrast.
        stray: The strongest spot on the face that its pattern does not explain, in the pips' own strength.
        confidence: How sure the value is, 0 to 1.
    """

    face: Face
    body: Body
    weight: float
    rival: int
    rival_weight: float
    blemish: float
    stray: float
    confidence: float


def weigh(face: Face, body: Body, params: TopParams) -> float:
    """Weigh a face hypothesis: clean pips, a rim around them, seen from the front rather than from the side."""
    frontal = np.clip((face.aspect - params.side_aspect) / (params.top_aspect - params.side_aspect), 0.02, 1)
    rim = np.clip((body.support - params.no_rim) / (1 - params.no_rim), 0.02, 1)
    return float(face.score * frontal * rim**2)


def same_die(one: Body, other: Body, reach: float) -> bool:
    """Tell whether two faces belong to one die: whether either middle is within `reach` half sides of the other."""
    gap = other.centre - one.centre
    near_one = float(np.linalg.norm(np.linalg.solve(one.basis, gap)))
    near_other = float(np.linalg.norm(np.linalg.solve(other.basis, gap)))
    return min(near_one, near_other) < reach


def choose_tops(frame: Frame, pips: Pips, faces: list[Face], bodies: list[Body], params: TopParams) -> list[Top]:
    """Choose one top face for each die, the best first; what overlaps it is its rival or its side face.

    Args:
        frame: (H, W, 3) uint8, the picture the faces were found in.
        pips: All spots.
        faces: All face hypotheses.
        bodies: The rim of each.
        params: The tunables of this stage.
    """
    weights = [weigh(face, body, params) for face, body in zip(faces, bodies, strict=True)]
    order = sorted(range(len(faces)), key=lambda index: -weights[index])
    chosen: list[int] = []
    rivals: dict[int, int] = {}
    for index in order:
        if weights[index] < params.least_weight:
            break
        owner = next((top for top in chosen if same_die(bodies[top], bodies[index], params.reach)), None)
        if owner is None and any(
            weights[index] < params.side_share * weights[top]
            and same_die(bodies[top], bodies[index], params.side_reach)
            for top in chosen
        ):
            continue
        if owner is None:
            if not _overlaps(bodies[index], [bodies[top] for top in chosen], 1 - params.overlap):
                chosen.append(index)
        elif owner not in rivals and faces[index].value != faces[owner].value:
            rivals[owner] = index
    tops = []
    for index in chosen:
        rival = rivals.get(index)
        rival_weight = 0.0 if rival is None else weights[rival]
        blemish = _blemish(frame, faces[index], bodies[index], params)
        stray = _stray(pips, faces[index], bodies[index], params)
        tops.append(
            Top(
                faces[index],
                bodies[index],
                weights[index],
                0 if rival is None else faces[rival].value,
                rival_weight,
                blemish,
                stray,
                _confidence(faces[index], bodies[index], weights[index], rival_weight, blemish, stray, params),
            )
        )
    return tops


def _overlaps(body: Body, others: list[Body], within: float) -> bool:
    """Tell whether the body overlaps a chosen one: dice lie beside each other, never in one place."""
    corners = body.corners
    for other in others:
        inside = np.abs(np.linalg.solve(other.basis, (corners - other.centre).T)).max(axis=0) < within
        around = np.abs(np.linalg.solve(body.basis, (other.corners - body.centre).T)).max(axis=0) < within
        if inside.any() or around.any():
            return True
    return False


def _blemish(frame: Frame, face: Face, body: Body, params: TopParams) -> float:
    """Measure how far the worst of the empty places is from the body's colour, in the pips' contrast."""
    basis = body.basis * np.float32(0.5) if face.value == 1 else face.basis
    empty = PLACES[[place for place in range(9) if not face.bits >> place & 1]]
    disk = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)], np.float32) * np.float32(face.radius * 0.4)
    where = ((empty @ basis.T + face.centre)[:, None] + disk).astype(np.float32)
    seen = cv2.remap(frame, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    axis = face.ink - face.ground
    contrast = float(np.linalg.norm(axis)) + 1e-6
    off = seen.astype(np.float32).mean(axis=1) - face.ground
    # Towards the ink it may be a pip that was not found; any other way it is glare or not a die's face. The
    # middle is where one faint pip makes the difference between two patterns: 2 and 3, 4 and 5.
    inkness = (off @ axis) / contrast**2
    factor = np.where((empty == 0).all(axis=1), params.missed_middle, params.missed_pip)
    missed = factor * (inkness - np.median(inkness))
    return float(np.maximum(np.linalg.norm(off, axis=1) / contrast, missed).max())


def _stray(pips: Pips, face: Face, body: Body, params: TopParams) -> float:
    """Measure the strongest spot within the body that is no pip of the face's pattern, against those that are."""
    own = np.array(face.pips)
    strength = pips.quality * pips.contrast
    places = np.linalg.solve(body.basis, (pips.xy - body.centre).T)
    size = pips.radius / face.radius
    reach = np.abs(places).max(axis=0)
    alike = (size > params.stray_least) & (size < params.stray_most)
    # A frontal spot just beyond the rim tells that the rim is only the outline of more pips of the same face.
    frontal = (pips.aspect > params.stray_aspect) & (reach < params.stray_beyond)
    other = alike & ((reach < params.stray_within) | frontal)
    other[own] = False
    return float(np.max(strength[other], initial=0.0) / strength[own].mean())


def _confidence(
    face: Face,
    body: Body,
    weight: float,
    rival_weight: float,
    blemish: float,
    stray: float,
    params: TopParams,
) -> float:
    """Combine the margins into one number, 0 to 1: their product, so that several small doubts add up."""
    margin = 1 - rival_weight / weight
    aspect = face.aspect + (params.six_allowance if face.value == 6 else 0)
    # One or two pips say little of where the die's sides are; then even the weaker two sides must be there.
    weak_sides = float(np.sort(body.sides)[:2].mean()) if face.value <= 2 else 1.0
    doubts = (
        margin / params.margin,
        (body.support - params.no_rim) / (params.full_rim - params.no_rim),
        2 * (params.blemish - blemish) / params.blemish,
        2 * (params.stray - stray) / params.stray,
        weight / params.full_weight,
        (weak_sides - params.no_weak_sides) / (params.full_weak_sides - params.no_weak_sides),
        (aspect - params.least_aspect) / (params.full_aspect - params.least_aspect),
    )
    return float(np.prod(np.clip(doubts, 0, 1)))


def box_of(body: Body) -> tuple[float, float, float, float]:
    """Return the upright rectangle around a body, (x0, y0, x1, y1) in pixels."""
    corners: Floats = body.corners
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)
