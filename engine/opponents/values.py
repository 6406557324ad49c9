"""The value of a position at the beginning of a turn for each player, learned by self-play.

A small network. Its first layer is looked up: one row for each column, opponent and pair of spaces (own, theirs);
mirrored columns (2 and 12, 3 and 11 …) share their rows. The sum of the rows passes through two short layers to one
output for each player: the chance to win or, in a solo game, the turns that are left. `tools/training/opponents`
trains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.board import TOP
from engine.position import Position

Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("values.npz")
"""The weights of all networks, `2x3` for two players and three columns to win: half floats, about 100 kB each."""

HIDDEN, HIDDEN_2 = 64, 16
"""The widths of the layers, as in `tools/training/opponents/cantstop.h`."""

_CLASS_TOPS = TOP[2:8]
"""The top spaces of columns 2 to 7; the other columns mirror them."""

TENS_OF_TURNS = 10
"""The unit of the output in a solo game: ten turns."""


def _rows(players: int) -> tuple[int, ...]:
    """Return where the rows of each class of columns begin, for one opponent, followed by the number of all rows."""
    begins = [0]
    for top in _CLASS_TOPS:
        begins.append(begins[-1] + (top + 1 if players == 1 else (top + 1) ** 2 + 1))
    return tuple(begins)


@dataclass(frozen=True)
class Values:
    """The weights of one network.

    Attributes:
        players: The number of players.
        rows: The rows of the first layer.
        bias: The bias added to the sum of rows.
        second: The second layer, and its bias.
        heads: The outputs, one in each row, and their biases; with two players one, the chance of the current player.
    """

    players: int
    rows: Floats
    bias: Floats
    second: tuple[Floats, Floats]
    heads: tuple[Floats, Floats]

    @classmethod
    def of(cls, players: int, numbers: Floats) -> Values:
        """Return a network from one array with its numbers, in the order of the attributes.

        Raises:
            ValueError: If the array does not have the size of such a network.
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
        """Return one column's part of the sum, from the view of one player."""
        number = _row_numbers(position, viewer, column)
        return np.asarray(self.rows[number].sum(axis=0), np.float32)

    def worth(self, sums: Floats) -> Floats:
        """Return the values of positions for the player whose turn led to them.

        Args:
            sums: The sums of the first layer, one in each row, from the view of the next player.

        Returns:
            Chances to win; in a solo game the turns that are left, negated, so that more is better.
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
            pair = (top + 1) ** 2  # won by neither of the two
        numbers.append(nth * begins[-1] + first + pair)
    return numbers


def weights_for(players: int, columns_to_win: int) -> Floats:
    """Return the weights of the network for this number of players and columns to win."""
    with np.load(FILE) as file:
        return np.asarray(file[f"{players}x{columns_to_win}"], np.float32)


@lru_cache(maxsize=2)
def values_for(players: int, columns_to_win: int) -> Values:
    """Return this network."""
    return Values.of(players, weights_for(players, columns_to_win))
