"""The boards of `[board] kind`: real gpiozero buttons on the pins of each, and real luma to pixels."""

from __future__ import annotations

import errno
import re
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from unittest.mock import Mock

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from device.config import ConfigError, parse, usable_oled_settings
from device.hardware.boards import BOARDS
from device.hardware.display import DisplayError
from device.hardware.oled import SET_UP_AGAIN_S, open_oled
from device.referee.inputs import Button
from device.referee.states import ChoosingLanguage, Situation, TryingButtons, Waiting, Welcome
from device.screens.draw import draw
from device.screens.screen import Line, Screen
from device.screens.views import screen
from device.storage.journal import Journal
from engine import Game
from tests.device.helpers import noise
from tests.every import every
from tests.waiting import until
from tools.sim.oled_bus import OledBus, OledSpi
from tools.sim.table import SimulatedTable

# As the boards' makers print and document them, by BCM number.
STICK_UP, STICK_PRESS, STICK_DOWN, KEY_5, KEY_6 = 17, 4, 22, 5, 6
KEYS = {
    "adafruit-bonnet": {Button.A: STICK_UP, Button.B: STICK_PRESS, Button.C: STICK_DOWN, Button.STOP: KEY_6},
    "waveshare-1.3": {Button.A: 21, Button.B: 20, Button.C: 16, Button.STOP: 13},
    "spi-2.42": {Button.A: 5, Button.B: 6, Button.C: 13, Button.STOP: 19},  # docs/wiring.md
}
CONTROLLER = {"adafruit-bonnet": "ssd1306", "waveshare-1.3": "sh1106", "spi-2.42": "ssd1306"}
ON_SPI = ("waveshare-1.3", "spi-2.42")
DC, RESET = 24, 25

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

LANGUAGES = Situation(ChoosingLanguage(TryingButtons(Welcome())))


def settings(kind: str) -> str:
    return f'[board]\nkind = "{kind}"\n'


@pytest.fixture
def bonnet(request, tmp_path):
    """A whole box on a board with a joystick, which starts in the situation that the test gives."""
    config = parse(settings("adafruit-bonnet"))
    with SimulatedTable(Journal(tmp_path / "j.txt"), None, config=config, start=request.param) as table:
        yield table


def shows(table: SimulatedTable, picture: Screen) -> None:
    until(lambda: table.picture().tobytes() == draw(picture).tobytes(), "the picture")


def test_the_buttons_of_a_board_are_its_keys():
    assert {kind: parse(settings(kind)).buttons.pins for kind in KEYS} == KEYS


@pytest.mark.parametrize("bonnet", [LANGUAGES], indirect=True)
def test_a_joystick_moves_up_and_down_in_a_list_and_selects_when_pressed(bonnet):
    lines = tuple(Line(name, chosen=name == "Nederlands") for name in ("English", "Nederlands", "Deutsch"))
    bonnet.buttons.press(Button.C)
    shows(bonnet, Screen("Taal", lines, "STOP: terug", scroll=(0, 4), keys="▲✓▼"))
    bonnet.buttons.press(Button.A)
    until(lambda: bonnet.box.situation.state.cursor == 0, "the cursor above")
    bonnet.buttons.press(Button.B)
    shows(bonnet, replace(screen(Situation(TryingButtons(Welcome()))), title="A: joystick ▲"))  # where each one is


@pytest.mark.parametrize("bonnet", [Situation(Waiting(), Game.new(["yellow", "green"]), 1)], indirect=True)
def test_any_key_counts_as_held_while_the_hold_key_is_down(bonnet):
    hold = bonnet.buttons._factory.pin(KEY_5)
    hold.drive_low()
    bonnet.buttons.press(Button.STOP)
    hold.drive_high()
    until(lambda: type(bonnet.box.situation.state).__name__ == "Menu", "STOP was held")


def test_a_setting_in_the_file_wins_over_the_boards(tmp_path):
    config = parse(settings("adafruit-bonnet") + "[buttons]\nstop = 27\n[lamp]\nenabled = true\n")
    assert config.buttons.pins[Button.STOP] == 27
    assert config.buttons.pins[Button.A] == STICK_UP
    assert config.lamp.enabled
    assert parse(config.as_toml()) == config


def test_a_fault_in_the_settings_is_shown_on_the_boards_own_display():
    with pytest.raises(ConfigError) as caught:
        parse(settings("waveshare-1.3") + "[lamp]\npin = 99\n")
    assert usable_oled_settings(caught.value) == parse(settings("waveshare-1.3")).oled


