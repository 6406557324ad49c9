"""Finds the four sides of a rectangular tray in the picture, near those of the finder's map.

If a wall is seen from the side, the finder's map is some pixels off, too much to measure the camera's tilt. A wall has
several parallel contrasts: the two edges of the rim, the foot and its shadow. Each has the direction that determines
the tilt; the one nearest to the map's side counts as the edge.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.edge import Point, exact_edge
from vision.types import Frame

_PLACES = np.linspace(0.08, 0.92, 72)
"""The places along a side where its contrast is measured, without the corners, which may be rounded or have joints."""

REACH = 0.04
"""The largest distance of a side in the picture from that of the map, in widths of the picture; 0.02 to 0.05."""

SIGMA = 0.025
"""The distance from the map's side at which a contrast must be clearer by `PULL`, in widths; 0.01 to 0.04."""

PULL = 0.1
"""The additional clearness required at that distance, as a part of the greatest clearness; 0.05 to 0.3."""

CONTRAST = 3.0
"""The contrast, in grey levels per pixel, that has the greatest clearness; 2 to 12."""


def sides_in_picture(frame: Frame, edge: Sequence[Point]) -> tuple[Point, ...]:
    """Move each of four sides to the clearest straight contrast near it.

    Args:
        frame: The empty tray, (H, W, 3) uint8, BGR.
        edge: Four corners, completely in view, from `vision.tray.edge.find_edge`.

    Returns:
        Four corners of the same kind; those of `edge` if the moved sides do not meet in the picture.
    """
    height, width = frame.shape[:2]
    smooth = cv2.GaussianBlur(frame, (0, 0), 1.2).astype(np.float32)
    corners = np.array(edge) * (width, height) - 0.5
    lines = [_moved(smooth, corners[side], corners[(side + 1) % 4]) for side in range(4)]
    meetings = np.array([np.cross(lines[side - 1], lines[side]) for side in range(4)])
    if np.abs(meetings[:, 2]).min() < 1e-9:
        return tuple(edge)
    moved = meetings[:, :2] / meetings[:, 2:] + 0.5
    if not ((moved > 0) & (moved < (width, height))).all():
        return tuple(edge)
    found = exact_edge(moved, (width, height))
    return found if len(found) == 4 else tuple(edge)


def _moved(smooth: NDArray[np.float32], start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the clearest line near the one from `start` to `end`, in homogeneous coordinates, (3,)."""
    width = smooth.shape[1]
    reach = max(2, round(REACH * width))
    direction = (end - start) / np.hypot(*(end - start))
    across = np.array([direction[1], -direction[0]])
    steps = np.arange(-reach, reach + 1)
    middle = start + np.outer(_PLACES, end - start)
    # A strip along the side has a row for each step across it, and one more at either edge for the differences.
    rows = np.arange(-reach - 1, reach + 2)[:, None, None] * across + middle
    strip = cv2.remap(
        smooth,
        rows[..., 0].astype(np.float32),
        rows[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    # A long weak contrast counts more than a short strong one, such as a printed figure.
    contrast = np.clip((strip[2:] - strip[:-2]) / 2, -CONTRAST, CONTRAST)
    at_start, at_end = (each.ravel() for each in np.meshgrid(steps, steps, indexing="ij"))
    along = np.rint(at_start[:, None] + np.outer(at_end - at_start, _PLACES)).astype(np.intp) + reach
    # The contrasts of a texture change sign along a line and cancel out.
    clear = np.abs(contrast[along, np.arange(len(_PLACES))].mean(axis=1)).max(axis=1) / CONTRAST
    away = (at_start**2 + at_end**2) / 2 / (SIGMA * width) ** 2
    best = int((clear - PULL * away).argmax())
    first, last = start + at_start[best] * across, end + at_end[best] * across
    return np.asarray(np.cross([*first, 1.0], [*last, 1.0]))
