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
from device.screens.views import screen
from engine import Bust, Game, Stop, all_rolls, plays
from tests.device.helpers import A, dice, two_players
from tests.every import every
from tools.docs.screens import situations

MOST_ACTIONS = 3000


class Listener:
    """Plays with the Rule of 28, and knows only what was said: it never sees the situation."""

    PLACES = re.compile(r"column (\d+) (?:on space (\d+)|at (the top))")
    CHOICES = re.compile(r"\b([ABC]): (.+?)(?=\. |$)")

    def __init__(self) -> None:
        self.tops = {column: 13 - 2 * abs(column - 7) for column in range(2, 13)}
        self.asked = 0
        self.stopped_at: list[int] = []

    def place(self, text: str) -> dict[int, int]:
        """Return the space by column of the pieces in a sentence."""
        return {int(c): int(s) if s else self.tops[int(c)] for c, s, _ in self.PLACES.findall(text)}

    def hear_board(self, board: str, player: str) -> tuple[dict[int, int], dict[int, int]]:
        """Return the player's markers and the runners in the answer to "where is everybody?"."""
        self.asked += 1
        said = dict(sentence.split(": ", 1) for sentence in board.rstrip(".").split(". "))
        return self.place(said[player]), self.place(said["Runners"])

    def progress(self, markers: dict[int, int], runners: dict[int, int]) -> int:
        """Return the number of the Rule of 28: what the runners have gained, and how unlikely their columns are."""

        def weight(column: int) -> int:
            return abs(column - 7) + 1

        total = sum((space - markers.get(column, 0) + 1) * weight(column) for column, space in runners.items())
        if len(runners) == 3:
            total += 2 * all(column % 2 for column in runners) - 2 * all(column % 2 == 0 for column in runners)
            total += 4 * (max(runners) < 8 or min(runners) > 6)
        return total

    def act(self, text: str, ask: Callable[[], str]) -> Press | str:
        """Return what to do after a text; `ask` returns the answer to "where is everybody?"."""
        if "STOP wins" in text:
            return Press(Button.STOP)
        if "Yes, bust" in text:
            return Press(Button.C)
        if "Dice:" in text:
            return Press(Button(max(self.CHOICES.findall(text), key=self.worth)[0]))
        if "Roll or STOP" in text:
            gained = self.progress(*self.hear_board(ask(), text.partition(".")[0]))
            if gained >= 28:
                self.stopped_at.append(gained)
                return Press(Button.STOP)
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
        back = step(covered.situation, Press(Button.STOP))
        assert back is not None
        assert back.situation == now, "asking changes nothing"
        return text.removesuffix(" STOP: back")

    for _ in range(MOST_ACTIONS):
        if isinstance(now.state, GameOver):
            break
        action = listener.act(spoken(now), ask)
        outcome = step(now, DiceRead(chance.choice(all_rolls())) if action == "throw" else action)
        assert outcome is not None, f"{action} was heard of in {spoken(now)!r} and does nothing"
        now = outcome.situation
    assert isinstance(now.state, GameOver)
    assert "wins!" in spoken(now)
    assert listener.asked > 10
    assert listener.stopped_at
    assert max(listener.stopped_at) < 60, "it stops soon after 28"
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
