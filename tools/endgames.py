"""Measure what Master's decisions cost in endgames: `python -m tools.endgames --help`.

They are solved a second time by `Plain`, which shares nothing with the engine: it follows the printed rules, roll by
roll, and computes all values again until they stay the same. It is a hundred times slower, so the endgames are small.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from device.cli.output import say, show, table
from device.cli.parsing import add_jobs, whole_number
from engine import Bust, FastStart, Play, Position, Rolled, Stop, Variants, after, is_bust, may_stop, plays, roll_of
from engine.board import COLUMNS, EMPTY, TOP
from engine.opponents import level
from engine.opponents.endgame import turn_of
from engine.opponents.turns import Turn
from engine.rules import runners_after
from tools.batch import work_through
from tools.jobs import add_seed, run_tool
from tools.scenes.scoring import wilson_interval
from tools.tournament import rules_of

RULES = ("1 3", "2 3", "2 4", "2 5", "2 5+leap", "2 5+no-stop", "2 5+fast", "2 5+strict", "2 5+fast+leap",
         "2 5+strict+no-stop", "3 3", "3 4", "4 3")  # fmt: skip
"""The rules that are measured: players, columns to win and variants."""

TOPS = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
ROLLS = Counter(
    tuple(sorted({tuple(sorted((a + b, c + d))), tuple(sorted((a + c, b + d))), tuple(sorted((a + d, b + c)))}))
    for a, b, c, d in product(range(1, 7), repeat=4)
)
"""The number of rolls (of 1,296) with these ways to make two pairs."""

EACH = 200
"""The number of decisions in one endgame."""

Markers = tuple[tuple[int, ...], ...]
"""The space of each player's marker, by column from 0; 0 is off the board."""
Runners = tuple[tuple[int, int], ...]
"""The runners as (column, space), lowest column first."""
Turns = dict[Runners, tuple[Markers | str | None, Counter[frozenset[Runners]]]]
"""For all runners of a turn: what a stop leads to (None: not allowed), and the number of rolls with each offer."""


