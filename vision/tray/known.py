"""What is known of the empty tray, held against a frame: where nothing has changed, there is neither die nor hand.

Printed figures, stains and seams, which the networks may take for a die or a thing, are in the empty tray too. What has
changed may be a die, a shadow, or what `vision.tray.new_things` tells.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import KnownTrayParams, Params
from vision.stages.finding import Face, find_at_any_size
from vision.tray.empty import EmptyTray, as_learnt, as_seen, made_small
from vision.types import Frame

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
