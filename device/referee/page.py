"""The table's page: its address and its code on the OLED, from any screen by holding B."""

from __future__ import annotations

from dataclasses import replace

from device.referee.inputs import Input, PageReady
from device.referee.states import ShowingPage, Situation


def open_page(situation: Situation, _: Input) -> Situation:
    """Show where the page is; address and code come as an input, as soon as they are known."""
    return replace(situation, state=ShowingPage(situation.state))


def take_address(situation: Situation, told: Input) -> Situation:
    """Take the address and the code."""
    state = situation.state
    assert isinstance(state, ShowingPage)
    assert isinstance(told, PageReady)
    shown = replace(state, address=told.address, code=told.code, phones=told.phones, send_away=False)
    return replace(situation, state=shown)


def send_away(situation: Situation, _: Input) -> Situation | None:
    """Let no phone press the buttons any more."""
    state = situation.state
    assert isinstance(state, ShowingPage)
    return replace(situation, state=replace(state, send_away=True)) if state.phones else None


def turn_over(situation: Situation, _: Input) -> Situation | None:
    """Show the address in words, or again as a QR code."""
    state = situation.state
    assert isinstance(state, ShowingPage)
    return replace(situation, state=replace(state, in_words=not state.in_words)) if state.address else None


def back(situation: Situation, _: Input) -> Situation:
    """Go back to the game."""
    state = situation.state
    assert isinstance(state, ShowingPage)
    return replace(situation, state=state.before)
