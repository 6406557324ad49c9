"""The screen of the table's page: its address as a QR code and in words, and the code that lets a phone in."""

from __future__ import annotations

from device.referee.page import is_off
from device.referee.states import ShowingPage, Situation
from device.screens import texts
from device.screens.draw import SMALL_CHARACTERS
from device.screens.language import say
from device.screens.screen import Line, Screen


def page(now: Situation) -> Screen:
    """Give the screen; without a page it says so."""
    state = now.state
    assert isinstance(state, ShowingPage)
    back = Line("", say(texts.PAGE_BACK), "C")
    if not state.told:
        return Screen(say(texts.PAGE), (Line(say(texts.ASKING)), Line(""), back))
    if is_off(now):
        turn_on = Line("", say(texts.PAGE_TURN_ON), "A")
        return Screen(say(texts.PAGE), (turn_on, Line("", say(texts.PAGE_NOT_WANTED)), back))
    if not state.address:
        return Screen(say(texts.PAGE), (Line("", say(texts.PAGE_OFF)), Line("", say(texts.PAGE_OFF_REMEDY)), back))
    if state.in_words:
        address = state.address.removeprefix("http://").rstrip("/")
        lines = [address[start : start + SMALL_CHARACTERS] for start in range(0, len(address), SMALL_CHARACTERS)]
        code = say(texts.PAGE_CODE, code=state.code)
        title = say(texts.PAGE_GUESSED_AT_IN_WORDS if state.guessed_at else texts.PAGE)
        return Screen(title, tuple(Line("", line) for line in [*lines[:2], code]), say(texts.PAGE_IN_WORDS))
    forget = Line("", say(texts.PAGE_FORGET, phones=state.phones), "A") if state.phones else Line("")
    # In capitals, which a QR code has a denser alphabet for; neither the name of a host nor of the scheme minds.
    link = f"{state.address}P/{state.code}".upper()
    title = say(texts.PAGE_GUESSED_AT if state.guessed_at else texts.PAGE)
    return Screen(title, (Line(state.code), forget, back), say(texts.PAGE_WORDS), qr=link)
