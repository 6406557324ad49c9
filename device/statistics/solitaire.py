"""The solitaire games with the fewest turns to three columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine import Bust, Game, SetTo, Stop


@dataclass(frozen=True, slots=True)
class Alone:
    """A finished solitaire game.

    Attributes:
        name: The player's name.
        level: The level of an opponent; "" for a person.
        turns: The number of turns.
        game: The game's number.
        begun: The start time in UTC; a Pi's clock may be wrong.
    """

    name: str
    level: str
    turns: int
    game: int
    begun: str


def alone(games: Iterable[tuple[int, str, Game]]) -> list[Alone]:
    """Return the finished solitaire games, fewest turns first, then the earliest.

    Games in which the board was set by hand do not count: the number of earlier turns is unknown.

    Args:
        games: Each game's number, start time and game.
    """
    found = [
        Alone(game.names[0], game.levels[0] if game.levels else "", _turns(game.steps), number, begun)
        for number, begun, game in games
        if len(game.names) == 1 and game.winner is not None and not any(isinstance(step, SetTo) for step in game.steps)
    ]
    return sorted(found, key=lambda one: (one.turns, one.game))


def _turns(steps: Sequence[object]) -> int:
    return sum(isinstance(step, Stop | Bust) for step in steps)
