"""Rolls as tables for numpy: what each offers while a runner is free, and once all three are out."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.dice import all_rolls, pairings

Whole = NDArray[np.int64]

WAYS = 6**4
"""How many ordered rolls there are."""

PAIRINGS = tuple((low, high) for low in range(11) for high in range(low, 11))
"""The 66 pairings; here columns count from 0 (the game's 2)."""

LOW = np.array([low for low, _ in PAIRINGS])
HIGH = np.array([high for _, high in PAIRINGS])

MOVES = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 0), (1, 1), (2, 2))
"""What a pairing can do with three runners out: steps of the first, second, third of them, lowest column first."""

_NUMBER = {(low + 2, high + 2): number for number, (low, high) in enumerate(PAIRINGS)}


def _rolls() -> tuple[Whole, Whole]:
    """Return the pairings of the 126 rolls (the first again where a roll has fewer than three), and their weights."""
    ways, weights = [], []
    for roll in all_rolls():
        numbers = [_NUMBER[pairing] for pairing in pairings(roll)]
        ways.append(numbers + [numbers[0]] * (3 - len(numbers)))
        counts = [roll.count(face) for face in set(roll)]
        weights.append(24 // int(np.prod([(1, 1, 2, 6, 24)[count] for count in counts])))
    return np.array(ways), np.array(weights)


ROLLS, WEIGHTS = _rolls()


class Sets(NamedTuple):
    """What rolls offer once three runners are out, for each trio of columns and each set of them not on top yet.

    Attributes:
        moves: For each such case, the sets of moves that can be offered: the first moves of all sets, the second ones
            and the third ones (the first again where there are fewer); some cases have fewer sets, the rest is padding.
        weights: How many of the 1,296 rolls offer just that set; 0 in the padding.
        busts: How many offer nothing.
    """

    moves: Whole
    weights: NDArray[np.float32]
    busts: NDArray[np.float32]


def case_of(trio: tuple[int, ...], alive: int) -> int:
    """Return the number of a case: three columns from 0, and which of them are not on top (1, 2, 4 added up)."""
    return _TRIOS[trio] * 8 + alive


_TRIOS: dict[tuple[int, ...], int] = {trio: number for number, trio in enumerate(combinations(range(11), 3))}


@cache
def sets(strict: bool) -> Sets:
    """Work out `Sets`, with the variant fast start strict or without."""
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
    if strict:  # those that move two runners go before those that move one
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
