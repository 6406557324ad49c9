"""The simulated table: the whole program, with a finger on mock pins, a bus that decodes, and a world of dice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from gpiozero.pins.mock import MockFactory
from PIL import Image

from device.box import Box, Caretaker
from device.camera.port import Camera
from device.camera.sight import Sight
from device.config import Config
from device.hardware.buttons import Buttons
from device.hardware.display import SteadyDisplay
from device.hardware.display_choice import DisplayChoice
from device.hardware.oled import open_oled
from device.referee.inputs import Input
from device.referee.states import Situation
from device.session import OpenPublisher, Session
from device.sim.fingers import Fingers
from device.sim.oled_bus import OledBus
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from vision.tray.known import Tray


class SimulatedTable:
    """A box as on a Raspberry Pi, down to gpiozero and luma, whose pins and bus are made up."""

    def __init__(
        self,
        journal: Journal,
        world: Camera | None,
        *,
        known: Tray | None = None,
        start: Situation | None = None,
        preferences: PreferencesFile | None = None,
        calibration: Path | None = None,
        misread: Path | None = None,
        open_caretaker: Callable[[SteadyDisplay], Caretaker] | None = None,
        observe: Callable[[Input], None] = lambda _: None,
        open_publisher: OpenPublisher | None = None,
        displays: DisplayChoice | None = None,
        controller: str = Config().oled.type,
    ) -> None:
        """Put it together; entering the context switches it on.

        Args:
            journal: Where the game is kept.
            world: What the camera looks at; None for a box without a camera.
            known: What is known of the tray; None if nothing is.
            start: What to begin with instead of what the journal holds.
            preferences: Where the players' preferences are kept; None: the usual ones, and none are kept.
            calibration: Where what is learnt of the tray is kept; None: it holds until the end.
            misread: The folder for pictures of misread throws; None: none are kept.
            open_caretaker: Gives who knows the machine, told the display in use; None: there is no network, and nothing
                to switch off.
            observe: Sees each of the camera's inputs before the box does.
            open_publisher: Makes what tells the page's process of the table; None for a box without a page.
            displays: The ways in which the display can be driven; None: only one.
            controller: The one that the display really has.
        """
        config = Config()
        factory = MockFactory()
        self.bus = OledBus(controller, config.oled.address)
        self.fingers = Fingers(factory, config.buttons)
        self._session = Session(
            journal,
            lambda: open_oled(self.bus, displays.config if displays is not None else config.oled),
            lambda put: Buttons(config.buttons, put, pin_factory=factory),
            (lambda: world) if world is not None else None,
            tray=known,
            start=start,
            preferences=preferences,
            calibration=calibration,
            misread=misread,
            open_caretaker=open_caretaker,
            observe=observe,
            config=config,
            open_publisher=open_publisher,
            displays=displays,
        )

    @property
    def box(self) -> Box:
        """The box."""
        return self._session.box

    @property
    def thrown(self) -> Sight | None:
        """The picture in which the last roll was read; None before the first."""
        return self._session.thrown

    def picture(self) -> Image.Image:
        """Give what the OLED shows: 128x64 pixels, mode "1"."""
        return self.bus.picture()

    def check(self) -> None:
        """Raise what has ended the box's loop, if anything has."""
        self._session.check()

    def __enter__(self) -> Self:
        """Switch the box on."""
        self._session.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Switch the box off."""
        self._session.__exit__(kind, error, trace)
