"""A straightforward engine for comparison: dictionaries, and moves rebuilt from them at each roll."""

from __future__ import annotations

import random

SPACES = {2: 3, 3: 5, 4: 7, 5: 9, 6: 11, 7: 13, 8: 11, 9: 9, 10: 7, 11: 5, 12: 3}
PAIRS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))

Runners = dict[int, int]


class StraightforwardGame:
    """One game of random play under the base rules; every player stops after four good rolls."""

    def __init__(self, players: int, chance: random.Random) -> None:
        self.chance = chance
        self.players = players
        self.markers: list[dict[int, int]] = [{} for _ in range(players)]
        self.won: dict[int, int] = {}

    def usable(self, column: int, runners: Runners) -> bool:
        """Whether a runner could move in this column."""
        return column not in self.won and runners.get(column, 0) < SPACES[column]

    def stepped(self, player: int, runners: Runners, column: int) -> Runners | None:
        """Return the runners after a step; None if it is illegal."""
        if not self.usable(column, runners):
            return None
        if column in runners:
            return {**runners, column: runners[column] + 1}
        if len(runners) == 3:
            return None
        return {**runners, column: self.markers[player].get(column, 0) + 1}

    def moves(self, player: int, runners: Runners, dice: list[int]) -> list[Runners]:
        """Return the possible runners after a play, each once."""
        found: list[Runners] = []
        seen = set()
        for (a, b), (c, d) in PAIRS:
            sums = tuple(sorted((dice[a] + dice[b], dice[c] + dice[d])))
            if sums in seen:
                continue
            seen.add(sums)
            ends: list[Runners] = []
            for first, second in (sums, sums[::-1]):
                end = self.stepped(player, runners, first)
                if end is not None:
                    end = self.stepped(player, end, second) or end
                    if end not in ends:
                        ends.append(end)
            found += ends
        return found

    def turn(self, player: int) -> None:
        """Play one turn."""
        runners: Runners = {}
        for _ in range(4):
            dice = [self.chance.randint(1, 6) for _ in range(4)]
            moves = self.moves(player, runners, dice)
            if not moves:
                return
            runners = self.chance.choice(moves)
        for column, space in runners.items():
            self.markers[player][column] = space
            if space == SPACES[column]:
                self.won[column] = player
                for other in range(self.players):
                    if other != player:
                        self.markers[other].pop(column, None)

    def play(self) -> int:
        """Play to the end; return the winner's number of turns."""
        turns = 0
        while True:
            turns += 1
            for player in range(self.players):
                self.turn(player)
                if sum(owner == player for owner in self.won.values()) >= 3:
                    return turns
