"""The buzzer, by gpiozero: a few notes, one after another."""

from __future__ import annotations

import time
from collections.abc import Iterable

import gpiozero
from gpiozero.tones import Tone

from device.config import BuzzerConfig

MIDDLE = Tone("A5")
OCTAVES = 2
"""220 to 3520 Hz: small piezo discs are loud from 1 kHz on."""

Note = tuple[str, float]
"""A note as "C6", or "" for none, and for how many seconds."""


class Buzzer:
    """A passive buzzer on one pin. Playing takes as long as the notes, so it is for a thread that has the time."""

    def __init__(self, config: BuzzerConfig, pin_factory: gpiozero.Factory | None = None) -> None:
        """Open the pin.

        Args:
            config: Its pin.
            pin_factory: gpiozero's way to the pins; None for the one that it finds by itself.

        Raises:
            OSError: If the pin cannot be had.
        """
        try:
            self._device = gpiozero.TonalBuzzer(config.pin, mid_tone=MIDDLE, octaves=OCTAVES, pin_factory=pin_factory)
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the buzzer on pin {config.pin} cannot be used: {error}") from error

    def play(self, notes: Iterable[Note]) -> None:
        """Play notes; returns when they are over."""
        try:
            for note, seconds in notes:
                if note:
                    self._device.play(Tone(note))
                else:
                    self._be_silent()
                time.sleep(seconds)
        finally:
            self._be_silent()

    def close(self) -> None:
        """Let the pin go; may be called twice."""
        self._device.close()

    def _be_silent(self) -> None:
        self._device.stop()
        # lgpio ends a tone at any instant: left high, the pin would drive current through the coil of a magnetic one.
        self._device.pwm_device.pin.state = 0
