"""A worker that watches the tray: a thread that owns the camera; frames in, inputs for the referee out.

It may die or hang at any time, in a driver as well as in the reader: `device.camera.watcher` sees that from outside,
gives it up and begins another one.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from device.camera.port import Camera, CameraError, Shot
from device.camera.pulse import Pulse
from device.camera.sight import Sight, Sights
from device.camera.tray_look import TrayLook
from device.referee.inputs import CameraTrouble, DiceRead, DieSeen, Input, TrayMeasured, TraySeen, TrayView
from vision.reader import examine, read
from vision.settling.settle import Observation, Settle, TrayState
from vision.tray.known import Tray, remembered, with_pose
from vision.types import Frame, Reading

FRAME_TIMEOUT_S = 2.0
"""How long to wait for one frame; at 15 frames a second thirty have failed to come by then."""

STEP_S = 4.0
"""A frame with its reading never takes so long: the worker hangs. The slowest reading takes well under a second."""

SLOWER = 40
"""Nor so many times what an empty picture takes to read, a hundredth of a second on a laptop: under emulation, or where
much else runs, that is longer than `STEP_S`."""

_EMPTY_PX = (480, 640)
"""Height and width of that picture."""

LOOK_S = 20.0
"""Nor does a frame of a look at the tray, the last of which measures all: under a second here, a small Pi is slower."""

OPEN_S = 30.0
"""Nor does opening a camera: libcamera takes a second or two, finding exposure and focus some more."""

RETRY_S = 1.0
LONGEST_RETRY_S = 30.0
"""A lost camera is asked again after `RETRY_S`, then after twice as long each time up to `LONGEST_RETRY_S`."""

_VIEWS = {
    TrayState.EMPTY: TrayView.EMPTY,
    TrayState.HAND: TrayView.HAND,
    TrayState.ROLLING: TrayView.ROLLING,
    TrayState.STILL: TrayView.USED,
    TrayState.UNREADABLE: TrayView.UNREADABLE,
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


@dataclass(slots=True)
class Orders:
    """What is asked of whichever worker watches; it outlives the worker.

    Attributes:
        tray: What is known of the tray; None if nothing is.
        dice: How many dice to look for.
        is_asked: The dice that lie there are to be read again.
        is_moved: The camera was moved, and nobody has checked the tray since.
        look: The look at the tray that is asked for, if one is.
        sights: Where whoever wants to look asks for a picture.
        thrown: The frame in which the last roll was read.
    """

    tray: Tray | None = None
    dice: int = 4
    is_asked: threading.Event = field(default_factory=threading.Event)
    is_moved: threading.Event = field(default_factory=threading.Event)
    look: TrayLook | None = None
    sights: Sights = field(default_factory=Sights)
    thrown: Sight | None = None


class Worker:
    """One thread that watches the tray until it is let go, or until it is given up."""

    def __init__(self, open_camera: Callable[[], Camera], put: Callable[[Input], None], orders: Orders) -> None:
        """Begin to watch.

        Args:
            open_camera: Opens the camera, or raises `CameraError`; called again after the camera was lost.
            put: Takes an input; called from this thread.
            orders: What is asked of it.
        """
        self._open = open_camera
        self._put = put
        self._orders = orders
        self._is_ended = threading.Event()
        self._telling = threading.Lock()
        self._seen: TraySeen | None = None
        self._has_seen = False
        self._was_asked = False
        self._until = time.monotonic() + OPEN_S
        self._step_s = STEP_S
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether its thread still runs, be it that it hangs."""
        return self._thread.is_alive()

    @property
    def hangs(self) -> bool:
        """Whether it has ended, or has given no sign of life for longer than anything may take."""
        return not self._thread.is_alive() or time.monotonic() > self._until

    @property
    def has_seen(self) -> bool:
        """Whether it has ever had a living picture."""
        return self._has_seen

    def let_go(self) -> None:
        """Have it end, and take no more of what it may still say; returns at once."""
        self._is_ended.set()
        with self._telling:  # what it is just saying is said before this returns
            pass

    def join(self, timeout_s: float) -> None:
        """Wait until it has ended, at most so long."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        retry_s = RETRY_S
        while not self._is_ended.is_set():
            if self._watch():
                retry_s = RETRY_S  # it has worked in the meantime
            waits = retry_s
            while waits > 0 and not self._is_ended.wait(min(waits, 1.0)):
                self._allow(STEP_S)
                self._cannot_look()
                waits -= 1.0
            retry_s = min(2 * retry_s, LONGEST_RETRY_S)

    def _allow(self, seconds: float) -> None:
        """Return a sign of life: what comes now takes at most so long."""
        self._until = time.monotonic() + seconds

    def _watch(self) -> bool:
        """Open the camera and watch until the end, or until it is lost; tell whether it gave living pictures."""
        camera: Camera | None = None
        self._has_seen = False
        try:
            self._allow(OPEN_S)
            camera = self._open()
            self._warm_up()
            self._follow(camera)
        except CameraError as error:
            usual = CameraTrouble.MISSING if camera is None else CameraTrouble.SILENT
            self._lost(error, error.trouble or usual)
        except Exception as error:  # a driver's or the reader's own fault must not end the watching for ever
            _log.exception("the watching of the tray failed")
            self._lost(error, CameraTrouble.HANGS)
        finally:
            if camera is not None:
                self._allow(OPEN_S)
                self._close(camera)
        return self._has_seen

    def _warm_up(self) -> None:
        """Read an empty picture: once to load the networks from a slow card, once more to know how long it takes."""
        empty = np.zeros((*_EMPTY_PX, 3), np.uint8)
        self._read(empty)
        began = time.monotonic()
        self._read(empty)
        self._step_s = max(STEP_S, SLOWER * (time.monotonic() - began))

    def _close(self, camera: Camera) -> None:
        try:
            camera.close()
        except Exception as error:  # a camera that was torn out can fail in any way while it is let go
            _log.warning("the camera did not close: %s", error)

    def _lost(self, error: Exception, trouble: CameraTrouble) -> None:
        _log.warning("camera lost (%s): %s", trouble, error)
        self._tell(TraySeen(TrayView.NO_CAMERA, trouble))
        self._cannot_look()

    def _cannot_look(self) -> None:
        """Answer a look at the tray that was asked for, where there is no camera."""
        if self._orders.look is not None:
            self._orders.look = None
            self._say(TrayMeasured("no camera"))

    def _look_at(self, shot: Shot, look: TrayLook) -> None:
        """Go on with a look at the tray, and tell what it comes to."""
        self._allow(LOOK_S)
        measured = look.see(shot.picture(), shot.field_deg)
        if measured is None:
            return
        if self._orders.look is look:  # nobody has asked anew in the meantime
            self._orders.look = None
        if look.learnt is not None:
            self._orders.tray = Tray.learnt(look.learnt)
        self._say(measured)

    def _follow(self, camera: Camera) -> None:
        # Dice that lie there already may have been read before the box was switched off: they are no new roll.
        settle = Settle(self._read, armed=False, on_empty=self._remember)
        pulse = Pulse()
        while not self._is_ended.is_set():
            self._allow(self._step_s)
            with camera.shot(FRAME_TIMEOUT_S) as shot:
                if pulse.lives(shot.time_s, shot.small):
                    self._has_seen = True
                    self._take(shot, settle)

    def _take(self, shot: Shot, settle: Settle) -> None:
        """Do with a shot of a living camera what is asked for."""
        orders = self._orders
        if (look := orders.look) is not None:
            self._look_at(shot, look)
            return
        if orders.is_asked.is_set():
            orders.is_asked.clear()
            self._was_asked = True
            settle.rearm()
        seen = settle.step(shot.time_s, shot.small, shot.picture)
        if seen.roll is not None:
            orders.thrown = Sight(shot.picture(), seen.roll.reading, shot.time_s)
            self._learn_pose(shot.picture(), len(seen.roll.reading.dice))
        orders.sights.serve(lambda: Sight(shot.picture(), seen.reading, shot.time_s, shot.field_deg))
        self._report(seen)

    def _read(self, frame: Frame) -> Reading:
        return read(frame, self._orders.tray, self._orders.dice)

    def _learn_pose(self, frame: Frame, dice: int) -> None:
        """Know the camera's pose by the first dice that show it; one or two might lean."""
        orders = self._orders
        if dice > 2 and (orders.tray is None or orders.tray.pose is None):
            evidence = examine(frame, orders.tray, orders.dice)
            orders.tray = with_pose(orders.tray, evidence.pose, evidence.size)

    def _remember(self, frame: Frame) -> None:
        """Know the tray as it is now, empty: light changes, and so does what lies beside the dice."""
        self._orders.tray = remembered(frame, self._orders.tray)

    def _report(self, seen: Observation) -> None:
        orders = self._orders
        if seen.state in (TrayState.EMPTY, TrayState.HAND, TrayState.ROLLING):
            self._was_asked = False  # what lies there next was thrown
        if seen.bumped:
            orders.is_moved.set()
            # The tray is no longer where it was calibrated, however well the dice can be read.
            orders.tray = None
        if seen.roll is not None:
            reading = seen.roll.reading
            orders.is_moved.clear()  # as good a roll as any: the camera still sees what it must
            dice = tuple(DieSeen(die.value, die.confidence, die.colour) for die in reading.dice)
            self._say(DiceRead(reading.values, likely_rolls(reading), dice, self._was_asked))
            self._was_asked = False
        reading_now = seen.reading
        if orders.is_moved.is_set() and seen.state not in (TrayState.HAND, TrayState.ROLLING):
            self._tell(TraySeen(TrayView.MOVED))
        elif seen.state is TrayState.UNREADABLE and reading_now is not None and reading_now.reason is not None:
            self._tell(TraySeen(TrayView.UNREADABLE, reading_now.reason.value, len(reading_now.dice)))
        elif seen.missed and reading_now is not None:
            self._tell(TraySeen(TrayView.MISSED, values=reading_now.values))
        else:
            self._tell(TraySeen(_VIEWS[seen.state]))

    def _tell(self, seen: TraySeen) -> None:
        if seen != self._seen:
            self._seen = seen
            self._say(seen)

    def _say(self, event: Input) -> None:
        # Given up means given up: a worker that wakes after minutes must not throw dice into a game that has gone on.
        with self._telling:
            if not self._is_ended.is_set():
                self._put(event)
