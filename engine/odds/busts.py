"""The chance of a bust: a table for the 2,048 sets of columns in which a runner could move.

A roll is a bust exactly if no two of its dice add up to such a column: one usable sum makes a pairing legal, whatever
its other sum. Variants do not change that: fast start only restricts which legal play may be chosen, and leap only
changes where a step ends. So the chance depends on eleven bits and can be looked up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import product

from engine.board import COLUMNS
from engine.dice import Roll, pairings, roll_of
from engine.position import Position

ALL_ROLLS = 6**4
"""The number of ordered rolls of four dice, all equally likely: 1,296."""

EVERY_COLUMN = 2 ** len(COLUMNS) - 1
"""The mask of all eleven columns."""


def mask_of(columns: Iterable[int]) -> int:
    """Return a set of columns as eleven bits, column 2 being the lowest.

    >>> mask_of([2, 4])
    5
    """
    mask = 0
    for column in columns:
        mask |= 1 << (column - COLUMNS.start)
    return mask


@cache
def weighted_rolls() -> tuple[tuple[Roll, int], ...]:
    """Return the 126 rolls, lowest first, each with the number of ordered rolls (of 1,296) that show it."""
    counts = Counter(roll_of(dice) for dice in product(range(1, 7), repeat=4))
    return tuple(sorted(counts.items()))


@cache
def _bust_table() -> tuple[int, ...]:
    """Return, for each set of columns, the number of ordered rolls of which no two dice add up to one of them."""
    # First count rolls by the set of their sums, then add up over subsets: the rolls without a sum in a set are those
    # whose sums are all in its complement. This takes 11 times 1,024 additions instead of 2,048 times 1,296 checks.
    within = [0] * (EVERY_COLUMN + 1)
    for roll, weight in weighted_rolls():
        within[mask_of(column for pairing in pairings(roll) for column in pairing)] += weight
    for bit in (1 << number for number in range(len(COLUMNS))):
        for mask in range(EVERY_COLUMN + 1):
            if mask & bit:
                within[mask] += within[mask ^ bit]
    return tuple(within[EVERY_COLUMN ^ mask] for mask in range(EVERY_COLUMN + 1))


def moving_columns(position: Position) -> int:
    """Return the columns in which the next roll could move a runner, as eleven bits.

    These are all usable columns while a runner is free, otherwise those with a runner below the top.
    """
    free = position.free_runners > 0
    mask = 0
    for column in COLUMNS:
        if position.usable[column] and (free or position.runners[column]):
            mask |= 1 << (column - COLUMNS.start)
    return mask


def bust_chance(position: Position) -> float:
    """Return the exact chance, 0 to 1, that the next roll of this turn is a bust.

    A current roll is ignored: it is the chance of rolling again with the current runners.
    """
    return _bust_table()[moving_columns(position)] / ALL_ROLLS


def at_stake(position: Position) -> int:
    """Return the number of spaces that the runners have gained in this turn, which a bust would lose."""
    own = position.markers[position.turn]
    return sum(space - own[column] for column, space in position.runners_out())
