"""The picture of a calibration: the tray's edge."""

from __future__ import annotations

import cv2
import numpy as np

from vision.tray.calibrate import Measured
from vision.types import Frame

EDGE = (0, 200, 0)
"""The tray's edge (BGR)."""

WIDTH = 960
"""Width of the picture in pixels."""


def measured_picture(measured: Measured) -> Frame:
    """Draw the edge over the picture that it was measured in.

    Returns:
        (H, W, 3) uint8, BGR, 960 wide.
    """
    frame = measured.frame
    size = WIDTH, max(1, round(WIDTH * frame.shape[0] / frame.shape[1]))
    picture = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    edge = np.rint(np.array(measured.edge) * size - 0.5).astype(np.int32)
    cv2.polylines(picture, [edge], isClosed=True, color=EDGE, thickness=2)
    return picture
