"""A finger: it pushes the buttons of a box whose pins are gpiozero's mock pins."""

from __future__ import annotations

import threading
import time

from gpiozero.pins.mock import MockFactory

from device.config import ButtonsConfig
from device.referee.inputs import Button

SHORT_S = 0.05
"""How long a short press lasts: a quick one of a person, and twice the bounce time."""

LINGER_S = 0.3
"""How much longer than the hold time a long press lasts, so that a busy machine sees it as long too."""


class Fingers:
    """One finger for all buttons; it may be told from any thread, and does one press after another."""

    def __init__(self, factory: MockFactory, config: ButtonsConfig) -> None:
        """Put the finger near.

        Args:
            factory: Whose pins are pressed.
            config: The pins, and what the box takes for a long press.
        """
        self._factory = factory
        self._pins = config.pins
        self._hold_s = config.hold_s
        self._lock = threading.Lock()

    def press(self, button: Button, *, long: bool = False) -> None:
        """Press a button and let it go; returns after that.

        Args:
            button: Which.
            long: Whether to hold it until it counts as a long press.
        """
        with self._lock:
            pin = self._factory.pin(self._pins[button])
            pin.drive_low()
            try:
                time.sleep(self._hold_s + LINGER_S if long else SHORT_S)
            finally:
                pin.drive_high()
