"""What each button does now, in words, in every state and language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.referee.states import TryingButtons
from device.referee.transition_table import step
from device.screens.button_labels import PRESSES, labels
from device.screens.language import LANGUAGES
from device.screens.views import screen
from tests.device.helpers import A, C, Story, dice, two_players
from tests.every import every
from tools.docs.screens import situations


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
        ("setting-nonsense", "A", "Column 2"),
        ("setting-nonsense", "B", "None"),
        ("setting-nonsense", "C", "Next"),
    ],
)
def test_a_button_that_the_screen_does_not_name_is_labelled_with_what_it_does(name, press, label):
    assert labels(situations()[name])[press] == label


def test_a_stop_that_wins_is_labelled_so():
    assert labels(situations()["deciding-wins"])["STOP"] == "STOP wins!"


def test_while_a_name_is_entered_c_is_labelled_as_on_the_screen():
    situation = situations()["entering-name"]
    assert labels(situation)["C"] == screen(situation).lines[2].text


def test_a_bust_asks_with_both_answers():
    named = labels(situations()["busting"])
    assert (named["A"], named["C"]) == ("No, misread", "Yes, bust")
    assert Story(situations()["busting"]).do(C)
