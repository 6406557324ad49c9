"""Is the display driven as the controller that it has, and the right way up? Asked once, before anything is read."""

from __future__ import annotations

from dataclasses import replace

from device.referee.box_states import CheckingFrame
from device.referee.inputs import Input
from device.referee.states import Situation


def whole(situation: Situation, _: Input) -> Situation:
    """Go on: the frame is whole and the text upright."""
    state = situation.state
    assert isinstance(state, CheckingFrame)
    return replace(situation, state=state.before)


def not_whole(situation: Situation, _: Input) -> Situation:
    """Ask again, with the display driven in the next way."""
    return situation
