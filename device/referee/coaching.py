"""The coach: what the strongest opponent would do now; the answer may come late."""

from __future__ import annotations

from dataclasses import replace

from device.referee.inputs import Advised
from device.referee.outcome import Effect, Outcome
from device.referee.states import Choosing, ChoosingColumn, Coaching, Deciding, Situation, State, Telling


def can_coach(state: State) -> bool:
    """Whether a person decides now; an opponent does not ask."""
    return isinstance(state, Choosing | ChoosingColumn | Telling | Deciding)


def open_coach(situation: Situation) -> Outcome | None:
    """Ask the coach about the current decision; None if nobody has to decide."""
    if not can_coach(situation.state):
        return None
    return Outcome(replace(situation, state=Coaching(situation.state)), (Effect.ASK_COACH,))


def advised(situation: Situation, state: Coaching, told: Advised) -> Situation | None:
    """Show the advice, unless it comes too late and is about another position."""
    if told.position != situation.played.position:
        return None
    return replace(situation, state=replace(state, choices=told.choices))
