"""Turns frames into rolls: waits until the dice are still, reads them more than once, and reports each roll once.

Each question has its own file: is the picture still (`movement`), do two readings agree (`agreement`), is it a new roll
(`new_throw`), was the camera moved (`camera_push`). Only still frames without a verdict need the whole picture and the
reader, so an unchanged tray takes almost no time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from vision.settling.agreement import Agreement
from vision.settling.camera_push import Viewpoint
from vision.settling.movement import Movement, Small, grey_of
from vision.settling.new_throw import LastThrow
from vision.types import Frame, Grey, Reading, Reason

Reader = Callable[[Frame, Reading | None], Reading]
"""Reads a frame. Its second argument is the reading of the previous frame if nothing has moved since."""

STILL_S = 0.1  # how long dice must lie still before they are read, in seconds; 0.06 to 0.3
HAND_S = 2.0  # time after which a still hand is an object, to remove or a part of the place, in seconds; 1 to 3


class TrayState(StrEnum):
    """The state of the tray, in the players' terms."""

    EMPTY = "empty"
    HAND = "hand"
    ROLLING = "rolling"
    STILL = "still"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Observation:
    """The result of one frame.

    Attributes:
        state: State of the tray.
        reading: Reading behind this state: the dice of a still tray, or why they cannot be read; None during
            movement and before the first reading.
        roll: The reading of a new roll; each roll appears in exactly one observation.
        bumped: Whether the camera or the tray was moved; True in exactly one observation for each move.
        missed: Whether the dice of a still tray may be a roll that was not reported: they were there at the start, or
            show other values than the last roll although most of them have not moved.
    """

    state: TrayState
    reading: Reading | None = None
    roll: Reading | None = None
    bumped: bool = False
    missed: bool = False


class Settle:
    """Turns frames into rolls. It has no thread and no clock, so the same frames always give the same rolls."""

    def __init__(
        self,
        read: Reader,
        *,
        armed: bool = True,
        on_empty: Callable[[Frame], None] = lambda _: None,
        is_bare: Callable[[Frame], bool] = lambda _: False,
    ) -> None:
        """Start.

        Args:
            read: The reader; called for still frames only.
            armed: Whether dice that are there at the start are a roll; if not, they count as already reported.
            on_empty: Called with the frame each time the tray is still and empty.
            is_bare: Whether an object that lies still in a frame belongs to the place where dice are rolled, such as a
                sheet of paper, and no die is in view. Without a tray, it is empty then.
        """
        self._read, self._on_empty, self._is_bare = read, on_empty, is_bare
        self._movement = Movement()
        self._agreement = Agreement()
        self._throw = LastThrow(armed=armed)
        self._viewpoint = Viewpoint()
        self._seen = Observation(TrayState.ROLLING)

    def rearm(self) -> None:
        """Forget the last roll: the dice in the tray are read and reported again."""
        self._throw.rearm()
        self._agreement.restart()

    def see(self, time_s: float, frame: Frame) -> Observation:
        """Add a frame without a small picture; see `step`."""
        return self.step(time_s, grey_of(frame), lambda: frame)

    def step(self, time_s: float, grey: Grey, picture: Callable[[], Frame]) -> Observation:
        """Add a frame.

        Args:
            time_s: Its time in seconds, on any monotonic clock; not before that of the last frame.
            grey: The small picture, uint8, shape (h, w).
            picture: Returns the whole picture of the same moment, (H, W, 3) uint8, BGR; called only to read it.
        """
        small = self._movement.see(time_s, grey)
        if self._movement.is_moving:
            self._agreement.restart()
            self._seen = Observation(TrayState.ROLLING)
        elif time_s >= self._movement.since_s + STILL_S and self._agreement.wants_reading(time_s):
            self._seen = self._look(time_s, picture(), small)
            return self._seen
        return Observation(self._seen.state, self._seen.reading, missed=self._seen.missed)

    def _look(self, time_s: float, frame: Frame, small: Small) -> Observation:
        """Read a still frame."""
        reading = self._agreement.add(time_s, self._read(frame, self._agreement.last))
        if reading is None:
            return Observation(self._seen.state, self._seen.reading)
        bumped = self._agreement.has_just_decided and self._viewpoint.was_pushed(small, frame.shape[1], reading)
        if reading.ok:
            is_new = self._throw.is_new(reading)
            missed = not is_new and self._throw.may_be_missed(reading)
            return Observation(TrayState.STILL, reading, reading if is_new else None, bumped, missed)
        is_hand = reading.reason is Reason.HAND and time_s < self._movement.since_s + HAND_S
        is_object = reading.reason is Reason.HAND and not is_hand
        if reading.reason is Reason.NO_DICE or (is_object and self._is_bare(frame)):
            self._throw.saw_empty()
            self._on_empty(frame)
            return Observation(TrayState.EMPTY, reading, bumped=bumped)
        self._throw.saw_unreadable(reading.dice)
        return Observation(TrayState.HAND if is_hand else TrayState.UNREADABLE, reading, bumped=bumped)
