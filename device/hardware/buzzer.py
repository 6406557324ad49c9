"""The buzzer, by gpiozero: a few notes, one after another."""

from __future__ import annotations

import time
from collections.abc import Iterable

import gpiozero
from gpiozero.tones import Tone

from device.config import BuzzerConfig

LOWEST, HIGHEST = Tone("A3"), Tone("A7")
"""220 to 3520 Hz: small piezo discs are loud from 1 kHz on."""

_IDLE_HZ = 100
"""How often a second lgpio's thread looks at the pin while it is silent: a note begins so much later at most."""

Note = tuple[str, float]
"""A note as "C6", or "" for none, and for how many seconds."""


class Buzzer:
    """A passive buzzer on one pin. Playing takes as long as the notes, so it is for a thread that has the time.

    Silence is a tone that is low all the time. gpiozero's `TonalBuzzer` ends the tone, whereupon lgpio 0.2.2 forgets
    its other pins for 20 ms: a dimmed lamp flickered with every note. And if a full second began just then, lgpio's
    thread reckoned a time to wake up at that does not exist, and asked for it for ever: a lamp that stayed fully lit,
    no more notes, a busy core.
    """

    def __init__(self, config: BuzzerConfig, pin_factory: gpiozero.Factory | None = None) -> None:
        """Open the pin.

        Args:
            config: Its pin.
            pin_factory: gpiozero's way to the pins; None for the one that it finds by itself.

        Raises:
            OSError: If the pin cannot be had.
        """
        try:
            self._device = gpiozero.PWMOutputDevice(config.pin, frequency=_IDLE_HZ, pin_factory=pin_factory)
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the buzzer on pin {config.pin} cannot be used: {error}") from error

    def play(self, notes: Iterable[Note]) -> None:
        """Play notes; returns when they are over."""
        try:
            for note, seconds in notes:
                if note:
                    self._device.frequency = Tone(note).frequency
                    self._device.value = 0.5
                else:
                    self._be_silent()
                time.sleep(seconds)
        finally:
            self._be_silent()

    def close(self) -> None:
        """Let the pin go; may be called twice."""
        self._device.close()

    def _be_silent(self) -> None:
        self._device.value = 0
        self._device.frequency = _IDLE_HZ
