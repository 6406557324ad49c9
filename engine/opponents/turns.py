"""Solves a turn exactly: the best plays and stops, given the value of each way to end it.

A node is a set of runners with the number of steps that each has made in this turn. Every roll makes a step, so nodes
are solved from those with most steps down: the value of a node is the better of a stop and of the average over all
rolls. Columns count from 0 here (column 2 of the game), and steps from 1 (the first space above the player's own
marker).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.board import COLUMNS, EMPTY, RUNNERS, Spaces, with_piece
from engine.odds import ALL_ROLLS
from engine.opponents.rolls import HIGH, LOW, MOVES, ROLLS, WEIGHTS, case_of, sets
from engine.opponents.values import HIDDEN, Floats, Values
from engine.position import Position
from engine.rules import climb, markers_after
from engine.variants import FastStart

Steps = tuple[int, ...]
"""The number of steps of the runner in each column; 0 in a column without a runner."""

NEVER = np.float32(-1e9)
"""The value of a stop that is not allowed."""

_COUNT = len(COLUMNS)


@dataclass(frozen=True)
class Worth:
    """The value of a set of runners.

    Attributes:
        stop: The value of stopping now; hugely negative if that is not allowed.
        roll: The value of rolling, with the best plays from there.
    """

    stop: float
    roll: float

    @property
    def best(self) -> float:
        """The better of the two."""
        return max(self.stop, self.roll)


def steps_of(spaces: Sequence[Spaces], runners: Spaces) -> Steps:
    """Return the steps of runners; `spaces` are those that a runner can step on, by column from 0."""
    return tuple(spaces[nth].index(runners[column]) + 1 if runners[column] else 0 for nth, column in enumerate(COLUMNS))


class Turn:
    """A turn of one player, before its first roll: what all its nodes have in common.

    Attributes:
        bust: The value of a bust.
        equal: Values no further apart count as equal: their last bits depend on how much was solved at once.
    """

    equal = 1e-5

    def __init__(self, position: Position, values: Values) -> None:
        """Determine for each column where a runner can step, and what a marker there changes.

        Args:
            position: Any position of the turn; its runners and roll do not matter.
            values: The values of positions at the beginning of a turn.
        """
        mover, viewer = position.turn, (position.turn + 1) % position.players
        self._values = values
        self._variants = position.variants
        self._needed = position.variants.columns_to_win - len(position.won(mover))
        self._spaces = [climb(position, column) if position.owners[column] is None else () for column in COLUMNS]
        self._length = np.array([len(spaces) for spaces in self._spaces])
        most = int(self._length.max(initial=0)) + 1
        self._barred = np.zeros((_COUNT, most), bool)
        self._change = np.zeros((_COUNT, most, HIDDEN), np.float32)
        now = [values.column(position, viewer, column) for column in COLUMNS]
        self._base = np.asarray(values.bias + sum(now), np.float32)
        for nth, column in enumerate(COLUMNS):
            for step, space in enumerate(self._spaces[nth], start=1):
                if position.variants.no_stop_on_marker:
                    self._barred[nth, step] = bool(position.others_on(column, space))
                moved = position.changed(runners=with_piece(EMPTY, column, space))
                after = moved.changed(markers=markers_after(moved))
                self._change[nth, step] = values.column(after, viewer, column) - now[nth]
        self.bust = float(values.worth(self._base[None])[0])
        self._settled: tuple[tuple[Steps, ...], Callable[[Steps], Worth]] | None = None

    def steps(self, runners: Spaces) -> Steps:
        """Return the number of steps that runners on these spaces have made."""
        return steps_of(self._spaces, runners)

    def solve(self, starts: Sequence[Steps]) -> list[Worth]:
        """Return the value of each of these nodes.

        Runners only move up, so the solution for an early choice of a turn also answers the later ones.
        """
        settled = self._settled  # read once, because another thread may ask about the same turn
        if settled is None or not all(_leads_to(settled[0], start) for start in starts):
            settled = self._settled = tuple(starts), self.settle(starts)
        _, known = settled
        return [known(start) for start in starts]

    def settle(self, starts: Sequence[Steps]) -> Callable[[Steps], Worth]:
        """Solve all nodes that these can lead to; return a function for the value of each."""
        nodes = _Nodes(starts, self._length)
        stop = np.full(nodes.size + 1, NEVER)  # the last one represents impossible nodes
        for block in nodes.blocks:
            stop[block.first : block.first + block.size] = self._stops(block)
        value = np.maximum(stop, np.float32(self.bust))
        rolled = np.full(nodes.size + 1, NEVER)
        three = _Three(nodes, self._length, self._variants.fast_start is FastStart.STRICT)
        few = _Few(nodes, self._length, self._variants.fast_start)
        for total in range(int(nodes.totals.max(initial=0)), -1, -1):
            for kind in (three, few):
                index, worth = kind.roll(total, value, self.bust)
                rolled[index] = worth
                value[index] = np.maximum(stop[index], worth)

        def worth_of(node: Steps) -> Worth:
            index = nodes.index_of(node)
            return Worth(float(stop[index]), float(rolled[index]))

        return worth_of

    def _stops(self, block: _Block) -> Floats:
        """Return the value of stopping at each node of a block."""
        sums = self._base
        barred = np.zeros((1,) * 3, bool)
        tops = np.zeros((1,) * 3, np.int64)
        for axis, column in enumerate(block.columns):
            steps = np.arange(block.least[axis], self._length[column] + 1)
            shape = [1, 1, 1]
            shape[axis] = len(steps)
            sums = sums + self._change[column, steps].reshape(*shape, HIDDEN)
            barred = barred | self._barred[column, steps].reshape(shape)
            tops = tops + (steps == self._length[column]).reshape(shape)
        worth = self._values.worth(np.asarray(sums.reshape(-1, HIDDEN), np.float32))
        won = np.float32(0 if self._values.players == 1 else 1)
        worth = np.where(tops.ravel() >= self._needed, won, worth)
        return np.asarray(np.where(barred.ravel(), NEVER, worth), np.float32)


def _leads_to(starts: Sequence[Steps], node: Steps) -> bool:
    """Whether one of these starts can lead to a node: none of its runners has made more steps."""
    return any(all(map(int.__le__, start, node)) for start in starts)


@dataclass(frozen=True)
class _Block:
    """The nodes with runners in the same columns: a box of steps, numbered consecutively.

    Attributes:
        columns: The columns, lowest first.
        least: The lowest number of steps in each column.
        shape: The number of different steps in each column.
        first: The number of the first node.
    """

    columns: tuple[int, ...]
    least: tuple[int, ...]
    shape: tuple[int, ...]
    first: int

    @property
    def size(self) -> int:
        """The number of nodes."""
        return int(np.prod(self.shape))

    @property
    def strides(self) -> tuple[int, ...]:
        """The increase of a node's number for one step in each column."""
        return tuple(int(np.prod(self.shape[axis + 1 :])) for axis in range(len(self.shape)))


