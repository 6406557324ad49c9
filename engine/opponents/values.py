"""The worth to each player of a position at the beginning of a turn, learned by self-play.

A small network. Its first layer is looked up: for each column and opponent one row for (own space, their space), where
mirrored columns (2 and 12, 3 and 11 …) share their rows. The rows' sum goes through two short layers to one output per
player: the chance to win, or for one who plays alone the turns that are left. `training/opponents` makes the numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.board import COLUMNS, TOP
from engine.position import Position

Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("values.npz")
"""The learned numbers, one network for each number of players and columns to win: half floats, some 100 kB each."""

HIDDEN, HIDDEN_2 = 64, 16
"""The widths of the layers, as in `training/opponents/cantstop.h`."""

_CLASS_TOPS = TOP[2:8]
"""The top spaces of columns 2 to 7; the others mirror them."""

TENS_OF_TURNS = 10
"""With one player the network counts in tens of turns."""


def _rows(players: int) -> tuple[int, ...]:
    """Return where the rows of each class of columns begin, for one opponent, and last how many there are in all."""
    begins = [0]
    for top in _CLASS_TOPS:
        begins.append(begins[-1] + (top + 1 if players == 1 else (top + 1) ** 2 + 1))
    return tuple(begins)


@dataclass(frozen=True)
class Values:
    """One network.

    Attributes:
        players: The number of players.
        rows: The first layer's rows.
        bias: What is added to their sum.
        second: The second layer, and its bias.
        heads: The outputs, one a row, and their biases; with two players one: the chance of the player to move.
    """

    players: int
    rows: Floats
    bias: Floats
    second: tuple[Floats, Floats]
    heads: tuple[Floats, Floats]

    @classmethod
    def of(cls, players: int, numbers: Floats) -> Values:
        """Take a network apart that is one row of numbers, in the order of the attributes.

        Raises:
            ValueError: If it has not as many numbers as such a network.
        """
        heads = 1 if players <= 2 else players
        count = _rows(players)[-1] * max(1, players - 1)
        shapes = ((count, HIDDEN), (HIDDEN,), (HIDDEN, HIDDEN_2), (HIDDEN_2,), (heads, HIDDEN_2), (heads,))
        ends = np.cumsum([np.prod(shape) for shape in shapes])
        if len(numbers) != ends[-1]:
            raise ValueError(f"a network for {players} players has {ends[-1]} numbers, not {len(numbers)}")
        parts = [part.reshape(shape) for part, shape in zip(np.split(numbers, ends[:-1]), shapes, strict=True)]
        return cls(players, parts[0], parts[1], (parts[2], parts[3]), (parts[4], parts[5]))

    def column(self, position: Position, viewer: int, column: int) -> Floats:
        """Return one column's part of the sum, as seen by one of the players."""
        number = _row_numbers(position, viewer, column)
        return np.asarray(self.rows[number].sum(axis=0), np.float32)

    def worth(self, sums: Floats) -> Floats:
        """Return what positions are worth to the player whose turn led to them.

        Args:
            sums: The sums of the first layer, one a row, as the player sees them who is next.

        Returns:
            Chances to win; with one player the turns that are left, negative, so that more is better.
        """
        last = 0 if self.players <= 2 else self.players - 1
        second = np.maximum(np.maximum(sums, np.float32(0)) @ self.second[0] + self.second[1], np.float32(0))
        out = second @ self.heads[0][last] + self.heads[1][last]
        if self.players == 1:
            return np.asarray(-np.maximum(out * TENS_OF_TURNS, 1), np.float32)
        chance = 1 / (1 + np.exp(-out))
        return np.asarray(1 - chance if self.players == 2 else chance, np.float32)


def _row_numbers(position: Position, viewer: int, column: int) -> list[int]:
    """Return the numbers of the rows of one column, one for each opponent."""
    players, owner = position.players, position.owners[column]
    begins = _rows(players)
    kind = min(column, 14 - column) - 2
    top, first = TOP[column], begins[kind]
    own = position.markers[viewer][column]
    if players == 1:
        return [first + own]
    numbers = []
    for nth in range(players - 1):
        other = (viewer + nth + 1) % players
        theirs = position.markers[other][column]
        pair = own * (top + 1) + theirs
        if owner is not None and owner not in {viewer, other}:
            pair = (top + 1) ** 2  # won by none of the two
        numbers.append(nth * begins[-1] + first + pair)
    return numbers


@lru_cache(maxsize=2)
def values_for(players: int, columns_to_win: int) -> Values:
    """Return the network for this number of players and columns to win.

    Raises:
        KeyError: If there is no such network.
    """
    with np.load(FILE) as file:
        return Values.of(players, file[f"{players}x{columns_to_win}"].astype(np.float32))


def board_sum(values: Values, position: Position, viewer: int) -> Floats:
    """Return the first layer's sum for a whole board."""
    return np.asarray(values.bias + sum(values.column(position, viewer, column) for column in COLUMNS), np.float32)
