"""Reading aloud: a blind player can play a game with the four buttons."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from device.referee.inputs import Button, DiceRead, Press, WhereIsEverybody
from device.referee.preferences import Preferences
from device.referee.states import GameOver, Situation, TryingButtons, Waiting, Welcome
from device.referee.transition_table import step
from device.screens.button_labels import PRESSES, labels
from device.screens.language import LANGUAGES
from device.screens.spoken import board_aloud, spoken
from engine import Bust, Game, Stop, plays, roll_of
from tests.device.helpers import STOP, C, two_players
from tests.every import every
from tools.docs.screens import situations

MOST_ACTIONS = 3000


class Listener:
    """Plays, and knows only what was said: it never sees the situation. It rolls until three runners are out."""

    CHOICES = re.compile(r"\b([ABC]): (.+?)(?=\. |$)")

    def __init__(self) -> None:
        self.rolled_on = self.stopped = 0

    def act(self, text: str, ask: Callable[[], str]) -> Press | str:
        """Return what to do after a text; `ask` returns the answer to "where is everybody?"."""
        if "STOP wins" in text:
            return STOP
        if "Yes, bust" in text:
            return C
        if "Dice:" in text:
            return Press(Button(max(self.CHOICES.findall(text), key=self.worth)[0]))
        if "Roll or STOP" in text:
            if ask().partition("Runners: ")[2].count("column") == 3:
                self.stopped += 1
                return STOP
            self.rolled_on += 1
            return "throw"
        if "Roll the dice" in text or "Roll again!" in text:
            return "throw"
        return Press(Button(self.CHOICES.findall(text)[-1][0]))

    def worth(self, choice: tuple[str, str]) -> int:
        """Return how far a choice moves runners, and towards which columns."""
        columns = re.findall(r"(not )?column (\d+)", choice[1], re.IGNORECASE)
        return sum(6 - abs(int(column) - 7) + 10 for no, column in columns if not no)


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_is_played_with_a_strategy_from_spoken_texts_alone(seed):
    chance, now, listener = random.Random(seed), Situation(Waiting(), Game.new(("Anna", "Bob")), 1), Listener()

    def ask() -> str:
        covered = step(now, WhereIsEverybody())
        assert covered is not None
        text = spoken(covered.situation)
        assert text == f"{board_aloud(now)} STOP: back"
        assert step(covered.situation, STOP).situation == now, "asking changes nothing"
        return text.removesuffix(" STOP: back")

    for _ in range(MOST_ACTIONS):
        if isinstance(now.state, GameOver):
            break
        action = listener.act(spoken(now), ask)
        outcome = step(now, DiceRead(roll_of(chance.choices(range(1, 7), k=4))) if action == "throw" else action)
        assert outcome is not None, f"{action} was heard of in {spoken(now)!r} and does nothing"
        now = outcome.situation
    assert isinstance(now.state, GameOver)
    assert "wins!" in spoken(now)
    assert listener.rolled_on > 5 < listener.stopped
    turns = sum(isinstance(each, Stop | Bust) for each in now.played.steps)
    assert turns < 60, turns


def test_the_board_is_said_player_by_player_in_every_language():
    now = situations()["where"]
    said = {one: board_aloud(replace(now, preferences=Preferences(language=one))) for one in LANGUAGES}
    assert said["en"] == (
        "Yellow: columns won: 0 of 3, column 7 on space 12. "
        "Green: columns won: 0 of 3, column 6 on space 4, column 7 on space 9. "
        "Runners: column 4 on space 1, column 5 on space 2, column 7 at the top."
    )
    assert len(set(said.values())) == len(LANGUAGES)
    assert "keine auf dem Brett" in board_aloud(replace(two_players().now, preferences=Preferences(language="de")))
    assert board_aloud(Situation(Welcome())) == ""


@every(name=situations(), language=LANGUAGES)
def test_visual_signs_are_not_spoken(name, language):
    now = situations()[name]
    text = spoken(Situation(now.state, now.game, now.number, Preferences(language=language)))
    assert not re.search(r"[→←…▲▼{}]|\.\.|[?!:]\.|[:,],| \+", text), text


@pytest.mark.parametrize("name", ["rolling", "hand"])
def test_dice_that_still_roll_are_not_announced(name):
    assert spoken(situations()[name]) == ""


def test_in_a_list_only_the_line_under_the_cursor_is_spoken():
    assert spoken(situations()["menu"]) == "Yellow: menu. Undo. A: up, B: down, C: OK. STOP: back"


def test_a_text_in_several_lines_is_said_without_pauses_between_them():
    now = situations()["rules-aim"]
    text = spoken(replace(now, preferences=Preferences(language="de")))
    assert "Bring sie auf die Zielfelder." in text, "German nouns have capitals within a sentence"


def test_runners_are_said_one_after_another_with_a_pause():
    assert "Column 7 on space 1, column 8 on space 1, column 9 on space 2." in spoken(situations()["deciding"])


@every(name=["choosing", "choosing-last-runner", "choosing-two-columns", "choosing-pairing-first"], language=LANGUAGES)
def test_each_choice_names_its_columns_as_columns(name, language):
    column = {"en": "column", "nl": "kolom", "de": "Spalte", "fr": "colonne"}[language]
    now = situations()[name]
    text = spoken(replace(now, preferences=Preferences(language=language)))
    numbers = {number for play in plays(now.played.position) for number in play.columns}
    assert numbers <= {int(number) for number in re.findall(rf"{column} (\d+)\b", text)}, text


def test_the_example_of_the_page_about_speech_is_what_the_box_says():
    page = (Path(__file__).parents[2] / "docs/first-start.md").read_text("utf-8")
    assert f"> {spoken(situations()['choosing'])}\n" in page


# What each button does now, in words


@every(name=situations(), language=LANGUAGES)
def test_exactly_the_accepted_presses_have_labels(name, language):
    shown = situations()[name]
    shown = replace(shown, preferences=replace(shown.preferences, language=language))
    named = labels(shown)
    assert list(named) == [str(press) for press in PRESSES if step(shown, press) is not None]
    assert all(named.values())
    if not isinstance(shown.state, TryingButtons):
        assert not set(named.values()) & {"A", "B", "C", "STOP"}, "a bare letter"


LABELS = {
    "choosing": {"A": "5 to 1, 9 to 1", "C": "7 to 2", "hold A": "Fix the dice", "hold B": "Phone page"},
    "telling": {"C": "Done", "STOP": "Stop", "hold C": "Undo", "hold STOP": "Menu"},
    "telling-blind": {"A": "Enter dice"},  # the camera has stopped while runners are to be moved
    "page-in-words": {"A": "Unpair"},
    "trial-no-camera": {"B": "Read again"},
    "setting-turn": {"B": "Whose turn?"},
    "setting-nonsense": {"A": "Column: 2 +", "B": "Space: none +", "C": "Next"},
    "deciding-wins": {"STOP": "STOP wins!"},
    "busting": {"A": "No, misread", "C": "Yes, bust"},
    "entering-name": {"C": "Add letter"},
}


def test_buttons_are_labelled_with_what_they_do_also_if_the_screen_does_not_name_them():
    assert {name: labels(situations()[name]) | named for name, named in LABELS.items()} == {
        name: labels(situations()[name]) for name in LABELS
    }
