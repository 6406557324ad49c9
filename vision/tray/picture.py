"""The picture of a calibration: the tray's edge, and its ninths with their light."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pictures.text import Colour, write
from vision.tray.calibrate import Measured
from vision.types import Frame

EDGE: Colour = (0, 200, 0)
"""The tray's edge (BGR)."""
GRID: Colour = (255, 200, 0)
"""The ninths of the tray and the cross in the picture's middle."""
WIDTH = 960
"""Width of the picture in pixels, so that its writing can be read."""


def measured_picture(measured: Measured) -> Frame:
    """Draw what was found over the picture that it was measured in.

    Returns:
        (H, W, 3) uint8, BGR, 960 wide.
    """
    frame = measured.frame
    width, height = WIDTH, max(1, round(WIDTH * frame.shape[0] / frame.shape[1]))
    picture = np.asarray(cv2.resize(frame, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    edge = np.rint(np.array(measured.edge) * (width, height) - 0.5).astype(np.int32)
    columns, rows = np.rint(np.linspace(edge.min(axis=0), edge.max(axis=0), 4)).astype(int).T.tolist()
    for number in (1, 2):
        cv2.line(picture, (columns[number], rows[0]), (columns[number], rows[-1]), GRID, 1, cv2.LINE_AA)
        cv2.line(picture, (columns[0], rows[number]), (columns[-1], rows[number]), GRID, 1, cv2.LINE_AA)
    for (row, column), level in np.ndenumerate(measured.parts):
        if np.isfinite(level):
            burnt = measured.burnt[row, column]
            label = f"{level:.0f}" + (f", {100 * burnt:.0f}% white" if burnt >= 0.005 else "")
            write(picture, label, (columns[column] + 12, rows[row] + 26), GRID)
    cv2.drawMarker(picture, (width // 2, height // 2), GRID, cv2.MARKER_CROSS, 24, 2, cv2.LINE_AA)
    cv2.polylines(picture, [edge], isClosed=True, color=EDGE, thickness=2)
    return picture
