"""Rolls of four dice, and their pairings."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engine.errors import BadRoll, shown

Roll = tuple[int, int, int, int]
"""Four dice, sorted, because dice on a table have no order."""

Pairing = tuple[int, int]
"""The sums of two pairs, smaller first."""


def roll_of(dice: Iterable[int]) -> Roll:
    """Return four dice, in any order, as a roll.

    Raises:
        BadRoll: If there are not four, or one is not 1 to 6.
    """
    found = sorted(map(int, dice))  # other types of int, such as numpy's, are converted
    if len(found) != 4:
        raise BadRoll(f"a roll has four dice, not {len(found)}")
    a, b, c, d = found
    if a < 1 or d > 6:
        raise BadRoll(f"a die shows 1 to 6, not {shown(a if a < 1 else d)}")
    return a, b, c, d


def roll_text(roll: Roll) -> str:
    """Return a roll as text.

    >>> roll_text((1, 3, 5, 6))
    '1-3-5-6'
    """
    return "-".join(map(str, roll))


@lru_cache(maxsize=126)  # the number of different rolls
def pairings(roll: Roll) -> tuple[Pairing, ...]:
    """Return the ways to make two pairs of a roll: one, two or three, as equal ones count once.

    >>> pairings((1, 3, 5, 6))
    ((4, 11), (6, 9), (7, 8))
    >>> pairings((2, 2, 2, 2))
    ((4, 4),)

    Raises:
        BadRoll: If it is not a roll.
    """
    a, b, c, d = roll_of(roll)
    ways = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    return tuple(sorted({(min(way), max(way)) for way in ways}))
