"""The robot of `cantstop play --auto`, which here also answers the first start and the questions before a game."""

from __future__ import annotations

from device.laptop.robot import next_press
from device.referee import states
from device.referee.box_care import BUTTONS
from device.referee.inputs import Button, Press
from device.referee.questions import NEW_GAME, question_of
from device.referee.states import Situation


def next_action(situation: Situation, players: int) -> Press | None:
    """Return the robot's next press; None for rolling the dice.

    Args:
        situation: The box's situation.
        players: The number of players for a new game.
    """
    state = situation.beneath
    match state:
        case states.TryingButtons():
            return Press(BUTTONS[state.pressed] if state.pressed < len(BUTTONS) else Button.C)
        case states.CheckingFrame() | states.TryingSignal():
            return Press(Button.A)
        case states.OfferingPage() | states.CalibratingTray() | states.TrialThrow():
            return Press(Button.STOP)  # skipped
        case states.NewGame():
            question = question_of(state)
            wanted = {"again": NEW_GAME, "players": str(players)}.get(question.topic)
            return Press(Button.C if wanted in (None, question.options[state.cursor]) else Button.B)
    return next_press(situation)
