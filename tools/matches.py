"""Matches between strategies, game by game, with the rules of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.actions import Action, Bust, Stop
from engine.dice import Roll, roll_of
from engine.opponents.strategy import Strategy
from engine.position import Position
from engine.rules import after, is_bust, may_stop
from engine.variants import Variants

_BITS_64 = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game.

    Attributes:
        winner: The winner, as an index into the players of the match.
        turns: The number of turns that the winner took.
    """

    winner: int
    turns: int


def play_match(
    players: Sequence[Strategy], games: int, seed: int, variants: Variants | None = None
) -> Iterator[Outcome]:
    """Yield the outcomes of games with rotating seats; the same seed gives the same dice.

    Args:
        players: The players: 1 for solo games, up to 4. In each game the next one begins.
        games: The number of games.
        seed: The seed of the first game's dice; each further game adds one.
        variants: The variants of the rules; None for the basic rules.

    Raises:
        IllegalAction: If a strategy does what the rules do not allow.
        BadVariants: If the variants cannot be combined, or not with this number of players.
    """
    for game in range(games):
        first = game % len(players)
        seats = [*players[first:], *players[:first]]
        seat, turns = _play(seats, _rolls(seed + game), variants)
        yield Outcome((seat + first) % len(players), turns)


def _play(seats: Sequence[Strategy], rolls: Iterator[Roll], variants: Variants | None) -> tuple[int, int]:
    """Play a game; return the winner's seat and the number of turns that the winner took."""
    position = Position.start(len(seats), variants)
    turns = [0] * len(seats)
    while position.winner is None:
        seat = position.turn
        action: Action = Stop()
        if not (may_stop(position) and seats[seat].stops(position)):
            roll = next(rolls)
            rolled = position.with_roll(roll)
            action = Bust() if is_bust(rolled) else seats[seat].choose(position, roll)
            position = rolled
        position = after(position, action)
        turns[seat] += isinstance(action, Stop | Bust)
    return position.winner, turns[position.winner]


def _rolls(seed: int) -> Iterator[Roll]:
    """Yield rolls without end.

    The generator is SplitMix64 (G. Steele et al. 2014, "Fast splittable pseudorandom number generators"), because it
    takes five lines in any language: the simulator in C, `tools/training/opponents`, rolls the same dice.
    """
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) & _BITS_64
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & _BITS_64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _BITS_64
        mixed ^= mixed >> 31
        number = (mixed >> 32) * 6**4 >> 32
        yield roll_of([number // 6**die % 6 + 1 for die in range(4)])
