"""A complete box: its loop, buttons, display and camera, started and stopped in the right order."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from device.box import Box
from device.health.watchdog import Watchdog
from device.referee.inputs import Press

if TYPE_CHECKING:
    from device.camera.watcher import Watcher
    from device.hardware.buttons import Buttons

LOOK_S = 1.0
"""The interval of the main thread's checks whether the loop has ended, in seconds."""

END_S = 5.0
"""The time limit for the loop to end, in seconds; it handles at most the inputs in the queue."""


_log = logging.getLogger(__name__)


class Session:
    """A running box. Real and simulated ones differ only in their parts."""

    def __init__(
        self,
        box: Box,
        watcher: Watcher | None = None,
        open_buttons: Callable[[Callable[[Press], None]], Buttons] | None = None,
    ) -> None:
        """Connect the parts of a box; entering the context starts them, and leaving it closes them.

        Args:
            box: The box, with all that it uses.
            watcher: Watches the tray for the box; None without a camera.
            open_buttons: Opens the buttons. The argument accepts their presses. None if all presses come from keys and
                the page, by `box.put`.
        """
        self.box = box
        self.watcher = watcher
        self._open_buttons = open_buttons
        self._buttons: Buttons | None = None
        self._failure: BaseException | None = None
        self._watchdog = Watchdog()
        if box.publisher is not None:
            box.publisher.answers.put, box.publisher.answers.watching = box.put, watcher
        # A daemon thread: a loop that hangs must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="box", daemon=True)

    def __enter__(self) -> Self:
        """Start the box."""
        try:
            if self._open_buttons is not None:
                self._buttons = self._open_buttons(self.box.put_key)
                self.box.stuck = self._buttons.stuck
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
            while self._thread.is_alive():
                self._thread.join(LOOK_S)  # Python may not handle a signal during a wait without end
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
