"""Simulated games between strategies: seatings and winners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.actions import Action, Bust, Stop
from engine.errors import EngineError
from engine.opponents.strategy import Strategy
from engine.position import Position
from engine.rules import after, is_bust
from engine.simulate.batch_strategies import BatchStrategy
from engine.simulate.games import ROLLS, Bools, Games, Ints
from engine.variants import Variants

LANES = 8192
"""The number of games played at the same time: NumPy's calls take little time, and the data fit a processor's cache."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of games, one entry each.

    Attributes:
        table: The seating, as an index into the seatings.
        winner: The seat of the winner.
        turns: The number of turns that the winner took.
    """

    table: Ints
    winner: Ints
    turns: Ints


def play_games(
    strategies: Sequence[BatchStrategy],
    seatings: Sequence[Sequence[int]],
    games: int,
    chance: np.random.Generator,
    variants: Variants | None = None,
) -> Outcomes:
    """Return the outcomes of games played to their end.

    Args:
        strategies: The strategies that play.
        seatings: For each seating, the index of the strategy at each seat, in the order of play. The games use the
            seatings in turn, so each is used equally often if `games` is a multiple of their number.
        games: The number of games.
        chance: The random generator for the dice.
        variants: The variants of the rules; None for the basic rules.

    Raises:
        EngineError: If the seatings differ in length.
        BadVariants: If the variants cannot be combined, or not with this number of players.
    """
    players = len(seatings[0])
    if any(len(seating) != players for seating in seatings):
        raise EngineError("all seatings need the same number of seats")
    return _Match(
        strategies, np.array(seatings, np.intp), games, chance, Games(min(LANES, games), players, variants)
    ).play()


def play_singly(
    strategies: Sequence[Strategy],
    seatings: Sequence[Sequence[int]],
    games: int,
    chance: np.random.Generator,
    variants: Variants | None = None,
) -> Outcomes:
    """Return the outcomes of games played one by one with the engine's own rules, for any strategy; slower.

    The arguments are those of `play_games`.

    Raises:
        IllegalAction: If a strategy does what the rules do not allow.
        BadVariants: If the variants cannot be combined, or not with this number of players.
    """
    played = []
    for number in range(games):
        seats = [strategies[one] for one in seatings[number % len(seatings)]]
        played.append(_single(seats, chance, variants))
    winner, turns = np.array(played, np.intp).reshape(games, 2).T
    return Outcomes(np.arange(games) % len(seatings), winner, turns)


def _single(seats: Sequence[Strategy], chance: np.random.Generator, variants: Variants | None) -> tuple[int, int]:
    """Play a game; return the winner's seat and the number of turns that the winner took."""
    position = Position.start(len(seats), variants)
    turns = [0] * len(seats)
    while position.winner is None:
        seat = position.turn
        action: Action = Stop()
        if not seats[seat].stops(position):
            roll = ROLLS[chance.integers(len(ROLLS))]
            rolled = position.with_roll(roll)
            action = Bust() if is_bust(rolled) else seats[seat].choose(position, roll)
            position = rolled
        position = after(position, action)
        turns[seat] += isinstance(action, Stop | Bust)
    return position.winner, turns[position.winner]


class _Match:
    """Games in progress: when one ends, the next one begins in its lane."""

    def __init__(
        self, strategies: Sequence[BatchStrategy], seatings: Ints, games: int, chance: np.random.Generator, lanes: Games
    ) -> None:
        self.strategies = strategies
        self.seatings = seatings
        self.chance = chance
        self.games = lanes
        self.number = np.arange(len(lanes))  # the game in each lane; numbers past the last game do not count
        self.begun = len(lanes)
        self.table = np.arange(games) % len(seatings)
        self.winner = np.full(games, -1, np.int8)
        self.turns = np.zeros(games, np.int32)

    def play(self) -> Outcomes:
        """Play until every game has a winner, and return the outcomes."""
        left = len(self.winner)
        while left:
            left -= self._stops()
            self._rolls()
            idle = self.number >= len(self.winner)
            # Lanes without a game that counts continue unused until there are enough of them to drop.
            if idle.sum() * 4 > len(idle):
                self.games.keep(~idle)
                self.number = self.number[~idle]
        return Outcomes(self.table, self.winner, self.turns)

    def _deciders(self, lanes: Ints) -> list[tuple[BatchStrategy, Ints]]:
        """Return the lanes of each strategy that has to decide."""
        if len(self.strategies) == 1:
            return [(self.strategies[0], lanes)]
        who = self.seatings[self.number[lanes] % len(self.seatings), self.games.turn[lanes]]
        sorted_out = [(strategy, lanes[who == number]) for number, strategy in enumerate(self.strategies)]
        return [(strategy, some) for strategy, some in sorted_out if len(some)]

    def _stops(self) -> int:
        """Let the strategies decide whether to stop.

        Returns:
            The number of games that ended and count.
        """
        ended = 0
        for strategy, lanes in self._deciders(np.flatnonzero(self.games.may_stop())):
            stopping = lanes[strategy.stops(self.games.turns_of(lanes))]
            over = self.games.stop(stopping)
            ended += self._end(over)
        return ended

    def _end(self, over: Ints) -> int:
        """Store the winners of these lanes, and begin the next games there; return how many of them count."""
        numbers = self.number[over]
        counts: Bools = numbers < len(self.winner)
        winners = self.games.turn[over]
        self.winner[numbers[counts]] = winners[counts]
        self.turns[numbers[counts]] = self.games.turns[over, winners][counts]
        self.number[over] = np.arange(self.begun, self.begun + len(over))
        self.begun += len(over)
        self.games.restart(over)
        return int(counts.sum())

    def _rolls(self) -> None:
        """Roll in every lane, and use the roll or bust."""
        options = self.games.options(self.chance.integers(0, len(ROLLS), len(self.games), np.int16))
        good = options.legal.any(axis=0)
        for strategy, lanes in self._deciders(np.flatnonzero(good)):
            self.games.play(options, strategy.choose(self.games.turns_of(lanes), options), lanes)
        self.games.pass_on(np.flatnonzero(~good))
