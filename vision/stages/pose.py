"""Which way is up in a picture: how the camera stands over the tray, and what it would show from straight above.

A die's top face is a square only from straight above. What a slanting view makes of it is known once the direction of
the vertical is: so each die is seen as from above, and what is no square then leans.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.stages.finding import Face

Array = NDArray[np.float64]

_MOST_TILT = 0.6
"""Sine of the farthest that a camera is taken to look off the vertical."""

_ROUNDS = 4
"""How often the weights of dice that disagree are computed."""

_TILT_OFF = 0.3
"""Standard deviation of the sine of a camera's tilt in each direction."""

_WIDTH, _WIDTH_OFF = 1.25, 0.8
"""The picture's width as a tangent, for a horizontal field of view of 64 degrees, and its standard deviation."""


@dataclass(frozen=True, slots=True)
class PoseParams:
    """The tunables of the camera's pose.

    Attributes:
        die_off: Deviation of where one die's upright edges point, beside level edges of the same length; 0.05 to 0.3.
        known_off: Deviation of the sine of the tilt where the pose is known beforehand; 0.03 to 0.1.
    """

    die_off: float = 0.12
    known_off: float = 0.05


@dataclass(frozen=True, slots=True)
class Pose:
    """A pinhole camera's pose, in the picture's axes (x to the right, y down).

    Attributes:
        up: The part in the picture's plane, (x, y), of the unit vector that points up from the tray's floor: (0, 0)
            where the camera looks straight down, of length sin(tilt) otherwise.
        middle: Where its axis meets the picture, (x, y) in pixels.
        per_px: One over the focal length in pixels.
    """

    up: tuple[float, float]
    middle: tuple[float, float]
    per_px: float

    def off_axis(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return how far off the axis a place of the picture, in pixels, is seen: tangents, (x, y)."""
        return (place[0] - self.middle[0]) * self.per_px, (place[1] - self.middle[1]) * self.per_px

    def lean(self, face: Face) -> float:
        """Return how far a die's upright edges point off the vertical: for small angles about its lean in radians."""
        vertical = rise(np.array(self.up), np.array(self.off_axis(face.centre)))
        return math.hypot(face.rise[0] - vertical[0], face.rise[1] - vertical[1])

    def straighten(self, place: tuple[float, float]) -> Array:
        """Return the map that shows a place, in pixels, as from straight above: see the function `straighten`."""
        return straighten(np.array(self.up), np.array(self.off_axis(place)))


def possible(up: Array) -> Array:
    """Return a direction, (2,), limited to the tilt that cameras have."""
    return np.asarray(up * min(1.0, _MOST_TILT / max(float(np.hypot(*up)), 1e-9)))


def rise(up: Array, off_axis: Array) -> Array:
    """Return where upright edges point in the picture, in lengths of level ones: shape (..., 2).

    The projection (f X / Z, f Y / Z) of a point that moves along the unit vector u at the place (a, b) moves by
    f / Z * (u_x - a u_z, u_y - b u_z). With u_z constant this is a straight line's function of the place.

    Args:
        up: See `Pose`, (2,).
        off_axis: Tangents of the place off the axis, (..., 2).
    """
    return np.asarray(up + np.sqrt(1.0 - up @ up) * off_axis)


def straighten(up: Array, off_axis: Array) -> Array:
    """Return the linear map, (2, 2), from a place's surroundings to their view from straight above; areas stay.

    What is above lies towards -y there, so that the sides of a die that are seen lie below its top face.

    Args:
        up: See `Pose`, (2,).
        off_axis: Tangents of the place off the axis, (2,).
    """
    # In plain numbers, as this is done for each look at each die: NumPy takes three times as long over so few.
    up_x, up_y, off_x, off_y = float(up[0]), float(up[1]), float(off_axis[0]), float(off_axis[1])
    up_z = -math.sqrt(1.0 - up_x * up_x - up_y * up_y)  # towards the camera
    # Two level unit vectors, and what the picture makes of them: the columns of [[a, b], [c, d]].
    length = math.hypot(up_z, up_x)
    one_x, one_z = -up_z / length, up_x / length
    two_x, two_y, two_z = -up_y * one_z, up_x * one_z - up_z * one_x, up_y * one_x
    a, b = one_x - off_x * one_z, off_x * two_z - two_x
    c, d = -off_y * one_z, off_y * two_z - two_y
    area = a * d - b * c
    if area < 0:
        area, b, d = -area, -b, -d
    level = np.array([[d, -b], [-c, a]]) / math.sqrt(area)
    x, y = level @ rise(up, off_axis)
    far = math.hypot(x, y)
    if far < 1e-9:
        return level
    return np.asarray(np.array([[-y, x], [-x, -y]]) / far @ level)


def fit(faces: Sequence[Face], size: tuple[int, int], params: PoseParams, known: Pose | None = None) -> Pose:
    """Return the camera's pose that most dice agree on, by where their upright edges point.

    Args:
        faces: What may be dice; each weighs as much as it is likely to be one.
        size: Width and height of the picture in pixels; its middle is taken for the axis.
        params: The tunables.
        known: The pose as it is known from elsewhere; None if it is not.
    """
    best, _ = _solved(faces, size, params, known)
    x, y = _middle(size)
    up = possible(best[:2])
    per_px = max(float(best[2]), 0.0) / size[0] / float(np.sqrt(1.0 - up @ up))
    return Pose((float(up[0]), float(up[1])), (float(x), float(y)), per_px)


def deviations(
    face: Face, others: Sequence[Face], size: tuple[int, int], params: PoseParams, known: Pose | None = None
) -> float:
    """Return how far a die's uprights point off what other dice and a known pose say, in standard deviations.

    The deviation covers how well one die's uprights are seen, and how uncertain the pose leaves them at that place:
    more with fewer dice, and far from them (the Mahalanobis distance).

    Args:
        face: The die.
        others: The other dice; the rest as for `fit`.
        size: Width and height of the picture in pixels.
        params: The tunables.
        known: The pose as it is known from elsewhere; None if it is not.
    """
    best, spread = _solved(others, size, params, known)
    row = _rows([face], size)
    far = np.array(face.rise) - row @ best
    return float(np.sqrt(far @ np.linalg.solve(row @ spread @ row.T + params.die_off**2 * np.eye(2), far)))


def _middle(size: tuple[int, int]) -> Array:
    return (np.array(size) - 1) / 2


def _rows(faces: Sequence[Face], size: tuple[int, int]) -> Array:
    """Return the design matrix, (2 n, 3): uprights, (2 n,), from the two parts of `up` and the width as a tangent."""
    off = (np.array([face.centre for face in faces]).reshape(-1, 2) - _middle(size)) / size[0]
    rows = np.zeros((2 * len(off), 3))
    rows[::2, 0], rows[1::2, 1], rows[:, 2] = 1.0, 1.0, off.ravel()
    return rows


def _solved(
    faces: Sequence[Face], size: tuple[int, int], params: PoseParams, known: Pose | None
) -> tuple[Array, Array]:
    """Return the two parts of `up` and the picture's width as a tangent, (3,), and their covariance, (3, 3).

    The likeliest camera by least squares, with what cameras are like before anything is seen; a die that is off what
    the others say weighs less each time (Huber's weights), as it may lean.
    """
    rows = _rows(faces, size)
    seen = np.array([face.rise for face in faces]).ravel()
    weights = np.array([face.score for face in faces])
    before, tilt_off = np.array([0.0, 0.0, _WIDTH]), _TILT_OFF
    if known is not None:
        towards = math.sqrt(1.0 - known.up[0] ** 2 - known.up[1] ** 2)
        before, tilt_off = np.array([*known.up, known.per_px * 2 * known.middle[0] * towards]), params.known_off
    trust = np.diag([(params.die_off / tilt_off) ** 2] * 2 + [(params.die_off / _WIDTH_OFF) ** 2])
    best, certain = before, trust
    for _ in range(_ROUNDS):
        far = np.hypot(*(seen - rows @ best).reshape(-1, 2).T)
        each = np.repeat(weights * np.minimum(1.0, params.die_off / np.maximum(far, 1e-9)), 2)
        certain = rows.T @ (rows * each[:, None]) + trust
        best = np.linalg.solve(certain, rows.T @ (each * seen) + trust @ before)
    return best, params.die_off**2 * np.linalg.inv(certain)
