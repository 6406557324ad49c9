"""Where a value's pips may lie on a face: lattices of all places, turns, widths and sizes of pips that dice have.

Each is drawn as a pattern over the same places of a face: 1 in its pips, 0 beside them. `second_opinion` asks which of
these patterns a die's colours show.
"""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class PipFitParams:
    """The tunables of the second opinion, and of the grids that pips lie on.

    Lengths are in half sides of the face.

    Attributes:
        worth: Weight of the part of a pattern that the colours leave unexplained; 2 to 4.
        usual: Logarithm of how much likelier each value, 1 to 6, is than its pattern alone says.
        trust: Power on what the looks hold likely beside it; 0.4 to 1.
        shown: Probability of showing a value from which a die in doubt is asked about; 0.4 to 0.8.
        certain: Probability of the value up to which one without doubt is asked about; 0.999999 to 1.
        enough: Explained part of its pattern from which a value is plain; 0.6 to 0.8.
        contrary: Logarithm by which another value must be likelier to speak against one; 2 to 5.
        distinct: Explained part of its pattern from which a value's pips are distinct; 0.85 to 0.97.
        distinct_plainer: Logarithm by which a distinct value must be likelier than all others; 3 to 6.
        centre_off: Deviation of the grid's middle from the face's, in each direction; 0.05 to 0.12.
        width: Distance of the outer pips from the grid's middle, in each direction; 0.42 to 0.52.
        width_off: Deviation of that; 0.05 to 0.12.
        oblong: Deviation of how much closer the rows of a 6 are than the pips of a row; 0.03 to 0.08.
        radius: A pip's radius; 0.12 to 0.2.
        radius_off: Deviation of that; 0.04 to 0.15.
        radius_of_1: The radius of a 1's pip; 0.15 to 0.25.
        radius_of_1_off: Deviation of that; 0.04 to 0.15.
        smallest: Least radius of a pip; 0.05 to 0.1.
        largest: Greatest radius of a pip; 0.4 to 0.6.
        turn_off_deg: Deviation of the grid's turn from the face's edges, degrees; 3 to 8.
        plainly: Clearness of the edges from which that deviation holds; 0.25 to 0.5.
        misled: Greatest logarithm of how unlikely a turn is; 3 to 8.
        edged: Clearness of the edges below which grids of all turns are tried; 0.1 to 0.3.
        beaten: Logarithm by which a value must be less likely than another not to be refined; 3 to 8.
    """

    worth: float = 2.9
    usual: tuple[float, ...] = (0.2, -0.33, 0.11, -1.0, -0.3, -0.8)
    trust: float = 0.8
    shown: float = 0.5
    certain: float = 0.9999999
    enough: float = 0.7
    contrary: float = 3.0
    distinct: float = 0.9
    distinct_plainer: float = 4.0
    centre_off: float = 0.08
    width: float = 0.47
    width_off: float = 0.09
    oblong: float = 0.045
    radius: float = 0.155
    radius_off: float = 0.1
    radius_of_1: float = 0.2
    radius_of_1_off: float = 0.054
    smallest: float = 0.07
    largest: float = 0.5
    turn_off_deg: float = 5.4
    plainly: float = 0.35
    misled: float = 5.0
    edged: float = 0.2
    beaten: float = 3.5


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
def first(value: int, params: PipFitParams) -> Patterns:
    """The lattices of a value that are tried at first."""
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
    return _drawn(value, np.array(lattices, np.float32), params)


def near(value: int, lattice: Array, part: float, params: PipFitParams) -> Patterns:
    """The lattices beside one, (6,): one of its numbers larger or smaller by a part of a step."""
    return _drawn(value, np.asarray(lattice + part * _steps(value), np.float32), params)


def pips_of(value: int, lattices: Array) -> Array:
    """Where the pips of lattices, (n, 6), are: (n, value, 2) in half sides off the face's middle."""
    turns = np.radians(lattices[:, TURN, None])
    across = _PIPS[value][:, 0] * lattices[:, ACROSS, None]
    along = _PIPS[value][:, 1] * lattices[:, ALONG, None]
    x = across * np.cos(turns) - along * np.sin(turns) + lattices[:, X, None]
    y = across * np.sin(turns) + along * np.cos(turns) + lattices[:, Y, None]
    return np.stack([x, y], axis=2).astype(np.float32)


@cache
def _steps(value: int) -> Array:
    """All single steps from a lattice of a value, (n, 6): only a 6 need not be square, and a 1 has no lattice."""
    numbers = {1: (X, Y, RADIUS), 6: (TURN, ACROSS, ALONG, X, Y, RADIUS)}.get(value, (TURN, ALONG, X, Y, RADIUS))
    steps = np.zeros((2 * len(numbers), len(_STEPS)), np.float32)
    for place, number in enumerate(numbers):
        steps[2 * place : 2 * place + 2, number] = -_STEPS[number], _STEPS[number]
    if value != 6:
        steps[:, ACROSS] = steps[:, ALONG]
    return steps


def _drawn(value: int, lattices: Array, params: PipFitParams) -> Patterns:
    return Patterns(value, lattices, _masks(value, lattices), _unlikely(value, lattices, params))


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


def _unlikely(value: int, lattices: Array, params: PipFitParams) -> Array:
    """How many deviations the lattices are off what dice have, squared and halved, (n,)."""
    radius, usual, deviation = lattices[:, RADIUS], params.radius, params.radius_off
    if value == 1:
        usual, deviation = params.radius_of_1, params.radius_of_1_off
    off = (lattices[:, X] ** 2 + lattices[:, Y] ** 2) / params.centre_off**2
    off += ((radius - usual) / deviation) ** 2
    if value > 1:
        off += ((lattices[:, ALONG] - params.width) / params.width_off) ** 2
    if value == 6:
        off += ((lattices[:, ACROSS] - lattices[:, ALONG]) / params.oblong) ** 2
    return np.where((radius < params.smallest) | (radius > params.largest), np.inf, 0.5 * off).astype(np.float32)


def _places() -> Array:
    ticks = np.arange(-round(_REACH / _APART), round(_REACH / _APART) + 1) * _APART
    places = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    return np.asarray(places[np.hypot(*places.T) <= _REACH + 1e-6], np.float32)


PLACES = _places()
"""Where a face's colours are looked at, (places, 2) in half sides off its middle."""
