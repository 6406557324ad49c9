"""Rolls as tables for NumPy: the choices that each offers, with a free runner and without."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.board import COLUMNS, RUNNERS
from engine.dice import pairings
from engine.odds import mask_of, weighted_rolls
from engine.odds.busts import EVERY_COLUMN
from engine.odds.forced import choices
from engine.variants import FastStart

Whole = NDArray[np.int64]

PAIRINGS = tuple((low, high) for low in range(11) for high in range(low, 11))
"""The 66 pairings; columns count from 0 here (column 2 of the game)."""

LOW = np.array([low for low, _ in PAIRINGS])
HIGH = np.array([high for _, high in PAIRINGS])

MOVES = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 0), (1, 1), (2, 2))
"""The moves of a pairing without a free runner: steps of the first, second and third runner, lowest column first."""

_NUMBER = {(low + 2, high + 2): number for number, (low, high) in enumerate(PAIRINGS)}


def _rolls() -> tuple[Whole, Whole]:
    """Return the pairings of the 126 rolls (the first repeated if a roll has fewer than three), and their weights."""
    ways = []
    for roll, _ in weighted_rolls():
        numbers = [_NUMBER[pairing] for pairing in pairings(roll)]
        ways.append(numbers + [numbers[0]] * (3 - len(numbers)))
    return np.array(ways), np.array([weight for _, weight in weighted_rolls()])


ROLLS, WEIGHTS = _rolls()


class Sets(NamedTuple):
    """The choices that rolls offer without a free runner, for each set of at most three columns that are not topped.

    Attributes:
        case: The number of the case, by the columns as eleven bits.
        moves: For each case, the sets of moves that can be offered: the first moves of all sets, the second ones and
            the third ones (the first repeated if there are fewer). Cases with fewer sets are padded.
        weights: The number of ordered rolls (of 1,296) that offer exactly this set; 0 in the padding.
        busts: The number of ordered rolls that offer nothing.
    """

    case: Whole
    moves: Whole
    weights: NDArray[np.float32]
    busts: NDArray[np.float32]


@cache
def sets(fast_start: FastStart) -> Sets:
    """Return the choices with this variant of fast start."""
    cases = [columns for count in range(RUNNERS + 1) for columns in combinations(COLUMNS, count)]
    found = [choices(mask_of(columns), EVERY_COLUMN, fast_start) for columns in cases]
    most = max(len(offered) for _, offered, _ in found)
    case = np.zeros(EVERY_COLUMN + 1, np.int64)
    moves = np.zeros((3, len(found), most), np.int64)
    weights = np.zeros((len(found), most), np.float32)
    for number, (columns, (steps, offered, _)) in enumerate(zip(cases, found, strict=True)):
        case[mask_of(columns)] = number
        move = [MOVES.index(tuple(map(columns.index, made))) for made in steps]
        for nth, (weight, _, numbers) in enumerate(offered):
            moves[:, number, nth] = [move[one] for one in (*numbers, numbers[0], numbers[0])[:3]]
            weights[number, nth] = weight
    return Sets(case, moves, weights, np.array([busts for *_, busts in found], np.float32))
