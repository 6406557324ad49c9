"""Strategies for many games at once; each decides exactly like its counterpart in `engine.opponents`."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from engine.board import COLUMNS, RUNNERS
from engine.dice import pairings
from engine.odds import columns_of
from engine.opponents.lot import LOTS, mixed, number_of, places
from engine.opponents.strategy import Strategy
from engine.opponents.weighted import WeightedSums
from engine.simulate.games import EVERY_COLUMN, NOWHERE, ROLLS, SIZES, SLOTS, Bools, Ints, Options, Turns


class BatchStrategy(Protocol):
    """A strategy that decides for many games at once."""

    def stops(self, turns: Turns) -> Bools:
        """Return whether it stops, for each lane in which it may."""
        ...

    def choose(self, turns: Turns, options: Options) -> Ints:
        """Return the slot that it chooses in each of the turns' lanes; `options` are those of all lanes.

        Some play is legal in each of these lanes.
        """
        ...


_NTH = np.zeros((2**SLOTS, SLOTS), np.int8)
"""The slot, indexed by the set of legal slots (as bits) and the number of legal slots before it."""
for _legal in range(2**SLOTS):
    _slots = [slot for slot in range(SLOTS) if _legal >> slot & 1]
    _NTH[_legal, : len(_slots)] = _slots


_COLUMN_NUMBERS = np.array([*COLUMNS, 0])
"""The number of each column, by its index."""

_ROLL_NUMBERS = np.array([number_of(roll) for roll in ROLLS])
"""The number of the sorted dice, by ordered roll."""

_PLACES = np.full((len(ROLLS), LOTS, SLOTS), SLOTS, np.int8)
"""The rank of each slot among equal plays, by ordered roll and lot; slots that the roll cannot have are last."""
for _number, _roll in enumerate(ROLLS):
    for _lot in range(LOTS):
        _places = places(_roll, _lot)
        for _nth, _pairing in enumerate(pairings(_roll)):
            for _which in (0, 1):
                # A slot's first step may be in either column if the other one is closed.
                _PLACES[_number, _lot, 2 * _nth + _which] = _places[_pairing, _pairing[_which]]


class RandomPlay:
    """Takes any legal play with equal chance; stops after a number of usable rolls.

    Attributes:
        good_rolls: The number of usable rolls after which it stops.
    """

    def __init__(self, chance: np.random.Generator, good_rolls: int = 4) -> None:
        self.chance = chance
        self.good_rolls = good_rolls

    def stops(self, turns: Turns) -> Bools:
        """Return whether it stops: after enough usable rolls."""
        enough: Bools = turns.good_rolls >= self.good_rolls
        return enough

    def choose(self, turns: Turns, options: Options) -> Ints:
        """Return one of the legal plays, each with equal chance."""
        legal = options.legal.view(np.int8)
        every = legal[0].copy()
        for slot in range(1, SLOTS):
            every |= legal[slot] << slot
        mask = every[turns.lanes]
        count = SIZES.take(mask)
        # 16 random bits times a count below 7: the chances are off by less than one in ten thousand.
        drawn = self.chance.integers(0, 2**16, len(count), np.uint16).astype(np.int32) * count >> 16
        slots: Ints = _NTH[mask, drawn]
        return slots


class WeightedSumsBatch:
    """`WeightedSums`, for many games at once."""

    def __init__(self, strategy: WeightedSums) -> None:
        weights = strategy.weights
        self.threshold = weights.threshold
        self.points = np.array([*weights.by_column[COLUMNS.start :], 0], np.int16)
        self.choice_points = np.array([*weights.choice_by_column[COLUMNS.start :], 0], np.int16)
        # The part of the sum that does not depend on spaces: the points of one step for each runner, and of the set.
        self.of_set = np.zeros(EVERY_COLUMN + 1, np.int16)
        self.choice_of_set = np.zeros(EVERY_COLUMN + 1, np.int16)
        for mask in range(EVERY_COLUMN + 1):
            columns = list(columns_of(mask))
            extra = weights.set_points(columns) if len(columns) == RUNNERS else 0
            self.of_set[mask] = sum(weights.by_column[column] for column in columns) + extra
            self.choice_of_set[mask] = (
                sum(weights.choice_by_column[column] - weights.runner_penalty for column in columns) - extra
            )

    def stops(self, turns: Turns) -> Bools:
        """Return whether it stops: at the threshold, or if it wins; never while a runner and a column are free."""
        gained = np.zeros(len(turns.lanes), np.int16)
        for index in range(NOWHERE):
            gained += (turns.here[:, index] - turns.own[:, index]) * self.points[index]
        score = gained + self.of_set.take(turns.out)
        rolls_on = (SIZES.take(turns.out) < RUNNERS) & (turns.usable & ~turns.out != 0)
        stops: Bools = turns.wins | (~rolls_on & (score >= self.threshold))
        return stops

    def choose(self, turns: Turns, options: Options) -> Ints:
        """Return the play with the highest sum of choice points; a lot decides between equal ones."""
        options = options.take(turns.lanes)
        columns = np.left_shift(1, options.first, dtype=np.int16) | np.left_shift(1, options.second, dtype=np.int16)
        worth = self.choice_of_set.take((columns & EVERY_COLUMN) | turns.out)
        first, second = turns.games.gains(turns.lanes, options)
        worth += first * self.choice_points.take(options.first) + second * self.choice_points.take(options.second)
        numbers = turns.here.astype(np.int64) @ _COLUMN_NUMBERS + _ROLL_NUMBERS[options.rolls]
        worth = (SLOTS + 1) * worth - _PLACES[options.rolls, mixed(numbers)].T
        worth[~options.legal] = np.iinfo(np.int16).min
        slots: Ints = worth.argmax(axis=0)
        return slots


def in_batches(strategy: Strategy) -> BatchStrategy | None:
    """Return the equivalent of a strategy for many games at once, or None."""
    return WeightedSumsBatch(strategy) if isinstance(strategy, WeightedSums) else None
