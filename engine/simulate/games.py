"""Many games at once, as arrays, with the same rules as `engine.rules`; tests compare the two roll by roll.

A lane is one game. In these arrays column 2 has the index 0 and column 12 the index 10. The index 11 is not a column:
a step there has no effect, so plays of one and of two steps need the same few operations. Sets of columns are eleven
bits, as in `engine.odds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.actions import Play
from engine.board import COLUMNS, RUNNERS, TOP
from engine.dice import pairings, roll_of
from engine.position import Position
from engine.variants import FastStart, Variants

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

WIDTH = len(COLUMNS) + 1
"""The number of indices: those of the columns, and the one that is not a column."""

NOWHERE = len(COLUMNS)
"""The index that is not a column."""

EVERY_COLUMN = 2 ** len(COLUMNS) - 1
"""The bits of all columns."""

SLOTS = 6
"""The largest number of plays of a roll: three pairings, each of which may leave a choice between its two sums."""

TOPS = np.array([*(TOP[column] for column in COLUMNS), 127], np.int8)
"""The top space by index; it is never reached at the index that is not a column."""

SIZES = np.array([mask.bit_count() for mask in range(2 * EVERY_COLUMN + 2)], np.int8)
"""The number of columns in a set."""

MEMBERS = np.array([[mask >> index & 1 for index in range(WIDTH)] for mask in range(EVERY_COLUMN + 1)], np.bool_)
"""Whether a set contains each column, by index."""

ROLLS = tuple(roll_of((a, b, c, d)) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7) for d in range(1, 7))
"""The 1,296 ordered rolls by number."""

_SUMS = np.full((2, 3, len(ROLLS)), NOWHERE, np.int16)
"""The lower and the higher sums of each roll's pairings, as indices, in the order of `engine.pairings`."""
for _number, _roll in enumerate(ROLLS):
    for _place, _pairing in enumerate(pairings(_roll)):
        _SUMS[:, _place, _number] = [total - COLUMNS.start for total in _pairing]


