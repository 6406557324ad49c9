"""A worker that watches the tray: a thread that owns the camera, and turns frames into inputs for the referee.

It ends with its camera, and may hang at any time, in a driver or in the reader: `device.camera.watcher` detects that
from outside, and starts another one.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from device.camera.liveness import FRAME_TIMEOUT_S, LivenessCheck
from device.camera.port import Camera, CameraError, Shot
from device.camera.seen_frame import FrameRequests, SeenFrame
from device.camera.tray_look import TrayLook
from device.referee.inputs import CameraTrouble, DiceRead, Input, TraySeen, TrayStill, TrayView
from vision.params import FinderParams, KnownTrayParams
from vision.reader import read
from vision.settling.settle import Observation, Settle, TrayState
from vision.stages.finding import find
from vision.tray.calibration import CalibrationError, save
from vision.tray.known import Tray, is_tray_hidden, remembered, unchanged, with_pose
from vision.types import Frame, Reading, Reason

STEP_S = 4.0
"""The least time that a frame may take to read before the worker counts as hung, in seconds."""

SLOWER = 40
"""The same, as a multiple of the time for reading an empty picture, which takes a hundredth of a second on a laptop. On
a slow or busy machine it is longer than `STEP_S`."""

_EMPTY_PX = (480, 640)
"""Height and width of the empty picture."""

LOOK_S = 20.0
"""The time that a frame of a look at the tray, or storing what was learned, may take, in seconds. The last frame
measures everything."""

OPEN_S = 30.0
"""The time that opening a camera may take, in seconds: libcamera needs a second or two, exposure and focus some
more."""

MOVING_S = 8.0
"""The time with movement in the tray after which it is reported as unreadable, in seconds; a roll takes three."""

CALM_S = 1.0
"""The time without movement after which no roll is to be expected any more, in seconds: dice that left the hand are in
the tray after 0.6 s."""

POSE_CHANGED = 0.1
"""The least change of the camera's direction that is stored, as a sine: six degrees. Single rolls differ by less."""

LOOKS_ALIKE = 0.9
"""The part of the empty tray that must look as stored, or it is stored again. A card would wear out if each was."""

_VIEWS = {
    TrayState.EMPTY: TrayView.EMPTY,
    TrayState.HAND: TrayView.HAND,
    TrayState.ROLLING: TrayView.ROLLING,
    TrayState.STILL: TrayView.USED,
    TrayState.UNREADABLE: TrayView.UNREADABLE,
}

_log = logging.getLogger(__name__)


def likely_rolls(reading: Reading) -> tuple[tuple[int, ...], ...]:
    """Return other rolls that these dice may show: the least confident die with its runner-up first."""
    rolls: list[tuple[int, ...]] = []
    for die in sorted(reading.dice, key=lambda die: die.confidence):
        others = [other.value for other in reading.dice if other is not die]
        roll = tuple(sorted([*others, die.runner_up]))
        if roll not in rolls:
            rolls.append(roll)
    return tuple(rolls)


def roll_in(reading: Reading, *, asked: bool) -> DiceRead:
    """Return the input for dice that were read; `asked` as in `DiceRead`."""
    return DiceRead(reading.values, likely_rolls(reading), by_camera=True, asked=asked)


@dataclass(eq=False)
class WorkerRequests:
    """The requests to the current worker, and what it knows; they outlive it.

    Attributes:
        open_camera: Opens the camera, or raises `CameraError`.
        put: Accepts an input; called from other threads.
        tray: The calibration of the tray; None before the tray is calibrated.
        calibration: The file in which what is learned about the tray is stored; None not to store it.
        needs_tray: Whether dice are rolled into a tray; otherwise, an object that lies still is a part of the place.
        light: Turns the lamp over the tray on and off.
        stored: The tray in the file; None before one is stored.
        dice: The number of dice to look for.
        is_asked: Whether the dice in the tray are to be read again.
        is_moved: Whether the camera was moved and the tray not checked since.
        is_reopened: Whether another camera was chosen: the current one is closed, and the tray forgotten.
        is_still_asked: Whether to report when nothing has moved for `CALM_S` from now.
        look: The requested look at the tray; None if no look is requested.
        sights: Requests for a picture.
        thrown: The frame, or the photograph, in which the last roll was read; None before the first.
        judged: The first frame at rest in which dice were last read; without a tray also refused, or not found.
        told: What was last reported about the tray.
    """

    open_camera: Callable[[], Camera]
    put: Callable[[Input], None]
    tray: Tray | None = None
    calibration: Path | None = None
    needs_tray: bool = True
    light: Callable[[bool], object] = lambda _: None
    stored: Tray | None = field(default=None, init=False)
    dice: int = field(default=4, init=False)
    is_asked: threading.Event = field(default_factory=threading.Event, init=False)
    is_moved: threading.Event = field(default_factory=threading.Event, init=False)
    is_reopened: threading.Event = field(default_factory=threading.Event, init=False)
    is_still_asked: threading.Event = field(default_factory=threading.Event, init=False)
    look: TrayLook | None = field(default=None, init=False)
    sights: FrameRequests = field(default_factory=FrameRequests, init=False)
    thrown: SeenFrame | None = field(default=None, init=False)
    judged: SeenFrame | None = field(default=None, init=False)
    told: TraySeen | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.stored = self.tray


