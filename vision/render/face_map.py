"""Maps of the paint on a die: distances to its rim, smooth between pixels, so that edges are sharp at any scale."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

CELL = 64  # width of a face in pixels; few are enough because distances are smooth


def pip_rim(away: NDArray[np.floating], radius: float, ring: float) -> NDArray[np.floating]:
    """Return the distances of points to the rim of a pip, negative inside, in the unit of the arguments.

    Args:
        away: The distances of the points from the pip's centre.
        radius: The pip's outer radius.
        ring: The inner radius relative to the outer one; 0 for a full pip.
    """
    return np.asarray(np.maximum(away - radius, ring * radius - away))


def pips_map(pips: Iterable[tuple[float, float, float]], radius: float, ring: float = 0.0) -> NDArray[np.floating]:
    """Return a map of pips on one face.

    Args:
        pips: The centre of each in half sizes, -1 to 1, along the face's two axes, and the part of its paint that is
            left.
        radius: Their radius in half sizes.
        ring: As in `pip_rim`.

    Returns:
        Shape (CELL, CELL, 4): the distance to the nearest rim of paint in half sizes, negative inside; the direction
        from the pip's centre, (u, v), in radii of the pip; and the part of its paint that the pip still has.
    """
    across = (np.arange(CELL, dtype=np.float32) + 0.5) / CELL * 2 - 1
    u, v = np.meshgrid(across, across)
    zero = np.zeros_like(u)
    best, way_u, way_v, kept = np.full(u.shape, 9.0, np.float32), zero, zero, zero + 1
    for place_u, place_v, left in pips if radius > 0 else ():
        off_u, off_v = u - np.float32(place_u), v - np.float32(place_v)
        way = np.sqrt(off_u * off_u + off_v * off_v)
        rim = pip_rim(way, radius, ring)
        nearer = rim < best
        best = np.where(nearer, rim, best)
        way_u, way_v = np.where(nearer, off_u / radius, way_u), np.where(nearer, off_v / radius, way_v)
        kept = np.where(nearer, left, kept)
    return np.stack([best, way_u, way_v, kept], axis=-1)
