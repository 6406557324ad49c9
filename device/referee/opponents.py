"""An opponent's turn: people throw for it and move its pieces, it chooses, and rolls on or stops.

Its decision comes from outside (`device.thinking`) as an input like a press, and is journalled like one: a game that is
taken up again, taken back or replayed never asks twice.
"""

from __future__ import annotations

from dataclasses import replace

from device.referee import putting_back
from device.referee.inputs import Decided
from device.referee.playing import done, stopped
from device.referee.seat_states import Moving, RollingOn, Thinking
from device.referee.states import CorrectingDice, EnteringDice, Situation
from engine import Play, after, may_stop, plays


def decided(situation: Situation, state: Thinking, event: Decided) -> Situation | None:
    """Take an opponent's decision, if it is one about this very position and the rules allow it."""
    position = situation.played.position
    if event.position != position or (event.play is None) != (position.roll is None):
        return None
    if event.play is not None:
        if event.play not in plays(position):
            return None
        position = after(position, event.play)
    if event.stops and not may_stop(position):
        return None
    moving = Moving(event.stops, event.why, event.loss, event.at_stake, event.stand_in, state.likely)
    if event.play is not None:
        return done(situation, event.play, moving)
    return replace(situation, state=moving if event.stops else _rolling_on(moving))


def moved(situation: Situation, state: Moving, *_: object) -> Situation:
    """Go on once the runners were moved: with the stop, or with the next throw."""
    if state.stops:
        return stopped(situation)
    return replace(situation, state=_rolling_on(state))


def _rolling_on(state: Moving) -> RollingOn:
    return RollingOn(state.why, state.loss, state.at_stake, state.stand_in)


def misread(situation: Situation, state: Moving, *_: object) -> Situation | None:
    """Put the dice right that the opponent has moved on: its play is taken back, and it decides anew."""
    game = situation.played
    if not game.steps or not isinstance(game.steps[-1], Play):
        return None
    before = game.undo()
    thinking = Thinking(state.likely)
    correcting = CorrectingDice(thinking, state.likely[:2]) if state.likely else EnteringDice(thinking)
    return putting_back.then(replace(situation, game=before, state=correcting), situation)
