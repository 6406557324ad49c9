"""The buttons' current functions in words, for the page's own buttons and for players who cannot see the screen."""

from __future__ import annotations

from dataclasses import replace

from device.referee import states
from device.referee.correcting import FACES, dice_to_enter
from device.referee.inputs import Button, Press
from device.referee.playing import stop_wins_now
from device.referee.states import Situation
from device.referee.transition_table import step
from device.screens import texts
from device.screens.box_views import language_of
from device.screens.language import say, speaking
from device.screens.screen import Screen
from device.screens.views import screen

PRESSES = tuple(Press(button, long) for long in (False, True) for button in Button)
"""All possible button presses."""

_SKIPPED = (states.TryingSignal, states.OfferingPage, states.CalibratingTray, states.TrialThrow)
"""The steps of the first start that STOP skips."""

_HELD = {
    Button.A: texts.ENTER_DICE,
    Button.B: texts.PAGE,
    Button.C: texts.LABEL_UNDO,
    Button.STOP: texts.LABEL_MENU,
}
_NOT_SHOWN = {
    (states.GameOver, Button.B): texts.STORY,
    (states.EnteringName, Button.C): texts.TAKE_LETTER,
    (states.SettingBoard, Button.B): texts.WHOSE,
    (states.ShowingPage, Button.A): texts.PAGE_FORGET,
    (states.WatchingTray, Button.A): texts.ENTER_DICE,
    (states.WatchingTray, Button.B): texts.READ_AGAIN,
}
"""What buttons do on screens, or pages of them, that have no room for it."""

_IN_LISTS = {Button.A: texts.LABEL_UP, Button.B: texts.LABEL_DOWN, Button.C: texts.OK, Button.STOP: texts.PAGE_BACK}
_ELSE = {Button.A: texts.PAGE_BACK, Button.B: texts.MORE, Button.C: texts.GO_ON, Button.STOP: texts.PAGE_BACK}


def labels(situation: Situation) -> dict[str, str]:
    """Return the function of each accepted press, by its name such as "C" or "hold C", in the players' language."""
    taken = [press for press in PRESSES if step(situation, press) is not None]
    with speaking(language_of(situation)):
        shown = screen(situation)
        return {str(press): _label(situation, shown, press) for press in taken}


def _label(situation: Situation, shown: Screen, press: Press) -> str:
    state = situation.beneath
    if (
        isinstance(state, states.EnteringDice)
        and press.button is not Button.STOP
        and len(state.dice) < dice_to_enter(state)
    ):
        return str(FACES[str(press)])
    if isinstance(state, states.TryingButtons):
        return say(texts.LABEL_SKIP) if press.long else str(press.button)
    if press.long:
        return _held(situation, press)
    for line in shown.lines:
        if line.button == press.button:
            return line.text
    if isinstance(state, states.SettingBoard) and state.problem:  # a press hides it and acts on the board
        cleared = replace(situation, state=replace(state, problem=""))
        return _label(cleared, screen(cleared), press)
    if (type(situation.state), press.button) in _NOT_SHOWN:
        return say(_NOT_SHOWN[type(situation.state), press.button])
    if isinstance(state, states.TooEarly):
        return say(texts.OK)
    if press.button is Button.STOP and isinstance(state, states.Telling | states.Deciding):
        return say(texts.STOP_WINS if stop_wins_now(situation) else "Stop")
    if press.button is Button.STOP and isinstance(state, _SKIPPED):
        return say(texts.LABEL_SKIP)
    if isinstance(state, states.ShowingPage) and press.button is Button.B:
        return "QR"
    pages = states.Rules | states.Whereabouts | states.GameStory | states.Coaching
    if isinstance(state, pages) and press.button is Button.C:
        return say(texts.MORE)
    return say((_IN_LISTS if shown.keys else _ELSE)[press.button])


def _held(situation: Situation, press: Press) -> str:
    state = situation.beneath
    if isinstance(state, states.EnteringName):
        held = {Button.A: texts.LABEL_UP, Button.B: texts.LABEL_DOWN, Button.C: texts.DONE}
        return say(held[press.button])
    if isinstance(state, states.ShuttingDown):
        return say(texts.BOX_ITEMS["shut down"])
    if press.button is Button.A and isinstance(
        state, states.Choosing | states.ChoosingColumn | states.Busting | states.Thinking
    ):
        return say("Fix the dice")
    return say(_HELD[press.button])
