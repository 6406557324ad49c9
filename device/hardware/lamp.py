"""The lamp over the tray, through gpiozero: lit while the camera is in use, if the players want it."""

from __future__ import annotations

import logging
import threading
import time

import gpiozero

from device.config import LampConfig

WARM_UP_S = 0.05
"""The time with the lamp lit before the camera's first frame, in seconds; an LED needs a few milliseconds."""

FLASH_S = 0.25
"""The duration of each dark and each lit phase of a flash, in seconds."""

_log = logging.getLogger(__name__)


class Lamp:
    """A lamp on one pin. All methods may be called from any thread."""

    def __init__(self, config: LampConfig) -> None:
        """Open the pin, or raise OSError; the lamp is dark."""
        try:
            self._device = gpiozero.LED(config.pin)
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the lamp on pin {config.pin} cannot be used: {error}") from error
        self._lock = threading.Lock()
        self._is_looked = False
        self._is_wanted = True

    def looked(self, looks: bool) -> None:
        """Set whether the camera is in use. It measures its exposure in this light, so wait until the lamp is lit."""
        with self._lock:
            self._is_looked = looks
            self._shine()
        if looks:
            time.sleep(WARM_UP_S)

    def wanted(self, wants: bool) -> None:
        """Set whether the players want the lamp."""
        with self._lock:
            if wants != self._is_wanted:
                self._is_wanted = wants
                self._shine()

    def flash(self) -> None:
        """Flash three times; return when that is over."""
        for is_lit in (True, False) * 3:
            with self._lock:
                self._light(is_lit != (self._is_looked and self._is_wanted))
            time.sleep(FLASH_S)
        with self._lock:
            self._shine()

    def close(self) -> None:
        """Turn the lamp off and release the pin; may be called twice."""
        with self._lock:
            self._device.close()

    def _shine(self) -> None:
        self._light(self._is_looked and self._is_wanted)

    def _light(self, is_lit: bool) -> None:
        if not self._device.closed:
            self._device.value = is_lit
