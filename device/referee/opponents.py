"""An opponent's turn: people roll for it and move its pieces; it chooses, and rolls again or stops.

Its decision is an input from outside (`device.thinking`), like a press, and is stored in the journal: a game that is
resumed, undone or replayed never asks twice.
"""

from __future__ import annotations

from dataclasses import replace

from device.referee import putting_back, states
from device.referee.inputs import Decided, NoDecision
from device.referee.playing import done, stopped
from device.referee.states import Situation
from engine import Play, after, may_stop, plays


def decided(situation: Situation, state: states.Thinking, event: Decided) -> Situation | None:
    """Accept an opponent's decision, if it is about this position and the rules allow it."""
    position = situation.played.position
    if event.position != position or (event.play is None) != (position.roll is None):
        return None
    if event.play is not None:
        if event.play not in plays(position):
            return None
        position = after(position, event.play)
    if event.stops and not may_stop(position):
        return None
    moving = states.Moving(event.stops, event.why, event.loss, event.at_stake)
    if event.play is not None:
        return replace(done(situation, event.play, moving), likely=situation.likely)
    return replace(situation, state=moving if event.stops else _rolling_on(moving))


def undecided(situation: Situation, state: states.Thinking, event: NoDecision) -> Situation | None:
    """Say that the opponent cannot decide about this position."""
    return replace(situation, state=states.Undecided(state)) if event.position == situation.played.position else None


def choose_for_it(situation: Situation, state: states.Undecided, *_: object) -> Situation:
    """Let the players make this decision."""
    has_roll = situation.played.position.roll is not None
    return replace(situation, state=states.Choosing() if has_roll else states.Deciding())


def moved(situation: Situation, state: states.Moving, *_: object) -> Situation:
    """Continue after the runners were moved: with the stop, or with the next roll."""
    if state.stops:
        return stopped(situation)
    return replace(situation, state=_rolling_on(state), likely=())


def _rolling_on(state: states.Moving) -> states.RollingOn:
    return states.RollingOn(state.why, state.loss, state.at_stake)


def misread(situation: Situation, state: states.Moving, *_: object) -> Situation | None:
    """Correct the dice that the opponent has moved on: its play is undone, and it decides again."""
    game = situation.played
    if not game.steps or not isinstance(game.steps[-1], Play):
        return None
    before = game.undo()
    correcting = (states.CorrectingDice if situation.likely else states.EnteringDice)(states.Thinking())
    return putting_back.then(replace(situation, game=before, state=correcting), situation)
