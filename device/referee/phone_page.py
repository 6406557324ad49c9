"""The page's screens: turning it on, and its address and code, from any screen by holding B."""

from __future__ import annotations

from dataclasses import replace

from device.referee.inputs import PageReady
from device.referee.outcome import Effect, Outcome
from device.referee.states import OfferingPage, ShowingPage, Situation, leave


def turn_on(situation: Situation, state: OfferingPage | ShowingPage, *_: object) -> Situation:
    """Turn the page on, and show its address."""
    return replace(situation, state=ShowingPage(state.before), preferences=situation.preferences.chosen("page", True))


def turn_off(situation: Situation, state: OfferingPage, *_: object) -> Situation:
    """Turn the page off."""
    return replace(situation, state=state.before, preferences=situation.preferences.chosen("page", False))


def take_address(situation: Situation, state: ShowingPage, told: PageReady) -> Situation:
    """Show the address and the code."""
    return replace(situation, state=replace(state, page=told, send_away=False))


def press_a(situation: Situation, state: ShowingPage, *_: object) -> Situation | Outcome | None:
    """Ask whether to unpair all phones, and then unpair them; if the page is off, turn it on."""
    if is_off(situation, state):
        return Outcome(turn_on(situation, state), (Effect.KEEP_PREFERENCES, Effect.ASK_PAGE))
    if state.page is None or not state.page.phones:
        return None
    return replace(situation, state=replace(state, asks=not state.asks, send_away=state.asks))


def back(situation: Situation, state: ShowingPage, *_: object) -> Situation:
    """Leave the question or the page's screen."""
    return replace(situation, state=replace(state, asks=False)) if state.asks else leave(situation, state)


def is_off(situation: Situation, state: ShowingPage) -> bool:
    """Whether there is no page because the players do not want one."""
    return state.page is not None and not state.page.address and not situation.preferences.page


def switch_view(situation: Situation, state: ShowingPage, *_: object) -> Situation | None:
    """Switch between the address in words and as a QR code."""
    if state.asks or state.page is None or not state.page.address:
        return None
    return replace(situation, state=replace(state, in_words=not state.in_words))
