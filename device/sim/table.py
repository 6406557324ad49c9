"""The simulated table: the whole program, with a finger on mock pins, a bus that decodes, and a world of dice."""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockFactory
from PIL import Image

from device.camera.port import Camera
from device.config import Config
from device.hardware.buttons import Buttons
from device.hardware.display_choice import DisplayChoice
from device.hardware.oled import open_oled
from device.session import Session
from device.sim.fingers import Fingers
from device.sim.oled_bus import OledBus
from device.storage.journal import Journal


class SimulatedTable(Session):
    """A box as on a Raspberry Pi, down to gpiozero and luma, whose pins and bus are made up."""

    def __init__(
        self,
        journal: Journal,
        world: Camera | None,
        *,
        displays: DisplayChoice | None = None,
        controller: str = Config().oled.type,
        **more: Any,  # noqa: ANN401 - as `Session` has them
    ) -> None:
        """Put it together; entering the context switches it on.

        Args:
            journal: Where the game is kept.
            world: What the camera looks at; None for a box without a camera.
            displays: The ways in which the display can be driven; None: only one.
            controller: The one that the display really has.
            more: Whatever else a `Session` may have.
        """
        config = Config()
        factory = MockFactory()
        self.bus = OledBus(controller, config.oled.address)
        self.fingers = Fingers(factory, config.buttons)
        super().__init__(
            journal,
            lambda: open_oled(self.bus, displays.config if displays is not None else config.oled),
            lambda put: Buttons(config.buttons, put, pin_factory=factory),
            (lambda: world) if world is not None else None,
            config=config,
            displays=displays,
            **more,
        )

    def picture(self) -> Image.Image:
        """Return what the OLED shows: 128x64 pixels, mode "1"."""
        return self.bus.picture()
