from __future__ import annotations

import queue
import sys
import time
from dataclasses import replace

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from device.config import ButtonsConfig
from device.hardware.buttons import Buttons, ButtonsError
from device.referee.inputs import Button, Press
from tests.every import every
from tests.waiting import PATIENCE_S, until

HOLD_S = 0.15
CONFIG = ButtonsConfig(hold_s=HOLD_S)
PINS = CONFIG.pins


@pytest.fixture
def factory(monkeypatch):
    made = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", made)
    yield made
    made.reset()


@pytest.fixture
def buttons(factory, presses):
    opened = Buttons(CONFIG, presses.put)
    yield opened
    opened.close()


@every(button=Button)
def test_a_short_press_is_reported_on_release(factory, presses, buttons, button):
    pin = factory.pin(PINS[button])
    pin.drive_low()
    assert presses.empty()
    pin.drive_high()
    assert presses.get(timeout=PATIENCE_S) == Press(button)


@every(button=Button)
def test_a_long_press_is_reported_once_while_held_and_the_next_short_one_is_short(factory, presses, buttons, button):
    pin = factory.pin(PINS[button])
    pin.drive_low()
    assert presses.get(timeout=PATIENCE_S) == Press(button, long=True)
    with pytest.raises(queue.Empty):
        presses.get(timeout=2 * HOLD_S)
    pin.drive_high()
    assert presses.empty()
    pin.drive_low()
    pin.drive_high()
    assert presses.get(timeout=PATIENCE_S) == Press(button)


def test_a_hold_that_gpiozero_reports_after_the_release_is_a_short_press(factory, presses, buttons):
    pin = factory.pin(PINS[Button.B])
    pin.drive_low()
    pin.drive_high()
    buttons._held(Button.B, buttons._devices[Button.B])
    assert presses.get_nowait() == Press(Button.B)
    assert presses.empty()


def test_a_long_press_that_gpiozero_reports_late_is_reported_on_release(factory, presses, buttons):
    buttons._devices[Button.B].when_held = None
    pin = factory.pin(PINS[Button.B])
    pin.drive_low()
    time.sleep(HOLD_S)
    pin.drive_high()
    assert presses.get_nowait() == Press(Button.B, long=True)
    assert presses.empty()


def test_a_button_down_at_the_start_is_ignored_and_reported_as_stuck_as_is_one_that_stays_down(factory, presses):
    pin = factory.pin(PINS[Button.A])
    pin._set_pull = lambda value: None  # a real pull-up cannot lift a button that is down; the mock one does
    pin.drive_low()
    opened = Buttons(replace(CONFIG, stuck_s=0.2), presses.put)
    until(lambda: opened.stuck() == (Button.A,))
    pin.drive_high()
    assert opened.stuck() == ()
    assert presses.empty()
    pin.drive_low()
    pin.drive_high()
    assert presses.get(timeout=PATIENCE_S) == Press(Button.A)
    pin.drive_low()
    until(lambda: opened.stuck() == (Button.A,))
    opened.close()


def test_presses_keep_working_after_some_that_could_not_be_queued(factory, caplog):
    presses = queue.Queue()
    fails = iter([True, True, True])

    def put(press: Press) -> None:
        if next(fails, False):
            raise RuntimeError("no room")
        presses.put(press)

    opened = Buttons(CONFIG, put)
    pin = factory.pin(PINS[Button.A])
    for _ in range(2):
        pin.drive_low()
        pin.drive_high()
    pin.drive_low()
    until(lambda: caplog.text.count(" was lost") == 3, "the loss of a long press")
    pin.drive_high()
    pin.drive_low()
    assert presses.get(timeout=PATIENCE_S) == Press(Button.A, long=True)
    pin.drive_high()
    assert presses.empty()
    opened.close()


def test_closed_buttons_are_silent_and_release_their_pins(factory, presses, buttons):
    buttons.close()
    buttons.close()
    factory.pin(PINS[Button.A]).drive_low()
    factory.pin(PINS[Button.A]).drive_high()
    assert presses.empty()
    assert buttons.stuck() == ()
    Buttons(CONFIG, presses.put).close()


def test_pins_in_use_are_an_error_that_names_them_and_releases_the_others(factory, presses, buttons):
    with pytest.raises(ButtonsError, match=r"pin 5 of button B cannot be used"):
        Buttons(ButtonsConfig(a=20, b=5, c=21, stop=22), presses.put)
    Buttons(ButtonsConfig(a=20, b=23, c=21, stop=22), presses.put).close()


def test_a_missing_lgpio_is_a_buttons_error(monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)  # which other tests may have imported
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    with pytest.raises(ButtonsError, match="lgpio"):
        Buttons(CONFIG, lambda press: None)
