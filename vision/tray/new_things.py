"""Finds new objects in a tray that was seen empty: anything that is neither a die nor a shadow, such as a hand.

A change of light or a shadow affects all colours of a cell equally. So a cell belongs to a new object if its colour is
not just a brighter or darker version of the empty tray's, or if it is whiter than the floor was anywhere. An overall
change of light is ignored, and so are shadows that appear or disappear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import NewThingParams
from vision.stages.finding import Face
from vision.tray.known import EMPTY_SIZE, Cells, Tray, made_small
from vision.types import Frame

_DARK = 20.0  # grey levels added before levels are divided, because the dark contains only noise


@dataclass(frozen=True, slots=True)
class NewThings:
    """New objects in the tray.

    Attributes:
        where: Mask of the cells that they cover, (60, 80).
        middle: Centre of the largest part in pixels of the frame, (x, y).
    """

    where: Cells
    middle: tuple[float, float]


def new_things(
    frame: Frame, tray: Tray, same: Cells, faces: Sequence[Face], params: NewThingParams
) -> NewThings | None:
    """Return what is neither tray, die nor shadow in the tray; None if nothing, or if most of the floor has changed.

    Args:
        frame: (H, W, 3) uint8, BGR.
        tray: What is known about the tray, which was seen empty and matches the frame.
        same: The unchanged cells, from `vision.tray.known.unchanged`.
        faces: The top faces of the dice.
        params: The thresholds.
    """
    assert tray.empty is not None
    assert tray.inside is not None
    rows, columns = same.shape
    across, down = columns / frame.shape[1], rows / frame.shape[0]
    inside = cv2.erode(tray.inside.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=(0,)) > 0
    floor = inside & ~_near(faces, params.beside, across, down)
    if not floor.any():
        return None
    is_new = _is_new(made_small(frame), tray.empty, floor, params)
    two = np.ones((2, 2), np.uint8)  # narrower changes are edges; the anchors keep the rest in place
    new = cv2.dilate(cv2.erode(is_new.astype(np.uint8), two, anchor=(0, 0)), two, anchor=(1, 1))
    _, _, stats, middles = cv2.connectedComponentsWithStats(new)
    areas, where = stats[1:, cv2.CC_STAT_AREA], new > 0
    if not areas.size or areas.max() < params.least * where.size or (same | where)[floor].mean() < params.known:
        return None
    x, y = middles[1 + int(areas.argmax())]
    return NewThings(where, ((float(x) + 0.5) / across, (float(y) + 0.5) / down))


def floor_shown(tray: Tray, same: Cells, faces: Sequence[Face], frame_size: tuple[int, int], beside: float) -> float:
    """Return the part of a known tray's floor that is unchanged, 0 to 1; 1 if no floor is left.

    What lies within `beside` half sides of a die's centre does not count. `frame_size` is in pixels.
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
        cv2.circle(near, middle, max(1, round(halves * face.half * across)), (1,), cv2.FILLED)
    return near > 0


def _is_new(seen: NDArray[np.uint8], empty: NDArray[np.uint8], floor: Cells, params: NewThingParams) -> Cells:
    """Return which cells of the floor without dice belong to something new; all arrays are of 60 by 80 cells."""
    now, before = seen.astype(np.float32), empty.astype(np.float32)
    before = before * np.median(((now + _DARK) / (before + _DARK))[floor], axis=0)  # another light
    # The factor of brightness of each cell for constant colour (least squares), and the deviation from that.
    times = ((now * before).sum(axis=2) + _DARK**2) / ((before * before).sum(axis=2) + _DARK**2)
    brightest, brightest_before = _brightest(now), _brightest(before)
    off = _brightest(np.abs(now - times[..., np.newaxis] * before))
    tinted = off / (np.maximum(brightest, times * brightest_before) + _DARK)
    # If the tray is patterned, a camera that was moved a little sees another part of the pattern in a cell.
    around = np.ones((3, 3), np.uint8)
    figured = _brightest(cv2.dilate(before, around) - cv2.erode(before, around)) / (brightest_before + _DARK)
    usual, usual_times = (params.noise * float(np.median(change[floor])) for change in (tinted, np.abs(times - 1)))
    is_tinted = tinted > max(params.tint, usual) + params.figured * figured
    is_whiter = (times > 1 + usual_times + figured) & (brightest > brightest_before[floor].max())
    return np.asarray(floor & (is_tinted | is_whiter), np.bool_)


def _brightest(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the greatest of each cell's three colours, (h, w): ten times as fast as NumPy."""
    blue, green, red = cv2.split(colours)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
