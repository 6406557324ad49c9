"""The lamp over the tray, by gpiozero: lit while the camera looks, if the players want it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

import gpiozero

from device.camera.port import Camera, Shot
from device.config import LampConfig

WARM_UP_S = 0.05
"""How long before the camera's first frame the lamp is lit: an LED and its driver need a few milliseconds."""

FLASH_S = 0.25
"""How long the lamp is dark, and lit again, in a flash that tells something."""

_log = logging.getLogger(__name__)


class Lamp:
    """A lamp on one pin; it may be told from any thread."""

    def __init__(self, config: LampConfig, pin_factory: gpiozero.Factory | None = None) -> None:
        """Open the pin; the lamp is dark.

        Args:
            config: Its pin, and how bright it is.
            pin_factory: gpiozero's way to the pins; None for the one that it finds by itself.

        Raises:
            OSError: If the pin cannot be had.
        """
        self._brightness = config.brightness
        try:
            # At full brightness nothing is switched: no stripes in the picture, and no work for lgpio's thread.
            self._device = (
                gpiozero.LED(config.pin, pin_factory=pin_factory)
                if config.brightness >= 1
                else gpiozero.PWMLED(config.pin, frequency=config.frequency_hz, pin_factory=pin_factory)
            )
        except Exception as error:  # lgpio's own errors are plain exceptions
            raise OSError(f"the lamp on pin {config.pin} cannot be used: {error}") from error
        self._lock = threading.Lock()
        self._is_looked = False
        self._is_wanted = True

    def looked(self, looks: bool) -> None:
        """Return whether the camera looks."""
        with self._lock:
            self._is_looked = looks
            self._shine()

    def wanted(self, wants: bool) -> None:
        """Return whether the players want light."""
        with self._lock:
            if wants != self._is_wanted:
                self._is_wanted = wants
                self._shine()

    def flash(self) -> None:
        """Change between dark and lit three times; returns when that is over."""
        for is_lit in (True, False) * 3:
            with self._lock:
                self._light(is_lit != (self._is_looked and self._is_wanted))
            time.sleep(FLASH_S)
        with self._lock:
            self._shine()

    def close(self) -> None:
        """Put the lamp out and let the pin go; may be called twice."""
        with self._lock:
            self._device.close()

    def _shine(self) -> None:
        self._light(self._is_looked and self._is_wanted)

    def _light(self, is_lit: bool) -> None:
        if not self._device.closed:
            self._device.value = self._brightness * is_lit


class LitCamera:
    """A camera whose lamp is lit while it is open; fits the port `Camera`."""

    def __init__(self, open_camera: Callable[[], Camera], lamp: Lamp) -> None:
        """Light the lamp, then open the camera, which so measures its exposure in that light.

        Args:
            open_camera: Opens the camera.
            lamp: The lamp.

        Raises:
            CameraError: As `open_camera` does; the lamp is out then.
        """
        self._lamp = lamp
        lamp.looked(True)
        time.sleep(WARM_UP_S)
        try:
            self._camera = open_camera()
        except BaseException:
            lamp.looked(False)
            raise

    def shot(self, timeout_s: float) -> Shot:
        """Wait for the next shot; see `Camera.shot`."""
        return self._camera.shot(timeout_s)

    def close(self) -> None:
        """Let the camera go and put the lamp out."""
        try:
            self._camera.close()
        finally:
            self._lamp.looked(False)
