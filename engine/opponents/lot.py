"""Which of equal plays is taken, as by lot: a program that pairs dice as they lie takes the first of equals.

The literature's weights leave many plays equal, and do not say which to take. With dice as they fall that is chance:
each of the three ways to pair them is as likely to come first. Here the lot is drawn from the position and the roll, so
that the same position always gets the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from engine.dice import Pairing, Roll

LOTS = 12
"""How many there are: six orders of the three ways to pair dice, each with the lower or the higher sum first."""

_ORDERS = tuple(permutations(range(3)))


def lot_of(spaces: Iterable[tuple[int, int]], roll: Roll) -> int:
    """Return the lot for a position and a roll.

    Args:
        spaces: Columns with the space of the player's runner there, or of the marker where no runner is; columns with
            neither do not matter.
        roll: The dice, sorted.

    Returns:
        A number below `LOTS`.
    """
    return mixed(sum(column * space for column, space in spaces) + number_of(roll))


def number_of(roll: Roll) -> int:
    """Return a roll's dice as the digits of one number."""
    a, b, c, d = roll
    return ((a * 6 + b) * 6 + c) * 6 + d


def mixed(number: int) -> int:
    """Return a lot for a number, such that neighbouring numbers have unrelated lots.

    A multiplicative hash (Knuth, The Art of Computer Programming, vol. 3, section 6.4); for arrays of numbers too.
    """
    return (number * 2654435761 >> 12) % LOTS


def places(roll: Roll, lot: int) -> dict[tuple[Pairing, int], int]:
    """Return the order of plays, by pairing and the first column that a runner enters, lowest number first.

    Args:
        roll: The dice.
        lot: As returned by `lot_of`.
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
