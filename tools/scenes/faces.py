"""The faces of placed dice, and what a die hides."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.render.geometry import FACE_UP, Array, matrix
from vision.render.scene import PlacedDie, Vec3


def top_face(die: PlacedDie) -> tuple[int, float]:
    """Return the value of the uppermost face, and the angle between its normal and the vertical in radians."""
    ups = matrix(die.turn)[2]
    value = max(FACE_UP, key=lambda face: ups[FACE_UP[face][0]] * FACE_UP[face][1])
    axis, side = FACE_UP[value]
    return value, math.acos(min(1.0, ups[axis] * side))


def on_face(die: PlacedDie, value: int, across: Array, along: Array) -> Array:
    """Return points on a face, given by coordinates from -1 to 1, (n,) each, as (n, 3) mm."""
    axis, side = FACE_UP[value]
    own = np.zeros((len(across), 3))
    own[:, axis] = side
    own[:, (axis + 1) % 3], own[:, (axis + 2) % 3] = across, along
    return np.asarray((own * die.body.size_mm / 2) @ matrix(die.turn).T + np.array(die.centre))


def behind_cube(eye: Array, points: Array, middle: Vec3 | Array, axes: Array, size: float) -> NDArray[np.bool_]:
    """Return which points a cube hides from an eye, by the slab method.

    Args:
        eye: The eye, shape (3,), in any unit of length.
        points: The points, shape (n, 3).
        middle: The centre of the cube.
        axes: The directions of its edges, the columns of (3, 3).
        size: The length of its edges.
    """
    half = size / 2
    start = (eye - np.array(middle)) @ axes / half
    ways = (points - eye) @ axes / half
    ways = np.where(np.abs(ways) < 1e-9, 1e-9, ways)
    first, second = (-1.0 - start) / ways, (1.0 - start) / ways
    enter, leave = np.minimum(first, second).max(axis=1), np.maximum(first, second).min(axis=1)
    return np.asarray((enter < leave) & (enter < 1.0 - 1e-6) & (leave > 0))
