"""The boards of `[board] kind`: real gpiozero buttons on the pins of each, and real luma to pixels."""

from __future__ import annotations

import time

import pytest

from device.config import ConfigError, parse
from device.referee.inputs import Button
from device.referee.states import ChoosingLanguage, Situation, TryingButtons, Waiting, Welcome
from device.screens.draw import draw
from device.screens.screen import Line, Screen
from device.sim.table import SHORT_S, SimulatedTable
from device.storage.journal import Journal
from engine import Game
from tests.every import every
from tests.waiting import until

# As the boards' makers print and document them, by BCM number.
STICK_UP, STICK_PRESS, STICK_DOWN, KEY_5, KEY_6 = 17, 4, 22, 5, 6
KEYS = {"adafruit-bonnet": {Button.A: STICK_UP, Button.B: STICK_PRESS, Button.C: STICK_DOWN, Button.STOP: KEY_6}}

LANGUAGES = Situation(ChoosingLanguage(TryingButtons(Welcome())))


def settings(kind: str) -> str:
    return f'[board]\nkind = "{kind}"\n'


class BoardTable:
    """A whole box on a board, whose keys are pressed by their pins."""

    def __init__(self, folder, kind: str, start: Situation) -> None:
        self.inputs = []
        self.table = SimulatedTable(
            Journal(folder / "game.txt"), None, config=parse(settings(kind)), start=start, observe=self.inputs.append
        )
        self.factory = self.table.buttons._factory

    @property
    def state(self):
        return self.table.box.situation.state

    def press(self, pin: int, while_held: int | None = None) -> None:
        keys = [self.factory.pin(key) for key in (while_held, pin) if key is not None]
        for key in keys:
            key.drive_low()
        time.sleep(SHORT_S)
        for key in reversed(keys):
            key.drive_high()

    def shows(self, picture) -> None:
        until(lambda: self.table.picture().tobytes() == picture.tobytes(), "the picture")


@pytest.fixture
def open_table(tmp_path):
    tables = []

    def open_it(kind: str, start: Situation) -> BoardTable:
        made = BoardTable(tmp_path, kind, start)
        made.table.__enter__()
        tables.append(made.table)
        return made

    yield open_it
    for table in tables:
        table.__exit__(None, None, None)


@every(kind=KEYS)
def test_each_key_of_a_board_is_its_button(kind, open_table):
    box = open_table(kind, Situation(TryingButtons(Welcome())))
    for number, button in enumerate(Button):
        box.press(KEYS[kind][button])
        until(lambda done=number + 1: box.state.pressed == done, f"button {button}")


def test_a_joystick_moves_up_and_down_in_a_list_and_selects_when_pressed(open_table):
    box = open_table("adafruit-bonnet", LANGUAGES)
    lines = tuple(Line(name, chosen=name == "Nederlands") for name in ("English", "Nederlands", "Deutsch"))
    box.press(STICK_DOWN)
    until(lambda: box.state.cursor == 1, "the cursor below")
    box.shows(draw(Screen("Taal", lines, "STOP: terug", scroll=(0, 4), keys="▲✓▼")))
    box.press(STICK_UP)
    until(lambda: box.state.cursor == 0, "the cursor above")
    box.press(STICK_PRESS)
    until(lambda: isinstance(box.state, TryingButtons), "the language is chosen")


def test_the_test_of_the_buttons_says_where_each_one_is(open_table):
    box = open_table("adafruit-bonnet", Situation(TryingButtons(Welcome(), 3)))
    box.shows(draw(Screen("STOP: #6", (Line("Press STOP"),), text=("Hold any to skip", "A✓ B✓ C✓"))))


def test_any_key_counts_as_held_while_the_hold_key_is_down(open_table):
    box = open_table("adafruit-bonnet", Situation(Waiting(), Game.new(["yellow", "green"]), 1))
    box.press(KEY_6, while_held=KEY_5)
    until(lambda: type(box.state).__name__ == "Menu", "STOP was held")


def test_a_setting_in_the_file_wins_over_the_boards(tmp_path):
    config = parse(settings("adafruit-bonnet") + "[buttons]\nstop = 27\n[lamp]\nenabled = true\n")
    assert config.buttons.pins[Button.STOP] == 27
    assert config.buttons.pins[Button.A] == STICK_UP
    assert config.lamp.enabled
    assert parse(config.as_toml()) == config


def test_a_pin_that_the_board_needs_is_a_conflict():
    with pytest.raises(ConfigError, match="is on pin 17, and so is"):
        parse(settings("adafruit-bonnet") + "[lamp]\npin = 17\nenabled = true")
