"""Reading aloud: a blind player can play a game with the four buttons."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from device.referee.inputs import Button, DiceRead, Press
from device.referee.preferences import Preferences
from device.referee.states import GameOver, Situation, Waiting
from device.referee.transition_table import step
from device.screens.language import LANGUAGES
from device.screens.spoken import spoken
from engine import Game, all_rolls
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
    assert not re.search(r"[→←…▲▼{}]|\.\.|[?!:]\.|[:,],", text), text


@pytest.mark.parametrize("name", ["rolling", "hand"])
def test_dice_that_still_roll_are_not_announced(name):
    assert spoken(situations()[name]) == ""


def test_in_a_list_only_the_line_under_the_cursor_is_spoken():
    assert spoken(situations()["menu"]) == "Yellow: menu. Undo. STOP: back"


def test_a_text_in_several_lines_is_said_without_pauses_between_them():
    now = situations()["rules-aim"]
    text = spoken(replace(now, preferences=Preferences(language="de")))
    assert "Bring sie auf die Zielfelder." in text, "German nouns have capitals within a sentence"


def test_runners_are_said_one_after_another_with_a_pause():
    assert "7 to 1, 8 to 1, 9 to 2" in spoken(situations()["deciding"])


@pytest.mark.parametrize("name", ["choosing", "deciding"])
def test_the_examples_of_the_page_about_speech_are_what_the_box_says(name):
    page = (Path(__file__).parents[2] / "docs/first-start.md").read_text("utf-8")
    assert f"> {spoken(situations()[name])}\n" in page
