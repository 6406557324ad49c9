"""The four languages: each text translated, in the rules' own words, and each screen laid out in each language."""

from __future__ import annotations

import re
import string
import textwrap
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.camera.tray_look import NOT_KEPT
from device.referee.players import COLOURS, LETTERS, LONGEST
from device.referee.preferences import CHOICES
from device.referee.states import Situation
from device.screens import fault_texts, texts
from device.screens.draw import LARGE, SMALL, SMALL_CHARACTERS, font, layout
from device.screens.language import LANGUAGES, say, speaking
from device.screens.screen import LIST_KEYS, Line, Screen
from device.screens.views import screen
from device.screens.widgets import back_hint, called, listed, titled
from engine import Position, Variants
from tests.device.helpers import overflows
from tests.every import every
from tools.docs import words
from tools.docs.screens import TYPED, situations
from vision.tray.advice import Change

SCREENS = situations()


def in_language(situation: Situation, language: str) -> Screen:
    return screen(replace(situation, preferences=replace(situation.preferences, language=language)))


def test_every_language_choice_has_a_catalogue():
    assert CHOICES["language"] == tuple(LANGUAGES)


@pytest.mark.parametrize("ending", ["po", "mo"])
@pytest.mark.parametrize("language", words.TRANSLATED)
def test_the_catalogues_have_exactly_the_current_texts(language, ending):
    now = {str(message.id): str(message.string) for message in words.catalogue(language) if message.id}
    assert words.kept_words(language, ending) == now, "make words"


