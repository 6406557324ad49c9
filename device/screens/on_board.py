"""A screen as the box's own display shows it, if its buttons are others than A, B, C and STOP."""

from __future__ import annotations

from dataclasses import replace

from device.hardware.boards import Board
from device.referee.box_care import BUTTONS
from device.referee.inputs import Button, Press
from device.referee.states import Situation, TryingButtons
from device.screens.screen import Screen

_IN_LISTS = {Button.B: Button.C, Button.C: Button.B}
"""What a joystick's press and down mean in a list, where A and B move and C selects."""


def on_board(shown: Screen, situation: Situation, board: Board) -> Screen:
    """Return a screen for a board: each sign beside its key; the test of the buttons says where each one is."""
    if board.is_stick and shown.keys:
        return replace(shown, keys=shown.keys[0] + shown.keys[:0:-1])
    state = situation.state
    if board.places and isinstance(state, TryingButtons) and state.pressed < len(BUTTONS):
        return replace(shown, title=f"{BUTTONS[state.pressed]}: {board.places[state.pressed]}")
    return shown


def meant(press: Press, shown: Screen | None, board: Board) -> Press:
    """Return the press that a board's key stands for on the screen that is shown."""
    if board.is_stick and shown is not None and shown.keys:
        return replace(press, button=_IN_LISTS.get(press.button, press.button))
    return press
