from __future__ import annotations

import threading

import pytest
from gpiozero.pins.mock import MockFactory

from device.config import ButtonsConfig
from device.hardware.buttons import Buttons
from device.referee.inputs import Button, Press
from device.sim.table import ButtonPresser
from tests.waiting import PATIENCE_S

CONFIG = ButtonsConfig(hold_s=0.3)


@pytest.fixture
def fingers(presses):
    factory = MockFactory()
    opened = Buttons(CONFIG, presses.put, pin_factory=factory)
    yield ButtonPresser(factory, CONFIG)
    opened.close()
    factory.reset()


def test_the_box_receives_the_simulated_presses_of_several_threads_one_after_another(fingers, presses):
    pressed = [Press(button, long) for button in Button for long in (False, True)]
    threads = [threading.Thread(target=fingers.press, args=(one.button,), kwargs={"long": one.long}) for one in pressed]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert {presses.get(timeout=PATIENCE_S) for _ in threads} == set(pressed)
    assert presses.empty()
