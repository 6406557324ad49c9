"""The strongest level: it solves each turn exactly for what learned values say that its end is worth."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from engine.actions import Play
from engine.board import EMPTY, Spaces
from engine.dice import Roll
from engine.moves import stop_wins
from engine.opponents.choosing import best_play
from engine.opponents.strategy import Reason, reason_of
from engine.opponents.turns import Turn, Worth
from engine.opponents.values import values_for
from engine.position import Position
from engine.rules import may_stop, plays, runners_after


class Strongest:
    """Plays to win (alone: to need few turns), by `engine.opponents.turns`. The same for every seat and rule."""

    def choose(self, position: Position, roll: Roll) -> Play:
        """Take the play after which most can be made of the turn."""
        rolled = position.with_roll(roll)
        found = tuple(dict.fromkeys(runners_after(rolled, play) for play in plays(rolled)))
        worth = (
            {found[0]: 0.0}
            if len(found) == 1
            else {runners: one.best for runners, one in zip(found, _worth(_begin(position), found), strict=True)}
        )
        return best_play(position, roll, worth.__getitem__)

    def stops(self, position: Position) -> bool:
        """Stop where going on is worth no more."""
        if not may_stop(position):
            return False
        if stop_wins(position):
            return True
        (worth,) = _worth(_begin(position), (position.runners,))
        return worth.stop >= worth.roll

    def reason(self, position: Position) -> Reason:
        """Say why it stops or rolls on here."""
        return reason_of(position, self.stops(position))


def _begin(position: Position) -> Position:
    """Give the position at the beginning of this turn: it is what answers are kept by."""
    return replace(position, runners=EMPTY, roll=None)


@lru_cache(maxsize=2)
def _turn(begin: Position) -> Turn:
    return Turn(begin, values_for(begin.players, begin.variants.columns_to_win))


@lru_cache(maxsize=16)
def _worth(begin: Position, runners: tuple[Spaces, ...]) -> tuple[Worth, ...]:
    turn = _turn(begin)
    return tuple(turn.solve([turn.steps(one) for one in runners]))
