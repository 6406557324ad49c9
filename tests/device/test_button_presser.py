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


@pytest.mark.parametrize("button", Button)
@pytest.mark.parametrize("long", [False, True])
def test_the_box_receives_the_simulated_presses(fingers, presses, button, long):
    fingers.press(button, long=long)
    assert presses.get(timeout=PATIENCE_S) == Press(button, long)
    assert presses.empty()


def test_presses_from_several_threads_happen_one_after_another(fingers, presses):
    threads = [threading.Thread(target=fingers.press, args=(Button.A,)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert [presses.get(timeout=PATIENCE_S) for _ in threads] == [Press(Button.A)] * 5
