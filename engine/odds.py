"""Exact odds of the next roll, for any position and variant. Nothing is estimated or simulated.

A roll is a bust exactly if no two of its dice add up to a column in which a runner could move: one usable sum makes a
pairing legal, whatever its other sum. Variants do not change that: fast start only restricts which legal play may be
chosen, and leap only changes where a step ends.

With the variant that forbids stopping on a marker, the chance of a bust on the next roll is not enough: after it the
runners may be on markers again, and the player must continue. `loss_chance` is the chance to lose the turn before a
stop is allowed again, with the choices that keep it lowest. Its recursion ends because runners only move up.

>>> from engine import parse_position
>>> position = parse_position("3 -/- 1 6:1,7:1,8:1 -")
>>> round(100 * bust_chance(position), 2), at_stake(position)
(8.02, 3)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product

from engine.board import COLUMNS, EMPTY, RUNNERS, TOP, Spaces, with_piece
from engine.dice import Roll, pairings, roll_of
from engine.position import Position
from engine.rules import fast_start_only, plays_of
from engine.variants import FastStart, Variants

ALL_ROLLS = 6**4
"""The number of ordered rolls of four dice, all equally likely: 1,296."""

EVERY_COLUMN = 2 ** len(COLUMNS) - 1
"""The mask of all eleven columns."""


def mask_of(columns: Iterable[int]) -> int:
    """Return a set of columns as eleven bits, column 2 being the lowest.

    >>> mask_of([2, 4])
    5
    """
    return sum(1 << (column - COLUMNS.start) for column in set(columns))


@cache
def weighted_rolls() -> tuple[tuple[Roll, int], ...]:
    """Return the 126 rolls, lowest first, each with the number of ordered rolls (of 1,296) that show it."""
    counts = Counter(roll_of(dice) for dice in product(range(1, 7), repeat=4))
    return tuple(sorted(counts.items()))


@cache
def _sums() -> Counter[int]:
    """Return the number of ordered rolls for each set of sums of two dice, as eleven bits."""
    counts = Counter[int]()
    for roll, weight in weighted_rolls():
        counts[mask_of(column for pairing in pairings(roll) for column in pairing)] += weight
    return counts


@cache
def _busts(columns: int) -> int:
    """Return the number of ordered rolls of which no two dice add up to one of these columns, given as eleven bits."""
    return sum(weight for sums, weight in _sums().items() if not sums & columns)


def moving_columns(position: Position) -> int:
    """Return the columns in which the next roll could move a runner, as eleven bits.

    These are all usable columns while a runner is free, otherwise those with a runner below the top.
    """
    free, runners = position.free_runners > 0, position.runners
    return mask_of([column for column in COLUMNS if position.usable[column] and (free or runners[column])])


def bust_chance(position: Position) -> float:
    """Return the exact chance, 0 to 1, that the next roll of this turn is a bust.

    A current roll is ignored: it is the chance of rolling again with the current runners.
    """
    return _busts(moving_columns(position)) / ALL_ROLLS


def at_stake(position: Position) -> int:
    """Return the number of spaces that the runners have gained in this turn, which a bust would lose."""
    own = position.markers[position.turn]
    return sum(space - own[column] for column, space in position.runners_out())


def loss_chance(position: Position) -> float:
    """Return the exact chance, 0 to 1, of losing this turn by rolling, until a stop is allowed again.

    Without the variant "no stop on a marker" any play allows a stop, and this is the chance of a bust. With it, this is
    the chance of a bust before the player may stop for the first time, if all choices keep it as low as possible. A
    current roll is ignored, as in `bust_chance`.
    """
    if not position.variants.no_stop_on_marker:
        return bust_chance(position)
    return _turn(position.changed(runners=EMPTY)).loss(position.runners)


class _Turn:
    """The rest of a turn, in which nothing but the runners changes."""

    def __init__(self, begin: Position) -> None:
        self.own = begin.markers[begin.turn]
        self.fast_start = begin.variants.fast_start
        self.open = [column for column in COLUMNS if begin.owners[column] is None]
        others = [own for player, own in enumerate(begin.markers) if player != begin.turn]
        self.marked = [(column, {own[column] for own in others} - {0}) for column in self.open]
        self.known: dict[Spaces, float] = {}

    def loss(self, runners: Spaces) -> float:
        """Return the chance to lose the turn by rolling with these runners."""
        if runners in self.known:
            return self.known[runners]
        usable = mask_of(column for column in self.open if runners[column] < TOP[column])
        out = mask_of(column for column in self.open if runners[column])
        if out.bit_count() == RUNNERS:
            usable, out = usable & out, EVERY_COLUMN
        moves, offered, busts = choices(usable, out, self.fast_start)
        ends = [self._after(runners, columns) for columns in moves]
        safe = sum([1 << number for number, end in enumerate(ends) if self._may_stop(end)])
        lost = float(busts)
        for weight, mask, numbers in offered:
            if not mask & safe:  # choices are followed only if none of them allows a stop at once
                lost += weight * min([self.loss(ends[number]) for number in numbers])
        self.known[runners] = lost / ALL_ROLLS
        return self.known[runners]

    def _after(self, runners: Spaces, columns: tuple[int, ...]) -> Spaces:
        """Return the runners after steps in these columns; a second one beyond the top is forfeited."""
        after = list(runners)
        for column in columns:
            after[column] = min((after[column] or self.own[column]) + 1, TOP[column])
        return tuple(after)

    def _may_stop(self, runners: Spaces) -> bool:
        return not any(runners[column] in spaces for column, spaces in self.marked)


Choice = tuple[int, int, tuple[int, ...]]
"""The number of ordered rolls (of 1,296) with these moves to choose from, and the moves: as bits and as a list."""


@lru_cache(maxsize=2)
def _turn(begin: Position) -> _Turn:
    """Return a turn, cached with its results, for later decisions of the turn and for the plays to choose from."""
    return _Turn(begin)


@lru_cache(maxsize=4096)
def choices(usable: int, out: int, fast_start: FastStart) -> tuple[list[tuple[int, ...]], list[Choice], int]:
    """Group the rolls by the choice that they offer.

    Args:
        usable: The columns that are neither won nor topped, as eleven bits.
        out: The columns with a runner, as eleven bits; all columns if no runner is free.
        fast_start: The variant of the rules.

    Returns:
        The moves that some roll allows, each as the columns of its steps; the choices among them; and the number of
        rolls that are a bust. A double always has two steps: the caller forfeits the second beyond the top.
    """
    # The engine decides what is legal, in one position that represents all of this kind: it only matters which spaces
    # are tops.
    runners = won = EMPTY
    for column in COLUMNS:
        is_usable, is_out = (bool(mask & mask_of([column])) for mask in (usable, out))
        if is_out:
            runners = with_piece(runners, column, 1 if is_usable else TOP[column])
        elif not is_usable:
            won = with_piece(won, column, TOP[column])
    stand_in = Position(Variants(fast_start=fast_start), (EMPTY, won), 0, runners)
    of_pairing = {pairing: plays_of(stand_in, pairing) for pairing in combinations_with_replacement(COLUMNS, 2)}
    numbers: dict[tuple[int, ...], int] = {}
    counts: Counter[int] = Counter()
    for roll, weight in weighted_rolls():
        found = [play for pairing in pairings(roll) for play in of_pairing[pairing]]
        if fast_start is not FastStart.OFF:
            found = fast_start_only(stand_in, found)
        mask = 0
        for play in found:
            mask |= 1 << numbers.setdefault(play.columns, len(numbers))
        counts[mask] += weight
    busts = counts.pop(0, 0)
    offered = [
        (weight, mask, tuple(number for number in range(len(numbers)) if mask >> number & 1))
        for mask, weight in counts.items()
    ]
    return list(numbers), offered, busts
