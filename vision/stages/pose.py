"""The camera's pose over the tray, and the view from straight above.

A die's top face is a square only in a view from straight above. Once the direction of the vertical is known, each die
can be straightened to that view; a face that is not square then is leaning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.stages.finding import Face
from vision.types import Pose

Array = NDArray[np.float64]

_MOST_TILT = 0.6  # sine of the largest tilt that a camera may have
_ROUNDS = 4  # number of iterations for the weights of dice that disagree

_TILT_OFF, _KNOWN_OFF = 0.3, 0.05
"""The standard deviation of the sine of a camera's tilt in each direction; and that of a known pose, 0.03 to 0.1."""

_WIDTH, _WIDTH_OFF, _KNOWN_WIDTH_OFF = 1.25, 0.8, 0.3
"""The picture's width as a tangent, for a horizontal field of view of 64 degrees, and its standard deviation; and that
of the width of a known pose."""


def possible(up: Array) -> Array:
    """Return a direction, (2,), limited to the tilt that cameras have."""
    return np.asarray(up * min(1.0, _MOST_TILT / max(float(np.hypot(*up)), 1e-9)))


def rise(up: Array, off_axis: Array) -> Array:
    """Return the direction of upright edges in the picture, relative to the length of level ones: shape (..., 2).

    The projection (f X / Z, f Y / Z) of a point that moves along the unit vector u at the place (a, b) moves by
    f / Z * (u_x - a u_z, u_y - b u_z). With u_z constant this is a straight line's function of the place.

    Args:
        up: See `Pose`, (2,).
        off_axis: Tangents of the place off the axis, (..., 2).
    """
    return np.asarray(up + np.sqrt(1.0 - up @ up) * off_axis)


@lru_cache(maxsize=64)  # each look at a die needs it again
def straighten_at(pose: Pose, place: tuple[float, float]) -> Array:
    """Return the map from a place, in pixels, to the view from straight above: see `straighten`."""
    return straighten(np.array(pose.up), np.array(pose.off_axis(place)))


def straighten(up: Array, off_axis: Array) -> Array:
    """Return the linear map, (2, 2), from a place's surroundings to their view from straight above; areas stay.

    Up is -y there, so the visible sides of a die are below its top face.

    Args:
        up: See `Pose`, (2,).
        off_axis: Tangents of the place off the axis, (2,).
    """
    # This runs for each look at each die. For so few numbers NumPy would take three times as long.
    up_x, up_y, off_x, off_y = float(up[0]), float(up[1]), float(off_axis[0]), float(off_axis[1])
    up_z = -math.sqrt(1.0 - up_x * up_x - up_y * up_y)  # towards the camera
    # Two level unit vectors, and their projections into the picture: the columns of [[a, b], [c, d]].
    length = math.hypot(up_z, up_x)
    one_x, one_z = -up_z / length, up_x / length
    two_x, two_y, two_z = -up_y * one_z, up_x * one_z - up_z * one_x, up_y * one_x
    a, b = one_x - off_x * one_z, off_x * two_z - two_x
    c, d = -off_y * one_z, off_y * two_z - two_y
    area = a * d - b * c
    if area < 0:
        area, b, d = -area, -b, -d
    level = np.array([[d, -b], [-c, a]]) / math.sqrt(area)
    x, y = level @ (up_x - up_z * off_x, up_y - up_z * off_y)
    far = math.hypot(x, y)
    if far < 1e-9:
        return level
    return np.asarray(np.array([[-y, x], [-x, -y]]) / far @ level)


def fit(faces: Sequence[Face], size: tuple[int, int], known: Pose | None = None) -> Pose:
    """Return the camera's pose that most dice agree on, from the directions of their upright edges.

    Args:
        faces: The possible dice, weighted by their score.
        size: Width and height of the picture in pixels; its centre is taken as the axis.
        known: The pose if it is known in advance; otherwise None.
    """
    camera = _solved(faces, size, known)
    up = possible(np.array(camera.up))
    per_px = max(camera.width, 0.0) / size[0] / float(np.sqrt(1.0 - up @ up))
    return Pose.centred((float(up[0]), float(up[1])), per_px, size)