class _Nodes:
    """All nodes that the starts can lead to, numbered."""

    def __init__(self, starts: Sequence[Steps], length: NDArray[np.int64]) -> None:
        usable = [column for column in range(_COUNT) if length[column]]
        least: dict[tuple[int, ...], tuple[int, ...]] = {}
        for start in starts:
            out = tuple(column for column in range(_COUNT) if start[column])
            others = [column for column in usable if column not in out]
            for more in range(RUNNERS - len(out) + 1):
                for new in combinations(others, more):
                    columns = tuple(sorted(out + new))
                    lowest = tuple(max(1, start[column]) for column in columns)
                    known = least.get(columns, lowest)
                    least[columns] = tuple(map(min, known, lowest))
        self.blocks: list[_Block] = []
        self.size = 0
        self.offset = np.zeros(1 << _COUNT, np.int64)
        self.stride = np.zeros((1 << _COUNT, _COUNT), np.int64)
        self.known = np.zeros(1 << _COUNT, bool)
        for columns, lowest in least.items():
            shape = tuple(int(length[column]) - low + 1 for column, low in zip(columns, lowest, strict=True))
            block = _Block(columns, lowest, shape, self.size)
            mask = sum(1 << column for column in columns)
            self.known[mask] = True
            self.stride[mask, list(columns)] = block.strides
            self.offset[mask] = self.size - sum(map(int.__mul__, block.strides, lowest))
            self.size += block.size
            self.blocks.append(block)
        self.totals = (
            np.concatenate(
                [np.zeros(0, np.int64)]
                + [
                    np.indices(block.shape).reshape(len(block.shape), -1).sum(0) + sum(block.least)
                    for block in self.blocks
                ]
            )
            if self.blocks
            else np.zeros(0, np.int64)
        )

    def index_of(self, start: Steps) -> int:
        """Return the number of a node."""
        mask = sum(1 << column for column in range(_COUNT) if start[column])
        return int(self.offset[mask] + np.dot(self.stride[mask], start))


