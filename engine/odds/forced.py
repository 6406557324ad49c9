"""The chance to lose the turn before a stop is allowed again, where the variant forbids stopping on a marker.

There one roll tells too little: after it the runners may stand on markers again, and the player must go on. What is
computed is the chance with the choices that keep it lowest. The runners only ever go up, so the recursion ends.
"""

from __future__ import annotations

from functools import lru_cache

from engine.board import COLUMNS, PER_COLUMN, RUNNERS, TOP
from engine.odds.busts import ALL_ROLLS, EVERY_COLUMN, bust_chance, mask_of, weighted_rolls
from engine.position import Position
from engine.rules import plays
from engine.variants import FastStart, Variants


def loss_chance(position: Position) -> float:
    """Give the exact chance, 0 to 1, to lose this turn by going on now, until a stop is allowed again.

    Without the variant "no stop on a marker" any play allows a stop, and this is the chance of a bust. With it, it
    is the chance of a bust at some roll before the first moment at which the player may stop, who chooses so that
    the chance is lowest. A roll that waits is not looked at, as in `bust_chance`.
    """
    if not position.variants.no_stop_on_marker:
        return bust_chance(position)
    return _Turn(position).loss(sum(space << _shift(column) for column, space in position.runners_out()))


_BITS = 4
"""How many bits hold a space: 13 at most, and 14 for a moment, before a double that passes the top is cut short."""

_SPACE = 2**_BITS - 1
"""The bits of one space."""


class _Turn:
    """The rest of a turn. Runners are one whole number, four bits a column; everything else stays as it is."""

    def __init__(self, position: Position) -> None:
        self.own = position.markers[position.turn]
        self.fast_start = position.variants.fast_start
        self.not_won = mask_of(column for column in COLUMNS if position.owners[column] is None)
        self.marked = [
            {markers[column] for player, markers in enumerate(position.markers) if player != position.turn} - {0}
            for column in range(PER_COLUMN)
        ]
        self.known: dict[int, float] = {}
        self.cases: dict[tuple[int, int], list[tuple[int, list[tuple[int, int]]]]] = {}

    def loss(self, runners: int) -> float:
        """Give the chance to lose the turn by rolling with these runners."""
        out = topped = 0
        for column in COLUMNS:
            if space := runners >> _shift(column) & _SPACE:
                out |= 1 << (column - COLUMNS.start)
                if space == TOP[column]:
                    topped |= 1 << (column - COLUMNS.start)
        usable = self.not_won & ~topped
        if (cases := self.cases.get((usable, out))) is None:
            cases = self.cases[usable, out] = self._cases(usable, out)
        return sum(weight * self._least(runners, choices) for weight, choices in cases) / ALL_ROLLS

    def _least(self, runners: int, choices: list[tuple[int, int]]) -> float:
        """Give the lowest chance to lose the turn that one of these choices leaves; 1 where there is none."""
        open_ends = []
        for added, double in choices:
            end = runners + added
            # The second step of a double is forfeited on the top space.
            if double and end >> _shift(double) & _SPACE > TOP[double]:
                end -= 1 << _shift(double)
            if (known := self.known.get(end)) is None:
                if self._may_stop(end):
                    known = self.known[end] = 0.0
                else:
                    open_ends.append(end)
                    continue
            if not known:
                return 0.0
            open_ends.append(end)
        # Only where no choice allows a stop at once are they followed.
        return min(map(self._loss_once, open_ends), default=1.0)

    def _loss_once(self, runners: int) -> float:
        if (known := self.known.get(runners)) is None:
            known = self.known[runners] = self.loss(runners)
        return known

    def _may_stop(self, runners: int) -> bool:
        return not any(runners >> _shift(column) & _SPACE in self.marked[column] for column in COLUMNS)

    def _cases(self, usable: int, out: int) -> list[tuple[int, list[tuple[int, int]]]]:
        """Give `_choices` with, for each choice, what it adds to the runners and the column of a double (or 0)."""
        return [
            (
                weight,
                [
                    (self._added(columns, out), columns[0] if len(set(columns)) < len(columns) else 0)
                    for columns in choices
                ],
            )
            for weight, choices in _choices(*_alike(usable, out), self.fast_start)
        ]

    def _added(self, columns: tuple[int, ...], out: int) -> int:
        """Add up the steps in these columns; a runner that is brought in comes from the player's own marker."""
        steps = sum(1 << _shift(column) for column in columns)
        return steps + sum(
            self.own[column] << _shift(column) for column in set(columns) if not out >> (column - COLUMNS.start) & 1
        )


def _shift(column: int) -> int:
    return _BITS * (column - COLUMNS.start)


def _alike(usable: int, out: int) -> tuple[int, int]:
    """Give one case that stands for all with the same choices: with no free runner, topped ones stand anywhere."""
    if out.bit_count() < RUNNERS:
        return usable, out
    return usable & out, EVERY_COLUMN


@lru_cache(maxsize=4096)
def _choices(usable: int, out: int, fast_start: FastStart) -> tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]:
    """Sort the rolls by the choice that they leave.

    Args:
        usable: The columns that are neither won nor topped, as eleven bits.
        out: The columns in which a runner stands, as eleven bits; all of them where no runner is free.
        fast_start: The variant in force.

    Returns:
        How many of the 1,296 ordered rolls leave a choice, and the columns in which each legal play makes its steps
        (no play for a bust); all such choices.
    """
    # The engine says what is legal, in a position that stands for all such: to it, spaces matter by the top alone, and
    # a second step that the top would cut short is cut short in `_Turn._least`.
    on = [0 if column < COLUMNS.start or not out >> (column - COLUMNS.start) & 1 else 1 for column in range(PER_COLUMN)]
    runners = tuple(
        TOP[column] if on[column] and not usable >> (column - COLUMNS.start) & 1 else on[column]
        for column in range(PER_COLUMN)
    )
    won = tuple(
        TOP[column] if column >= COLUMNS.start and not (usable | out) >> (column - COLUMNS.start) & 1 else 0
        for column in range(PER_COLUMN)
    )
    stand_in = Position(Variants(fast_start=fast_start), ((0,) * PER_COLUMN, won), 0, runners)
    assert stand_in.usable  # worked out once, for all rolls
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    for roll, weight in weighted_rolls():
        choices = tuple(sorted({play.columns for play in plays(stand_in.with_roll(roll))}))
        found[choices] = found.get(choices, 0) + weight
    return tuple((weight, choices) for choices, weight in found.items())
