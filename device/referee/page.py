"""The table's page: whether it is wanted, and its address and its code on the OLED, from any screen by holding B."""

from __future__ import annotations

from dataclasses import replace

from device.referee.box_states import OfferingPage
from device.referee.inputs import Input, PageReady
from device.referee.outcome import Effect, Outcome
from device.referee.states import ShowingPage, Situation


def want(situation: Situation, _: Input) -> Situation:
    """Have a page from now on, and show where it is."""
    assert isinstance(situation.state, OfferingPage)
    wanted = replace(situation.preferences, page=True)
    return replace(situation, state=ShowingPage(situation.state.before), preferences=wanted)


def do_without(situation: Situation, _: Input) -> Situation:
    """Have no page."""
    assert isinstance(situation.state, OfferingPage)
    return replace(situation, state=situation.state.before, preferences=replace(situation.preferences, page=False))


def open_page(situation: Situation, _: Input) -> Situation:
    """Show where the page is; address and code come as an input, as soon as they are known."""
    return replace(situation, state=ShowingPage(situation.state))


def take_address(situation: Situation, told: Input) -> Situation:
    """Take the address and the code."""
    state = situation.state
    assert isinstance(state, ShowingPage)
    assert isinstance(told, PageReady)
    shown = replace(
        state,
        told=True,
        address=told.address,
        code=told.code,
        phones=told.phones,
        send_away=False,
        guessed_at=told.guessed_at,
    )
    return replace(situation, state=shown)


def take_a(situation: Situation, _: Input) -> Situation | Outcome | None:
    """Let no phone press the buttons any more; where the page is off, turn it on."""
    state = situation.state
    assert isinstance(state, ShowingPage)
    if is_off(situation):
        wanted = replace(situation.preferences, page=True)
        turned_on = replace(situation, state=ShowingPage(state.before), preferences=wanted)
        return Outcome(turned_on, (Effect.KEEP_PREFERENCES, Effect.ASK_PAGE))
    return replace(situation, state=replace(state, send_away=True)) if state.phones else None


def is_off(situation: Situation) -> bool:
    """Tell whether there is no page because nobody wanted one."""
    state = situation.state
    assert isinstance(state, ShowingPage)
    return state.told and not state.address and not situation.preferences.page


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
