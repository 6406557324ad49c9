"""Who needed the fewest turns alone, to three columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine import Bust, Game, SetTo, Stop


@dataclass(frozen=True, slots=True)
class Alone:
    """A game that one played alone to its end.

    Attributes:
        name: Who.
        level: The level, where it was an opponent.
        turns: In how many turns.
        game: The game's number.
        begun: When it began, in UTC; a Pi's clock may be wrong.
    """

    name: str
    level: str
    turns: int
    game: int
    begun: str


def alone(games: Iterable[tuple[int, str, Game]]) -> list[Alone]:
    """List the games that one played alone to the end, the fewest turns first, of equal ones the earlier.

    Games in which the board was set by hand do not count: nobody knows the turns before it.

    Args:
        games: Each game's number, when it was begun, and the game.
    """
    found = [
        Alone(game.names[0], game.levels[0] if game.levels else "", _turns(game.steps), number, begun)
        for number, begun, game in games
        if len(game.names) == 1 and game.winner is not None and not any(isinstance(step, SetTo) for step in game.steps)
    ]
    return sorted(found, key=lambda one: (one.turns, one.game))


def _turns(steps: Sequence[object]) -> int:
    return sum(isinstance(step, Stop | Bust) for step in steps)
