"""A complete box: its loop, buttons, display and camera, started and stopped in the right order."""

from __future__ import annotations

import contextlib
import logging
import platform
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from device.box import Box
from device.camera.misread import Misread
from device.camera.port import Camera
from device.camera.watcher import Watcher
from device.config import Config
from device.hardware.display import Display, ReconnectingDisplay
from device.hardware.display_choice import DisplayChoice
from device.health.watchdog import Watchdog
from device.page.box_side.publisher import Publisher
from device.referee.inputs import Press
from device.referee.states import Situation, State
from device.storage.journal import Journal
from device.storage.preferences_file import PreferencesFile
from vision.tray.known import Tray

if TYPE_CHECKING:  # they import libraries of a Raspberry Pi
    from device.hardware.buttons import Buttons
    from device.hardware.signals import Signals
    from device.hardware.speech import Speech
    from device.health.machine_control import MachineControl

END_S = 5.0
"""The time limit for the loop to end, in seconds; it handles at most the inputs in the queue."""


_log = logging.getLogger(__name__)


class Session:
    """A running box. Real and simulated ones differ only in what is opened."""

    def __init__(
        self,
        journal: Journal,
        open_display: Callable[[], Display],
        open_buttons: Callable[[Callable[[Press], None]], Buttons] | None,
        open_camera: Callable[[], Camera] | None,
        *,
        config: Config,
        tray: Tray | None = None,
        start: Situation | None = None,
        preferences: PreferencesFile | None = None,
        calibration: Path | None = None,
        misread: Path | None = None,
        machine: MachineControl | None = None,
        signals: Signals | None = None,
        publisher: Publisher | None = None,
        speech: Speech | None = None,
        first_steps: State | None = None,
        displays: DisplayChoice | None = None,
        needs_tray: bool = True,
    ) -> None:
        """Assemble a box; entering the context starts it. What is None is not there, see `Box` and `Watcher`.

        Args:
            journal: The journal of the game; closed at the end.
            open_display: Opens the display.
            open_buttons: Opens the buttons. The argument accepts their presses. None if all presses come from keys and
                the page, by `box.put`.
            open_camera: Opens the camera.
            config: When display and camera rest.
            tray: The calibration of the tray.
            start: The situation to start with instead of the journal's.
            preferences: The file of the players' preferences.
            calibration: The file in which the calibration is stored.
            misread: The folder for pictures of misread rolls.
            machine: Checks the machine, finds its addresses and switches it off.
            signals: Makes sounds, closed at the end.
            publisher: Serves the page's process.
            speech: Reads the screens aloud, closed at the end.
            first_steps: What comes first if neither preferences nor a game exist; None for the steps of a box.
            displays: The ways of driving the display, of which `open_display` uses the current one.
            needs_tray: Whether dice are rolled into a tray; otherwise on any surface.
        """
        self._open_buttons = open_buttons
        self._buttons: Buttons | None = None
        self._failure: BaseException | None = None
        self._watchdog = Watchdog()
        self.box = Box(
            journal,
            ReconnectingDisplay(open_display, config.oled),
            start,
            preferences,
            lambda: self._buttons.stuck() if self._buttons else (),
            machine,
            signals=signals,
            publisher=publisher,
            speech=speech,
            displays=displays,
            first_steps=first_steps,
            board=config.its_board,
            page=(f"{platform.node().partition('.')[0]}.local", config.web.port),
        )
        self.watcher: Watcher | None = None
        """Watches the tray; None without a camera."""
        if open_camera is not None:
            self.watcher = Watcher(
                open_camera,
                self.box.put,
                tray,
                calibration,
                needs_tray,
                config.camera.idle_after_s,
                Misread(misread) if misread is not None else None,
            )
        if publisher is not None:
            publisher.answers.put, publisher.answers.watching = self.box.put, self.watcher
        # A daemon thread: a loop that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="box", daemon=True)

    def __enter__(self) -> Self:
        """Start the box."""
        try:
            self._buttons = self._open_buttons(self.box.put_key) if self._open_buttons is not None else None
        except Exception:
            self.box.journal.close()
            raise
        if self.watcher is not None:
            self.watcher.start()
        if self.box.publisher is not None:
            self.box.publisher.start()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the box, turn its screen off and close the journal; an error in one part does not stop the others."""
        with contextlib.ExitStack() as ending:
            self.box.stop()
            self._thread.join(END_S)
            if self._thread.is_alive():
                _log.error("the loop hangs: display and journal stay as they are")
            else:
                ending.callback(self.box.journal.close)
                ending.callback(self.box.display.close)
            for part in (self.box.signals, self.box.speech, self._buttons, self.watcher, self.box.publisher):
                if part is not None:
                    ending.callback(part.close)
        if error is None:
            self.check()

    def check(self) -> None:
        """Raise the exception that has ended the loop, if any: a box that has failed must not seem alive."""
        if self._failure is not None:
            raise self._failure

    def wait(self) -> None:
        """Wait until a signal ends the box, or an error, which is raised; for the main thread."""

        def end(*_: object) -> None:
            self._watchdog.stopping()
            self.box.stop()

        before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            self._thread.join()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self.check()

    def _run(self) -> None:
        try:
            self.box.run(self.watcher, self._watchdog.beat, self._watchdog.at_the_disk)
        except BaseException as failure:
            self._failure = failure
            with self.box.changed:
                self.box.changed.notify_all()