def _by_total(totals: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the places grouped by their number of steps: the n-th entry lists those with n steps."""
    order = np.argsort(totals, kind="stable")
    return np.split(order, np.searchsorted(totals[order], np.arange(1, totals.max(initial=0) + 1)))


_MADE = np.array([[move.count(axis) for axis in range(RUNNERS)] for move in MOVES])
"""The number of steps of each move in the first, second and third column."""


class _Three:
    """The nodes with three runners: no other runner can come in, so all moves are within their columns."""

    def __init__(self, nodes: _Nodes, length: NDArray[np.int64], strict: bool) -> None:
        self._sets = sets(strict)
        index, moves, cases = [np.zeros(0, np.int64)], [np.zeros((0, len(MOVES)), np.int64)], [np.zeros(0, np.int64)]
        for block in nodes.blocks:
            if len(block.columns) < RUNNERS:
                continue
            steps = np.indices(block.shape).reshape(RUNNERS, -1) + np.array(block.least)[:, None]
            left = length[list(block.columns)][:, None] - steps
            here = np.arange(block.first, block.first + block.size)
            alive = (left > 0).astype(np.int64)
            index.append(here)
            cases.append(case_of(block.columns, 0) + alive[0] + 2 * alive[1] + 4 * alive[2])
            to = np.broadcast_to(here[:, None], (block.size, len(MOVES)))
            for axis, stride in enumerate(block.strides):
                to = to + np.minimum(_MADE[:, axis], left[axis][:, None]) * stride
            moves.append(to)
        self._index, self._to, self._case = np.concatenate(index), np.concatenate(moves), np.concatenate(cases)
        self._layers = _by_total(nodes.totals[self._index])

    def roll(self, total: int, value: Floats, bust: float) -> tuple[NDArray[np.int64], Floats]:
        """Return the nodes with this number of steps, and the value of rolling there."""
        rows = self._layers[total] if total < len(self._layers) else np.zeros(0, np.int64)
        to, case = value[self._to[rows]], self._case[rows]
        one, two, three = (np.take_along_axis(to, moves[case], 1) for moves in self._sets.moves)
        best = np.maximum(np.maximum(one, two), three)
        worth = np.einsum("ns,ns->n", best, self._sets.weights[case]) + self._sets.busts[case] * np.float32(bust)
        return self._index[rows], np.asarray(worth / ALL_ROLLS, np.float32)


class _Few:
    """The nodes with a free runner."""

    def __init__(self, nodes: _Nodes, length: NDArray[np.int64], fast_start: FastStart) -> None:
        self._nodes, self._length, self._fast_start = nodes, length, fast_start
        index, steps = [np.zeros(0, np.int64)], [np.zeros((0, _COUNT), np.int64)]
        for block in nodes.blocks:
            if len(block.columns) == RUNNERS:
                continue
            here = np.zeros((block.size, _COUNT), np.int64)
            here[:, list(block.columns)] = np.indices(block.shape).reshape(len(block.shape), -1).T + block.least
            index.append(np.arange(block.first, block.first + block.size))
            steps.append(here)
        self._index, self._steps = np.concatenate(index), np.concatenate(steps)
        self._layers = _by_total(nodes.totals[self._index])

    def roll(self, total: int, value: Floats, bust: float) -> tuple[NDArray[np.int64], Floats]:
        """Return the nodes with this number of steps, and the value of rolling there."""
        rows = self._layers[total] if total < len(self._layers) else np.zeros(0, np.int64)
        first, second, rank = self._plays(self._steps[rows])
        worth = np.maximum(value[first], value[second])[:, ROLLS]
        ranks = rank[:, ROLLS]
        highest = ranks.max(axis=2, initial=0)
        best = np.where(ranks == highest[..., None], worth, NEVER).max(axis=2, initial=NEVER)
        best = np.where(highest > 0, best, np.float32(bust))
        return self._index[rows], np.asarray(best @ WEIGHTS.astype(np.float32) / ALL_ROLLS, np.float32)

    def _plays(self, steps: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return, for each of the 66 pairings, the one or two nodes that it leads to, and its rank.

        The rank is 0 if a pairing has no play, otherwise 1; with fast start, a higher rank takes precedence.
        """
        out = steps > 0
        free = RUNNERS - out.sum(axis=1, keepdims=True)
        goes = (steps < self._length) & (out | (free > 0))
        double = LOW == HIGH
        low, high = goes[:, LOW], goes[:, HIGH] & ~double
        brings = (low & ~out[:, LOW]).astype(np.int64) + (high & ~out[:, HIGH])
        one_only = brings > free  # both runners would come in, but only one is free
        low_steps = np.where(double, np.minimum(2, (self._length - steps)[:, LOW]), 1) * low
        first = self._after(steps, low_steps, high & ~one_only)
        second = np.where(one_only, self._after(steps, 0 * low_steps, high), first)
        rank = np.asarray(low | high, np.int64)
        if self._fast_start is not FastStart.OFF:
            rank = rank * (1 + 3 * np.minimum(brings, free))
        if self._fast_start is FastStart.STRICT:
            rank = rank + (low & high & ~one_only)
        return first, second, rank

    def _after(self, steps: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the numbers of the nodes after this number of steps in the pairings' columns."""
        nodes = self._nodes
        mask = (
            ((steps > 0) << np.arange(_COUNT)).sum(axis=1)[:, None]
            | ((low > 0) << LOW)
            | (high.astype(np.int64) << HIGH)
        )
        index = nodes.offset[mask] + low * nodes.stride[mask, LOW] + high * nodes.stride[mask, HIGH]
        runners = np.argsort(-steps, axis=1)[:, : RUNNERS - 1]  # the columns of the two, or fewer, runners on the board
        for column in runners.T[:, :, None]:
            index += np.take_along_axis(steps, column, 1) * nodes.stride[mask, column]
        return np.where(nodes.known[mask], index, nodes.size)
