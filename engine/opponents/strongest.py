"""The strongest level: it solves each turn exactly, with learned values of the positions at its end."""

from __future__ import annotations

from functools import lru_cache

from engine.actions import Play
from engine.board import EMPTY, Spaces
from engine.dice import Roll
from engine.opponents.strategy import best_play
from engine.opponents.turns import Turn, Worth
from engine.opponents.values import values_for
from engine.piece_moves import stop_wins
from engine.position import Position
from engine.rules import may_stop, plays, runners_after

EQUAL = 1e-5
"""Values no further apart count as equal: their last bits depend on how much of the turn was solved at once."""


class Strongest:
    """Plays to win (solo: in few turns), using `engine.opponents.turns`, for every seat and variant."""

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play after which the turn has the highest value."""
        rolled = position.with_roll(roll)
        found = tuple(dict.fromkeys(runners_after(rolled, play) for play in plays(rolled)))
        if len(found) < 2:
            return best_play(position, roll, lambda _: 0)
        worth = [one.best for one in _worth(_begin(position), found)]
        good = {runners for runners, one in zip(found, worth, strict=True) if one >= max(worth) - EQUAL}
        return best_play(position, roll, good.__contains__)

    def stops(self, position: Position) -> bool:
        """Whether it stops: if rolling is worth no more."""
        if not may_stop(position):
            return False
        if stop_wins(position):
            return True
        (worth,) = _worth(_begin(position), (position.runners,))
        return worth.stop >= worth.roll - EQUAL


def _begin(position: Position) -> Position:
    """Return the position at the beginning of this turn, the key under which results are cached."""
    return position.changed(runners=EMPTY)


@lru_cache(maxsize=2)
def _turn(begin: Position) -> Turn:
    return Turn(begin, values_for(begin.players, begin.variants.columns_to_win))


def _worth(begin: Position, runners: tuple[Spaces, ...]) -> tuple[Worth, ...]:
    turn = _turn(begin)
    return tuple(turn.solve([turn.steps(one) for one in runners]))
