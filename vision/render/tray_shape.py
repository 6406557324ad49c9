"""The tray's outline from above as a convex polygon, and the distances of points from it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Tray

Array = NDArray[np.float64]

_ROUND_SIDES = 72
"""The number of straight pieces of a round wall; those of a 250 mm tray deviate from the circle by 0.12 mm."""

_CUT = 0.28  # part of the shorter side that each cut corner of an eight-sided tray takes; 0.29 for a regular octagon


@lru_cache(maxsize=64)
def wall_line(tray: Tray, outwards_mm: float = 0.0) -> Array:
    """Return the wall's inner foot from above, moved outwards: corners counter-clockwise, (n, 2) mm, read only."""
    half_x, half_y = tray.width_mm / 2 + outwards_mm, tray.depth_mm / 2 + outwards_mm
    if tray.is_round:
        angles = np.arange(_ROUND_SIDES) * (math.tau / _ROUND_SIDES)
        line = np.stack([np.cos(angles) * half_x, np.sin(angles) * half_x], axis=1)
    elif tray.sides == 6:
        # A regular hexagon across the width; its depth follows.
        angles = (np.arange(6) + 0.5) * (math.tau / 6)
        line = np.stack([np.cos(angles), np.sin(angles)], axis=1) * (half_x / math.cos(math.pi / 6))
    elif tray.sides == 8:
        inner = _CUT * min(tray.width_mm, tray.depth_mm)
        cut = inner + outwards_mm * (2 - math.sqrt(2))
        x, y = half_x - cut, half_y - cut
        quarter = np.array([(half_x, y), (x, half_y)])
        upper = np.concatenate([quarter, (quarter * (-1, 1))[::-1]])
        line = np.concatenate([upper, -upper])
    else:
        line = np.array([(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)])
    line.setflags(write=False)
    return line


@lru_cache(maxsize=64)
def _sides(tray: Tray, outwards_mm: float) -> tuple[Array, Array]:
    """Return the outward normals, (n, 2), of the wall's sides and their distances from the centre, (n,)."""
    line = wall_line(tray, outwards_mm)
    along = np.roll(line, -1, axis=0) - line
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals, (normals * line).sum(axis=1)


def room(tray: Tray, points: Array, outwards_mm: float = 0.0) -> Array:
    """Return the distances of points, (n, 2 or 3) in mm, inside the wall moved outwards; negative outside: (n,)."""
    if tray.is_round:
        return np.asarray(tray.width_mm / 2 + outwards_mm - np.hypot(points[:, 0], points[:, 1]))
    normals, distances = _sides(tray, outwards_mm)
    return np.asarray((distances - points[:, :2] @ normals.T).min(axis=1))


def in_tray(tray: Tray, points: Array, spare_mm: float = 0.0) -> bool:
    """Whether all points, (n, 2 or 3) in mm, are inside the tray's wall, at least `spare_mm` from it."""
    return bool(room(tray, points).min() > spare_mm)
