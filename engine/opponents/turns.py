"""Solves a turn exactly: the best plays and stops, given the value of each way to end it.

A node is a set of runners with the number of steps that each has made in this turn. Every roll makes a step, so nodes
are solved from those with most steps down: the value of a node is the better of a stop and of the average over all
rolls. Columns count from 0 here (column 2 of the game), and steps from 1 (the first space above the player's own
marker).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.board import COLUMNS, EMPTY, RUNNERS, Spaces, with_piece
from engine.dice import pairings
from engine.odds import ALL_ROLLS, EVERY_COLUMN, choices, mask_of, weighted_rolls
from engine.opponents.values import HIDDEN, Floats, Values, values_for
from engine.position import Position
from engine.rules import climb, markers_after
from engine.variants import FastStart

Whole = NDArray[np.int64]

Steps = tuple[int, ...]
"""The number of steps of the runner in each column; 0 in a column without a runner."""

NEVER = np.float32(-1e9)
"""The value of a stop that is not allowed."""

EQUAL = 1e-5
"""Values no further apart count as equal: their last bits depend on how much was solved at once."""

_COUNT = len(COLUMNS)
_BITS = 1 << np.arange(_COUNT)


PAIRINGS = list(combinations_with_replacement(COLUMNS, 2))
"""The 66 pairings."""

LOW, HIGH = np.array(PAIRINGS).T - COLUMNS.start
"""Their lower and their higher columns, which count from 0."""

ROLLS = np.array([[PAIRINGS.index(one) for one in (pairings(roll) * 3)[:3]] for roll, _ in weighted_rolls()])
"""The pairings of the 126 rolls, repeated if a roll has fewer than three."""

WEIGHTS = np.array([weight for _, weight in weighted_rolls()], np.float32)
"""The number of ordered rolls (of 1,296) for each of the 126."""

MOVES = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 0), (1, 1), (2, 2))
"""The moves of a pairing without a free runner: steps of the first, second and third runner, lowest column first."""


class Sets(NamedTuple):
    """The choices that rolls offer without a free runner, for each set of at most three columns that are not topped.

    Attributes:
        case: The number of the case, by the columns as eleven bits.
        moves: For each case, the sets of moves that can be offered: the first moves of all sets, the second ones and
            the third ones (the first repeated if there are fewer). Cases with fewer sets are padded.
        weights: The number of ordered rolls (of 1,296) that offer exactly this set; 0 in the padding.
        busts: The number of ordered rolls that offer nothing.
    """

    case: Whole
    moves: Whole
    weights: NDArray[np.float32]
    busts: NDArray[np.float32]


@cache
def sets(fast_start: FastStart) -> Sets:
    """Return the choices with this variant of fast start."""
    cases = [columns for count in range(RUNNERS + 1) for columns in combinations(COLUMNS, count)]
    found = [choices(mask_of(columns), EVERY_COLUMN, fast_start) for columns in cases]
    most = max(len(offered) for _, offered, _ in found)
    case = np.zeros(EVERY_COLUMN + 1, np.int64)
    moves = np.zeros((3, len(found), most), np.int64)
    weights = np.zeros((len(found), most), np.float32)
    for number, (columns, (steps, offered, _)) in enumerate(zip(cases, found, strict=True)):
        case[mask_of(columns)] = number
        move = [MOVES.index(tuple(map(columns.index, made))) for made in steps]
        for nth, (weight, _, numbers) in enumerate(offered):
            moves[:, number, nth] = [move[one] for one in (*numbers, numbers[0], numbers[0])[:3]]
            weights[number, nth] = weight
    return Sets(case, moves, weights, np.array([busts for *_, busts in found], np.float32))


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


class Turn:
    """A turn of one player, before its first roll: what all its nodes have in common.

    Attributes:
        bust: The value of a bust.
    """

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
        self._settled: _Nodes | None = None

    def solve(self, runners: Sequence[Spaces]) -> list[Worth]:
        """Return the value of each of these sets of runners.

        Runners only move up, so the solution for an early choice of a turn also answers the later ones.
        """
        starts = [self._steps(each) for each in runners]
        settled = self._settled  # read once, because another thread may ask about the same turn
        if settled is None or not all(settled.has(start) for start in starts):
            settled = self._settled = self.settle(starts)
        return [settled.worth(start) for start in starts]

    def _steps(self, runners: Spaces) -> Steps:
        """Return the number of steps that runners on these spaces have made."""
        return tuple(
            spaces.index(runners[column]) + 1 if runners[column] else 0
            for column, spaces in zip(COLUMNS, self._spaces, strict=True)
        )

    def settle(self, starts: Sequence[Steps]) -> _Nodes:
        """Return all nodes that these can lead to, solved."""
        nodes = _Nodes(starts, self._length)
        value = np.full(len(nodes.steps) + 1, np.float32(self.bust))  # the last one is that of impossible nodes
        for layer in reversed(nodes.layers()):
            has_three = (nodes.steps[layer] > 0).sum(axis=1) == RUNNERS
            nodes.stop[layer] = self._stops(nodes, layer)
            for some, roll in ((layer[has_three], self._with_three), (layer[~has_three], self._with_free)):
                nodes.rolled[some] = roll(nodes, some, value)
            value[layer] = np.maximum(nodes.stop[layer], nodes.rolled[layer])
        return nodes

    def _stops(self, nodes: _Nodes, some: Whole) -> Floats:
        """Return the value of stopping at some nodes."""
        columns, steps = nodes.runners(some)
        sums = self._base
        for axis in range(RUNNERS):
            sums = sums + self._change[columns[:, axis], steps[:, axis]]
        worth = self._values.worth(sums)
        tops = ((steps > 0) & (steps == self._length[columns])).sum(axis=1)
        worth = np.where(tops >= self._needed, np.float32(0 if self._values.players == 1 else 1), worth)
        return np.asarray(np.where(self._barred[columns, steps].any(axis=1), NEVER, worth), np.float32)

    def _with_three(self, nodes: _Nodes, some: Whole, value: Floats) -> Floats:
        """Return the value of rolling with three runners: no other one can come in, so they make all moves."""
        columns, steps = nodes.runners(some)
        left = self._length[columns] - steps
        order = np.argsort(left == 0, axis=1, kind="stable")  # those on top last
        columns, left = (np.take_along_axis(each, order, 1) for each in (columns, left))
        stride = nodes.stride[nodes.masks[some][:, None], columns]
        to = some[:, None]
        for axis in range(RUNNERS):
            to = to + np.minimum(_MADE[:, axis], left[:, axis, None]) * stride[:, axis, None]
        offered = sets(self._variants.fast_start)
        case = offered.case[((left > 0) << columns).sum(axis=1)]
        one, two, three = (np.take_along_axis(value[to], moves[case], 1) for moves in offered.moves)
        best = np.maximum(np.maximum(one, two), three)
        worth = np.einsum("ns,ns->n", best, offered.weights[case]) + offered.busts[case] * np.float32(self.bust)
        return np.asarray(worth / ALL_ROLLS, np.float32)

    def _with_free(self, nodes: _Nodes, some: Whole, value: Floats) -> Floats:
        """Return the value of rolling with a free runner."""
        first, second, rank = self._plays(nodes, nodes.steps[some])
        worth = np.maximum(value[first], value[second])[:, ROLLS]
        ranks = rank[:, ROLLS]
        highest = ranks.max(axis=2, initial=0)
        best = np.where(ranks == highest[..., None], worth, NEVER).max(axis=2, initial=NEVER)
        best = np.where(highest > 0, best, np.float32(self.bust))
        return np.asarray(best @ WEIGHTS / ALL_ROLLS, np.float32)

    def _plays(self, nodes: _Nodes, steps: Whole) -> tuple[Whole, Whole, Whole]:
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
        first = nodes.after(steps, low_steps, high & ~one_only)
        second = np.where(one_only, nodes.after(steps, 0 * low_steps, high), first)
        rank = np.asarray(low | high, np.int64)
        if self._variants.fast_start is not FastStart.OFF:
            rank = rank * (1 + 3 * np.minimum(brings, free))
        if self._variants.fast_start is FastStart.STRICT:
            rank = rank + (low & high & ~one_only)
        return first, second, rank


def turn_of(position: Position) -> Turn:
    """Return the turn of a position. It is the same one for all positions of the turn, so that it is solved once."""
    return _turn(position.changed(runners=EMPTY))


@lru_cache(maxsize=4)
def _turn(begin: Position) -> Turn:
    return Turn(begin, values_for(begin.players, begin.variants.columns_to_win))


_MADE = np.array([[move.count(axis) for axis in range(RUNNERS)] for move in MOVES])
"""The number of steps of each move in the first, second and third column."""


class _Nodes:
    """All nodes that the starts can lead to. Those with runners in the same columns are numbered as a box of steps.

    Attributes:
        steps: The steps in each column, by node.
        columns: The columns of the runners, lowest first, and any others for those that are free, by node.
        masks: The columns with a runner as eleven bits, by node.
        stride: The increase of a node's number for one step in each column, by mask.
        stop: The value of stopping, by node.
        rolled: The value of rolling, by node.
    """

    def __init__(self, starts: Sequence[Steps], length: Whole) -> None:
        self._starts = starts
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
        self._first = np.full(1 << _COUNT, -1, np.int64)  # the number that no steps would have
        self.stride = np.zeros((1 << _COUNT, _COUNT), np.int64)
        boxes, ways = [np.zeros((0, _COUNT), np.int64)], [np.zeros((0, RUNNERS), np.int64)]
        size = 0
        for columns, lowest in least.items():
            shape = [int(length[column]) - low + 1 for column, low in zip(columns, lowest, strict=True)]
            box = np.zeros((prod(shape), _COUNT), np.int64)
            box[:, columns] = np.indices(shape).reshape(len(shape), len(box)).T + lowest
            mask = sum(1 << column for column in columns)
            self.stride[mask, columns] = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
            self._first[mask] = size - self.stride[mask] @ box[0]
            boxes.append(box)
            others = [column for column in range(RUNNERS) if column not in columns]
            ways.append(np.tile(np.array([*columns, *others][:RUNNERS]), (len(box), 1)))
            size += len(box)
        self.steps, self.columns = np.concatenate(boxes), np.concatenate(ways)
        self.masks = (self.steps > 0) @ _BITS
        self.stop, self.rolled = (np.full(size, NEVER) for _ in range(2))
        self._known = np.zeros(1 << _COUNT, bool)
        self._known[self.masks] = True

    def has(self, node: Steps) -> bool:
        """Whether a start can lead to this node: none of the start's runners has made more steps."""
        return any(all(map(int.__le__, start, node)) for start in self._starts)

    def layers(self) -> list[Whole]:
        """Return the nodes grouped by their number of steps, fewest first."""
        totals = self.steps.sum(axis=1)
        order = np.argsort(totals, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(totals[order])) + 1)

    def worth(self, node: Steps) -> Worth:
        """Return the value of a node, once it is solved."""
        mask = sum(1 << column for column in range(_COUNT) if node[column])
        index = self._first[mask] + self.stride[mask] @ node
        return Worth(float(self.stop[index]), float(self.rolled[index]))

    def runners(self, some: Whole) -> tuple[Whole, Whole]:
        """Return the columns of three runners of some nodes, and their steps; 0 steps for a free runner."""
        return self.columns[some], self.steps[some[:, None], self.columns[some]]

    def after(self, steps: Whole, low: Whole, high: NDArray[np.bool_]) -> Whole:
        """Return the numbers of the nodes after this number of steps in the pairings' columns."""
        mask = ((steps > 0) @ _BITS)[:, None] | ((low > 0) << LOW) | (high.astype(np.int64) << HIGH)
        index = self._first[mask] + low * self.stride[mask, LOW] + high * self.stride[mask, HIGH]
        runners = np.argsort(-steps, axis=1)[:, : RUNNERS - 1]  # the columns of the two, or fewer, runners on the board
        for column in runners.T[:, :, None]:
            index += np.take_along_axis(steps, column, 1) * self.stride[mask, column]
        return np.where(self._known[mask], index, len(self.steps))
