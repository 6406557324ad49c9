"""What is new in a tray that was seen empty, and neither a die nor a shadow: a hand or a thing, even a small one.

What another light or a shadow does to a cell it does to all its colours alike. So a cell is of something else where its
colours are no more those of the empty tray, brighter or darker; or where it has become whiter than the floor was
anywhere: another light as a whole, and shadows that come or go, count for nothing. Where a warm lamp and a cold sky
light a tray shadows have a colour too: the dice's own tell which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stages.finding import Face
from vision.tray.calibration import EMPTY_SIZE
from vision.tray.known import Cells, Tray, made_small
from vision.types import Frame

_SEVERAL = 4
"""So many cells that dice's shadows darken tell their colour."""


@dataclass(frozen=True, slots=True)
class NewThingParams:
    """The tunables of what is new in a known tray.

    Attributes:
        beside: Distance from a die within which the floor may look otherwise for it, in half sides; 2.2 to 3.
        sides: Distance from a die beyond which what is darker is its shadow, in half sides; 1.7 to 2.2.
        dark: Grey levels added before levels are divided; 10 to 30.
        tint: Part of the brightest colour by which a colour of something new is off; 0.06 to 0.1.
        noise: Multiple of the floor's median change by which it is off at least; 6 to 8.
        figured: Part of what the empty tray varies round a cell by which it is off at least; 0.15 to 0.5.
        shadows: Percentile of the tints of the dice's shadows beyond which a shade is off; 50 to 90.
        brighter: Part by which a cell has become brighter at least where no colour is off; 0.15 to 0.25.
        whitest: Percentile of the floor's brightness that such a cell exceeds; 95 to 99.
        whiter: Factor on that; 1 to 1.2.
        least: Area of a thing as a part of the picture; 0.0005 to 0.002.
        known: Part of the floor beside the dice that must be unchanged or of something new; 0.75 to 0.9.
    """

    beside: float = 2.8
    sides: float = 1.9
    dark: float = 20.0
    tint: float = 0.08
    noise: float = 7.0
    figured: float = 0.25
    shadows: float = 80.0
    brighter: float = 0.2
    whitest: float = 98.0
    whiter: float = 1.1
    least: float = 0.001
    known: float = 0.8


@dataclass(frozen=True, slots=True)
class NewThings:
    """What is new in the tray.

    Attributes:
        where: Which cells of the frame it covers, shape (60, 80).
        middle: The middle of the largest piece in pixels of the frame, (x, y).
    """

    where: Cells
    middle: tuple[float, float]


def new_things(
    frame: Frame, tray: Tray, same: Cells, faces: Sequence[Face], params: NewThingParams
) -> NewThings | None:
    """Return what in the tray is neither tray, die nor shadow.

    Args:
        frame: (H, W, 3) uint8, BGR.
        tray: What is known of the tray, which was seen empty and fits the frame.
        same: The cells that are as they were then, as from `vision.tray.known.unchanged`.
        faces: The top faces of the dice.
        params: The tunables.

    Returns:
        It; None where there is nothing, and where too much of the floor has changed besides.
    """
    assert tray.empty is not None
    assert tray.inside is not None
    rows, columns = same.shape
    across, down = columns / frame.shape[1], rows / frame.shape[0]
    inside = cv2.erode(tray.inside.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) > 0
    floor, bare = (inside & ~_near(faces, halves, across, down) for halves in (params.beside, params.sides))
    if not floor.any():
        return None
    is_new = _is_new(made_small(frame), tray.empty, floor, bare & ~floor & ~same, params)
    two = np.ones((2, 2), np.uint8)  # what is narrower than that is an edge; the anchors leave the rest in its place
    new = cv2.dilate(cv2.erode(is_new.astype(np.uint8), two, anchor=(0, 0)), two, anchor=(1, 1))
    _, _, stats, middles = cv2.connectedComponentsWithStats(new)
    areas, where = stats[1:, cv2.CC_STAT_AREA], new > 0
    if not areas.size or areas.max() < params.least * where.size or (same | where)[floor].mean() < params.known:
        return None
    x, y = middles[1 + int(areas.argmax())]
    return NewThings(where, ((float(x) + 0.5) / across, (float(y) + 0.5) / down))


