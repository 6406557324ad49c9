"""The simulated table: the whole program, with mock pins, a decoding bus, and a world of dice."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import gpiozero
from gpiozero.pins.mock import MockFactory
from PIL import Image

from device.box import Box
from device.camera.misread import Misread
from device.camera.port import Camera
from device.camera.watcher import Watcher
from device.config import ButtonsConfig, Config
from device.hardware.buttons import Buttons
from device.hardware.display import ReconnectingDisplay
from device.hardware.display_choice import DisplayChoice
from device.hardware.oled import open_oled
from device.referee.inputs import Button
from device.session import Session
from device.storage.journal import Journal
from tools.sim.oled_bus import OledBus, OledSpi


class SimulatedTable(Session):
    """A box as on a Raspberry Pi, down to gpiozero and luma, with simulated pins and bus."""

    def __init__(
        self,
        journal: Journal,
        world: Camera | None,
        *,
        config: Config | None = None,
        controller: str = "",
        displays: DisplayChoice | None = None,
        calibration: Path | None = None,
        misread: Path | None = None,
        **parts: Any,  # noqa: ANN401 - as `Box` has them
    ) -> None:
        """Assemble it; entering the context switches it on.

        Args:
            journal: The journal of the game.
            world: The view of the camera; None for a box without a camera.
            config: The settings; None for the defaults.
            controller: The display's actual controller; "" for that of the settings.
            displays: The ways of driving the display.
            calibration: The file in which the calibration is stored; None not to store it.
            misread: The folder for pictures of misread rolls; None not to store them.
            parts: The other parts of a `Box`.
        """
        config = config or Config()
        factory = gpiozero.Device.pin_factory = MockFactory()
        self.bus = OledBus(controller or config.oled.type, config.oled.address)
        spi = OledSpi(self.bus, lambda pin: factory.pin(pin).state)
        wires = self.bus if config.oled.interface == "i2c" else spi
        self.buttons = ButtonPresser(factory, config.buttons)
        display = ReconnectingDisplay(
            lambda: open_oled(wires, displays.config if displays is not None else config.oled),
            config.oled,
        )
        box = Box(
            journal, display, displays=displays, board=config.its_board, page=("box.local", config.web.port), **parts
        )
        keep = None if misread is None else Misread(misread)
        super().__init__(
            box,
            None if world is None else Watcher(lambda: world, box.put, calibration=calibration, misread=keep),
            (lambda put: Buttons(config.buttons, put)) if config.its_board.has_buttons else None,
        )

    def picture(self) -> Image.Image:
        """Return the OLED's picture: 128x64 pixels, mode "1"."""
        return self.bus.picture()


SHORT_S = 0.05
"""The duration of a short press in seconds: that of a quick person, and twice the bounce time."""

LINGER_S = 0.3
"""The time in seconds by which a long press exceeds the hold time, so that a busy machine detects it too."""


class ButtonPresser:
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