@pytest.fixture
def factory(monkeypatch):
    made = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", made)
    return made


@every(kind=ON_SPI)
@every(rotation=[0, 180])
def test_a_picture_on_spi_comes_out_pixel_for_pixel_and_the_pins_are_free_after_it(factory, kind, rotation):
    oled = OledBus(CONTROLLER[kind])
    config = replace(parse(settings(kind)).oled, rotation=rotation)
    wires = OledSpi(oled, lambda pin: factory.pin(pin).state)
    display = open_oled(wires, config)
    assert [change.state for change in factory.pin(RESET).states][-2:] == [False, True]
    for seed in range(3):
        display.show(noise(seed))
        assert oled.picture().tobytes() == noise(seed).rotate(rotation).tobytes()
    assert wires.max_speed_hz <= 4_000_000, "the SH1106 takes no more"
    display.close()
    assert oled.picture().getbbox() is None
    open_oled(wires, config).close()


def test_a_display_on_spi_that_lost_its_power_is_set_up_and_drawn_again_without_being_noticed(factory, clock):
    oled = OledBus("sh1106")
    wires = OledSpi(oled, lambda pin: factory.pin(pin).state)
    config = parse(settings("waveshare-1.3")).oled
    display = open_oled(wires, config)
    display.show(noise())
    oled.power_up()
    display.check()
    assert oled.picture().getbbox() is None
    clock.now_s += SET_UP_AGAIN_S
    display.check()
    assert oled.picture().tobytes() == noise().tobytes()
    display.close()


@pytest.mark.usefixtures("factory")
def test_a_missing_spi_device_is_a_display_error_with_the_remedy_and_the_pins_stay_free(monkeypatch):
    config = parse(settings("waveshare-1.3")).oled
    for _ in range(2):
        with pytest.raises(DisplayError, match=r"there is no /dev/spidev0.0: turn SPI on with raspi-config"):
            open_oled(None, config)
    monkeypatch.setattr("os.open", Mock(side_effect=PermissionError(errno.EACCES, "denied")))
    with pytest.raises(DisplayError, match=r"no permission to use /dev/spidev0.0: add this user to the group spi"):
        open_oled(None, config)


@pytest.mark.usefixtures("factory")
def test_a_pin_of_the_display_that_is_in_use_is_a_display_error_that_names_it():
    used = gpiozero.LED(DC)
    with pytest.raises(DisplayError, match="the display's pin 24 cannot be used"):
        open_oled(None, parse(settings("spi-2.42")).oled)
    used.close()


@every(pin=[8, 10, 11, DC, RESET])
def test_a_button_on_a_pin_of_spi_is_a_conflict_only_if_the_display_is_on_spi(pin):
    wish = f"[buttons]\na = {pin}\n"
    with pytest.raises(ConfigError, match=f"is on pin {pin}, which SPI needs for the OLED"):
        parse(settings("spi-2.42") + wish)
    assert parse(wish).buttons.a == pin
    assert parse(settings("spi-2.42") + "[buttons]\na = 2\n").buttons.a == 2


def test_a_box_without_buttons_uses_no_pin_and_needs_its_page():
    config = parse(settings("none") + "[lamp]\nenabled = true\npin = 5\n")
    assert not config.its_board.has_buttons
    with pytest.raises(ConfigError, match=r": .board. kind = .none. has only phones as buttons; remove"):
        parse(settings("none") + "[web]\nenabled = false\n")


GUIDE = (Path(__file__).parents[2] / "docs/no-soldering.md").read_text(encoding="utf-8")
IN_WORDS = {"joystick up": "joystick ▲", "press the joystick": "joystick ●", "joystick down": "joystick ▼"}


def test_the_guide_names_the_boards_their_keys_and_settings_that_the_box_takes():
    rows = re.findall(r"^\| (A|B|C|STOP)\b[^|]*\| ([^|]+) \| ([^|]+) \|$", GUIDE, re.MULTILINE)
    assert [row[0] for row in rows] == [*Button]
    for column, kind in enumerate(("adafruit-bonnet", "waveshare-1.3"), start=1):
        assert [IN_WORDS.get(row[column], row[column]) for row in rows] == list(BOARDS[kind].places)
    assert set(re.findall(r"--board ([\w.-]+)", GUIDE)) <= set(BOARDS)
    blocks = [dedent(block) for block in re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)]
    assert parse("".join(blocks)).its_board is BOARDS["adafruit-bonnet"]
