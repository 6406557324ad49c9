"""Entering a player's name with the buttons."""

from __future__ import annotations

from dataclasses import replace

from device.referee.inputs import Press
from device.referee.players import LETTERS, LONGEST, BadName, name_of, spelt
from device.referee.setup import answer_with
from device.referee.states import EnteringName, Situation

JUMP = 6
"""The number of letters that a long press skips."""


def turn_letters(situation: Situation, state: EnteringName, press: Press) -> Situation:
    """Offer another letter, wrapping around."""
    step = press.direction * (JUMP if press.long else 1)
    return replace(situation, state=replace(state, cursor=(state.cursor + step) % len(LETTERS)))


def take_letter(situation: Situation, state: EnteringName, *_: object) -> Situation | None:
    """Append the offered letter, if there is room."""
    if len(state.letters) >= LONGEST:
        return None
    return replace(situation, state=replace(state, letters=state.letters + LETTERS[state.cursor]))


def drop_letter(situation: Situation, state: EnteringName, *_: object) -> Situation:
    """Delete the last letter; without one, go back to the question."""
    if not state.letters:
        return replace(situation, state=state.before)
    return replace(situation, state=replace(state, letters=state.letters[:-1]))


def take_name(situation: Situation, state: EnteringName, *_: object) -> Situation | None:
    """Answer the question with the name, and remember it; an invalid name is not accepted."""
    question = state.before
    try:
        name = name_of(spelt(state.letters))
    except BadName:
        return None
    known = question.known if name in question.known else (*question.known, name)
    preferences = situation.preferences.remembering((name,))
    return answer_with(replace(situation, preferences=preferences), replace(question, known=known), name)
