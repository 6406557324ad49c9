"""The possible places of a value's pips on a face: grids with all centres, rotations, widths and pip sizes of dice.

Each is a pattern over the same sample points of a face: 1 in its pips, 0 elsewhere. `second_opinion` compares these
patterns with a die's colours.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.stages.crops import HALF_PX
from vision.types import PATTERN

Array = NDArray[np.float32]

_PIPS = {value: np.array(places, np.float32) for value, places in PATTERN.items()}

TURN, ACROSS, ALONG, X, Y, RADIUS = range(6)
"""The numbers of a grid: its rotation in degrees and, in half sides of the face, the distance of the outer pips in
both directions, the place of its centre, and the pips' radius."""

_TURNS = (-10.0, -5.0, 0.0, 5.0, 10.0)
_WIDTHS = (0.37, 0.43, 0.49, 0.55)
_CENTRES = ((0.0, 0.0), (0.076, 0.0), (-0.076, 0.0), (0.0, 0.076), (0.0, -0.076))
_RADII, _RADII_OF_1 = (0.12, 0.165, 0.22), (0.13, 0.18, 0.25, 0.33, 0.43)
_NARROWER = 0.05
"""The grids that are tried first: all combinations of these. A 6 is also tried with rows this much closer."""

_STEPS = np.array([2.0, 0.03, 0.03, 0.041, 0.041, 0.025], np.float32)
"""The step by which each of the six numbers is changed to find a better grid."""

_REACH, _APART = 1.1, 2.0 / HALF_PX
"""The radius of the disc of sample points, and their spacing, in half sides. The disc contains pips on the diagonals of
the face, and almost nothing outside the die."""

_SOFT = 2.0 / HALF_PX  # width of a pip's edge in half sides, which matches the blur of a crop


_CENTRE_OFF = 0.08
_WIDTH, _WIDTH_OFF = 0.47, 0.09
_OBLONG = 0.045
_RADIUS, _RADIUS_OFF = 0.155, 0.1
_RADIUS_OF_1, _RADIUS_OF_1_OFF = 0.2, 0.054
"""The geometry of 1,500 measured dice, in half sides of the face: the deviation of the grid's centre from the face's,
the distance of the outer pips from it, how much closer the rows of a 6 are than its columns, and the radius of a pip.
"Off" is a standard deviation."""


class Patterns(NamedTuple):
    """Grids of one value.

    Attributes:
        value: The value, 1 to 6.
        grids: Numbers of each grid, in the order of `TURN` etc., (n, 6).
        masks: Patterns over `PLACES`, with mean 0 and length 1, (n, places).
        unlikely: Negative log prior of each grid, regardless of the face's edges, (n,).
    """

    value: int
    grids: Array
    masks: Array
    unlikely: Array


@cache
def first(value: int) -> Patterns:
    """Return the grids of a value that are tried first."""
    quarters = (0.0,) if value in (4, 5) else (0.0, 90.0)  # a 4 and a 5 look the same rotated by 90 degrees
    grids = [
        (turn + quarter, width - narrower, width, x, y, radius)
        for turn in _TURNS
        for quarter in quarters
        for width in _WIDTHS
        for narrower in ((0.0, _NARROWER) if value == 6 else (0.0,))
        for x, y in _CENTRES
        for radius in _RADII
    ]
    if value == 1:
        grids = [(0.0, 0.0, 0.0, x, y, radius) for x, y in _CENTRES for radius in _RADII_OF_1]
    return _drawn(value, np.array(grids, np.float32))


def near(value: int, grid: Array, part: float) -> Patterns:
    """Return the neighbours of a grid, (6,), in which one number is larger or smaller by a part of a step."""
    return _drawn(value, np.asarray(grid + part * _steps(value), np.float32))


def pips_of(value: int, grids: Array) -> Array:
    """Return the pips of grids, (n, 6): (n, value, 2) in half sides from the face's centre."""
    turns = np.radians(grids[:, TURN, None])
    across = _PIPS[value][:, 0] * grids[:, ACROSS, None]
    along = _PIPS[value][:, 1] * grids[:, ALONG, None]
    x = across * np.cos(turns) - along * np.sin(turns) + grids[:, X, None]
    y = across * np.sin(turns) + along * np.cos(turns) + grids[:, Y, None]
    return np.stack([x, y], axis=2).astype(np.float32)


@cache
def _steps(value: int) -> Array:
    """Return all single steps from a grid of a value, (n, 6); only a 6 need not be square, a 1 has no grid."""
    numbers = {1: (X, Y, RADIUS), 6: (TURN, ACROSS, ALONG, X, Y, RADIUS)}.get(value, (TURN, ALONG, X, Y, RADIUS))
    steps = np.zeros((2 * len(numbers), len(_STEPS)), np.float32)
    for place, number in enumerate(numbers):
        steps[2 * place : 2 * place + 2, number] = -_STEPS[number], _STEPS[number]
    if value != 6:
        steps[:, ACROSS] = steps[:, ALONG]
    return steps


def _drawn(value: int, grids: Array) -> Patterns:
    return Patterns(value, grids, _masks(value, grids), _unlikely(value, grids))


def _masks(value: int, grids: Array) -> Array:
    pips = pips_of(value, grids)
    nearest = np.full((len(grids), len(PLACES)), np.inf, np.float32)
    for number in range(value):
        across, down = PLACES[:, 0] - pips[:, number, :1], PLACES[:, 1] - pips[:, number, 1:]
        np.minimum(nearest, across * across + down * down, out=nearest)
    masks = np.clip((grids[:, RADIUS, None] - np.sqrt(nearest)) / _SOFT + 0.5, 0.0, 1.0)
    masks -= masks.mean(axis=1, keepdims=True)
    masks /= np.maximum(np.linalg.norm(masks, axis=1, keepdims=True), 1e-6)
    return np.asarray(masks, np.float32)


def _unlikely(value: int, grids: Array) -> Array:
    """Return half the squared deviation of grids from those of real dice, in standard deviations, (n,)."""
    radius, radius_off = (_RADIUS_OF_1, _RADIUS_OF_1_OFF) if value == 1 else (_RADIUS, _RADIUS_OFF)
    off = (grids[:, X] ** 2 + grids[:, Y] ** 2) / _CENTRE_OFF**2
    off += ((grids[:, RADIUS] - radius) / radius_off) ** 2
    if value > 1:
        off += ((grids[:, ALONG] - _WIDTH) / _WIDTH_OFF) ** 2
    if value == 6:
        off += ((grids[:, ACROSS] - grids[:, ALONG]) / _OBLONG) ** 2
    return np.where(grids[:, RADIUS] > 0, 0.5 * off, np.inf).astype(np.float32)


def _places() -> Array:
    ticks = np.arange(-round(_REACH / _APART), round(_REACH / _APART) + 1) * _APART
    places = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    return np.asarray(places[np.hypot(*places.T) <= _REACH + 1e-6], np.float32)


PLACES = _places()  # sample points of a face, (places, 2) in half sides from its centre
