"""The solo games with the fewest turns to three columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from device.referee.inputs import SoloGame
from engine import Bust, Game, SetTo, Stop


def fewest_turns(games: Iterable[tuple[int, str, Game]]) -> tuple[SoloGame, ...]:
    """Return the finished solo games, fewest turns first, then the earliest.

    Games in which the board was set by hand do not count: the number of earlier turns is unknown.

    Args:
        games: Each game's number, start time and game.
    """
    found = sorted(
        (_turns(game.steps), number, begun, game.names[0], game.levels[0] if game.levels else "")
        for number, begun, game in games
        if len(game.names) == 1 and game.winner is not None and not any(isinstance(step, SetTo) for step in game.steps)
    )
    return tuple(
        SoloGame(place, name, level, turns, number, begun)
        for place, (turns, number, begun, name, level) in enumerate(found, start=1)
    )


def _turns(steps: Sequence[object]) -> int:
    return sum(isinstance(step, Stop | Bust) for step in steps)
