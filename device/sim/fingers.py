"""Presses the buttons of a box whose pins are gpiozero's mock pins."""

from __future__ import annotations

import threading
import time

from gpiozero.pins.mock import MockFactory

from device.config import ButtonsConfig
from device.referee.inputs import Button

SHORT_S = 0.05
"""The duration of a short press in seconds: that of a quick person, and twice the bounce time."""

LINGER_S = 0.3
"""The time in seconds by which a long press exceeds the hold time, so that a busy machine detects it too."""


class Fingers:
    """Presses all buttons, one at a time; may be called from any thread."""

    def __init__(self, factory: MockFactory, config: ButtonsConfig) -> None:
        """Prepare.

        Args:
            factory: The factory of the mock pins.
            config: The pins, and the time of a long press.
        """
        self._factory = factory
        self._pins = config.pins
        self._hold_s = config.hold_s
        self._lock = threading.Lock()

    def press(self, button: Button, *, long: bool = False) -> None:
        """Press a button and release it; returns after that.

        Args:
            button: The button.
            long: Whether to hold it until it counts as a long press.
        """
        with self._lock:
            pin = self._factory.pin(self._pins[button])
            pin.drive_low()
            try:
                time.sleep(self._hold_s + LINGER_S if long else SHORT_S)
            finally:
                pin.drive_high()
