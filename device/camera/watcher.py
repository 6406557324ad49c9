"""The worker that watches the tray: frames in, inputs for the referee out."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from device.camera.port import Camera, CameraError
from device.referee.inputs import DiceRead, DieSeen, Input, TraySeen, View
from vision.params import Params
from vision.read import read
from vision.reading import Frame, Reading
from vision.settle import Observation, Settle, TrayState

FRAME_TIMEOUT_S = 2.0
"""How long to wait for one frame; at 15 frames a second thirty have failed to come by then."""

SILENCE_S = 10.0
"""Without a sign of life for so long the worker counts as dead; the slowest reading takes well under a second."""

RETRY_S = 1.0
LONGEST_RETRY_S = 30.0
"""A lost camera is asked again after `RETRY_S`, then after twice as long each time up to `LONGEST_RETRY_S`."""

_VIEWS = {
    TrayState.EMPTY: View.EMPTY,
    TrayState.HAND: View.HAND,
    TrayState.ROLLING: View.ROLLING,
    TrayState.STILL: View.USED,
    TrayState.UNREADABLE: View.UNREADABLE,
}

_log = logging.getLogger(__name__)


def likely_rolls(reading: Reading) -> tuple[tuple[int, ...], ...]:
    """List what else these dice may show: the least sure die with its runner-up first."""
    rolls: list[tuple[int, ...]] = []
    for die in sorted(reading.dice, key=lambda die: die.confidence):
        others = [other.value for other in reading.dice if other is not die]
        roll = tuple(sorted([*others, die.runner_up]))
        if roll not in rolls:
            rolls.append(roll)
    return tuple(rolls)


class Watcher:
    """A thread that owns the camera and puts what it sees into the box's queue."""

    def __init__(
        self, open_camera: Callable[[], Camera], put: Callable[[Input], None], params: Params | None = None
    ) -> None:
        """Prepare; `start` begins.

        Args:
            open_camera: Opens the camera, or raises `CameraError`; called again after the camera was lost.
            put: Takes an input; called from this thread.
            params: The reader's tunables.
        """
        self._open = open_camera
        self._put = put
        self._params = params or Params()
        self._dice = 4
        self._is_asked = threading.Event()
        self._was_asked = False
        self._is_moved = threading.Event()
        self._is_ended = threading.Event()
        self._sign_of_life = time.monotonic()
        self._seen: TraySeen | None = None
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop watching and let the camera go."""
        self._is_ended.set()
        self._thread.join(timeout=FRAME_TIMEOUT_S + 1.0)

    def watch_for(self, dice: int) -> None:
        """Look for so many dice; 0 leaves the number as it is."""
        self._dice = dice or self._dice

    def read_again(self) -> None:
        """Read the dice that lie there, though nobody threw them anew."""
        self._is_asked.set()

    def tray_checked(self) -> None:
        """Tell no longer that the camera was moved."""
        self._is_moved.clear()

    def alive(self) -> bool:
        """Tell whether the worker has given a sign of life lately."""
        return self._thread.is_alive() and time.monotonic() - self._sign_of_life < SILENCE_S

    def _read(self, frame: Frame) -> Reading:
        return read(frame, replace(self._params, dice=self._dice))

    def _run(self) -> None:
        retry_s = RETRY_S
        while not self._is_ended.is_set():
            try:
                camera = self._open()
            except CameraError as error:
                self._lost(error)
            else:
                try:
                    self._watch(camera)
                except CameraError as error:
                    if self._seen is not None and self._seen.view is not View.NO_CAMERA:
                        retry_s = RETRY_S  # it has worked in the meantime
                    self._lost(error)
                finally:
                    camera.close()
            waits = retry_s
            while waits > 0 and not self._is_ended.wait(min(waits, 1.0)):
                self._sign_of_life = time.monotonic()
                waits -= 1.0
            retry_s = min(2 * retry_s, LONGEST_RETRY_S)

    def _lost(self, error: CameraError) -> None:
        _log.warning("camera lost: %s", error)
        self._tell(TraySeen(View.NO_CAMERA))

    def _watch(self, camera: Camera) -> None:
        """Watch until the end, or until the camera is lost."""
        # Dice that lie there already may have been read before the box was switched off: they are no new roll.
        settle = Settle(self._read, armed=False)
        while not self._is_ended.is_set():
            self._sign_of_life = time.monotonic()
            time_s, frame = camera.frame(FRAME_TIMEOUT_S)
            if self._is_asked.is_set():
                self._is_asked.clear()
                self._was_asked = True
                settle.rearm()
            self._report(settle.step(time_s, frame))

    def _report(self, seen: Observation) -> None:
        if seen.bumped:
            self._is_moved.set()
            # The tray is no longer where it was calibrated, however well the dice can be read.
            self._params = replace(self._params, calibration=None)
        if seen.roll is not None:
            reading = seen.roll.reading
            self._is_moved.clear()  # as good a roll as any: the camera still sees what it must
            dice = tuple(DieSeen(die.value, die.confidence, die.colour) for die in reading.dice)
            self._put(DiceRead(reading.values, likely_rolls(reading), dice, self._was_asked))
            self._was_asked = False
        reading_now = seen.reading
        if self._is_moved.is_set() and seen.state not in (TrayState.HAND, TrayState.ROLLING):
            self._tell(TraySeen(View.MOVED))
        elif seen.state is TrayState.UNREADABLE and reading_now is not None and reading_now.reason is not None:
            self._tell(TraySeen(View.UNREADABLE, reading_now.reason.value, len(reading_now.dice)))
        else:
            self._tell(TraySeen(_VIEWS[seen.state]))

    def _tell(self, seen: TraySeen) -> None:
        if seen != self._seen:
            self._seen = seen
            self._put(seen)
