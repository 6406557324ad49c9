"""Who watches the tray: a worker at a time, given up and replaced where it dies or hangs."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from pathlib import Path

from device.camera.misread import Misread
from device.camera.port import Camera
from device.camera.sight import Sight
from device.camera.tray_look import TrayLook
from device.camera.worker import FRAME_TIMEOUT_S, LONGEST_RETRY_S, RETRY_S, Orders, Worker
from device.referee.inputs import CameraTrouble, Input, TraySeen, TrayView
from vision.tray.known import Tray

MOST_LOST = 3
"""So many workers may hang for ever, each with its thread and its camera's memory; then the box does without a camera,
and dice are entered by hand. One that comes round makes room for the next try."""

_log = logging.getLogger(__name__)


class Watcher:
    """Watches the tray and puts what it sees into the box's queue. To be used from one thread."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        put: Callable[[Input], None],
        tray: Tray | None = None,
        calibration: Path | None = None,
        idle_after_s: float = math.inf,
        misread: Misread | None = None,
    ) -> None:
        """Prepare; `start` begins.

        Args:
            open_camera: Opens the camera, or raises `CameraError`; called again after the camera was lost.
            put: Takes an input; called from other threads.
            tray: What is known of the tray; None if nothing is.
            calibration: The file in which what is learnt of the tray is kept; None: it holds until the end.
            idle_after_s: After so many seconds without anybody the camera is stopped: kernels have been seen to stall
                after many hours of streaming.
            misread: Where pictures of misread throws are kept; None: they are not.
        """
        self._misread = misread
        self._idle_after_s = idle_after_s
        self._is_idle = False
        self._calibration = calibration
        self._open = open_camera
        self._put = put
        self._orders = Orders(tray)
        self._worker: Worker | None = None
        self._lost: list[Worker] = []
        self._retry_s = RETRY_S
        self._next_s = 0.0

    def sight(self, timeout_s: float) -> Sight | None:
        """Wait for what the camera sees now; None where it has shown nothing for so many seconds. For any thread."""
        return self._orders.sights.ask(timeout_s)

    @property
    def thrown(self) -> Sight | None:
        """The frame in which the last roll was read; None before the first."""
        return self._orders.thrown

    def start(self) -> None:
        """Begin to watch."""
        self._worker = Worker(self._open, self._put, self._orders)

    def close(self) -> None:
        """Stop watching and let the camera go; a worker that hangs is not waited for longer than for a frame."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.let_go()
            worker.join(FRAME_TIMEOUT_S + 1.0)

    def watch_for(self, dice: int) -> None:
        """Look for so many dice; 0 leaves the number as it is."""
        self._orders.dice = dice or self._orders.dice

    def read_again(self) -> None:
        """Read the dice that lie there, though nobody threw them anew."""
        self._orders.is_asked.set()

    def measure(self, *, learn: bool) -> TrayLook:
        """Look at the tray; `TrayMeasured` is put in as soon as there is something to say, or no camera.

        Args:
            learn: Whether what is learnt of the tray is kept, and used from now on.
        """
        look = TrayLook(learn=learn, keep_in=self._calibration)
        self._orders.look = look
        return look

    def corrected(self, read: tuple[int, ...], right: tuple[int, ...]) -> None:
        """Keep the picture of a throw that was misread; this does not wait for it.

        Args:
            read: The dice as they were read, sorted. Where they were entered by hand the picture is of another throw.
            right: What they really showed, sorted.
        """
        thrown = self.thrown
        if self._misread is None or thrown is None or thrown.reading is None:
            return
        if thrown.reading.values == read != right:
            threading.Thread(target=self._misread.keep, args=(thrown, right), name="misread", daemon=True).start()

    def tray_checked(self) -> None:
        """Tell no longer that the camera was moved."""
        self._orders.is_moved.clear()

    def tend(self, alone_s: float = 0.0) -> None:
        """Return up a worker that died or hangs, say so, and replace it; to be called about every second.

        The first replacement comes at once, further ones after twice as long each time.

        Args:
            alone_s: For how many seconds nobody has been at the box; the camera is stopped after a while, and started
                again as soon as somebody is there.
        """
        if (alone_s >= self._idle_after_s) != self._is_idle:
            self._is_idle = not self._is_idle
            _log.info("the camera is stopped, as nobody is there" if self._is_idle else "the camera is started again")
            if self._is_idle and self._worker is not None:
                self._worker.let_go()
                self._worker = None
        if self._is_idle:
            return
        worker = self._worker
        if worker is not None and worker.has_seen and not worker.hangs:
            self._retry_s = RETRY_S
        if worker is not None and worker.hangs:
            _log.error("the watching of the tray hangs; it is begun anew")
            worker.let_go()
            self._put(TraySeen(TrayView.NO_CAMERA, CameraTrouble.HANGS))
            self._lost.append(worker)
            self._worker = None
            self._next_s = time.monotonic() + (0.0 if self._retry_s == RETRY_S else self._retry_s)
            self._retry_s = min(2 * self._retry_s, LONGEST_RETRY_S)
        self._lost = [one for one in self._lost if one.is_running]
        if self._worker is None and len(self._lost) < MOST_LOST and time.monotonic() >= self._next_s:
            self.start()
