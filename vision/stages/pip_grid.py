"""Where a value's pips may lie on a face: lattices of all places, turns, widths and sizes of pips that dice have.

Each is drawn as a pattern over the same places of a face: 1 in its pips, 0 beside them. `second_opinion` asks which of
these patterns a die's colours show.
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
"""What a lattice is described by: its turn in degrees, and in half sides of the face how far the outer pips lie off its
middle in either direction, where that middle is, and the pips' radius."""

_TURNS = (-10.0, -5.0, 0.0, 5.0, 10.0)
_WIDTHS = (0.37, 0.43, 0.49, 0.55)
_CENTRES = ((0.0, 0.0), (0.076, 0.0), (-0.076, 0.0), (0.0, 0.076), (0.0, -0.076))
_RADII, _RADII_OF_1 = (0.12, 0.165, 0.22), (0.13, 0.18, 0.25, 0.33, 0.43)
_NARROWER = 0.05
"""The lattices that are tried at first: each of these with each. A 6 is tried with rows so much closer as well."""

_STEPS = np.array([2.0, 0.03, 0.03, 0.041, 0.041, 0.025], np.float32)
"""By so much each of the six numbers is changed to find a better one."""

_REACH, _APART = 1.1, 2.0 / HALF_PX
"""The places lie within a disc of this radius, in half sides, and so far from one another: pips on the diagonals of the
face are in it, and next to nothing beside the die."""

_SOFT = 2.0 / HALF_PX
"""Width of a pip's edge, in half sides: as blurred as a crop is."""


_CENTRE_OFF = 0.08
_WIDTH, _WIDTH_OFF = 0.47, 0.09
_OBLONG = 0.045
_RADIUS, _RADIUS_OFF = 0.155, 0.1
_RADIUS_OF_1, _RADIUS_OF_1_OFF = 0.2, 0.054
"""What dice are like, measured on 1,500 of them, in half sides of the face: how far the grid's middle is off the face's
in each direction, how far the outer pips lie from it, how much closer the rows of a 6 are than its columns, and a pip's
radius. "Off" is a standard deviation."""


class Patterns(NamedTuple):
    """Some lattices of one value.

    Attributes:
        value: 1 to 6.
        lattices: Each as `TURN` and so on tell, (n, 6).
        masks: What they are over `PLACES`: of mean 0 and length 1, (n, places).
        unlikely: Logarithm of how unlikely each of them is whichever way the face's edges point, (n,).
    """

    value: int
    lattices: Array
    masks: Array
    unlikely: Array


@cache
def first(value: int) -> Patterns:
    """Return the lattices of a value that are tried at first."""
    quarters = (0.0,) if value in (4, 5) else (0.0, 90.0)  # a 4 and a 5 look the same turned by 90 degrees
    lattices = [
        (turn + quarter, width - narrower, width, x, y, radius)
        for turn in _TURNS
        for quarter in quarters
        for width in _WIDTHS
        for narrower in ((0.0, _NARROWER) if value == 6 else (0.0,))
        for x, y in _CENTRES
        for radius in _RADII
    ]
    if value == 1:
        lattices = [(0.0, 0.0, 0.0, x, y, radius) for x, y in _CENTRES for radius in _RADII_OF_1]
    return _drawn(value, np.array(lattices, np.float32))


def near(value: int, lattice: Array, part: float) -> Patterns:
    """Return the neighbours of a lattice, (6,): one of its numbers is larger or smaller by a part of a step."""
    return _drawn(value, np.asarray(lattice + part * _steps(value), np.float32))


def pips_of(value: int, lattices: Array) -> Array:
    """Return the pips of lattices, (n, 6): (n, value, 2) in half sides from the face's centre."""
    turns = np.radians(lattices[:, TURN, None])
    across = _PIPS[value][:, 0] * lattices[:, ACROSS, None]
    along = _PIPS[value][:, 1] * lattices[:, ALONG, None]
    x = across * np.cos(turns) - along * np.sin(turns) + lattices[:, X, None]
    y = across * np.sin(turns) + along * np.cos(turns) + lattices[:, Y, None]
    return np.stack([x, y], axis=2).astype(np.float32)


@cache
def _steps(value: int) -> Array:
    """Return all single steps from a lattice of a value, (n, 6); only a 6 need not be square, a 1 has no lattice."""
    numbers = {1: (X, Y, RADIUS), 6: (TURN, ACROSS, ALONG, X, Y, RADIUS)}.get(value, (TURN, ALONG, X, Y, RADIUS))
    steps = np.zeros((2 * len(numbers), len(_STEPS)), np.float32)
    for place, number in enumerate(numbers):
        steps[2 * place : 2 * place + 2, number] = -_STEPS[number], _STEPS[number]
    if value != 6:
        steps[:, ACROSS] = steps[:, ALONG]
    return steps


def _drawn(value: int, lattices: Array) -> Patterns:
    return Patterns(value, lattices, _masks(value, lattices), _unlikely(value, lattices))


def _masks(value: int, lattices: Array) -> Array:
    pips = pips_of(value, lattices)
    nearest = np.full((len(lattices), len(PLACES)), np.inf, np.float32)
    for number in range(value):
        across, down = PLACES[:, 0] - pips[:, number, :1], PLACES[:, 1] - pips[:, number, 1:]
        np.minimum(nearest, across * across + down * down, out=nearest)
    masks = np.clip((lattices[:, RADIUS, None] - np.sqrt(nearest)) / _SOFT + 0.5, 0.0, 1.0)
    masks -= masks.mean(axis=1, keepdims=True)
    masks /= np.maximum(np.linalg.norm(masks, axis=1, keepdims=True), 1e-6)
    return np.asarray(masks, np.float32)


def _unlikely(value: int, lattices: Array) -> Array:
    """Return half the squared deviation of lattices from those of real dice, in standard deviations, (n,)."""
    radius, radius_off = (_RADIUS_OF_1, _RADIUS_OF_1_OFF) if value == 1 else (_RADIUS, _RADIUS_OFF)
    off = (lattices[:, X] ** 2 + lattices[:, Y] ** 2) / _CENTRE_OFF**2
    off += ((lattices[:, RADIUS] - radius) / radius_off) ** 2
    if value > 1:
        off += ((lattices[:, ALONG] - _WIDTH) / _WIDTH_OFF) ** 2
    if value == 6:
        off += ((lattices[:, ACROSS] - lattices[:, ALONG]) / _OBLONG) ** 2
    return np.where(lattices[:, RADIUS] > 0, 0.5 * off, np.inf).astype(np.float32)


def _places() -> Array:
    ticks = np.arange(-round(_REACH / _APART), round(_REACH / _APART) + 1) * _APART
    places = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    return np.asarray(places[np.hypot(*places.T) <= _REACH + 1e-6], np.float32)


PLACES = _places()
"""Where a face's colours are looked at, (places, 2) in half sides off its middle."""
