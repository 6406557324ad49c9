"""Rolls of four dice and the pairings that they can be made into."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

Roll = tuple[int, int, int, int]
"""Four dice, sorted: dice on a table have no order."""

Pairing = tuple[int, int]
"""The sums of two pairs, smaller first."""


def roll_of(dice: Sequence[int]) -> Roll:
    """Sort four dice into a roll.

    Raises:
        ValueError: If there are not four, or one is not 1 to 6.
    """
    if len(dice) != 4:
        raise ValueError(f"a roll has four dice, not {len(dice)}")
    for die in dice:
        if die not in (1, 2, 3, 4, 5, 6):
            raise ValueError(f"a die shows 1 to 6, not {die}")
    a, b, c, d = sorted(dice)
    return a, b, c, d


@lru_cache(maxsize=126)  # as many as there are rolls
def pairings(roll: Roll) -> tuple[Pairing, ...]:
    """List the ways to make two pairs of a roll: one, two or three, as equal ones count once.

    >>> pairings((1, 3, 5, 6))
    ((4, 11), (6, 9), (7, 8))
    >>> pairings((2, 2, 2, 2))
    ((4, 4),)
    """
    a, b, c, d = roll
    ways = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(sorted({(min(way), max(way)) for way in ways}))


def all_rolls() -> list[Roll]:
    """List the 126 different rolls (as multisets), lowest first."""
    return [(a, b, c, d) for a, b, c, d in combinations_with_replacement(range(1, 7), 4)]
