"""A second solver of endgames, which shares nothing with the engine: it follows the printed rules, roll by roll.

It computes all values again until they stay the same, a hundred times more slowly than the engine.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

from engine import FastStart, Variants

TOPS = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
ROLLS = Counter(
    tuple(sorted({tuple(sorted((a + b, c + d))), tuple(sorted((a + c, b + d))), tuple(sorted((a + d, b + c)))}))
    for a, b, c, d in product(range(1, 7), repeat=4)
)
"""The number of rolls (of 1,296) with these ways to make two pairs."""

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
