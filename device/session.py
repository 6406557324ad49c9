"""A box put together: its loop, its buttons, its display and its camera, started and ended in the right order."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from device.box import Box, Caretaker
from device.camera.misread import Misread
from device.camera.port import Camera
from device.camera.sight import Sight
from device.camera.watcher import Watcher
from device.config import Config
from device.hardware.display import Display, SteadyDisplay
from device.hardware.display_choice import DisplayChoice
from device.hardware.signals import Signals
from device.hardware.speech import Speech
from device.page.box_side.publisher import Publisher
from device.referee.inputs import Button, Input, Press
from device.referee.states import Situation
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from vision.tray.known import Tray

END_S = 5.0
"""How long the loop may take to end; it handles at most the inputs that still wait."""


_log = logging.getLogger(__name__)


class Keys(Protocol):
    """The buttons."""

    def stuck(self) -> Sequence[Button]:
        """List those that are down all the time."""

    def close(self) -> None:
        """Let them go."""


OpenPublisher = Callable[[Callable[[Input], None], Watcher | None], Publisher]
"""Makes what tells the page's process of the table: given where presses go, and what there is to be seen."""


class Session:
    """A running box. Real and simulated ones differ in what is opened, and in nothing else."""

    def __init__(
        self,
        journal: Journal,
        open_display: Callable[[], Display],
        open_buttons: Callable[[Callable[[Press], None]], Keys],
        open_camera: Callable[[], Camera] | None,
        *,
        tray: Tray | None = None,
        start: Situation | None = None,
        preferences: PreferencesFile | None = None,
        calibration: Path | None = None,
        misread: Path | None = None,
        open_caretaker: Callable[[SteadyDisplay], Caretaker] | None = None,
        observe: Callable[[Input], None] = lambda _: None,
        beat: Callable[[str], None] = lambda _: None,
        at_the_disk: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
        config: Config | None = None,
        signals: Signals | None = None,
        open_publisher: OpenPublisher | None = None,
        speech: Speech | None = None,
        displays: DisplayChoice | None = None,
    ) -> None:
        """Put a box together; entering the context starts it.

        Args:
            journal: Where the game is kept; closed at the end.
            open_display: Opens the display.
            open_buttons: Opens the buttons, which put their presses into what it is given.
            open_camera: Opens the camera; None for a box without.
            tray: What is known of the tray; None if nothing is.
            start: What to begin with instead of what the journal holds.
            preferences: Where the players' preferences are kept; None: the usual ones, and none are kept.
            calibration: Where what is learnt of the tray is kept; None: it holds until the end.
            misread: The folder for pictures of misread throws; None: none are kept.
            open_caretaker: Gives who knows the machine, told the display in use; None: there is no network, and nothing
                to switch off.
            observe: Sees each of the camera's inputs before the box does.
            beat: The loop's sign of life, see `Box.run`.
            at_the_disk: What is put around waiting for the disk, see `Box.run`.
            config: When display and camera rest; None: as by default.
            signals: Who makes sounds, closed at the end; None: nobody.
            open_publisher: Makes what tells the page's process of the table; None for a box without a page.
            speech: Reads the screens aloud, closed at the end; None: nobody.
            displays: The ways in which the display can be driven, of which `open_display` uses the present one; None:
                only one.
        """
        config = config or Config()
        self._journal = journal
        self._display = SteadyDisplay(open_display, config.oled)
        self._open_buttons = open_buttons
        self._buttons: Keys | None = None
        caretaker = open_caretaker(self._display) if open_caretaker is not None else None
        self._failure: BaseException | None = None
        self._beat = beat
        self._at_the_disk = at_the_disk

        def put(event: Input) -> None:
            observe(event)
            self.box.put(event)

        self._watcher = (
            Watcher(
                open_camera,
                put,
                tray,
                calibration,
                config.camera.idle_after_s,
                Misread(misread) if misread is not None else None,
            )
            if open_camera is not None
            else None
        )
        # A daemon: a loop that hangs for ever must not keep a program from ending that was told to.
        self._publisher = open_publisher(self._put, self._watcher) if open_publisher else None
        self.box = Box(
            journal,
            self._display,
            start,
            preferences,
            lambda: self._buttons.stuck() if self._buttons else (),
            caretaker,
            herald=signals,
            onlooker=self._publisher,
            voice=speech,
            displays=displays,
        )
        self._signals = signals
        self._speech = speech
        self._thread = threading.Thread(target=self._run, name="box", daemon=True)

    def __enter__(self) -> Self:
        """Start the box."""
        try:
            self._buttons = self._open_buttons(self.box.press)
        except Exception:
            self._journal.close()
            raise
        if self._watcher is not None:
            self._watcher.start()
        if self._publisher is not None:
            self._publisher.start()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the box, with the screen put out and the journal closed; a part that fails in it is no hindrance."""
        with contextlib.ExitStack() as ending:
            self.box.stop()
            self._thread.join(END_S)
            if self._thread.is_alive():
                _log.error("the loop hangs: display and journal are left as they are")
            else:
                ending.callback(self._journal.close)
                ending.callback(self._display.close)
            if self._signals is not None:
                ending.callback(self._signals.close)
            if self._speech is not None:
                ending.callback(self._speech.close)
            if self._buttons is not None:
                ending.callback(self._buttons.close)
            if self._watcher is not None:
                ending.callback(self._watcher.close)
            if self._publisher is not None:
                ending.callback(self._publisher.close)
        if error is None:
            self.check()

    def _put(self, event: Input) -> None:
        """Put in what comes by way of the page: a press lights a dark screen as one by hand does."""
        if isinstance(event, Press):
            self.box.press(event)
        else:
            self.box.put(event)

    @property
    def thrown(self) -> Sight | None:
        """The frame in which the last roll was read; None before the first, and without a camera."""
        return self._watcher.thrown if self._watcher is not None else None

    def check(self) -> None:
        """Raise what has ended the loop, if anything has: a box that has failed must not look alive."""
        if self._failure is not None:
            raise self._failure

    def wait(self) -> None:
        """Wait until the loop ends, which it does by `box.stop` or by failing."""
        self._thread.join()
        self.check()

    def _run(self) -> None:
        try:
            self.box.run(self._watcher, self._beat, self._at_the_disk)
        except BaseException as failure:
            self._failure = failure
            with self.box.changed:
                self.box.changed.notify_all()
