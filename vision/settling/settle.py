"""From frames to one roll: wait until the dice lie still, read them more than once, and tell each throw once.

Each question has a file of its own: is the picture still (`movement`), do two readings agree (`agreement`), is it a new
throw (`new_throw`), was the camera pushed (`camera_push`). The whole picture is asked for, and the reader called, only
for still frames that have no verdict yet, so a tray that lies there costs next to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from vision.settling.agreement import Agreement, AgreementParams, Outcome
from vision.settling.camera_push import PushParams, Viewpoint
from vision.settling.movement import Movement, MovementParams, Small, grey_of
from vision.settling.new_throw import LastThrow, NewThrowParams
from vision.types import Frame, Grey, Reading, Reason

Reader = Callable[[Frame, Reading | None], Reading]
"""Reads a frame; it is also given the reading of the frame before if nothing has moved since."""


class TrayState(StrEnum):
    """What the tray does, as the players would say it."""

    EMPTY = "empty"
    HAND = "hand"
    ROLLING = "rolling"
    STILL = "still"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class SettleParams:
    """The tunables of settling.

    Attributes:
        movement: Still or moving.
        agreement: Two readings agree.
        throw: Is it a new throw.
        push: Was the camera pushed.
        hand_s: How long what lies over still dice is called a hand, seconds; then it is a thing to take away; 1 to 3.
    """

    movement: MovementParams = field(default_factory=MovementParams)
    agreement: AgreementParams = field(default_factory=AgreementParams)
    throw: NewThrowParams = field(default_factory=NewThrowParams)
    push: PushParams = field(default_factory=PushParams)
    hand_s: float = 2.0


@dataclass(frozen=True, slots=True)
class Roll:
    """One throw, told once.

    Attributes:
        reading: The dice; always one that can be relied on.
        time_s: The time of the frame that decided it.
    """

    reading: Reading
    time_s: float


@dataclass(frozen=True, slots=True)
class Observation:
    """What one frame added to the story.

    Attributes:
        state: What the tray does.
        reading: The reading that this state rests on: the dice of a still tray, or why they cannot be read; None
            while things move and before the first reading.
        roll: A new roll, in exactly one observation of each throw.
        bumped: The camera sees the tray from elsewhere than before: it or the tray was pushed. In exactly one
            observation of each push.
        missed: Whether the dice of a still tray may be a throw that was not told as a roll: they lay there at first,
            or show other values than the last roll though most of them have not moved.
    """

    state: TrayState
    reading: Reading | None = None
    roll: Roll | None = None
    bumped: bool = False
    missed: bool = False


class Settle:
    """Turns frames into rolls; owns no thread and no clock, so the same frames give the same rolls."""

    def __init__(
        self,
        read: Reader,
        params: SettleParams | None = None,
        *,
        armed: bool = True,
        on_empty: Callable[[Frame], None] = lambda _: None,
    ) -> None:
        """Start.

        Args:
            read: The reader; called for still frames only.
            params: The tunables; the defaults if None.
            armed: Whether dice that lie there at first are a roll; if not, they count as told already.
            on_empty: Is given the frame each time that the tray lies there empty.
        """
        params = params or SettleParams()
        self._read, self._on_empty, self._hand_s = read, on_empty, params.hand_s
        self._movement = Movement(params.movement)
        self._agreement = Agreement(params.agreement)
        self._throw = LastThrow(params.throw, armed=armed)
        self._viewpoint = Viewpoint(params.push, params.throw)
        self._time_s = -math.inf
        self._seen = Observation(TrayState.ROLLING)

    def rearm(self) -> None:
        """Forget the last roll: the dice that lie there are read and told again, without a new throw."""
        self._throw.rearm()
        self._agreement.restart()

    def see(self, time_s: float, frame: Frame) -> Observation:
        """Take in a frame that comes without a small picture; see `step`."""
        return self.step(time_s, grey_of(frame), lambda: frame)

    def step(self, time_s: float, grey: Grey, picture: Callable[[], Frame]) -> Observation:
        """Take in one frame.

        Args:
            time_s: When it was taken, in seconds on any clock that only goes forwards.
            grey: The small picture, uint8, shape (h, w).
            picture: Gives the whole one of the same moment, uint8 BGR, shape (H, W, 3); called where it is to be read.

        Raises:
            ValueError: If the time is before the last frame's.
        """
        if time_s < self._time_s:
            raise ValueError(f"frame at {time_s} s comes after one at {self._time_s} s")
        self._time_s = time_s
        small = self._movement.see(time_s, grey)
        if self._movement.is_moving:
            self._agreement.restart()
            self._seen = Observation(TrayState.HAND if self._movement.is_hand(small) else TrayState.ROLLING)
        elif self._movement.has_settled(time_s) and self._agreement.wants_reading(time_s):
            self._seen = self._look(time_s, picture(), small)
            return self._seen
        return Observation(self._seen.state, self._seen.reading, missed=self._seen.missed)

    def _look(self, time_s: float, frame: Frame, small: Small) -> Observation:
        """Read a still frame."""
        outcome, reading = self._agreement.add(time_s, self._read(frame, self._agreement.last))
        if outcome is Outcome.OPEN:
            return Observation(self._seen.state, self._seen.reading)
        if outcome is Outcome.UNREADABLE:
            self._throw.saw_unreadable(reading.dice)
            bumped = self._agreement.has_just_failed and self._viewpoint.was_pushed(small, frame.shape[1], reading)
            is_hand = reading.reason is Reason.HAND and time_s < self._movement.since_s + self._hand_s
            return Observation(TrayState.HAND if is_hand else TrayState.UNREADABLE, reading, bumped=bumped)
        self._movement.decided(small)
        bumped = self._viewpoint.was_pushed(small, frame.shape[1], reading)
        if reading.ok:
            is_new = self._throw.is_new(reading)
            missed = not is_new and self._throw.may_be_missed(reading)
            return Observation(TrayState.STILL, reading, Roll(reading, time_s) if is_new else None, bumped, missed)
        self._throw.saw_empty()
        self._on_empty(frame)
        return Observation(TrayState.EMPTY, reading, bumped=bumped)