@every(language=words.TRANSLATED)
def test_every_text_is_translated_with_its_placeholders(language):
    def places(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    assert words.untranslated(language) == []
    for message in words.catalogue(language):
        if message.id:
            assert places(message.string) == places(message.id), message.id


@every(name=SCREENS, language=LANGUAGES)
def test_every_text_of_every_language_fits_its_place_with_the_longest_names(name, language):
    situation = SCREENS[name]
    if situation.game is not None:
        longest = ("M" * LONGEST, "Wà" * (LONGEST // 2), "ÄÖ" * (LONGEST // 2), "mw" * (LONGEST // 2))
        situation = replace(situation, game=replace(situation.game, names=longest[: len(situation.game.names)]))
    assert overflows(in_language(situation, language)) == []


def longest_moves() -> Iterator[Screen]:
    """Yield the moves of pieces that the screens name, each in its row."""
    for text in (texts.MOVE_UP, texts.MOVE_TO, texts.MOVE_TOP, texts.PICK_UP, texts.RUNNER_BACK, texts.RUNNER_OFF):
        yield Screen("", (Line(say(text, column=12, space=10, spaces=2), button="A"),))
    for text in (texts.OFF, texts.MARKER_BACK, texts.MARKER_OFF):
        yield Screen("", (Line(say(text, column=12, space=10, player="M" * LONGEST)),))
    picks = (texts.PICK_UP, texts.PICK_TO, texts.PICK_TOP, texts.PICK_NOTHING)
    low, high = [[say(text, column=column, space=5, spaces=1) for text in picks] for column in (10, 12)]
    both = [f"{one}, {other}" for one in low for other in high if (one, other) != (low[-1], high[-1])]
    yield from (Screen("", (Line(text, button="A"),)) for text in both)
    markers = (texts.PICK_TO, texts.MARKER_WINS)
    low, high = [[say(text, column=column, space=10) for text in markers] for column in (10, 12)]
    yield from (Screen("", (Line(f"{one}, {other}"),)) for one in low for other in high)


def longest_options() -> Iterator[Screen]:
    """Yield the options of all lists, and the texts beside "done"."""
    options = [say(text) for text in (*texts.MENU_ITEMS.values(), *texts.ANSWERS.values(), *texts.LEVELS.values())]
    options += [form for colour in COLOURS for form in (titled(colour), say(texts.JUST, colour=called(colour)))]
    options += [
        say(text, choice=say(choice))
        for item, text in texts.BOX_ITEMS.items()
        for choice in texts.CHOICES
        if choice != "after" or item == "odds"
    ]
    options += [f"✓ {say(text)}" for text in texts.PROBES.values()] + ["M" * LONGEST]
    yield from (Screen("", (Line(option),), scroll=(0, 9), keys=LIST_KEYS) for option in options)
    reasons = (texts.STOPS_WINS, texts.THEN_STOPS, texts.THEN_ROLLS, texts.ROLLS_MUST)
    for text in (texts.OR_THROW, texts.OR_STOP_WINS, *reasons):
        yield Screen("", (Line(say(texts.DONE), say(text, loss=99), "C"),))


def longest_titles() -> Iterator[Screen]:
    """Yield the titles of all lists, and the problems that are shown in the title bar."""
    for colour in COLOURS:
        for text in texts.QUESTIONS.values():
            yield listed(say(text, number=4, colour=called(colour)), ["1"], 0)
        for level in texts.LEVELS.values():
            yield Screen(say(texts.SEAT, player=titled(colour), level=say(level)))
    yield from (Screen(say(text), hint=back_hint(say(text))) for text in texts.PROBES.values())
    signs = (fault_texts.NOT_SAVED, fault_texts.NOT_IN_JOURNAL, fault_texts.DAMAGED, fault_texts.STUCK)
    yield from (Screen(say(text, button="STOP")) for text in signs)


def reasons_and_remedies() -> Iterator[Screen]:
    """Yield what is wrong with dice or camera, and what to do."""
    for text in (text for pair in fault_texts.REASONS.values() for text in pair):
        yield Screen("", (Line(say(text, dice=10, wanted=4)),))
    for text in (say(text) for pair in fault_texts.CAMERA.values() for text in pair):
        yield Screen("", (Line(text),))
        yield Screen(text, text=(text,))


@every(screens=(longest_moves, longest_options, longest_titles, reasons_and_remedies), language=LANGUAGES)
def test_the_longest_texts_fit_their_places_in_every_language(screens, language):
    with speaking(language):
        assert [text for one in screens() for text in overflows(one)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fonts_have_every_letter_of_every_screen(language):
    shown = {
        (text.font, letter)
        for one in SCREENS.values()
        for text in layout(in_language(one, language))
        for letter in text.text
    }
    shown |= {(name, letter) for name in (SMALL, LARGE) for letter in (LETTERS + LETTERS.upper()).replace(" ", "")}
    for name in (SMALL, LARGE):
        missing = bytes(font(name).getmask("\ufffe"))  # drawn as a question mark
        letters = {letter for used, letter in shown if used == name} - {"?"}
        lacking = [letter for letter in letters if bytes(font(name).getmask(letter)) == missing]
        assert lacking == []


class Unspeakable:
    """A catalogue that puts a dot for each letter of a text, but not for those of values put into it later."""

    TEXTS = frozenset(message.id for message in words.messages())

    def gettext(self, text: str) -> str:
        assert text in self.TEXTS, "make words does not find it"
        return re.sub(r"\{[^}]*\}|[^\W\d_]", lambda found: found[0] if found[0][0] == "{" else "·", text)


OWN_NAMES = ("language", "network", "network-wired")
"""The screens with texts that are the same in every language: the languages' names, and addresses."""


def test_every_word_on_every_screen_is_translated(monkeypatch):
    monkeypatch.setattr("device.screens.language._catalogue", lambda _: Unspeakable())
    for name, situation in SCREENS.items():
        if name in OWN_NAMES:
            continue
        shown = screen(situation)
        parts = [
            shown.title,
            shown.hint,
            *shown.text,
            *(part for line in shown.lines for part in (line.text, line.more)),
        ]
        no_words = "|".join([*map(re.escape, TYPED), r"\b(A|B|C|STOP|X)\b"])  # on the buttons, and a sign
        spoken = [re.sub(no_words, "", part) for part in parts]
        assert not [text for text in spoken if any(map(str.isalpha, text))], name


spaces = st.lists(st.sampled_from([0, 0, 0, 1, 3]), min_size=11, max_size=11).map(lambda own: (0, 0, *own))


@given(markers=st.lists(spaces, min_size=2, max_size=4), runners=spaces, leap=st.booleans())
def test_every_problem_of_a_board_set_by_hand_has_a_text(markers, runners, leap):
    position = Position(Variants(leap=leap), tuple(markers), 0, runners)
    for problem in position.problems():
        assert problem.text in words.problems()


LONG_VALUES: dict[str, str | int] = {"seconds": 10, "khz": 1000, "mb": 123456, "degrees": 85, "button": "STOP"}
LONG_VALUES |= {"folder": "/var/lib/cantstop", "error": "x" * 40}
LONG_VALUES |= {"box": "10.10.10", "python": "3.13.5", "system": "Debian GNU/Linux 13"}
TWO_LINES = {change.value for change in Change} | {"no camera", "no tray", NOT_KEPT}
"""The findings that are also shown beside a button, in two lines."""


@every(language=LANGUAGES)
def test_every_finding_every_problem_and_every_page_of_the_rules_fits_its_screen(language):
    assert set(fault_texts.FINDINGS) >= TWO_LINES
    with speaking(language):
        told = {what: say(text, **LONG_VALUES) for what, text in fault_texts.FINDINGS.items()}
        told |= {f"rules: {topic}": say(text, columns=3) for topic, (_, text) in texts.RULES.items()}
        problems = {problem: say(problem, column=12, all=3, runners=11) for problem in words.problems()}
    lines = {what: len(textwrap.wrap(text, SMALL_CHARACTERS)) for what, text in (told | problems).items()}
    assert [what for what, count in lines.items() if count > (2 if what in TWO_LINES else 4)] == []
    assert [text for text in problems.values() if ":" in text] == [], "they are shown behind one"


def test_a_text_is_in_the_language_of_the_context_and_in_english_afterwards():
    with speaking("de"):
        assert say("") == ""
        assert say("Turns: {turns}", turns=3) == "Züge: 3"
        with speaking("nl"):
            assert say("Turns: {turns}", turns=3) == "Beurten: 3"
        with speaking("eo"):  # which has no catalogue
            assert say("New game") == "New game"
        assert say("Turns: {turns}", turns=3) == "Züge: 3"
    assert say("Turns: {turns}", turns=3) == "Turns: 3"
