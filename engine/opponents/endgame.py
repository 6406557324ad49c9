"""The exact values of positions near the end of a game, by retrograde analysis.

A stop moves markers up, so positions are solved from the most advanced down. Only a bust leaves all markers where they
are, and after a bust of each player the same position returns. So each turn is solved as a linear function of the
values after a bust; then the equations of such a cycle are solved for these values, and the turns again, until nothing
changes. J. Glenn, H. Fang and C. Kruskal, "A retrograde approximation algorithm for multi-player Can't Stop" (2008),
do the same for two players. With three or four, the values are those of an equilibrium: nobody gains by playing a turn
differently.

Everything is seen by the player who moves, number 0; number 1 moves next. A position is made of one state of each
column (the markers in it, in this order of players) and one of the columns still needed. Tables list these states. All
positions with the same sum of markers are solved at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.board import COLUMNS, EMPTY, RUNNERS, TOP, with_piece
from engine.errors import EngineError
from engine.odds import ALL_ROLLS
from engine.odds.forced import alike, choices
from engine.opponents.turns import NEVER, Steps, Turn, Worth, steps_of
from engine.opponents.values import values_for
from engine.position import Position
from engine.rules import climb, markers_after, plays, runners_after
from engine.variants import FastStart

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

MOST_NODES = 130_000, 20_000
"""The size of the largest endgame that is solved, up to three columns being open and more: the nodes (sets of runners)
at which a roll may be best, in the turns from all its positions. More columns offer more choices at each node. Up to
here, solving takes no longer than the slowest decisions with learned values."""

MOST_PLACES = 360_000
"""The most nodes of all kinds, each of which needs a place in memory."""

EXACT = 1e-11
"""The values are solved when none changes by more."""

MOST_ROUNDS = 200
"""The most rounds in which the turns of a layer are solved; three to six are usual. After them it does not converge."""


class UnsolvedError(EngineError):
    """The endgame is too large, or its values do not converge."""


@dataclass(frozen=True)
class _Table:
    """The states of a column, or of the columns still needed, that can follow from the present one.

    Attributes:
        column: The column; 0 for the columns still needed.
        number: The number of each state.
        within: The numbers of the states that are possible after 0, 1 … turns, modulo the players.
        length: The number of steps that a runner can make, by state.
        after: The state after a stop, as the next player sees it, by state and steps; -1 if the stop wins the game.
        barred: Whether the runner is on a marker that forbids a stop, by state and steps.
        owner: The player who has won the column, by state; -1 if it is open.
        progress: A number that increases whenever a stop moves a marker, by state.
    """

    column: int
    number: dict[tuple[int, ...], int]
    within: list[Whole]
    length: Whole
    after: Whole
    barred: NDArray[np.bool_]
    owner: Whole
    progress: Whole


def _table(position: Position, column: int, first: tuple[int, ...], needed: Sequence[int]) -> _Table:
    """Return the table that begins with this state; `needed` columns win, for the players from the present one on."""
    players, top = len(needed), TOP[column]
    number, seen, todo = {first: 0}, {(first, 0)}, [(first, 0)]
    rows: dict[int, tuple[list[int], list[bool]]] = {}
    while todo:
        state, turns = todo.pop()
        ends, barred = [state], [False]
        board = tuple(with_piece(EMPTY, column, space) for space in state)
        alone = position.changed(markers=board, turn=0, runners=EMPTY)
        for space in climb(alone, column) if column and top not in state else ():
            moved = alone.changed(runners=with_piece(EMPTY, column, space))
            ends.append(tuple(markers[column] for markers in markers_after(moved)))
            barred.append(position.variants.no_stop_on_marker and bool(moved.others_on(column, space)))
        after = []
        for end in ends:
            then = (*end[1:], end[0])
            if column and end[0] == top > state[0] and needed[turns] == 1:
                after.append(-1)
                continue
            after.append(number.setdefault(then, len(number)))
            pair = then, (turns + 1) % players
            if pair not in seen:
                seen.add(pair)
                todo.append(pair)
        known, _ = rows.get(number[state], (after, barred))
        rows[number[state]] = list(map(max, known, after)), barred
    widest = max(len(barred) for _, barred in rows.values())
    padding = [[0] * (widest - len(barred)) for _, (_, barred) in sorted(rows.items())]
    won = [state.index(top) if column and top in state else -1 for state in number]
    return _Table(
        column,
        number,
        [np.array(sorted(number[state] for state, turn in seen if turn == turns)) for turns in range(players)],
        np.array([len(rows[n][1]) - 1 for n in range(len(rows))]),
        np.array([rows[n][0] + more for n, more in enumerate(padding)]),
        np.array([rows[n][1] + more for n, more in enumerate(padding)], bool),
        np.array(won),
        np.array([sum(state) if owner < 0 else players * top for state, owner in zip(number, won, strict=True)])
        * bool(column),
    )


class _Choices(NamedTuple):
    """The moves that the rolls offer to some runners.

    Attributes:
        steps: The steps of each move, by column from 0.
        only: The number of rolls (of 1,296) that offer one move only, by move.
        sets: The sets of two or three moves that are offered; the last one repeated if there are two.
        weights: The number of rolls that offer each set.
        busts: The number of rolls that offer nothing.
    """

    steps: Whole
    only: Reals
    sets: Whole
    weights: Reals
    busts: int


@cache
def _choices(usable: int, out: int, fast_start: FastStart) -> _Choices:
    moves, offered, busts = choices(usable, out, fast_start)
    only = np.zeros(len(moves))
    only[[numbers[0] for _, _, numbers in offered if len(numbers) == 1]] = [
        weight for weight, _, numbers in offered if len(numbers) == 1
    ]
    more = [(weight, (*numbers[:2], numbers[-1])) for weight, _, numbers in offered if len(numbers) > 1]
    return _Choices(
        np.array([[move.count(column) for column in range(13)] for move in moves], np.int64).reshape(-1, 13),
        only,
        np.array([numbers for _, numbers in more], np.int64).reshape(-1, 3),
        np.array([weight for weight, _ in more], np.float64),
        busts,
    )


class Endgame:
    """A position and all that can follow from it, solved.

    Attributes:
        tables: The tables of states: of the open columns, and of the columns still needed.
        strides: What a state of each table adds to a position's key.
        needed: The number of columns that each player needs, by state of the last table.
        fast_start: The variant of the rules.
        keys: The keys of the positions, lowest first.
        values: The value of each position for each player: the chance to win; solo, the turns left, negated.
    """

    def __init__(self, begin: Position) -> None:
        """Solve the game from the beginning of a turn.

        Raises:
            UnsolvedError: If there are too many positions, which takes no time to find out, or no solution is found.
        """
        players, self.fast_start, self._begin = begin.players, begin.variants.fast_start, begin
        order = [(begin.turn + turns) % players for turns in range(players)]
        needed = tuple(begin.variants.columns_to_win - len(begin.won(player)) for player in order)
        first = {c: tuple(begin.markers[player][c] for player in order) for c in COLUMNS if begin.owners[c] is None}
        if prod(TOP[column] - space for column, spaces in first.items() for space in spaces) > MOST_NODES[0]:
            raise UnsolvedError("too many positions can follow")
        self.tables = [_table(begin, *one, needed) for one in (*first.items(), (0, needed))]
        places = nodes = 0
        for turns, need in enumerate(needed):
            lengths = [table.length[table.within[turns]] for table in self.tables]
            places += prod(int((length + 1).sum()) for length in lengths)
            # A roll is not considered where a stop wins.
            nodes += prod(int((length + (need > 1)).sum()) for length in lengths[:-1]) * len(
                self.tables[-1].within[turns]
            )
        if places > MOST_PLACES or nodes > MOST_NODES[len(first) > RUNNERS]:
            raise UnsolvedError("too many positions can follow")
        self.strides = [prod(len(table.number) for table in self.tables[nth + 1 :]) for nth in range(len(self.tables))]
        self.needed = np.array(list(self.tables[-1].number)).T
        parts = [
            [stride * one for one in table.within] for stride, table in zip(self.strides, self.tables, strict=True)
        ]
        keys = np.unique(np.concatenate([np.ravel(sum(np.ix_(*part))) for part in zip(*parts, strict=True)]))
        owners = [table.owner[state] for table, state in zip(self.tables, self._states(keys), strict=True)]
        won = np.array([np.equal(owners, player).sum(axis=0) for player in range(players)])
        self.keys = keys[(self.needed[:, self._states(keys)[-1]] > won).all(axis=0)]
        self.values = np.zeros((players, len(self.keys)))
        states = self._states(self.keys)
        progress = sum(table.progress[state] for table, state in zip(self.tables, states, strict=True))
        for layer in np.unique(progress)[::-1]:
            where = np.flatnonzero(progress == layer)
            self.values[:, where] = self._solved(where, states[:, where])

    def _states(self, keys: Whole) -> Whole:
        """Return the state in each table, of each of these positions."""
        return np.array([keys // s % len(t.number) for s, t in zip(self.strides, self.tables, strict=True)])

    def find(self, states: Whole, steps: Whole) -> Whole:
        """Return the places among `keys` of the positions that follow after these steps in each column."""
        keys = np.zeros(states.shape[1], np.int64)
        for stride, table, state, made in zip(self.strides, self.tables, states, steps, strict=True):
            keys += stride * table.after[state, made]
        return np.searchsorted(self.keys, keys)

    def _solved(self, where: Whole, states: Whole) -> Reals:
        """Return the values of the positions of a layer."""
        players, turns = len(self.needed), _Turns(self, states)
        after_bust = np.searchsorted(where, self.find(states, np.zeros_like(states)))
        bust = np.full(len(where), 1 / players)
        for _ in range(MOST_ROUNDS):
            own, share = turns.solve(bust)
            # The value is own + share * (that after a bust), which is again such a sum, and so on once round the table.
            total, factor, at = own, share, after_bust
            for nth in range(1, players):
                total = total + factor * np.roll(own[:, at], nth, axis=0)
                factor, at = factor * share[at], after_bust[at]
            values = total / (1 - factor)
            before, bust = bust, values[-1, after_bust]
            if np.abs(bust - before).max() < EXACT:
                return values
        raise UnsolvedError("the values do not converge")

    def turn(self, begin: Position) -> SolvedTurn | None:
        """Return a turn of this endgame; None if the position is not one of it."""
        players, before = begin.players, self._begin
        order = [(begin.turn + turns) % players for turns in range(players)]
        columns = [table.column for table in self.tables]
        if (begin.variants, players) != (before.variants, before.players) or any(
            begin.markers[player][column] != before.markers[player][column]
            for player in order
            for column in COLUMNS
            if column not in columns
        ):
            return None
        found = [tuple(begin.markers[player][column] for player in order) for column in columns[:-1]]
        turns = (begin.turn - before.turn) % players
        needed = next(iter(self.tables[-1].number))
        found.append((*needed[turns:], *needed[:turns]))
        numbers = [table.number.get(state, -1) for table, state in zip(self.tables, found, strict=True)]
        key = sum(map(int.__mul__, self.strides, numbers))
        if min(numbers) < 0 or key not in self.keys:
            return None
        return SolvedTurn(self, begin, np.array(numbers)[:, None])


class _Turns:
    """The turns from some positions; the nodes of each turn are numbered by the steps made in each column.

    Attributes:
        first: The number of each turn's first node, that without runners.
        stride: What a step adds to a node's number, by table and turn.
        start: What a stop is worth at each node: for the player who moves, the share of busts (0), and for the next
            players but the last.
    """

    def __init__(self, game: Endgame, states: Whole, *, everywhere: bool = False) -> None:
        """Prepare what does not depend on the value of a bust; `everywhere`: also rolls where a stop wins."""
        tables, players = game.tables, len(game.needed)
        self._players = players
        length = np.array([table.length[state] for table, state in zip(tables, states, strict=True)])
        sizes = np.cumprod((length + 1)[::-1], axis=0)[::-1]
        self.stride = np.vstack([sizes[1:], np.ones_like(sizes[:1])])
        self.first = np.cumsum(sizes[0]) - sizes[0]
        turn = np.repeat(np.arange(len(self.first)), sizes[0])
        steps = (np.arange(len(turn)) - self.first[turn]) // self.stride[:, turn] % (length + 1)[:, turn]
        left, out = length[:, turn] - steps, steps > 0
        won = sum(table.owner[state] == 0 for table, state in zip(tables, states, strict=True))
        wins = (out & (left == 0)).sum(axis=0) >= (game.needed[0, states[-1]] - won)[turn]
        possible = out.sum(axis=0) <= RUNNERS
        stops = possible & out.any(axis=0)
        for table, state, made in zip(tables, states, steps, strict=True):
            stops &= ~table.barred[state[turn], made]
        self.start = np.zeros((max(2, players), len(turn)))
        goes = stops & ~wins
        after = game.values[:, game.find(states[:, turn[goes]], steps[:, goes])]
        self.start[0] = np.where(stops, float(players > 1), NEVER)
        self.start[0, goes] = after[-1]
        self.start[2:, goes] = after[: max(0, players - 2)]
        rows = np.flatnonzero(possible & (everywhere | ~(stops & wins)))
        # Nodes with the same number of steps and the same choices are solved at once, those with most steps first.
        bits = 1 << np.arange(len(tables))[:, None]
        codes = (bits * ((left > 0) + (out << len(tables)))).sum(axis=0)[rows]
        columns = np.array([1 << table.column >> COLUMNS.start for table in tables])
        kinds: list[tuple[int, int]] = []
        kind_of = np.zeros(1 << 2 * len(tables), np.int64)
        for code in np.flatnonzero(np.bincount(codes)):
            usable, on = (int(columns @ (code >> shift + np.arange(len(tables)) & 1)) for shift in (0, len(tables)))
            kind = alike(usable, on, game.fast_start)
            kinds += [kind] * (kind not in kinds)
            kind_of[code] = kinds.index(kind)
        case, depth = kind_of[codes], steps.sum(axis=0)[rows]
        order = np.argsort((case - depth * len(kinds)).astype(np.int32), kind="stable")
        rows, case, depth = rows[order], case[order], depth[order]
        self._groups = []
        for some, of in zip(
            *(np.split(one, np.flatnonzero(np.diff(depth) | np.diff(case)) + 1) for one in (rows, case)), strict=True
        ):
            choice = _choices(*kinds[of[0]], game.fast_start)
            to = np.repeat(some[None], len(choice.steps), axis=0)
            for nth, table in enumerate(tables[:-1]):
                moves = np.flatnonzero(choice.steps[:, table.column])
                made = np.minimum(choice.steps[moves, table.column, None], left[nth, some])
                to[moves] += made * self.stride[nth, turn[some]]
            self._groups.append((some, turn[some], to, choice))

    def solve(self, bust: Reals) -> tuple[Reals, Reals]:
        """Solve the turns for these values of a bust for the player who moves, by turn.

        Returns:
            The part of each turn's value, by player, that does not depend on a bust, and the chance of a bust.
        """
        self.rolled = np.full(self.start.shape[1], float(NEVER))
        node = self.node = self.start.copy()
        for some, turn, to, choice in self._groups:
            reached = node.take(to, axis=1)
            worth = choice.only @ reached
            if len(choice.sets):
                best, *others = (reached.take(moves, axis=1) for moves in choice.sets.T)
                for other in others:
                    best = np.where(other[0] > best[0], other, best)
                worth += choice.weights @ best
            worth[0] += choice.busts * bust[turn]
            worth[1] += choice.busts
            self.rolled[some] = worth[0] / ALL_ROLLS
            node[:, some] = np.where(self.rolled[some] > node[0, some], worth / ALL_ROLLS, node[:, some])
        own, share, *others = node[:, self.first]
        own = own - share * bust
        if self._players == 1:
            return own[None] - 1, share  # this turn is counted
        return np.array([own, *others, 1 - share - own - sum(others)]), share


class SolvedTurn:
    """A turn of a solved endgame, like `engine.opponents.turns.Turn`.

    Attributes:
        bust: The value of a bust.
        equal: Values no further apart count as equal.
    """

    equal = 1e-9

    def __init__(self, game: Endgame, begin: Position, states: Whole) -> None:
        """Solve the turn that begins with these states."""
        self._spaces = [climb(begin, column) if begin.owners[column] is None else () for column in COLUMNS]
        self._turns = _Turns(game, states, everywhere=True)
        bust = game.values[-1, game.find(states, np.zeros_like(states))]
        self._turns.solve(bust)
        self.bust = float(bust[0])
        self._stride = [0] * len(COLUMNS)
        for table, (stride,) in zip(game.tables, self._turns.stride, strict=True):
            if table.column:
                self._stride[table.column - COLUMNS.start] = int(stride)

    def steps(self, runners: tuple[int, ...]) -> Steps:
        """Return the number of steps that runners on these spaces have made."""
        return steps_of(self._spaces, runners)

    def solve(self, starts: Sequence[Steps]) -> list[Worth]:
        """Return the value of each of these nodes."""
        numbers = [sum(map(int.__mul__, self._stride, start)) for start in starts]
        return [Worth(float(self._turns.start[0, n]), float(self._turns.rolled[n])) for n in numbers]


_latest: list[Endgame] = []


@lru_cache(maxsize=4)
def solved_turn(begin: Position) -> SolvedTurn | None:
    """Return the turn that begins here, if the rest of the game is small enough to be solved; otherwise None."""
    for known in _latest:
        if turn := known.turn(begin):
            return turn
    try:
        game = Endgame(begin)
    except UnsolvedError:
        return None
    _latest[:] = [game]  # enough for the rest of the game
    return game.turn(begin)


@lru_cache(maxsize=4)
def turn_of(begin: Position) -> Turn | SolvedTurn:
    """Return the turn that begins here, with exact values of its ends if possible, otherwise with learned ones."""
    return solved_turn(begin) or Turn(begin, values_for(begin.players, begin.variants.columns_to_win))


def exact_value(position: Position) -> float | None:
    """Return the value for the player who moves, if all play their best from here; None if that cannot be computed.

    It is the exact chance to win; in a solo game, the average number of turns left, this one included, negated.
    """
    turn = solved_turn(position.changed(runners=EMPTY))
    if turn is None:
        return None
    if position.roll is not None:
        ends = [turn.steps(runners_after(position, play)) for play in plays(position)]
        found = max((one.best for one in turn.solve(ends)), default=turn.bust)
    else:
        (here,) = turn.solve([turn.steps(position.runners)])
        found = here.best
    return found - (position.players == 1)
