"""Stage 2: faces. Which spots are together the pips of one face, and how many are they?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import FaceParams
from vision.pips import Floats, Pips
from vision.reading import Frame

# The nine places of a face, numbered row by row; a pattern is a set of places as bits.
PLACES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float32)
CENTRE = 1 << 4
DIAGONAL = 1 << 0 | 1 << 8
CORNERS = DIAGONAL | 1 << 2 | 1 << 6
PATTERNS = {
    CENTRE: 1,
    DIAGONAL: 2,
    DIAGONAL | CENTRE: 3,
    CORNERS: 4,
    CORNERS | CENTRE: 5,
    CORNERS | 1 << 3 | 1 << 5: 6,
    CORNERS | 1 << 1 | 1 << 7: 6,
}


@dataclass(frozen=True, slots=True)
class Face:
    """A face of a die as a pattern of pips on the image of its 3x3 places.

    Attributes:
        value: Number of pips, 1 to 6.
        bits: The pattern: bit 3 * row + column is set where a pip is.
        centre: (2,) its middle in pixels.
        basis: (2, 2) columns are the steps to the next place to the right and below, in pixels.
        pips: Indices into the spots of stage 1.
        misfit: How far the pips are from the places, root mean square in steps.
        ground: (3,) colour of the body around the pips, BGR.
        ink: (3,) colour of the pips, BGR.
        radius: Pip radius in pixels.
        aspect: Short / long axis of its pips on the whole: near 1 for a face that looks at the camera.
        smooth: Share of the places between the pips that have the body's colour, 0 to 1.
        score: What the selection ranked it by.
    """

    value: int
    bits: int
    centre: Floats
    basis: Floats
    pips: tuple[int, ...]
    misfit: float
    ground: Floats
    ink: Floats
    radius: float
    aspect: float
    smooth: float
    score: float

    @property
    def step(self) -> float:
        """Distance between neighbouring places in pixels (geometric mean of both directions)."""
        return float(np.sqrt(abs(np.linalg.det(self.basis))))


def _compatible(pips: Pips, params: FaceParams) -> NDArray[np.bool_]:
    """Tell for each pair of spots whether they can be pips of one face: (N, N)."""
    ratio = pips.radius[:, None] / pips.radius[None]
    least = np.minimum(pips.contrast[:, None], pips.contrast[None])
    most = np.maximum(pips.contrast[:, None], pips.contrast[None])
    axis = pips.ink - pips.ground
    alike = (axis @ axis.T) / (least * most)
    ground = np.linalg.norm(pips.ground[:, None] - pips.ground[None], axis=2)
    aspect = np.abs(pips.aspect[:, None] - pips.aspect[None])
    return (
        (ratio < params.radius_ratio)
        & (ratio > 1 / params.radius_ratio)
        & (least > params.contrast_ratio * most)
        & (alike > params.ink_alike)
        & (ground < params.ground_apart * most)
        & (aspect < params.aspect_apart)
    )


def find_faces(frame: Frame, pips: Pips, params: FaceParams) -> list[Face]:
    """Find the faces that the spots can make, rivals included, the best first.

    Every spot may be a 1; every pair of spots may be the diagonal that the patterns from 2 to 6 share.

    Args:
        frame: (H, W, 3) uint8, the picture the spots were found in.
        pips: The spots.
        params: The tunables of this stage.

    Returns:
        At most `most_patterns` faces of two and more pips and `most_ones` lone pips.
    """
    if not len(pips):
        return []
    patterns = sorted(_pairs(frame, pips, params), key=lambda face: -face.score)[: params.most_patterns]
    ones = sorted(_singles(pips, params), key=lambda face: -face.score)[: params.most_ones]
    return patterns + ones


def _singles(pips: Pips, params: FaceParams) -> list[Face]:
    """Each spot as a 1."""
    worth = pips.quality * np.minimum(pips.contrast / params.full_contrast, 1)
    return [
        Face(
            value=1,
            bits=CENTRE,
            centre=pips.xy[index],
            basis=np.eye(2, dtype=np.float32) * pips.radius[index] * np.float32(params.usual_step),
            pips=(index,),
            misfit=0.0,
            ground=pips.ground[index],
            ink=pips.ink[index],
            radius=float(pips.radius[index]),
            aspect=float(pips.aspect[index]),
            smooth=1.0,
            score=float(worth[index]),
        )
        for index in range(len(pips))
    ]


def _pairs(frame: Frame, pips: Pips, params: FaceParams) -> list[Face]:
    """Every pair of spots as the diagonal that all patterns from 2 to 6 have in common."""
    fits = _compatible(pips, params)
    gap = pips.xy[None] - pips.xy[:, None]
    distance = np.hypot(gap[:, :, 0], gap[:, :, 1])
    size = np.sqrt(pips.radius[:, None] * pips.radius[None])
    step = distance / np.float32(2 * np.sqrt(2))
    wanted = fits & (step > params.least_step * size) & (step < params.most_step * size)
    first, second = np.nonzero(np.triu(wanted, 1))
    if not len(first):
        return []
    middle = (pips.xy[first] + pips.xy[second]) / 2
    # The diagonal is (1, 1) in steps: its half turned back by 45 degrees is sqrt(2) times a step to the right.
    half = gap[first, second] / 2
    right = np.stack([half[:, 0] + half[:, 1], half[:, 1] - half[:, 0]], axis=1) / 2
    basis = np.stack([right, np.stack([-right[:, 1], right[:, 0]], axis=1)], axis=2)
    inverse = np.linalg.inv(basis)
    places = np.einsum("hij,hnj->hni", inverse, pips.xy[None] - middle[:, None])
    reach = np.abs(places).max(axis=2)
    member = (reach < params.face_reach) & fits[first] & fits[second]
    member[np.arange(len(first)), first] = True
    member[np.arange(len(first)), second] = True
    nearest = np.clip(np.rint(places), -1, 1)
    off = np.hypot(*(places - nearest).transpose(2, 0, 1))
    number = (nearest[:, :, 0] + 1 + 3 * (nearest[:, :, 1] + 1)).astype(np.intp)
    seated = member & (off < params.seat)
    bits = np.bitwise_or.reduce(np.where(seated, 1 << number, 0), axis=1)
    count = member.sum(axis=1)
    value = np.array([PATTERNS.get(int(b), 0) for b in bits])
    good = (value > 0) & (count == value)
    faces = []
    for h in np.flatnonzero(good):
        who = np.flatnonzero(member[h])
        seats = nearest[h, who]
        centre, grid, misfit = middle[h], basis[h], 0.0
        if len(who) >= 4:
            design = np.concatenate([seats, np.ones((len(who), 1), np.float32)], axis=1)
            solution = np.linalg.lstsq(design, pips.xy[who], rcond=None)[0]
            centre, grid = solution[2], solution[:2].T
            misfit = float(np.sqrt(((design @ solution - pips.xy[who]) ** 2).sum(axis=1).mean()))
        elif len(who) == 3:
            misfit = float(np.hypot(*(places[h, who] - seats).T).max()) * float(step[first[h], second[h]])
        scale = float(np.sqrt(abs(np.linalg.det(grid))))
        singular = np.linalg.svd(grid, compute_uv=False)
        if singular[1] < params.lattice_aspect * singular[0]:
            continue
        misfit /= scale
        radius = float(np.sqrt(np.mean(pips.radius[who] ** 2)))
        if misfit > params.misfit or not params.least_step * radius < scale < params.most_step * radius:
            continue
        ground = np.median(pips.ground[who], axis=0)
        contrast = float(np.median(pips.contrast[who]))
        smooth = _smooth(frame, centre, grid, int(bits[h]), ground, contrast, params)
        if smooth < params.smooth:
            continue
        worth = float((pips.quality[who] * np.minimum(pips.contrast[who] / params.full_contrast, 1)).sum())
        likely = float(np.exp(-((np.log(scale / radius / params.usual_step) / params.step_spread) ** 2) / 2))
        faces.append(
            Face(
                value=int(value[h]),
                bits=int(bits[h]),
                centre=centre,
                basis=grid,
                pips=tuple(int(i) for i in who),
                misfit=misfit,
                ground=ground,
                ink=np.median(pips.ink[who], axis=0),
                radius=radius,
                aspect=float(pips.aspect[who].mean()),
                smooth=smooth,
                score=worth * (0.4 + 0.6 * likely) * smooth * (1 - misfit / params.misfit / 2),
            )
        )
    return faces


# A grid of half steps over the face; each pattern leaves those points free that are off its pips.
_HALF_STEPS = np.array([(x / 2, y / 2) for y in range(-2, 3) for x in range(-2, 3)], np.float32)
FREE_POINTS = {
    bits: _HALF_STEPS[
        [
            min(np.hypot(*(PLACES[place] - point)) for place in range(9) if bits >> place & 1) > 0.6
            for point in _HALF_STEPS
        ]
    ]
    for bits in PATTERNS
}


def _smooth(
    frame: Frame, centre: Floats, basis: Floats, bits: int, ground: Floats, contrast: float, params: FaceParams
) -> float:
    """Measure which share of the pip-free points of a face has the body's colour."""
    points = FREE_POINTS[bits]
    where = (points @ basis.T + centre).astype(np.float32)
    seen = cv2.remap(frame, where[None, :, 0], where[None, :, 1], cv2.INTER_LINEAR)[0].astype(np.float32)
    off = np.linalg.norm(seen - ground, axis=1)
    return float(np.mean(off < params.smooth_apart * contrast))
