"""The chance to lose the turn before a stop is allowed again, with the variant that forbids stopping on a marker.

The chance of a bust on the next roll is not enough there: after it the runners may be on markers again, and the player
must continue. This computes the chance with the choices that keep it lowest. The recursion ends because runners only
move up.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from engine.board import COLUMNS, EMPTY, PER_COLUMN, RUNNERS, TOP
from engine.dice import pairings
from engine.odds.busts import ALL_ROLLS, EVERY_COLUMN, bust_chance, mask_of, weighted_rolls
from engine.position import Position, check_position
from engine.rules import fast_start_only, plays_of
from engine.variants import FastStart, Variants


def loss_chance(position: Position) -> float:
    """Return the exact chance, 0 to 1, of losing this turn by rolling, until a stop is allowed again.

    Without the variant "no stop on a marker" any play allows a stop, and this is the chance of a bust. With it, this is
    the chance of a bust before the player may stop for the first time, if all choices keep it as low as possible. A
    current roll is ignored, as in `bust_chance`.
    """
    check_position(position)
    if not position.variants.no_stop_on_marker:
        return bust_chance(position)
    runners = sum(space << _SHIFT[column] for column, space in position.runners_out())
    return _turn(position.changed(runners=EMPTY)).loss(runners)


_BITS = 4
"""The number of bits for a space: up to 13, or 14 before a double that passes the top is corrected."""

_SPACE = 2**_BITS - 1
"""The bits of one space."""

_SHIFT = tuple(_BITS * max(0, column - COLUMNS.start) for column in range(PER_COLUMN))
"""The number of bits by which the space of each column is shifted."""

_BITS_OF = [
    (1 << (column - COLUMNS.start), _SPACE << _SHIFT[column], TOP[column] << _SHIFT[column]) for column in COLUMNS
]
"""For each column: its bit in a set of columns, the bits of its space, and those bits for its top space."""


Choice = tuple[int, int, tuple[int, ...]]
"""The number of ordered rolls (of 1,296) with these moves to choose from, and the moves: as bits and as a list."""


class _Cases(NamedTuple):
    """What a roll can do with runners in some columns.

    Attributes:
        moves: For each move, what it adds to the runners, and the column of a double (or 0).
        choices: The choices that rolls offer.
        busts: The number of rolls without a choice.
    """

    moves: list[tuple[int, int]]
    choices: list[Choice]
    busts: int


class _Turn:
    """The rest of a turn. Runners are one integer, four bits for each column; nothing else changes during a turn."""

    def __init__(self, position: Position) -> None:
        self.own = position.markers[position.turn]
        self.fast_start = position.variants.fast_start
        self.not_won = mask_of(column for column in COLUMNS if position.owners[column] is None)
        marked = (
            (column, {markers[column] for player, markers in enumerate(position.markers) if player != position.turn})
            for column in COLUMNS
        )
        # For each column the bits of its runner, and these bits for the spaces with a marker.
        self.marked = [
            (_SPACE << _SHIFT[column], {space << _SHIFT[column] for space in spaces - {0}})
            for column, spaces in marked
            if spaces - {0}
        ]
        self.known: dict[int, float] = {}
        self.cases: dict[tuple[int, int], _Cases] = {}

    def loss(self, runners: int) -> float:
        """Return the chance to lose the turn by rolling with these runners.

        The result is not stored: `known` contains 0 for runners with which a stop is allowed.
        """
        out = topped = 0
        for bit, space_bits, top_bits in _BITS_OF:
            if space := runners & space_bits:
                out |= bit
                if space == top_bits:
                    topped |= bit
        usable = self.not_won & ~topped
        if (cases := self.cases.get((usable, out))) is None:
            cases = self.cases[usable, out] = self._cases(usable, out)
        ends = [self._end(runners, *move) for move in cases.moves]
        known = self.known
        safe = sum([1 << number for number, end in enumerate(ends) if known.get(end) == 0])
        lost = float(cases.busts)
        for weight, mask, moves in cases.choices:
            # Choices are followed only if none of them allows a stop at once.
            if mask & safe:
                continue
            least = 1.0
            for number in moves:
                end = ends[number]
                if (chance := known.get(end)) is None:
                    chance = known[end] = self.loss(end)
                least = min(least, chance)
            lost += weight * least
        return lost / ALL_ROLLS

    def _end(self, runners: int, added: int, double: int) -> int:
        """Return the runners after a move, and note in `known` if a stop is allowed there."""
        end = runners + added
        # The second step of a double is forfeited on the top space.
        if double and end >> _SHIFT[double] & _SPACE > TOP[double]:
            end -= 1 << _SHIFT[double]
        if end not in self.known and self._may_stop(end):
            self.known[end] = 0.0
        return end

    def _may_stop(self, runners: int) -> bool:
        return not any(runners & bits in spaces for bits, spaces in self.marked)

    def _cases(self, usable: int, out: int) -> _Cases:
        """Return the choices, with what each move adds to the runners and the column of a double (or 0)."""
        moves, offered, busts = choices(*alike(usable, out, self.fast_start), self.fast_start)
        return _Cases(
            [(self._added(columns, out), columns[0] if len(set(columns)) < len(columns) else 0) for columns in moves],
            offered,
            busts,
        )

    def _added(self, columns: tuple[int, ...], out: int) -> int:
        """Return the sum of the steps in these columns; a new runner starts from the player's own marker."""
        steps = sum(1 << _SHIFT[column] for column in columns)
        return steps + sum(
            self.own[column] << _SHIFT[column] for column in set(columns) if not out >> (column - COLUMNS.start) & 1
        )


@lru_cache(maxsize=2)
def _turn(begin: Position) -> _Turn:
    """Return a turn, cached with its results, for later decisions of the turn and for the plays to choose from."""
    return _Turn(begin)


def alike(usable: int, out: int, fast_start: FastStart) -> tuple[int, int]:
    """Return one case for all in which the rolls offer the same choices; the arguments are those of `choices`."""
    free = RUNNERS - out.bit_count()
    if not free:
        usable, out = usable & out, EVERY_COLUMN
    if fast_start is FastStart.OFF and (free > 1 or (usable & ~out).bit_count() <= free):
        out = 0  # no roll brings in more runners than are free
    return usable, out


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
    # are tops. A second step beyond the top is removed in `_Turn._end`.
    on = [0 if column < COLUMNS.start or not out >> (column - COLUMNS.start) & 1 else 1 for column in range(PER_COLUMN)]
    runners = tuple(
        TOP[column] if on[column] and not usable >> (column - COLUMNS.start) & 1 else on[column]
        for column in range(PER_COLUMN)
    )
    won = tuple(
        TOP[column] if column >= COLUMNS.start and not (usable | out) >> (column - COLUMNS.start) & 1 else 0
        for column in range(PER_COLUMN)
    )
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
