"""The question whether the whole frame is visible: two buttons correct the settings of a wrong display."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from device.cli import main
from device.config import OledConfig
from device.hardware.display import ReconnectingDisplay
from device.hardware.display_choice import DisplayChoice
from device.hardware.oled import open_oled
from device.referee.box_care import first_start
from device.referee.inputs import Button
from device.referee.states import CheckingFrame, ChoosingLanguage, Situation
from device.screens.draw import draw
from device.screens.views import screen
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from tests.every import every
from tests.waiting import PATIENCE_S, until
from tools.sim.oled_bus import OledBus
from tools.sim.table import SimulatedTable

SETTINGS = OledConfig()
FRAME = draw(screen(Situation(first_start(with_frame=True))))
"""What is to be seen."""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "display.json"


@pytest.fixture
def new(tmp_path):
    """Switches a box on that was never used, with a display of some controller: `new(controller)`."""
    with ExitStack() as running:

        def switch_on(controller: str) -> SimulatedTable:
            running.close()
            table = SimulatedTable(
                Journal(tmp_path / "journal.txt"),
                None,
                preferences=PreferencesFile(tmp_path / "preferences.json"),
                displays=DisplayChoice(SETTINGS, tmp_path / "display.json"),
                controller=controller,
            )
            return running.enter_context(table)

        yield switch_on


def press(table: SimulatedTable, button: Button) -> None:
    """Press, and wait until the box has taken it."""
    with table.box.changed:
        table.buttons.press(button)
        assert table.box.changed.wait(PATIENCE_S)


def shows_frame(table: SimulatedTable) -> bool:
    return until(lambda: table.picture().tobytes() == FRAME.tobytes(), "the frame")


def test_an_sh1106_sold_as_an_ssd1306_works_from_the_first_no_on(new, tmp_path):
    table = new("sh1106")
    press(table, Button.B)
    assert shows_frame(table)
    press(table, Button.A)
    assert isinstance(table.box.situation.state, ChoosingLanguage)
    bus = OledBus("sh1106")
    open_oled(bus, DisplayChoice(SETTINGS, tmp_path / "display.json").config).show(FRAME)
    assert bus.picture().tobytes() == FRAME.tobytes()


def test_an_sh1106_that_shows_its_columns_from_0_works_from_the_second_no_on(new, tmp_path):
    table = new("sh1106 at 0")
    press(table, Button.B)
    assert table.picture().tobytes() != FRAME.tobytes()
    press(table, Button.B)
    assert shows_frame(table)
    press(table, Button.A)
    assert DisplayChoice(SETTINGS, tmp_path / "display.json").config.type == "sh1106 at 0"


def test_after_a_power_cut_the_question_starts_again_with_the_settings(new):
    press(new("ssd1306"), Button.B)
    again = new("ssd1306")
    assert isinstance(again.box.situation.state, CheckingFrame)
    assert shows_frame(again)


def test_the_other_controller_comes_first_and_then_the_other_way_up(file):
    choice = DisplayChoice(OledConfig(type="sh1106", rotation=180), file)
    ways = []
    for _ in range(6):
        choice.try_next()
        ways.append((choice.config.type, choice.config.rotation))
    others = ("ssd1306", "sh1106 at 0")
    assert ways == [*((one, 180) for one in others), ("sh1106", 0), *((one, 0) for one in others), ("sh1106", 180)]


def test_changed_settings_override_the_stored_combination(file):
    choice = DisplayChoice(SETTINGS, file)
    choice.try_next()
    choice.keep()
    assert DisplayChoice(SETTINGS, file).config.type == "sh1106"
    assert DisplayChoice(OledConfig(contrast=9), file).config == OledConfig(type="sh1106", contrast=9)
    turned = OledConfig(rotation=180)
    assert DisplayChoice(turned, file).config == turned


@every(
    content=[
        b"",
        b"[]",
        b"\xff",
        b'{"works": 3, "settings": 4}',
        b'{"settings": {"type": "ssd1306", "rotation": 0}, "works": {"type": "st7735", "rotation": 0}}',
        b'{"settings": {"type": "ssd1306", "rotation": 0}, "works": {"type": "sh1106", "rotation": 45}}',
        b'{"settings": {"type": "ssd1306", "rotation": 0}, "works": {"type": "sh1106", "rotation": [180]}}',
        b"[" * 100_000,
    ]
)
def test_a_damaged_file_is_ignored(file, content, caplog):
    file.write_bytes(content)
    assert DisplayChoice(SETTINGS, file).config == SETTINGS
    assert "cannot be used" in caplog.text


def test_the_frame_is_not_shifted_as_it_would_lose_a_border(clock):
    bus = OledBus()
    display = ReconnectingDisplay(lambda: open_oled(bus))
    for moves in (False, False, True):
        clock.now_s += SETTINGS.shift_every_s + 1
        display.wake()
        display.show(FRAME, moves=moves)
        assert (bus.picture().tobytes() == FRAME.tobytes()) is not moves


def test_invalid_settings_are_reported_on_the_display_with_its_stored_controller(tmp_path, monkeypatch, capsys):
    choice = DisplayChoice(SETTINGS, tmp_path / "display.json")
    choice.try_next()
    choice.keep()
    opened = []
    monkeypatch.setattr(
        "device.hardware.oled.open_oled",
        lambda *_, config: opened.append(config) or open_oled(OledBus("sh1106"), config),
    )
    (tmp_path / "config.toml").write_text("[lamp]\npin = 99\n")
    argv = ["play", "--config", str(tmp_path / "config.toml"), "--journal", str(tmp_path / "journal.txt")]
    assert main(argv) == 1
    assert [config.type for config in opened] == ["sh1106"]
    assert "pin" in capsys.readouterr().err
