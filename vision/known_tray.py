"""What is known of the empty tray, held against a frame: where nothing has changed, there is neither die nor hand.

A calibration keeps a small picture of the empty tray (`vision.calibration`). Printed figures, stains and seams, which
the networks may take for a die or a thing, are in it too. The other way round nothing is concluded: what has changed
may be a shadow.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import EMPTY_SIZE, Calibration
from vision.finder import Face
from vision.params import KnownTrayParams
from vision.reading import Frame

Same = NDArray[np.bool_]
"""Where a frame shows the empty tray, shape (60, 80); the cells cover the whole frame."""


def unchanged(frame: Frame, calibration: Calibration, params: KnownTrayParams) -> Same | None:
    """Where a frame looks as the empty tray did.

    Args:
        frame: (H, W, 3) uint8, BGR.
        calibration: What was learnt of the tray.
        params: The tunables.

    Returns:
        For each cell whether it is as it was, but for the light as a whole; None where nothing can be told: the empty
        tray was never seen, the frame is of another shape, or so little is as it was that it is another light or tray.
    """
    empty = calibration.empty_picture()
    height, width = frame.shape[:2]
    if empty is None or not calibration.fits((width, height)):
        return None
    grey = cv2.cvtColor(cv2.resize(frame, EMPTY_SIZE, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    now, before = grey.astype(np.float32), empty.astype(np.float32)
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
