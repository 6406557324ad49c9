"""Finds new objects in a tray that was seen empty: anything that is neither a die nor a shadow, such as a hand.

A change of light or a shadow affects all colours of a cell equally. So a cell belongs to a new object if its colour is
not just a brighter or darker version of the empty tray's, or if it is whiter than the floor was anywhere. An overall
change of light is ignored, and so are shadows that appear or disappear. If warm lamplight and cold daylight mix,
shadows are coloured too; the shadows of the dice show how.
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
"""The least number of cells in the dice's shadows that determine their colour."""


@dataclass(frozen=True, slots=True)
class NewThingParams:
    """The parameters for new objects in a known tray.

    Attributes:
        beside: Distance from a die within which it may change the look of the floor, half sides; 2.2 to 3.
        sides: Distance from a die beyond which a darker place is its shadow, half sides; 1.7 to 2.2.
        dark: Grey levels added before levels are divided; 10 to 30.
        tint: Least change of colour of a new object, as a part of the brightest channel; 0.06 to 0.1.
        noise: Least change of colour as a multiple of the floor's median change; 6 to 8.
        figured: Least change of colour as a part of the empty tray's variation around a cell; 0.15 to 0.5.
        shadows: Percentile of the tints of the dice's shadows that a shadow may have; 50 to 90.
        brighter: Least increase in brightness of a new object without a change of colour; 0.15 to 0.25.
        whitest: Percentile of the floor's brightness that such an object exceeds; 95 to 99.
        whiter: Factor on that brightness; 1 to 1.2.
        least: Least area of an object as a part of the picture; 0.0005 to 0.002.
        known: Part of the floor that must be unchanged or belong to a new object; 0.75 to 0.9.
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
    """Return what is neither tray, die nor shadow in the tray.

    Args:
        frame: (H, W, 3) uint8, BGR.
        tray: What is known about the tray, which was seen empty and matches the frame.
        same: The unchanged cells, from `vision.tray.known.unchanged`.
        faces: The top faces of the dice.
        params: The parameters.

    Returns:
        The new objects; None if there are none, or if too much of the rest of the floor has changed.
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
    two = np.ones((2, 2), np.uint8)  # narrower changes are edges; the anchors keep the rest in place
    new = cv2.dilate(cv2.erode(is_new.astype(np.uint8), two, anchor=(0, 0)), two, anchor=(1, 1))
    _, _, stats, middles = cv2.connectedComponentsWithStats(new)
    areas, where = stats[1:, cv2.CC_STAT_AREA], new > 0
    if not areas.size or areas.max() < params.least * where.size or (same | where)[floor].mean() < params.known:
        return None
    x, y = middles[1 + int(areas.argmax())]
    return NewThings(where, ((float(x) + 0.5) / across, (float(y) + 0.5) / down))


def floor_shown(tray: Tray, same: Cells, faces: Sequence[Face], frame_size: tuple[int, int], beside: float) -> float:
    """Return the part of a known tray's floor away from the dice that is unchanged, 0 to 1; 1 if no floor is left.

    Args:
        tray: What is known about the tray.
        same: The unchanged cells, from `vision.tray.known.unchanged`.
        faces: The top faces of the dice.
        frame_size: Width and height of the frame in pixels.
        beside: Distance from a die's centre within which it may change the look of the floor, in half sides.
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
        seen: The reduced frame, (60, 80, 3).
        empty: The empty tray, (60, 80, 3).
        floor: The floor of the tray without dice.
        beside_dice: Cells that have changed close to dice, without their side faces.
        params: The parameters.
    """
    now, before = seen.astype(np.float32), empty.astype(np.float32)
    before = before * np.median(((now + params.dark) / (before + params.dark))[floor], axis=0)  # another light
    # The factor of brightness of each cell for constant colour (least squares), and the deviation from that.
    dark = params.dark**2
    times = ((now * before).sum(axis=2) + dark) / ((before * before).sum(axis=2) + dark)
    brightest, brightest_before = _extremes(now)[1], _extremes(before)[1]
    off = _extremes(np.abs(now - times[..., np.newaxis] * before))[1]
    tinted = off / (np.maximum(brightest, times * brightest_before) + params.dark)
    # If the tray is patterned, a camera that was moved a little sees another part of the pattern in a cell.
    around = np.ones((3, 3), np.uint8)
    figured = _extremes(cv2.dilate(before, around) - cv2.erode(before, around))[1] / (brightest_before + params.dark)
    darkened, lightened = _extremes(now - before)
    is_shade = (lightened < 0) | (darkened > 0)  # a shadow that has appeared or disappeared
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
