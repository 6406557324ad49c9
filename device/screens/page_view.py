"""The screen with the page's address, as a QR code and in words, and the pairing code."""

from __future__ import annotations

from device.referee.page import is_off
from device.referee.states import ShowingPage, Situation
from device.screens import texts
from device.screens.draw import SMALL_CHARACTERS
from device.screens.language import say
from device.screens.screen import Line, Screen


def page(now: Situation, state: ShowingPage) -> Screen:
    """Return the screen; without a page it says so."""
    title, back = say(texts.PAGE), Line(say(texts.PAGE_BACK), button="C")
    if not state.told:
        return Screen(title, (Line(say(texts.ASKING)), Line(), back))
    if is_off(now, state):
        return Screen(title, (Line(say(texts.PAGE_TURN_ON), button="A"), Line("", say(texts.PAGE_NOT_WANTED)), back))
    if not state.address:
        return Screen(title, (Line(), Line(), back), text=(say(texts.PAGE_OFF), say(texts.PAGE_OFF_REMEDY)))
    code = say(texts.PAGE_CODE, code=state.code)
    if state.in_words:
        address = state.address.removeprefix("http://").rstrip("/")
        lines = [address[start : start + SMALL_CHARACTERS] for start in range(0, len(address), SMALL_CHARACTERS)]
        text = (*lines[:1], say(texts.PAGE_GUESSED_AT_IN_WORDS)) if state.guessed_at else tuple(lines[:2])
        return Screen(code, (Line(), Line(), back), say(texts.PAGE_QR), text)
    unpair = Line(say(texts.PAGE_FORGET), button="A") if state.phones else Line()
    # In capitals, for which a QR code has a denser alphabet; host names and schemes ignore case.
    link = f"{state.address}P/{state.code}".upper()
    # The QR code contains the pairing code, so the text can be replaced by the warning.
    title = say(texts.PAGE_GUESSED_AT) if state.guessed_at else state.code
    return Screen(title, (unpair, Line(say(texts.PAGE_WORDS), button="B"), back), qr=link)
