"""The tray's watcher: runs one worker at a time, and replaces it if it dies or hangs."""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import dataclass

from device.camera.liveness import FRAME_TIMEOUT_S
from device.camera.misread import Misread
from device.camera.seen_frame import SeenFrame
from device.camera.tray_look import TrayLook
from device.camera.worker import Worker, WorkerRequests
from device.referee.inputs import CameraTrouble, TrayMeasured, TraySeen, TrayView
from vision.tray.advice import advise_on_dice
from vision.types import Reason

MOST_LOST = 3
"""The number of workers that may hang at a time, each with its thread and its camera's memory. Beyond it the box does
without a camera, and dice are entered by hand. A worker that recovers makes room for another try."""

RETRY_S = 1.0
LONGEST_RETRY_S = 30.0
"""The longest pause before a lost camera is reopened, in seconds. It starts at `RETRY_S` and doubles each time."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Watcher(WorkerRequests):
    """Watches the tray and puts what it sees into the box's queue. Use it from one thread.

    Attributes:
        idle_after_s: The time without activity after which the camera is stopped, in seconds; some kernels stall after
            many hours of streaming.
        misread: Where pictures of misread rolls are stored; None not to store them.
    """

    idle_after_s: float = math.inf
    misread: Misread | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._is_idle = False
        self._advised: tuple[SeenFrame | None, str] = (None, "")
        self._worker: Worker | None = None
        self._lost: list[Worker] = []
        self._retry_s = RETRY_S
        self._next_s = 0.0

    def current_frame(self, timeout_s: float) -> SeenFrame | None:
        """Return what the camera sees now; None if no frame comes within the timeout in seconds. For any thread."""
        return self.sights.ask(timeout_s)

    def advice(self) -> str:
        """Return what the last dice show about the place of a camera without a tray, as `Change`; "" for nothing."""
        judged = self.judged
        if self.needs_tray or judged is None or judged.reading is None:
            return ""
        if self._advised[0] is not judged:
            found = advise_on_dice(judged.reading, judged.frame, self.dice)
            is_empty = not found and judged.reading.reason is Reason.NO_DICE  # the dice before may be gone
            self._advised = judged, found[0].change.value if found else self._advised[1] if is_empty else ""
        return self._advised[1]

    def reopen(self) -> None:
        """Close the camera, and open the one that is chosen now. For any thread."""
        self.is_reopened.set()

    def start(self) -> None:
        """Start watching."""
        self._worker = Worker(self)

    def close(self) -> None:
        """Stop watching and release the camera; a worker that hangs is waited for no longer than for one frame."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.let_go()
            worker.join(FRAME_TIMEOUT_S + 1.0)
            self.light(False)

    def watch_for(self, dice: int) -> None:
        """Set the number of dice to look for; 0 leaves it unchanged."""
        self.dice = dice or self.dice

    def read_again(self) -> None:
        """Read the dice in the tray again, even if they were not rolled."""
        self.is_asked.set()

    def await_still(self) -> None:
        """Report when nothing has moved in the tray for a second from now, as `TrayStill`."""
        self.is_still_asked.set()

    def measure(self, *, learn: bool) -> TrayLook:
        """Start a look at the tray, and calibrate it if `learn`; `TrayMeasured` is queued, also without a camera."""
        look = TrayLook(learn=learn, keep_in=self.calibration)
        self.look = look
        return look

    def corrected(self, read: tuple[int, ...], right: tuple[int, ...]) -> None:
        """Store the picture of a misread roll; does not wait for it.

        Args:
            read: The dice as they were read, sorted. If they were entered by hand, the picture is of another roll.
            right: The correct values, sorted.
        """
        thrown = self.thrown
        if self.misread is None or thrown is None or thrown.reading is None:
            return
        if thrown.reading.values == read != right:
            threading.Thread(target=self.misread.keep, args=(thrown, right), name="misread", daemon=True).start()

    def tray_checked(self) -> None:
        """Stop reporting that the camera was moved."""
        self.is_moved.clear()

    def tend(self, alone_s: float = 0.0) -> None:
        """Replace a worker that lost its camera or hangs; to be called twice a second.

        One that hangs is replaced at once, and each further one after twice the pause.

        Args:
            alone_s: The time since the last activity in seconds; the camera is stopped after a while, and started again
                by activity.
        """
        if (alone_s >= self.idle_after_s) != self._is_idle:
            self._is_idle = not self._is_idle
            _log.info(
                "the camera is stopped because nobody is there" if self._is_idle else "the camera is started again"
            )
            if self._is_idle and self._worker is not None:
                self._worker.let_go()
                self._worker = None
                self.light(False)
        if self._is_idle:
            return
        worker = self._worker
        if worker is not None and worker.hangs:
            _log.error("watching the tray hangs; it is restarted")
            worker.let_go()
            self.told = TraySeen(TrayView.NO_CAMERA, CameraTrouble.HANGS)
            self.put(self.told)
            self._lost.append(worker)
        elif worker is not None and worker.has_seen:
            self._retry_s = RETRY_S
        if worker is not None and (worker in self._lost or not worker.is_running):
            self._worker = None
            is_first = self._retry_s == RETRY_S
            self._next_s = time.monotonic() + (0.0 if is_first and worker in self._lost else self._retry_s)
            self._retry_s = min(2 * self._retry_s, LONGEST_RETRY_S)
        self._lost = [one for one in self._lost if one.is_running]
        if self._worker is not None:
            return
        if len(self._lost) < MOST_LOST and (self.is_reopened.is_set() or time.monotonic() >= self._next_s):
            self.start()
            return
        if worker is not None:
            self.light(False)
        if self.look is not None:
            self.look = None
            self.put(TrayMeasured("no camera"))
