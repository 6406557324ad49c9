"""Decides between equal plays by lot: a program that pairs dice in the order in which they lie takes the first one.

The weights from the literature leave many plays equal and do not say which to take. If dice are paired as they lie,
this is random: each of the three pairings is first equally often. Here the lot is computed from the position and the
roll, so the same position always leads to the same decision.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from engine.dice import Pairing, Roll

LOTS = 12
"""The number of lots: six orders of the three pairings, each with the lower or the higher sum first."""

_ORDERS = tuple(permutations(range(3)))


def lot_of(spaces: Iterable[tuple[int, int]], roll: Roll) -> int:
    """Return the lot for a position and a roll.

    Args:
        spaces: Columns, each with the space of the player's runner, or of the marker if there is no runner; columns
            with neither do not matter.
        roll: The dice, sorted.

    Returns:
        A number below `LOTS`.
    """
    a, b, c, d = roll
    number = sum(column * space for column, space in spaces) + ((a * 6 + b) * 6 + c) * 6 + d
    # A multiplicative hash (Knuth, The Art of Computer Programming, vol. 3, section 6.4): neighbouring numbers have
    # unrelated lots.
    return (number * 2654435761 >> 12) % LOTS


def places(roll: Roll, lot: int) -> dict[tuple[Pairing, int], int]:
    """Return the rank of each play, by its pairing and the first column that a runner enters; the lowest comes first.

    Args:
        roll: The dice.
        lot: The lot, as returned by `lot_of`.
    """
    a, b, c, d = roll
    ways = ((a + b, c + d), (a + c, b + d), (a + d, b + c))
    order, higher_first = divmod(lot, 2)
    found: dict[tuple[Pairing, int], int] = {}
    for way in _ORDERS[order]:
        pairing = min(ways[way]), max(ways[way])
        for column in reversed(pairing) if higher_first else pairing:
            found.setdefault((pairing, column), len(found))
    return found
