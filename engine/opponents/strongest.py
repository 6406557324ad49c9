"""The strongest level and its advice: it solves each turn exactly, with learned values of the positions at its end.

Near the end of a game these values are exact, too (`engine.opponents.endgame`).
"""

from __future__ import annotations

from engine.actions import Play
from engine.board import EMPTY
from engine.dice import Roll
from engine.opponents.endgame import turn_of
from engine.opponents.strategy import Advice, best_play
from engine.position import Position
from engine.rules import after, may_stop, plays, runners_after


class Strongest:
    """Plays to win (solo: in few turns), for every seat and variant."""

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play after which the turn has the highest value."""
        rolled = position.with_roll(roll)
        found = tuple(dict.fromkeys(runners_after(rolled, play) for play in plays(rolled)))
        if len(found) < 2:
            return best_play(position, roll, lambda _: 0)
        turn = turn_of(position.changed(runners=EMPTY))
        worth = [one.best for one in turn.solve([turn.steps(runners) for runners in found])]
        good = {runners for runners, one in zip(found, worth, strict=True) if one >= max(worth) - turn.equal}
        return best_play(position, roll, good.__contains__)

    def stops(self, position: Position) -> bool:
        """Whether it stops: if rolling is worth no more."""
        if not may_stop(position):
            return False
        turn = turn_of(position.changed(runners=EMPTY))
        (worth,) = turn.solve([turn.steps(position.runners)])
        return worth.stop >= worth.roll - turn.equal


def advice(position: Position) -> list[Advice]:
    """Return what it would do, and the value of each legal play or, if there is no roll, of stopping and of rolling.

    Args:
        position: A position with runners, or with a roll that is not a bust.
    """
    master, turn = Strongest(), turn_of(position.changed(runners=EMPTY))
    choices: list[tuple[Play | None, Position]] = [(None, position)]
    if position.roll is not None:
        choices = [(play, after(position, play)) for play in plays(position)]
    chosen = master.choose(position, position.roll) if position.roll is not None else None
    worth = turn.solve([turn.steps(then.runners) for _, then in choices])
    sign, added = (1, 0) if position.players > 1 else (-1, 1)  # solo values are the turns after this one, negated
    return [
        Advice(
            play,
            sign * one.stop + added if may_stop(then) else None,
            sign * one.roll + added,
            master.stops(then),
            play == chosen,
        )
        for (play, then), one in zip(choices, worth, strict=True)
    ]
