"""Maps of the paint on a die's six faces: pips, or an emblem in place of them, as distances to their rims.

Distances to a rim are smooth between the map's pixels, so edges are sharp at any scale.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.render.scene import DieBody
from vision.types import PATTERN

Array = NDArray[np.float32]

CELL = 64  # width of a face in pixels; few are enough because distances are smooth


def pip_places(body: DieBody, value: int) -> tuple[tuple[float, float], ...]:
    """Return the centres of a face's pips in half sizes, -1 to 1, along the face's two axes."""
    across, along = body.grid[value - 1]
    turned = bool(body.quarter_turns >> (value - 1) & 1)
    places = [(2 * body.spread * column * across, 2 * body.spread * row * along) for column, row in PATTERN[value]]
    return tuple((-row, column) if turned else (column, row) for column, row in places)


def pip_radius(body: DieBody, value: int) -> float:
    """Return the radius of a face's pips in half sizes."""
    return 2 * body.pip_radius * (body.one_scale if value == 1 else 1.0)


def pip_rim(away: NDArray[np.floating], radius: float, ring: float) -> NDArray[np.floating]:
    """Return the distances of points to the rim of a pip, negative inside, in the unit of the arguments.

    Args:
        away: The distances of the points from the pip's centre.
        radius: The pip's outer radius.
        ring: The inner radius relative to the outer one; 0 for a full pip.
    """
    return np.asarray(np.maximum(away - radius, ring * radius - away))


@lru_cache(maxsize=32)
def face_map(body: DieBody) -> Array:
    """Return a map of the paint on all six faces.

    Returns:
        Six cells side by side, float32 of shape (CELL, 6 * CELL, 4): the distance to the nearest rim of paint in half
        sizes, negative inside; the direction from the pip's centre, (u, v), in radii of the pip; and the part of its
        paint that the pip still has.
    """
    across = (np.arange(CELL, dtype=np.float32) + 0.5) / CELL * 2 - 1
    u, v = np.meshgrid(across, across)
    rng = np.random.default_rng(body.seed)
    drawing = body.emblem.draw(rng) if body.emblem is not None else None
    cells = []
    for value in range(1, 7):
        zero = np.zeros_like(u)
        if body.emblem is not None and drawing is not None and value == body.emblem.face:
            cells.append(np.stack([drawing, zero, zero, zero + 1], axis=-1))
            continue
        radius = pip_radius(body, value)
        best, way_u, way_v, kept = np.full(u.shape, 9.0, np.float32), zero, zero, zero + 1
        for place_u, place_v in pip_places(body, value) if radius > 0 else ():
            off_u, off_v = u - np.float32(place_u), v - np.float32(place_v)
            way = np.sqrt(off_u * off_u + off_v * off_v)
            rim = pip_rim(way, radius, body.ring)
            nearer = rim < best
            best = np.where(nearer, rim, best)
            way_u, way_v = np.where(nearer, off_u / radius, way_u), np.where(nearer, off_v / radius, way_v)
            lost = body.wear * float(rng.random())
            if value in (3, 5) and math.hypot(place_u, place_v) < radius:
                lost = max(lost, body.middle_wear)
            kept = np.where(nearer, 1.0 - lost, kept)
        cells.append(np.stack([best, way_u, way_v, kept], axis=-1))
    return np.concatenate(cells, axis=1).astype(np.float32)