class Plain:
    """Solves an endgame by the printed rules: `value` has the chances to win, solo the turns left, negated."""

    def __init__(self, players: int, variants: Variants) -> None:
        """Begin with nothing solved."""
        self.players, self.variants = players, variants
        self.value: dict[tuple[Markers, int], tuple[float, ...]] = {}
        self.nodes: dict[tuple[Markers, int], dict[Runners, tuple[float, float]]] = {}
        self.offers: dict[tuple[object, ...], Counter[frozenset[Runners]]] = {}

    def solve(self, markers: Markers) -> None:
        """Solve all positions with these markers, and those that they lead to."""
        if (markers, 0) in self.value:
            return
        turns = [self._turn(markers, mover) for mover in range(self.players)]
        for turn in turns:
            for ending, _ in turn.values():
                if isinstance(ending, tuple):
                    self.solve(ending)
        for mover in range(self.players):
            self.value[markers, mover] = (1 / self.players if self.players > 1 else -9.0,) * self.players
        for _ in range(20_000):
            change = 0.0
            for mover, turn in enumerate(turns):
                new = self._settle(turn, markers, mover)
                change = max(change, *(abs(a - b) for a, b in zip(new, self.value[markers, mover], strict=True)))
                self.value[markers, mover] = new
            if change < 1e-11:
                return
        raise RuntimeError(f"no convergence: {markers}")

    def _settle(self, turn: Turns, markers: Markers, mover: int) -> tuple[float, ...]:
        """Return the values of a turn, and note those of its nodes for the player who moves."""
        bust = self.value[markers, (mover + 1) % self.players]
        best: dict[Runners, tuple[float, ...]] = {}
        noted = self.nodes[markers, mover] = {}
        for runners in sorted(turn, key=lambda one: -sum(space - markers[mover][column] for column, space in one)):
            ending, offers = turn[runners]
            rolled = [0.0] * self.players
            for offer, weight in offers.items():
                end = max((best[one] for one in offer), key=lambda one: one[mover]) if offer else bust
                for player in range(self.players):
                    rolled[player] += weight * end[player] / 1296
            stop: tuple[float, ...] = (-1e9,) * self.players
            if ending == "win":
                stop = tuple(float(player == mover) for player in range(self.players)) if self.players > 1 else (0.0,)
            elif isinstance(ending, tuple):
                stop = self.value[ending, (mover + 1) % self.players]
            best[runners] = stop if stop[mover] >= rolled[mover] else tuple(rolled)
            noted[runners] = stop[mover], rolled[mover]
        return best[()] if self.players > 1 else (best[()][0] - 1,)

    def _turn(self, markers: Markers, mover: int) -> Turns:
        """Return, for all runners of a turn, what a stop leads to, and what the rolls offer with their numbers."""
        found: Turns = {}
        todo: list[Runners] = [()]
        while todo:
            runners = todo.pop()
            if runners not in found:
                # Without leap, the others' markers make no difference.
                known = markers[mover], self._won(markers), runners, markers if self.variants.leap else ()
                if known not in self.offers:
                    self.offers[known] = self._offers(markers, mover, dict(runners))
                offers = self.offers[known]
                found[runners] = self._ending(markers, mover, runners), offers
                todo += {one for offer in offers for one in offer}
        return found

    def _won(self, markers: Markers) -> frozenset[int]:
        return frozenset(column for spaces in markers for column, top in TOPS.items() if spaces[column] == top)

    def _ending(self, markers: Markers, mover: int, runners: Runners) -> Markers | str | None:
        others = [markers[player] for player in range(self.players) if player != mover]
        if not runners or (self.variants.no_stop_on_marker and any(m[c] == s for c, s in runners for m in others)):
            return None
        new = [list(spaces) for spaces in markers]
        for column, space in runners:
            if space == TOPS[column]:
                for spaces in new:
                    spaces[column] = 0
            new[mover][column] = space
        if sum(new[mover][column] == top for column, top in TOPS.items()) >= self.variants.columns_to_win:
            return "win"
        return tuple(map(tuple, new))

    def _offers(self, markers: Markers, mover: int, runners: dict[int, int]) -> Counter[frozenset[Runners]]:
        """Return how many rolls offer each set of runners after a play; the empty set is a bust."""
        free = 3 - len(runners)
        won = self._won(markers)
        others = [markers[player] for player in range(self.players) if player != mover]

        def stepped(now: dict[int, int], column: int) -> dict[int, int]:
            space = now.get(column, markers[mover][column]) + 1
            while self.variants.leap and any(spaces[column] == space for spaces in others):
                space += 1
            return {**now, column: space}

        def can(column: int) -> bool:
            return column not in won and (runners[column] < TOPS[column] if column in runners else free > 0)

        def ways(one: int, other: int) -> list[dict[int, int]]:
            if one == other:
                if not can(one):
                    return []
                first = stepped(runners, one)
                return [stepped(first, one) if first[one] < TOPS[one] else first]
            good = [column for column in (one, other) if can(column)]
            if len(good) == 2 and sum(column not in runners for column in good) > free:
                return [stepped(runners, column) for column in good]
            now = runners
            for column in good:
                now = stepped(now, column)
            return [now] if good else []

        of_pairing: dict[tuple[int, ...], list[dict[int, int]]] = {}
        counts: Counter[frozenset[Runners]] = Counter()
        for roll, weight in ROLLS.items():
            ends = []
            for pairing in roll:
                if pairing not in of_pairing:
                    of_pairing[pairing] = ways(*pairing)
                ends += of_pairing[pairing]
            if self.variants.fast_start is not FastStart.OFF and ends:
                ends = [end for end in ends if len(end) == max(map(len, ends))]
            if self.variants.fast_start is FastStart.STRICT and ends:
                moved = [sum(end[column] != runners.get(column) for column in end) for end in ends]
                ends = [end for end, number in zip(ends, moved, strict=True) if number == max(moved)]
            counts[frozenset(tuple(sorted(end.items())) for end in ends)] += weight
        return counts


def endgame(chance: random.Random, players: int, variants: Variants, most: int = 100) -> Position:
    """Return the beginning of a turn near the end of a game, at random; at `most` as many positions can follow."""
    while True:
        wins = [variants.columns_to_win - chance.choice((1, 1, 2)) for _ in range(players)]
        free = len(COLUMNS) - sum(wins)
        if free < 1 or (free > 4 and min(wins) < variants.columns_to_win - 1):
            continue
        columns = chance.sample(list(COLUMNS), k=len(COLUMNS))
        markers = [list(EMPTY) for _ in range(players)]
        gaps = []
        for player, number in enumerate(wins):
            for _ in range(number):
                column = columns.pop()
                markers[player][column] = TOP[column]
        for column in columns:
            for player in range(players):
                gap = min(TOP[column], chance.choice((1, 1, 2, 3, 4) if free < 4 else (1, 1, 1, 2)))
                gaps.append(gap)
                markers[player][column] = TOP[column] - gap
        position = Position(variants, tuple(map(tuple, markers)), chance.randrange(players))
        if (
            prod(gaps) <= (most if free < 4 else most / 8)
            and not position.problems()
            and not isinstance(turn_of(position), Turn)
        ):
            return position