class Worker:
    """One thread that watches the tray until the camera is lost, or it is let go."""

    def __init__(self, orders: WorkerRequests) -> None:
        """Open the camera and start watching."""
        self._orders = orders
        self._is_ended = threading.Event()
        self._telling = threading.Lock()
        self.has_seen = False
        """Whether it has had a live picture."""
        self._was_asked = self._is_judged = False
        self._still_s: float | None = None
        self._calm_s: float | None = None
        self._is_still_asked = False
        self._until = time.monotonic() + OPEN_S
        self._step_s = STEP_S
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether its thread still runs, even if it hangs."""
        return self._thread.is_alive()

    @property
    def hangs(self) -> bool:
        """Whether its heartbeat is later than anything may take."""
        return self.is_running and time.monotonic() > self._until

    def let_go(self) -> None:
        """Ask it to end and ignore its further inputs; returns at once. It no longer turns the lamp on."""
        self._is_ended.set()
        with self._telling:  # an input that is being put is put before this returns
            pass

    def join(self, timeout_s: float) -> None:
        """Wait until it has ended, at most for the given time."""
        self._thread.join(timeout_s)

    def _allow(self, seconds: float) -> None:
        """Send a heartbeat: the next step takes at most the given time."""
        self._until = time.monotonic() + seconds

    def _run(self) -> None:
        """Open the camera and watch until the end, or until it is lost."""
        camera: Camera | None = None
        try:
            if self._orders.is_reopened.is_set():
                self._orders.is_reopened.clear()
                self._orders.tray = None
            with self._telling:
                if self._is_ended.is_set():
                    return
                self._orders.light(True)  # the watcher turns it off, as this thread may hang
            camera = self._orders.open_camera()
            self._warm_up()
            self._follow(camera)
        except CameraError as error:
            self._lost(error, error.trouble or (CameraTrouble.MISSING if camera is None else CameraTrouble.SILENT))
        except BaseException as error:  # a fault of the driver or the reader must not end the watching for good
            _log.exception("watching the tray failed")
            self._lost(error, CameraTrouble.HANGS)
        finally:
            if camera is not None:
                self._allow(OPEN_S)
                try:
                    camera.close()
                except Exception as error:  # a camera that was unplugged can fail in any way while it is released
                    _log.warning("the camera did not close: %s", error)

    def _warm_up(self) -> None:
        """Read an empty picture twice: to load the networks from a slow card, then to measure how long it takes."""
        empty = np.zeros((*_EMPTY_PX, 3), np.uint8)
        self._read(empty)
        began = time.monotonic()
        self._read(empty)
        self._step_s = max(STEP_S, SLOWER * (time.monotonic() - began))

    def _lost(self, error: BaseException, trouble: CameraTrouble) -> None:
        _log.warning("camera lost (%s): %s", trouble, error)
        self._say(TraySeen(TrayView.NO_CAMERA, trouble))

    def _look_at(self, shot: Shot, look: TrayLook) -> None:
        """Continue a look at the tray, and report its result."""
        self._allow(LOOK_S)
        measured = look.see(shot.picture(), shot.field_deg)
        if measured is None:
            return
        if self._orders.look is look:  # no other look was requested meanwhile
            self._orders.look = None
        if look.learnt is not None:
            self._orders.tray = self._orders.stored = look.learnt
        self._say(measured)

    def _follow(self, camera: Camera) -> None:
        # Dice that already lie there may have been read before the box was switched off: they are no new roll.
        settle = Settle(self._read, armed=False, on_empty=self._remember, is_bare=self._is_bare)
        liveness = LivenessCheck()
        while not self._is_ended.is_set() and not self._orders.is_reopened.is_set():
            self._allow(self._step_s)
            with camera.shot(FRAME_TIMEOUT_S) as shot:
                if liveness.is_live(shot.time_s, shot.small):
                    if not self.has_seen:
                        self._forget_another_place(shot.picture())
                    self.has_seen = True
                    self._take(shot, settle)

    def _take(self, shot: Shot, settle: Settle) -> None:
        """Handle a shot of a live camera according to the requests."""
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
            orders.thrown = orders.judged = SeenFrame(shot.picture(), seen.roll)
        is_judged = not orders.needs_tray and seen.state in (TrayState.UNREADABLE, TrayState.EMPTY)
        if is_judged and not self._is_judged:
            orders.judged = SeenFrame(shot.picture(), seen.reading)
        self._is_judged = is_judged
        orders.sights.serve(lambda: SeenFrame(shot.picture(), seen.reading, shot.field_deg))
        self._report(seen, shot.time_s)
        self._report_still(seen, shot.time_s)
        if seen.roll is not None:
            self._learn_pose(seen.roll, shot.picture())

    def _read(self, frame: Frame, before: Reading | None = None) -> Reading:
        return read(frame, self._orders.tray, self._orders.dice, before=before)

    def _learn_pose(self, reading: Reading, frame: Frame) -> None:
        """Learn the camera's pose from a roll. The first pose is stored, and each that differs from the stored one.

        A game begins with one die each, which only a known pose shows to be flat.
        """
        orders = self._orders
        if reading.certain_pose is None:
            return
        pose, size = reading.certain_pose, (frame.shape[1], frame.shape[0])
        orders.tray = with_pose(orders.tray, pose, size)
        stored = None if orders.stored is None else orders.stored.pose
        if stored is None or math.dist(stored.up, pose.up) >= POSE_CHANGED:
            self._store()

    def _remember(self, frame: Frame) -> None:
        """Learn the tray as it is now, empty: the light changes, and so do objects beside the dice.

        It is stored if it looks different from the stored one.
        """
        orders = self._orders
        orders.tray = remembered(frame, orders.tray)
        same = None if orders.stored is None else unchanged(frame, orders.stored, KnownTrayParams())
        if same is None or same.mean() < LOOKS_ALIKE:
            self._store()

    def _store(self) -> None:
        """Store what is known about the tray. If the camera was pushed since it was calibrated, the edge stays."""
        orders = self._orders
        tray, file = orders.tray, orders.calibration
        if file is None or tray is None:
            return
        if tray.edge is None and orders.stored is not None and orders.stored.edge is not None:
            tray = replace(Tray.learnt(tray.frame_size, orders.stored.edge, tray.empty), pose=tray.pose)
        if tray.edge is None and tray.empty is None:
            return  # nothing would show later that the camera has been moved since
        orders.stored = tray
        self._allow(LOOK_S)  # a card may be slow
        try:
            save(tray, file)
        except CalibrationError as error:
            _log.warning("what was learned about the tray could not be stored: %s", error)

    def _forget_another_place(self, frame: Frame) -> None:
        """Forget the empty tray if the camera sees something else now: it was moved, or the light has changed."""
        tray, params = self._orders.tray, KnownTrayParams()
        if tray is not None and is_tray_hidden(unchanged(frame, tray, params), params):
            _log.info("the camera does not see the stored place; it is learned again")
            self._orders.tray = None if tray.edge is None else replace(tray, empty=None, inside=None)

    def _is_bare(self, frame: Frame) -> bool:
        """Whether no die is in view, and whatever else is belongs to the place where dice are rolled."""
        return not self._orders.needs_tray and not find(frame, FinderParams()).faces

    def _report(self, seen: Observation, time_s: float) -> None:
        orders = self._orders
        is_moving = seen.state in (TrayState.HAND, TrayState.ROLLING)
        if not is_moving or self._still_s is None:
            self._still_s = time_s
        if is_moving or seen.state is TrayState.EMPTY:
            self._was_asked = False  # what lies there next was thrown
        if seen.bumped:
            orders.is_moved.set()
            # The tray is no longer where it was calibrated, however well the dice can be read.
            orders.tray = None
        if seen.roll is not None:
            orders.is_moved.clear()  # a roll has been read, so the camera still sees the tray
            self._say(roll_in(seen.roll, asked=self._was_asked))
            self._was_asked = False
        reading_now = seen.reading
        if orders.is_moved.is_set() and not is_moving:
            self._say(TraySeen(TrayView.MOVED))
        elif is_moving and time_s - self._still_s > MOVING_S:
            self._say(TraySeen(TrayView.UNREADABLE, Reason.MOVING.value))
        elif seen.state is TrayState.UNREADABLE and reading_now is not None and reading_now.reason is not None:
            self._say(TraySeen(TrayView.UNREADABLE, reading_now.reason.value, len(reading_now.dice)))
        elif seen.missed and reading_now is not None:
            self._say(TraySeen(TrayView.MISSED, values=reading_now.values))
        else:
            self._say(TraySeen(_VIEWS[seen.state]))

    def _report_still(self, seen: Observation, time_s: float) -> None:
        """Report once when nothing has moved for `CALM_S`, or for `MOVING_S` something has; again on request."""
        if self._orders.is_still_asked.is_set():
            self._orders.is_still_asked.clear()
            self._is_still_asked = True
            self._calm_s = time_s
        is_moving = seen.state in (TrayState.HAND, TrayState.ROLLING)
        moves_on = is_moving and self._still_s is not None and time_s - self._still_s > MOVING_S
        if is_moving and not moves_on:
            self._calm_s = time_s
        elif self._calm_s is not None and (moves_on or time_s - self._calm_s >= CALM_S):
            self._say(TrayStill(self._is_still_asked))
            self._calm_s, self._is_still_asked = None, False

    def _say(self, event: Input) -> None:
        """Report what is new, unless this worker was let go.

        One that wakes up after minutes must not throw dice into a game that has gone on.
        """
        with self._telling:
            if self._is_ended.is_set() or event == self._orders.told:
                return
            if isinstance(event, TraySeen):
                self._orders.told = event
            self._orders.put(event)