def floor_shown(tray: Tray, same: Cells, faces: Sequence[Face], frame_size: tuple[int, int], beside: float) -> float:
    """Return the part of a known tray's floor away from the dice that is as it was, 0 to 1; 1 where no floor is left.

    Args:
        tray: What is known of the tray.
        same: The unchanged cells, as from `vision.tray.known.unchanged`.
        faces: The top faces of the dice.
        frame_size: Width and height of the frame in pixels.
        beside: How far from a die's middle the floor may look otherwise for it, half sides.
    """
    if tray.inside is None:
        return 1.0
    rows, columns = same.shape
    floor = tray.inside & ~_near(faces, beside, columns / frame_size[0], rows / frame_size[1])
    return float(same[floor].mean()) if floor.any() else 1.0


def _near(faces: Sequence[Face], halves: float, across: float, down: float) -> Cells:
    """Return which cells are within this many half sides of a die's centre; `across` and `down` are cells per pixel."""
    near = np.zeros(EMPTY_SIZE[::-1], np.uint8)
    for face in faces:
        middle = int(face.centre[0] * across), int(face.centre[1] * down)
        cv2.circle(near, middle, max(1, round(halves * face.half * across)), 1, cv2.FILLED)
    return near > 0


def _is_new(
    seen: NDArray[np.uint8], empty: NDArray[np.uint8], floor: Cells, beside_dice: Cells, params: NewThingParams
) -> Cells:
    """Return which cells of the floor belong to something new.

    Args:
        seen: The frame made small,
        empty: and the empty tray, (60, 80, 3) each.
        floor: The floor of the tray without dice.
        beside_dice: Cells that have changed close to dice, but are not of their sides.
        params: The tunables.
    """
    now, before = seen.astype(np.float32), empty.astype(np.float32)
    before = before * np.median(((now + params.dark) / (before + params.dark))[floor], axis=0)  # another light
    # How many times as bright a cell is, its colours the same (least squares), and how far they are from that.
    dark = params.dark**2
    times = ((now * before).sum(axis=2) + dark) / ((before * before).sum(axis=2) + dark)
    brightest, brightest_before = _extremes(now)[1], _extremes(before)[1]
    off = _extremes(np.abs(now - times[..., np.newaxis] * before))[1]
    tinted = off / (np.maximum(brightest, times * brightest_before) + params.dark)
    # Where the tray itself is figured, a camera that stands a little otherwise sees other figures in a cell.
    around = np.ones((3, 3), np.uint8)
    figured = _extremes(cv2.dilate(before, around) - cv2.erode(before, around))[1] / (brightest_before + params.dark)
    darkened, lightened = _extremes(now - before)
    is_shade = (lightened < 0) | (darkened > 0)  # one that has come, or gone
    shadows = tinted[beside_dice & (times < 1)]
    shadow = float(np.percentile(shadows, params.shadows)) if shadows.size >= _SEVERAL else 0.0
    usual, usual_times = (params.noise * float(np.median(change[floor])) for change in (tinted, np.abs(times - 1)))
    most = np.where(is_shade, max(params.tint, usual, shadow), max(params.tint, usual))
    is_tinted = tinted > most + params.figured * figured
    whitest = params.whiter * np.percentile(brightest_before[floor], params.whitest)
    is_whiter = (times > 1 + max(params.brighter, usual_times) + figured) & (brightest > whitest)
    return np.asarray(floor & (is_tinted | is_whiter), np.bool_)


def _extremes(colours: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the least and the greatest of each cell's three colours, (h, w) each: ten times as fast as NumPy."""
    blue, green, red = cv2.split(colours)
    least, most = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
    return np.asarray(least, np.float32), np.asarray(most, np.float32)