def costs(chance: random.Random, position: Position, decisions: int) -> Iterator[tuple[float, bool]]:
    """Yield the cost of each decision of Master, and whether it was about a stop, in games from this position."""
    plain, master = Plain(position.players, position.variants), level("Master").make()
    plain.solve(position.markers)
    begin, done = position, 0
    while done < decisions:
        position = begin
        while position.winner is None and done < decisions:
            nodes = plain.nodes[position.markers, position.turn]
            if may_stop(position):
                stop, again = nodes[tuple(position.runners_out())]
                stops = master.stops(position)
                yield max(stop, again) - (stop if stops else again), True
                done += 1
                if stops if chance.random() < 0.5 else chance.random() < 0.3:
                    position = after(position, Stop())
                    continue
            position = _rolled(position, chance)
            if position.roll is None:
                continue
            worth = {play: max(nodes[_runners(position, play)]) for play in plays(position)}
            play = master.choose(position, position.roll)
            if len({_runners(position, one) for one in worth}) > 1:
                yield max(worth.values()) - worth[play], False
                done += 1
            position = after(position, play if chance.random() < 0.5 else chance.choice(list(worth)))


def _rolled(position: Position, chance: random.Random) -> Position:
    """Return the position after a random roll, or without a roll after the bust that it makes."""
    position = after(position, Rolled(roll_of(chance.choices(range(1, 7), k=4))))
    return after(position, Bust()) if is_bust(position) else position


def _runners(position: Position, play: Play) -> Runners:
    return tuple((column, space) for column, space in enumerate(runners_after(position, play)) if space)


BOARDS = {
    "nobody yet in 2, 11, 12": (2, 11, 12),
    "nobody yet in 2, 10, 12": (2, 10, 12),
    "random progress in 2, 11, 12": (2, 11, 12),
}
"""The endgames at 4 to 4 of five columns in which Master plays against the plain solution, with the open columns."""


def duel(board: str, games: int, seed: int) -> int:
    """Return how many of the games the plain solution wins; each begins half of them, in either seat half of them."""
    chance, plain, master = random.Random(f"{seed} {board}"), Plain(2, Variants(5)), level("Master").make()
    won = 0
    for game in range(games):
        markers = [[0] * len(TOP), [0] * len(TOP)]
        for nth, column in enumerate(column for column in COLUMNS if column not in BOARDS[board]):
            markers[nth % 2][column] = TOP[column]
        for column in BOARDS[board] if board.startswith("random") else ():
            for spaces in markers:
                spaces[column] = chance.randrange(TOP[column])
        position = Position(Variants(5), tuple(map(tuple, markers)), game % 2)
        plain.solve(position.markers)
        perfect = game // 2 % 2
        while position.winner is None:
            nodes, mine = plain.nodes[position.markers, position.turn], position.turn == perfect
            here = nodes[tuple(position.runners_out())]
            if may_stop(position) and (here[0] >= here[1] if mine else master.stops(position)):
                position = after(position, Stop())
                continue
            position = _rolled(position, chance)
            if (roll := position.roll) is None:
                continue
            if mine:
                position = after(position, max(plays(position), key=lambda play: max(nodes[_runners(position, play)])))
            else:
                position = after(position, master.choose(position, roll))
        won += position.winner == perfect
    return won


def measure(piece: tuple[str, int, int]) -> tuple[str, list[str]]:
    """Return a row of the results: of a duel, or the costs of decisions with some rules."""
    name, number, seed = piece
    if name in BOARDS:
        won = duel(name, number, seed)
        low, high = wilson_interval(won, number)
        return name, [
            f"{number:,} games",
            "",
            f"{100 * won / number:.1f} % ± {50 * (high - low):.1f} won against Master",
        ]
    players, _, rules = name.partition(" ")
    variants = rules_of(rules, int(players))
    chance = random.Random(f"{seed} {name}")
    found: list[tuple[float, bool]] = []
    while len(found) < number:
        found += costs(chance, endgame(chance, int(players), variants), min(EACH, number - len(found)))
    stops = sum(stop for _, stop in found)
    dearest = max(cost for cost, _ in found)
    return name, [f"{stops:,} stops", f"{len(found) - stops:,} plays", f"dearest decision {dearest:.1e}"]


def options(command: argparse.ArgumentParser) -> None:
    """Add the tool's options."""
    command.add_argument("rules", nargs="*", metavar="RULES", help=f"of {', '.join(map(repr, (*RULES, *BOARDS)))}")
    command.add_argument("--number", type=whole_number(), default=10_000, metavar="N", help="decisions, or games")
    add_seed(command, 1, "the endgames and the dice")
    add_jobs(command)


def run(args: argparse.Namespace) -> int:
    """Print a row for each of the rules and boards."""
    pieces = [(name, args.number, args.seed) for name in args.rules or (*RULES, *BOARDS)]
    results, status = work_through("rows", measure, pieces, args.jobs)
    figures = table("players, rules", *[""] * 3)
    for name, cells in results:
        figures.add_row(name, *cells)
    show(figures)
    say("cost: chance to win given away (solo: turns), by the plain solution")
    return status


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool, and return the exit status."""
    description = (
        "Count what Master's decisions cost in random endgames, and let the plain solution play against Master."
    )
    return run_tool("tools.endgames", description, options, run, (), argv)


if __name__ == "__main__":
    # Other processes import what they work on from the module's own name.
    from tools import endgames

    sys.exit(endgames.main())
