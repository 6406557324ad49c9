"""Trays of other shapes than the simulated box's rectangle: round ones, hexagons, and rectangles without corners."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.render.geometry import Array
from vision.render.scene import Tray

_ROUND_SIDES = 72
"""The number of straight pieces of a round wall; those of a 250 mm tray deviate from the circle by 0.12 mm."""

_CUT = 0.28  # part of the shorter side that each cut corner of an eight-sided tray takes; 0.29 for a regular octagon


@dataclass(frozen=True, slots=True)
class ShapedTray(Tray):
    """A tray of any shape.

    Attributes:
        is_round: Whether the wall is a circle; its depth is the same as its width.
        sides: Number of sides if it is not round: 4 for a rectangle, 8 for one without corners, 6 for a hexagon.
    """

    is_round: bool = False
    sides: int = 4

    def wall_line(self, outwards_mm: float = 0.0) -> Array:
        """Return the wall's inner foot from above, moved outwards: see `Tray`."""
        half_x, half_y = self.width_mm / 2 + outwards_mm, self.depth_mm / 2 + outwards_mm
        if self.is_round:
            angles = np.arange(_ROUND_SIDES) * (math.tau / _ROUND_SIDES)
            return np.stack([np.cos(angles) * half_x, np.sin(angles) * half_x], axis=1)
        if self.sides == 6:
            # A regular hexagon across the width; its depth follows.
            angles = (np.arange(6) + 0.5) * (math.tau / 6)
            return np.stack([np.cos(angles), np.sin(angles)], axis=1) * (half_x / math.cos(math.pi / 6))
        if self.sides == 8:
            inner = _CUT * min(self.width_mm, self.depth_mm)
            cut = inner + outwards_mm * (2 - math.sqrt(2))
            x, y = half_x - cut, half_y - cut
            quarter = np.array([(half_x, y), (x, half_y)])
            upper = np.concatenate([quarter, (quarter * (-1, 1))[::-1]])
            return np.concatenate([upper, -upper])
        return Tray.wall_line(self, outwards_mm)

    def room(self, points: Array, outwards_mm: float = 0.0) -> Array:
        """Return the distances of points inside the wall: see `Tray`."""
        if self.is_round:
            return np.asarray(self.width_mm / 2 + outwards_mm - np.hypot(points[:, 0], points[:, 1]))
        normals, distances = _sides(self, outwards_mm)
        return np.asarray((distances - points[:, :2] @ normals.T).min(axis=1))


@lru_cache(maxsize=64)
def _sides(tray: Tray, outwards_mm: float) -> tuple[Array, Array]:
    """Return the outward normals, (n, 2), of the wall's sides and their distances from the centre, (n,)."""
    line = tray.wall_line(outwards_mm)
    along = np.roll(line, -1, axis=0) - line
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals, (normals * line).sum(axis=1)
