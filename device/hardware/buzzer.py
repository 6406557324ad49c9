"""The buzzer, through gpiozero: plays short sequences of notes."""

from __future__ import annotations

import time
from collections.abc import Iterable

import gpiozero
from gpiozero.tones import Tone

from device.config import BuzzerConfig

_IDLE_HZ = 100
"""The frequency at which lgpio's thread polls the pin during silence, in Hz; a note starts at most one period late."""

Note = tuple[str, float]
"""A note such as "C6", or "" for silence, and its duration in seconds."""


class Buzzer:
    """A passive buzzer on one pin. Playing blocks until the notes are over, so it belongs in a thread of its own.

    Silence is a tone at constant low level. gpiozero's `TonalBuzzer` would end the tone instead. If a full second began
    at that moment, lgpio 0.2.2's thread computed an invalid wake-up time and requested it in a busy loop: no more notes
    were played.
    """

    def __init__(self, config: BuzzerConfig) -> None:
        """Open the pin, or raise OSError."""
        try:
            self._device = gpiozero.PWMOutputDevice(config.pin, frequency=_IDLE_HZ)
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the buzzer on pin {config.pin} cannot be used: {error}") from error

    def play(self, notes: Iterable[Note]) -> None:
        """Play notes; return when they are over."""
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
        """Release the pin; may be called twice."""
        self._device.close()

    def _be_silent(self) -> None:
        self._device.value = 0
        self._device.frequency = _IDLE_HZ
