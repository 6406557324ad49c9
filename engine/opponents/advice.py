"""What the strongest opponent would do in a person's place, and what each choice is worth to it."""

from __future__ import annotations

from engine.actions import Play
from engine.board import EMPTY
from engine.opponents.endgame import turn_of
from engine.opponents.strategy import Advice
from engine.opponents.strongest import Strongest
from engine.position import Position
from engine.rules import after, may_stop, plays


def advice(position: Position) -> list[Advice]:
    """Return the value of each legal play or, if there is no roll, that of stopping and of rolling.

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
