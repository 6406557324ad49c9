"""The solo games with the fewest turns to three columns."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from device.referee.inputs import SoloGame
from device.referee.playing import turns
from device.storage.past_game_file import StoredGame
from engine import BadText, SeatChange, SetTo

_log = logging.getLogger(__name__)


def fewest_turns(games: Iterable[StoredGame]) -> tuple[SoloGame, ...]:
    """Return the finished solo games, fewest turns first, then the earliest.

    Games in which the board was set by hand, or the players changed, do not count. A game with an illegal step is left
    out, with a line in the log.
    """
    found = []
    for stored in games:
        if len(stored.names) == 1 and stored.winner is not None:
            try:
                game = stored.replay()
            except BadText as error:
                _log.warning("game %s is left out: %s", stored.number, error)
                continue
            if not any(isinstance(step, SetTo | SeatChange) for step in game.steps):
                found.append((turns(game), stored.number, stored.begun, game.names[0], game.levels[0]))
    return tuple(
        SoloGame(place, name, level, count, number, begun)
        for place, (count, number, begun, name, level) in enumerate(sorted(found), start=1)
    )
