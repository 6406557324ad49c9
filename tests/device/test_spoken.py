"""Reading aloud: a blind player can play a game with the four buttons."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from device.referee.inputs import Button, DiceRead, Press
from device.referee.preferences import Preferences
from device.referee.states import GameOver, Situation, TryingButtons, Waiting
from device.referee.transition_table import step
from device.screens.button_labels import PRESSES, labels
from device.screens.language import LANGUAGES
from device.screens.spoken import spoken
from device.screens.views import screen
from engine import Game, all_rolls, plays
from tests.device.helpers import A, dice, two_players
from tests.every import every
from tools.docs.screens import situations

MOST_ACTIONS = 3000
THROW = re.compile(r"Roll the dice|Roll or STOP")
OFFER = re.compile(r"\b([ABC]): ")


def listen_and_act(text: str, chance: random.Random) -> Press | str:
    """Return the action of a player who knows only the spoken texts."""
    if "STOP wins" in text:
        return Press(Button.STOP)
    if "Roll or STOP" in text and chance.random() < 0.6:
        return Press(Button.STOP)
    if "Yes, bust" in text:
        return Press(Button.C)
    offers = OFFER.findall(text)
    if "Dice:" in text and offers:
        return Press(Button(chance.choice(offers)))
    if THROW.search(text) or "Roll again!" in text:
        return "throw"
    assert offers, f"nothing to do is heard in {text!r}"
    return Press(Button(offers[-1]))


@pytest.mark.parametrize("seed", range(5))
def test_a_game_can_be_played_by_the_spoken_texts_alone(seed):
    chance = random.Random(seed)
    now = Situation(Waiting(), Game.new(("Anna", "Bob")), 1)
    for _ in range(MOST_ACTIONS):
        if isinstance(now.state, GameOver):
            break
        action = listen_and_act(spoken(now), chance)
        event = DiceRead(chance.choice(all_rolls())) if action == "throw" else action
        outcome = step(now, event)
        assert outcome is not None, f"{action} was heard of in {spoken(now)!r} and does nothing"
        now = outcome.situation
    assert isinstance(now.state, GameOver)
    assert now.played.winner is not None
    assert "wins!" in spoken(now)


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


@pytest.mark.parametrize("name", ["choosing", "deciding"])
def test_the_examples_of_the_page_about_speech_are_what_the_box_says(name):
    page = (Path(__file__).parents[2] / "docs/first-start.md").read_text("utf-8")
    assert f"> {spoken(situations()[name])}\n" in page


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


def test_the_labels_are_those_beside_the_buttons():
    story = two_players().do(dice(2, 3, 4, 5))
    assert labels(story.now) == {
        "A": "5 to 1, 9 to 1",
        "B": "6 to 1, 8 to 1",
        "C": "7 to 2",
        "hold A": "Fix the dice",
        "hold B": "Phone page",
        "hold C": "Undo",
        "hold STOP": "Menu",
    }
    assert labels(story.do(A).now)["C"] == "Done"
    assert labels(story.now)["STOP"] == "Stop"


@pytest.mark.parametrize(
    ("name", "press", "label"),
    [
        ("telling-blind", "A", "Enter dice"),  # the camera has stopped while runners are to be moved
        ("page-in-words", "A", "Unpair"),
        ("trial-no-camera", "B", "Read again"),
        ("setting-turn", "B", "Whose turn?"),
        ("setting-nonsense", "A", "Column: 2 +"),
        ("setting-nonsense", "B", "Space: none +"),
        ("setting-nonsense", "C", "Next"),
        ("deciding-wins", "STOP", "STOP wins!"),
        ("busting", "A", "No, misread"),
        ("busting", "C", "Yes, bust"),
    ],
)
def test_a_button_that_the_screen_does_not_name_is_labelled_with_what_it_does(name, press, label):
    assert labels(situations()[name])[press] == label


def test_while_a_name_is_entered_c_is_labelled_as_on_the_screen():
    situation = situations()["entering-name"]
    assert labels(situation)["C"] == screen(situation).lines[2].text
