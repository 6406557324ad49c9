"""Rolls as tables for NumPy: the choices that each offers, with a free runner and without."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dice import pairings
from engine.odds import weighted_rolls

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
    """The choices that rolls offer without a free runner, for each trio of columns and each subset that is not topped.

    Attributes:
        moves: For each such case, the sets of moves that can be offered: the first moves of all sets, the second ones
            and the third ones (the first repeated if there are fewer). Cases with fewer sets are padded.
        weights: The number of ordered rolls (of 1,296) that offer exactly this set; 0 in the padding.
        busts: The number of ordered rolls that offer nothing.
    """

    moves: Whole
    weights: NDArray[np.float32]
    busts: NDArray[np.float32]


_TRIOS = tuple(combinations(range(11), 3))

CASE = np.zeros(1 << 11, np.int64)
"""The number of the first case of three columns, by their bits; the others add 1, 2 and 4 for each not topped."""
CASE[[sum(1 << column for column in trio) for trio in _TRIOS]] = 8 * np.arange(len(_TRIOS))


@cache
def sets(strict: bool) -> Sets:
    """Return the choices, with the variant fast start strict or without."""
    found = [_sets_of(trio, alive, strict) for trio in _TRIOS for alive in range(8)]
    most = max(len(weights) for _, weights, _ in found)
    moves = np.zeros((len(found), most, 3), np.int64)
    weights = np.zeros((len(found), most), np.float32)
    for case, (case_moves, case_weights, _) in enumerate(found):
        moves[case, : len(case_moves)] = case_moves
        weights[case, : len(case_weights)] = case_weights
    busts = np.array([case_busts for *_, case_busts in found], np.float32)
    return Sets(np.ascontiguousarray(moves.transpose(2, 0, 1)), weights, busts)


def _sets_of(trio: tuple[int, ...], alive: int, strict: bool) -> tuple[Whole, Whole, int]:
    place = np.full(11, -1)
    for nth, column in enumerate(trio):
        if alive >> nth & 1:
            place[column] = nth
    low, high = place[LOW], place[HIGH]
    number = np.array([[MOVES.index((min(a, b), max(a, b))) for b in range(3)] for a in range(3)])
    one = np.maximum(low, high)
    move = np.where((low >= 0) & (high >= 0), number[low, high], one)
    bits = np.where(one >= 0, 1 << np.maximum(move, 0), 0)
    offered = np.bitwise_or.reduce(bits[ROLLS], axis=1)
    if strict:  # moves of two runners take precedence over moves of one
        two = offered & 0b000111000
        offered = np.where(two > 0, two, offered)
    counts = np.bincount(offered, WEIGHTS, minlength=512).astype(int)
    some = [offer for offer in np.flatnonzero(counts) if offer]
    listed = [[nth for nth in range(9) if offer >> nth & 1] for offer in some]
    return (
        np.array([moves + [moves[0]] * (3 - len(moves)) for moves in listed], np.int64).reshape(-1, 3),
        counts[some],
        int(counts[0]),
    )
