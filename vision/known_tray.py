"""What is known of the empty tray, held against a frame.

Where nothing has changed, there is neither die nor hand: printed figures, stains and seams, which the networks may take
for a die or a thing, are in the empty tray too. And what is neither tray nor die nor a shadow is a hand or another
thing, however little of it the networks see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import EMPTY_SIZE
from vision.empty import EmptyTray, as_learnt, as_seen, made_small
from vision.finder import Face, find_at_any_size
from vision.params import KnownTrayParams, Params
from vision.reading import Frame

_SEVERAL = 4
"""So many cells that dice's shadows darken tell their colour."""

Same = NDArray[np.bool_]
"""Where a frame shows the empty tray, shape (60, 80); the cells cover the whole frame."""


def known_by(params: Params) -> EmptyTray | None:
    """The empty tray as it was last seen, or else as it was learnt; None where it never was."""
    if params.empty is not None or params.calibration is None:
        return params.empty
    return as_learnt(params.calibration)


def remembering(params: Params, frame: Frame) -> Params:
    """The tunables that also know how the empty tray looks now.

    Args:
        params: The tunables so far.
        frame: (H, W, 3) uint8, BGR; nothing is in the tray.
    """
    return replace(params, empty=as_seen(frame, find_at_any_size(frame, params.finder).tray))


def forgetting(params: Params) -> Params:
    """The tunables that know nothing of the tray, as after its camera was moved."""
    return replace(params, calibration=None, empty=None)


def unchanged(frame: Frame, empty: EmptyTray, params: KnownTrayParams) -> Same | None:
    """Where a frame looks as the empty tray did.

    Args:
        frame: (H, W, 3) uint8, BGR.
        empty: The empty tray.
        params: The tunables.

    Returns:
        For each cell whether it is as it was, but for the light as a whole; None where nothing can be told: the frame
        is of another shape, or so little is as it was that it is another light or tray.
    """
    height, width = frame.shape[:2]
    if not empty.fits((width, height)):
        return None
    now, before = (
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) for picture in (made_small(frame), empty.picture)
    )
    brighter = float(np.median((now + params.levels) / (before + params.levels)))
    same = np.abs(now - brighter * before) <= np.maximum(params.levels, params.part * brighter * before)
    return np.asarray(same, np.bool_) if same.mean() >= params.least else None


def something_new(
    frame: Frame, empty: EmptyTray, same: Same, faces: Sequence[Face], params: KnownTrayParams
) -> tuple[float, float] | None:
    """Where in the tray something is that is neither tray nor die.

    What another light or a shadow does to a cell it does to all colours much alike, and a shadow only darkens. So a
    cell is of something else whose colours have changed one against another, or which is brighter than light made
    the others. Where a warm lamp and a cold sky light a tray shadows have a colour too: the dice's own tell which.

    Args:
        frame: (H, W, 3) uint8, BGR.
        empty: The empty tray; it fits the frame.
        same: Where the frame shows it, as `unchanged` gives it.
        faces: The top faces of the dice.
        params: The tunables.

    Returns:
        The middle of the largest such place in pixels, (x, y); None where there is none, and where too much of the
        floor has changed besides.
    """
    rows, columns = same.shape
    across, down = columns / frame.shape[1], rows / frame.shape[0]
    inside = cv2.erode(empty.inside.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) > 0
    floor, bare = (inside & ~_near(faces, halves, across, down) for halves in (params.beside, params.sides))
    if not floor.any():
        return None
    brighter, figured = _changes(made_small(frame), empty.picture, floor, params)
    least, most = _extremes(brighter)
    tinted = most - least
    most_tinted, most_least = (
        max(params.tint, params.noise * float(np.median(np.abs(change[floor])))) for change in (tinted, least)
    )
    is_darker = most < 0
    shadows = tinted[is_darker & bare & ~floor & ~same]
    shadow = float(np.percentile(shadows, params.shadows)) if shadows.size >= _SEVERAL else 0.0
    of_shade = np.where(is_darker, max(most_tinted, shadow), most_tinted)
    is_new = floor & ((tinted > of_shade + figured / 2) | (least > most_least + figured))
    two = np.ones((2, 2), np.uint8)  # what is narrower than that is an edge; the anchors leave the rest in its place
    pieces = cv2.dilate(cv2.erode(is_new.astype(np.uint8), two, anchor=(0, 0)), two, anchor=(1, 1))
    _, _, stats, middles = cv2.connectedComponentsWithStats(pieces)
    areas = stats[1:, cv2.CC_STAT_AREA]
    if not areas.size or areas.max() < params.new * pieces.size or (same | (pieces > 0))[floor].mean() < params.floor:
        return None
    x, y = middles[1 + int(areas.argmax())]
    return (float(x) + 0.5) / across, (float(y) + 0.5) / down


def _near(faces: Sequence[Face], halves: float, across: float, down: float) -> Same:
    """Which cells are within so many half sides of a die's middle; cells to a pixel, across and down, are given."""
    near = np.zeros(EMPTY_SIZE[::-1], np.uint8)
    for face in faces:
        middle = int(face.centre[0] * across), int(face.centre[1] * down)
        cv2.circle(near, middle, max(1, round(halves * face.half * across)), 1, cv2.FILLED)
    return near > 0


def _changes(
    now: NDArray[np.uint8], before: NDArray[np.uint8], floor: NDArray[np.bool_], params: KnownTrayParams
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much brighter each cell has become in each colour, against the median of the floor; logarithms.

    Returns:
        That, shape (60, 80, 3), and how much the empty tray itself varies round each cell, (60, 80): a camera that
        stands a little otherwise sees other figures there.
    """
    _, brightest = _extremes(before)
    dark = (params.dark + params.dark_part * brightest.astype(np.float32))[..., np.newaxis]
    log = np.log(before + dark)
    brighter = np.log(now + dark) - log
    around = np.ones((3, 3), np.uint8)
    _, figured = _extremes(cv2.dilate(log, around) - cv2.erode(log, around))
    return brighter - np.median(brighter[floor], axis=0), figured


def _extremes(colours: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The least and the most of each cell's three colours, shape (h, w) each: ten times as fast as by NumPy."""
    blue, green, red = cv2.split(colours)
    return cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)


def part_unchanged(same: Same, face: Face, frame_size: tuple[int, int]) -> float:
    """The part of a face that shows the empty tray, 0 to 1.

    Args:
        same: As `unchanged` gives it.
        face: A place in the frame.
        frame_size: Width and height of the frame in pixels.
    """
    rows, columns = same.shape
    x0, y0, x1, y1 = face.box
    across, down = columns / frame_size[0], rows / frame_size[1]
    left, top = (int(min(max(0.0, edge), most - 1)) for edge, most in ((x0 * across, columns), (y0 * down, rows)))
    right, bottom = max(left + 1, int(np.ceil(x1 * across))), max(top + 1, int(np.ceil(y1 * down)))
    return float(same[top:bottom, left:right].mean())
