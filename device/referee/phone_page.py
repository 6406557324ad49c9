"""The page's screens: turning it on, and its address and code, from any screen by holding B."""

from __future__ import annotations

from dataclasses import replace

from device.referee.box_states import OfferingPage
from device.referee.inputs import PageReady
from device.referee.outcome import Effect, Outcome
from device.referee.states import ShowingPage, Situation


def turn_on(situation: Situation, state: OfferingPage, *_: object) -> Situation:
    """Turn the page on, and show its address."""
    wanted = replace(situation.preferences, page=True)
    return replace(situation, state=ShowingPage(state.before), preferences=wanted)


def turn_off(situation: Situation, state: OfferingPage, *_: object) -> Situation:
    """Turn the page off."""
    return replace(situation, state=state.before, preferences=replace(situation.preferences, page=False))


def open_page(situation: Situation, *_: object) -> Situation:
    """Show the page's address; address and code follow as an input."""
    return replace(situation, state=ShowingPage(situation.state))


def take_address(situation: Situation, state: ShowingPage, told: PageReady) -> Situation:
    """Show the address and the code."""
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


def press_a(situation: Situation, state: ShowingPage, *_: object) -> Situation | Outcome | None:
    """Unpair all phones; if the page is off, turn it on."""
    if is_off(situation, state):
        wanted = replace(situation.preferences, page=True)
        turned_on = replace(situation, state=ShowingPage(state.before), preferences=wanted)
        return Outcome(turned_on, (Effect.KEEP_PREFERENCES, Effect.ASK_PAGE))
    return replace(situation, state=replace(state, send_away=True)) if state.phones else None


def is_off(situation: Situation, state: ShowingPage) -> bool:
    """Whether there is no page because the players do not want one."""
    return state.told and not state.address and not situation.preferences.page


def switch_view(situation: Situation, state: ShowingPage, *_: object) -> Situation | None:
    """Switch between the address in words and as a QR code."""
    return replace(situation, state=replace(state, in_words=not state.in_words)) if state.address else None