@dataclass(frozen=True, slots=True)
class Options:
    """The plays of a roll in each lane, in six slots: two for each pairing, in the engine's order.

    Attributes:
        rolls: The number of the roll in each lane, as in `ROLLS`.
        first: The index of the column of the first step, by slot and lane.
        second: The index of the column of the second step, by slot and lane; `NOWHERE` for a single step.
        legal: Whether there is such a play, by slot and lane.
    """

    rolls: Ints
    first: Ints
    second: Ints
    legal: Bools

    def take(self, lanes: Ints) -> Options:
        """Return the options of some lanes."""
        return Options(self.rolls[lanes], self.first[:, lanes], self.second[:, lanes], self.legal[:, lanes])

    def plays(self, lane: int) -> tuple[Play, ...]:
        """Return the legal plays of one lane as values of the engine."""
        return tuple(self.play(lane, slot) for slot in range(SLOTS) if self.legal[slot, lane])

    def play(self, lane: int, slot: int) -> Play:
        """Return one play as a value of the engine."""
        pairing = pairings(ROLLS[self.rolls[lane]])[slot // 2]
        steps = (int(self.first[slot, lane]), int(self.second[slot, lane]))
        return Play(pairing, tuple(sorted(step + COLUMNS.start for step in steps if step != NOWHERE)))


@dataclass(frozen=True, slots=True)
class Turns:
    """What a strategy sees of the lanes in which it decides; computed only when it is used.

    Attributes:
        games: All games.
        lanes: The lanes in question.
    """

    games: Games
    lanes: Ints

    @property
    def here(self) -> Ints:
        """The space of the runner in each column, or else of the player's own marker, by lane and index."""
        return self.games.here[self.lanes]

    @property
    def own(self) -> Ints:
        """The space of the player's own marker in each column, by lane and index."""
        return self.games.markers[self.lanes, self.games.turn[self.lanes]]

    @property
    def out(self) -> Ints:
        """The columns with a runner, as a set, by lane."""
        return self.games.out[self.lanes]

    @property
    def usable(self) -> Ints:
        """The columns that are neither won nor topped, as a set, by lane."""
        return self.games.usable[self.lanes]

    @property
    def good_rolls(self) -> Ints:
        """The number of rolls of the turn that were used, by lane."""
        return self.games.good_rolls[self.lanes]

    @property
    def wins(self) -> Bools:
        """Whether a stop wins the game, by lane."""
        return self.games.wins(self.lanes)


class Games:
    """A batch of games with the same number of players and the same rules.

    Attributes:
        variants: The variants of the rules.
        players: The number of players; 1 for solo games.
        markers: The space of the marker, by lane, player and index of the column.
        here: The space of the runner, or else of the current player's marker, by lane and index.
        out: The columns with a runner, as a set, by lane.
        usable: The columns that are neither won nor topped, as a set, by lane.
        won: The columns that are won, as a set, by lane.
        columns: The number of columns won, by lane and player.
        turn: The player whose turn it is, by lane.
        turns: The number of turns ended, by lane and player.
        good_rolls: The number of rolls of this turn that were used, by lane.
    """

    def __init__(self, lanes: int, players: int, variants: Variants | None = None) -> None:
        self.variants = variants or Variants()
        self.players = players
        self.variants.check(players)
        self.markers = np.zeros((lanes, players, WIDTH), np.int8)
        self.here = np.zeros((lanes, WIDTH), np.int8)
        self.out = np.zeros(lanes, np.int16)
        self.usable = np.full(lanes, EVERY_COLUMN, np.int16)
        self.won = np.zeros(lanes, np.int16)
        self.columns = np.zeros((lanes, players), np.int8)
        self.turn = np.zeros(lanes, np.intp)
        self.turns = np.zeros((lanes, players), np.int32)
        self.good_rolls = np.zeros(lanes, np.int16)
        # By lane and index of a column, the spaces with other players' markers, as bits; only some variants use them.
        self._others = np.zeros((lanes, WIDTH), np.int16)
        self._ask_others = players > 1 and (self.variants.leap or self.variants.no_stop_on_marker)
        self._count()

    def __len__(self) -> int:
        """Return the number of lanes."""
        return len(self.out)

    def _count(self) -> None:
        self.lanes = np.arange(len(self))

    def keep(self, lanes: Bools) -> None:
        """Drop all lanes but these."""
        for name in ("markers", "here", "out", "usable", "won", "columns", "turn", "turns", "good_rolls", "_others"):
            setattr(self, name, getattr(self, name)[lanes])
        self._count()

    def restart(self, lanes: Ints) -> None:
        """Begin new games in these lanes."""
        for zeroed in (self.markers, self.here, self.out, self.won, self.columns, self.turn, self.turns):
            zeroed[lanes] = 0
        self.good_rolls[lanes] = 0
        self._others[lanes] = 0
        self.usable[lanes] = EVERY_COLUMN

    def options(self, rolls: Ints) -> Options:
        """Return what the rules allow after these rolls.

        Args:
            rolls: The number of a roll for each lane, 0 to 1,295.
        """
        low, high = _SUMS[0].take(rolls, axis=1), _SUMS[1].take(rolls, axis=1)
        free = RUNNERS - SIZES.take(self.out)
        moving = np.where(free > 0, self.usable, self.usable & self.out)
        low_goes, high_goes = (moving >> low & 1) > 0, (moving >> high & 1) > 0
        both = low_goes & high_goes
        double = low == high
        # With one free runner for two new columns, the player chooses the column.
        split = both & ~double & (free == 1) & ((self.out >> low | self.out >> high) & 1 == 0)
        first = np.empty((SLOTS, len(self)), np.int16)
        second = np.full((SLOTS, len(self)), NOWHERE, np.int16)
        legal = np.empty((SLOTS, len(self)), np.bool_)
        first[0::2] = np.where(low_goes, low, high)
        first[1::2] = high
        second[0::2] = np.where(both & ~split & ~self._ends_on_top(low, double), high, NOWHERE)
        legal[0::2] = low_goes | high_goes
        legal[1::2] = split
        if self.variants.fast_start is not FastStart.OFF:
            self._fast_start(first, second, legal)
        return Options(rolls, first, second, legal)

    def _ends_on_top(self, columns: Ints, double: Bools) -> Bools:
        """Return for which doubles the first step ends on the top space, so that the second is forfeited."""
        found = np.zeros(columns.shape, np.bool_)
        doubles = np.flatnonzero(double)
        column, lane = columns.ravel()[doubles], doubles % len(self)
        found.ravel()[doubles] = self._step(lane, column, self.here[lane, column]) >= TOPS.take(column)
        return found

    def _fast_start(self, first: Ints, second: Ints, legal: Bools) -> None:
        """Remove the plays that the variant forbids, in place."""
        columns = (np.left_shift(1, first, dtype=np.int16) | np.left_shift(1, second, dtype=np.int16)) & EVERY_COLUMN
        self._keep_most(SIZES.take(columns & ~self.out), legal)
        if self.variants.fast_start is FastStart.STRICT:
            self._keep_most(SIZES.take(columns), legal)

    @staticmethod
    def _keep_most(counts: Ints, legal: Bools) -> None:
        counted = np.where(legal, counts, -1)
        legal &= counted == counted.max(axis=0)

    def _step(self, lanes: Ints, columns: Ints, spaces: Ints) -> Ints:
        """Return the space where a step from these spaces ends, in these lanes and columns."""
        spaces = spaces + np.int8(1)
        if self.variants.leap:
            others = self._others[lanes, columns]
            for _ in range(self.players - 1):
                spaces += (others >> spaces & 1).astype(np.int8)
        return spaces

    def gains(self, lanes: Ints, options: Options) -> tuple[Ints, Ints]:
        """Return the spaces gained by the first and by the second step, by slot and lane; more than one only with leap.

        The value is meaningless for the index that is not a column and for a slot that is not legal.
        """
        if not self.variants.leap:
            one = np.ones((), np.int8)
            return one, one
        here = self.here[lanes, options.first]
        first = self._step(lanes, options.first, here)
        there = np.where(options.first == options.second, first, self.here[lanes, options.second])
        return first - here, self._step(lanes, options.second, there) - there

    def play(self, options: Options, slots: Ints, lanes: Ints) -> None:
        """Move the runners, in place.

        Args:
            options: What the rules allow in all lanes.
            slots: The chosen slot for each of `lanes`.
            lanes: The lanes in which a roll is used.
        """
        here, rows, picked = self.here.ravel(), lanes * WIDTH, slots.astype(np.intp) * len(self) + lanes
        out, usable = self.out[lanes], self.usable[lanes]
        for steps in (options.first, options.second):
            columns = steps.ravel().take(picked)
            places = rows + columns
            spaces = self._step(lanes, columns, here.take(places))
            here[places] = spaces
            bits = np.left_shift(1, columns, dtype=np.int16)
            out |= bits
            usable &= ~(bits * (spaces == TOPS.take(columns)))
        self.out[lanes] = out & EVERY_COLUMN
        self.usable[lanes] = usable
        self.here[:, NOWHERE] = 0
        self.good_rolls[lanes] += 1

    def may_stop(self) -> Bools:
        """Return whether the player may stop, by lane."""
        may: Bools = self.out != 0
        if self.players > 1 and self.variants.no_stop_on_marker:
            shared = (self._others >> self.here & 1) > 0
            may &= ~(shared & MEMBERS.take(self.out, axis=0)).any(axis=1)
        return may

    def topped(self, lanes: Ints) -> Ints:
        """Return the columns with a runner on the top space in these lanes."""
        topped: Ints = EVERY_COLUMN & ~(self.usable[lanes] | self.won[lanes])
        return topped

    def wins(self, lanes: Ints) -> Bools:
        """Return whether a stop would win the game, for each of these lanes."""
        columns = self.columns[lanes, self.turn[lanes]] + SIZES.take(self.topped(lanes))
        won: Bools = columns >= self.variants.columns_to_win
        return won

    def stop(self, lanes: Ints) -> Ints:
        """Move markers to the runners' spaces, and end the turn.

        Returns:
            The lanes in which this won the game; there the turn does not end.
        """
        turn = self.turn[lanes]
        topped = self.topped(lanes)
        high = lanes[topped != 0]
        if len(high):
            columns = MEMBERS.take(topped[topped != 0], axis=0)
            self.markers[high] *= ~columns[:, np.newaxis, :]
            self.won[lanes] |= topped
            self.columns[lanes, turn] += SIZES.take(topped)
        self.markers[lanes, turn] = self.here[lanes]
        over = self.columns[lanes, turn] >= self.variants.columns_to_win
        self.turns[lanes[over], turn[over]] += 1
        self.out[lanes[over]] = 0
        self.pass_on(lanes[~over])
        return lanes[over]

    def pass_on(self, lanes: Ints) -> None:
        """End the turn after a stop or a bust: remove the runners and begin the next player's turn."""
        turn = self.turn[lanes]
        self.turns[lanes, turn] += 1
        turn = (turn + 1) % self.players
        self.turn[lanes] = turn
        self.here[lanes] = self.markers[lanes, turn]
        self.out[lanes] = 0
        self.usable[lanes] = EVERY_COLUMN & ~self.won[lanes]
        self.good_rolls[lanes] = 0
        if self._ask_others:
            spaces = np.left_shift(1, self.markers[lanes], dtype=np.int16)
            spaces[np.arange(len(lanes)), turn] = 0
            self._others[lanes] = np.bitwise_or.reduce(spaces, axis=1) & ~1

    def turns_of(self, lanes: Ints) -> Turns:
        """Return a strategy's view of these lanes."""
        return Turns(self, lanes)

    def position(self, lane: int) -> Position:
        """Return the position of one lane as a value of the engine, without a roll."""
        pad = (0,) * COLUMNS.start
        markers = tuple((*pad, *map(int, spaces[:NOWHERE])) for spaces in self.markers[lane])
        runners = [
            int(space) if member else 0 for space, member in zip(self.here[lane], MEMBERS[self.out[lane]], strict=True)
        ]
        return Position(self.variants, markers, int(self.turn[lane]), (*pad, *runners[:NOWHERE]))