def deviations(face: Face, others: Sequence[Face], size: tuple[int, int], known: Pose | None = None) -> float:
    """Return the deviation of a die's uprights from those of other dice and a known pose, in standard deviations.

    It includes the expected error of the die's own uprights and the uncertainty of the pose at that place, which is
    larger with fewer dice and far from them (Mahalanobis distance).

    Args:
        face: The die.
        others: The other dice; the rest as for `fit`.
        size: Width and height of the picture in pixels.
        known: The pose if it is known in advance; otherwise None.
    """
    camera = _solved(others, size, known)
    x, y = _off_middle(face, size)
    far_x, far_y = (face.rise[axis] - camera.up[axis] - camera.width * place for axis, place in enumerate((x, y)))
    apart_x, apart_y = x - camera.place[0], y - camera.place[1]
    # The covariance is `spread` in each direction and, along the way from the mean place, that of the width.
    spread = 1.0 / camera.trust + face.rise_off**2
    along = far_x * apart_x + far_y * apart_y
    across = far_x**2 + far_y**2 - along**2 / (spread * camera.trust_width + apart_x**2 + apart_y**2)
    return math.sqrt(across / spread)


class _Camera(NamedTuple):
    """The most likely camera by some dice.

    Attributes:
        up: See `Pose`.
        width: The picture's width as a tangent.
        trust: The reciprocal of the variance of `up` at the mean place of the dice.
        place: That mean place, off the picture's middle in widths.
        trust_width: The reciprocal of the variance of the width.
    """

    up: tuple[float, float]
    width: float
    trust: float
    place: tuple[float, float]
    trust_width: float


def _off_middle(face: Face, size: tuple[int, int]) -> tuple[float, float]:
    """Return the place of a face off the picture's middle, in widths of the picture."""
    return (face.centre[0] - (size[0] - 1) / 2) / size[0], (face.centre[1] - (size[1] - 1) / 2) / size[0]


def _solved(faces: Sequence[Face], size: tuple[int, int], known: Pose | None) -> _Camera:
    """Return the most likely camera by least squares, with a prior for cameras.

    A die that disagrees with the others may be leaning, and a camera whose known pose they contradict was moved, so
    their weights decrease in each iteration (Huber's weights).
    """
    off = [_off_middle(face, size) for face in faces]
    before, tilt_off, width_off = (0.0, 0.0, _WIDTH), _TILT_OFF, _WIDTH_OFF
    if known is not None:
        towards = math.sqrt(1.0 - known.up[0] ** 2 - known.up[1] ** 2)
        before = (*known.up, known.per_px * 2 * known.middle[0] * towards)
        tilt_off, width_off = _KNOWN_OFF, _KNOWN_WIDTH_OFF
    trust_width = width_off**-2
    up_x, up_y, width = before
    # In plain numbers, because for a few dice NumPy takes three times as long.
    for _ in range(_ROUNDS):
        far = math.hypot(up_x - before[0], up_y - before[1])
        trust_up = min(1.0, tilt_off / max(far, 1e-9)) / tilt_off**2
        # The sums of the normal equations: 1, `off`, its square, the uprights, and their product with `off`.
        total, x, y, square = trust_up, 0.0, 0.0, trust_width
        to_x, to_y, product = trust_up * before[0], trust_up * before[1], trust_width * before[2]
        for face, (off_x, off_y) in zip(faces, off, strict=True):
            rise_x, rise_y = face.rise
            far = math.hypot(rise_x - up_x - width * off_x, rise_y - up_y - width * off_y)
            weight = face.score * min(1.0, face.rise_off / max(far, 1e-9)) / face.rise_off**2
            total += weight
            x += weight * off_x
            y += weight * off_y
            square += weight * (off_x * off_x + off_y * off_y)
            to_x += weight * rise_x
            to_y += weight * rise_y
            product += weight * (off_x * rise_x + off_y * rise_y)
        certain = square - (x * x + y * y) / total
        width = (product - (x * to_x + y * to_y) / total) / certain
        up_x, up_y = (to_x - x * width) / total, (to_y - y * width) / total
    return _Camera((up_x, up_y), width, total, (x / total, y / total), certain)
