"""From frames to one roll: wait until the dice lie still, read them more than once, and tell each throw once.

Frames are compared as small pictures. A picture is still for as long as nothing in it differs from the first frame of
the still time: comparing with that frame, not with the one before, also sees what creeps. The reader is called only
for still frames that have no verdict yet, so a tray that lies there costs next to nothing.

Whether what was read is a new roll is decided by the dice themselves: dice that kept their values and places are the
same throw, whatever has passed over the tray in between, and so are dice of which most were left alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Die, Frame, Reading, Reason

Small = NDArray[np.float32]
"""A frame made small and smooth: BGR in grey levels, shape (h, w, 3), at most `SettleParams.width_px` wide."""


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
        width_px: Width of the small picture, 80 to 320. At 160 a 12 mm die is still 6 px wide, and a still
            640x480 frame takes 0.7 ms in all on one x86-64 core.
        averaged_px: But each of its pixels averages at least so many by so many of the frame, 2 to 6, or the noise
            of small frames would show.
        smooth_px: Side of the square that the small picture is averaged over again, odd, 1 to 5. Measured as the
            fourth-largest pixel on 16 renderer scenes of 640x480 with all kinds of noise: 3 against 1 brings the most
            that noise does from 15 levels down to 5, and a die's move by 1 mm from 48 to 18 (the median).
        change_levels: A pixel has changed if a channel differs by more than so many grey levels of 255; 4 to 15.
            In that measurement noise reaches 5, and nine of ten moves by 1 mm exceed 11.
        noise_factor: But in noisy pictures by more than so many deviations of the noise; 6 to 12. In that
            measurement still pictures have 4.7 (the median), and nine of ten moves by 1 mm exceed 20.
        most_levels: And never needs more than so many grey levels, 12 to 40: a hand that fills most of the picture
            looks like noise everywhere. Noise of deviation 5 in a 640x480 frame asks for 7.
        change_px: So many changed pixels are a movement; 2 to 10. Four, as measured above.
        still_s: How long nothing may change before the first reading, in seconds, 0.08 to 0.3. A die on its
            edge before it tips stands for less than 0.1 s.
        agreeing: So many readings, each of another frame, must agree; 2 to 5. Three at 15 frames a second are
            ready 0.33 s after the last movement.
        retry_s: A still tray that could not be read is read again after so long, in seconds, 0.2 to 2.
        agree_part: Two readings have a die at the same place if its middle differs by less than this part of its
            size, 0.1 to 0.5. Still dice of the renderer's films differ by below 0.1.
        bump_part: Dice that all kept their values and whose middles have moved by less than this part of their
            size were only bumped, 0.3 to 1. A bump of the table shifts dice by some millimetres.
        stay_part: A die was left alone, while others were nudged, if its middle has moved by less than this part of
            its size, 0.12 to 0.2. Readings of a die that lies there differ by below 0.1. Of a new throw two dice of
            four come to lie so close to where dice of their values lay in one throw of a million; at 0.5 that
            happened in one of a thousand, and swallowed the throw.
        hand_part: What reaches over the picture's edge and covers more than this part of it is a hand, 0.02 to 0.1.
            A 19 mm die seen large covers 0.03; a hand with its arm 0.1 and more.
    """

    width_px: int = 160
    averaged_px: int = 3
    smooth_px: int = 3
    change_levels: float = 6.0
    noise_factor: float = 8.0
    most_levels: float = 20.0
    change_px: int = 4
    still_s: float = 0.12
    agreeing: int = 3
    retry_s: float = 0.5
    agree_part: float = 0.2
    bump_part: float = 0.5
    stay_part: float = 0.15
    hand_part: float = 0.05


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
    """

    state: TrayState
    reading: Reading | None = None
    roll: Roll | None = None


def shrink(frame: Frame, params: SettleParams) -> Small:
    """A frame made small by averaging, so that noise and grain are gone and movement is not."""
    height, width = frame.shape[:2]
    small_width = max(1, min(params.width_px, width // params.averaged_px))
    size = (small_width, max(1, round(height * small_width / width)))
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.blur(small, (params.smooth_px, params.smooth_px)), dtype=np.float32)


def changed(before: Small, now: Small, params: SettleParams) -> NDArray[np.bool_]:
    """Where two small pictures differ by more than noise and a common change of brightness, shape (h, w)."""
    difference = now - before
    # The middle of the differences is light or exposure; their spread about it, where most of the tray lies still,
    # is noise: 1.4826 times the median deviation is the deviation of a normal distribution.
    sample = difference[::3, ::3].reshape(-1, 3)
    common = np.median(sample, axis=0)
    noise = 1.4826 * float(np.median(np.abs(sample - common), axis=0).max())
    limit = min(max(params.change_levels, params.noise_factor * noise), params.most_levels)
    off = np.abs(difference - common)
    # Plane by plane, as numpy's maximum along a last axis of three took half of the whole step's time.
    most = np.maximum(np.maximum(off[..., 0], off[..., 1]), off[..., 2])
    return np.asarray(most > limit, dtype=np.bool_)


def reaches_in(mask: NDArray[np.bool_], params: SettleParams) -> bool:
    """Whether one connected change is large and comes over the picture's edge, as a hand does."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height, width = labels.shape
    for left, top, wide, high, area in stats[1:]:
        at_edge = left == 0 or top == 0 or left + wide == width or top + high == height
        if at_edge and area > params.hand_part * labels.size:
            return True
    return False


def _middle_and_size(die: Die) -> tuple[float, float, float]:
    x0, y0, x1, y1 = die.box
    return (x0 + x1) / 2, (y0 + y1) / 2, max(x1 - x0, y1 - y0)


def moved(before: tuple[Die, ...], now: tuple[Die, ...], part: float) -> int:
    """How many of the dice now do not lie where one with the same value lay before.

    Args:
        before: Dice of an earlier reading.
        now: Dice of a later one.
        part: A middle further off than this part of the die's size is another place.
    """
    left = list(before)
    count = 0
    for die in now:
        x, y, size = _middle_and_size(die)
        for other in left:
            other_x, other_y, _ = _middle_and_size(other)
            if other.value == die.value and math.hypot(x - other_x, y - other_y) < part * size:
                left.remove(other)
                break
        else:
            count += 1
    return count


class Settle:
    """Turns frames into rolls; owns no thread and no clock, so the same frames give the same rolls."""

    def __init__(
        self, read: Callable[[Frame], Reading], params: SettleParams | None = None, *, armed: bool = True
    ) -> None:
        """Start.

        Args:
            read: The reader; called for still frames only.
            params: The tunables; the defaults if None.
            armed: Whether dice that lie there at first are a roll; if not, they count as told already.
        """
        self._read = read
        self._params = params or SettleParams()
        self._anchor: Small | None = None
        self._anchor_s = -math.inf
        self._calm: Small | None = None
        self._time_s = -math.inf
        self._next_read_s = -math.inf
        self._readings: list[Reading] = []
        self._is_decided = False
        self._told: tuple[Die, ...] | None = None
        self._is_armed = armed
        self._was_empty = False
        self._seen = Observation(TrayState.ROLLING)

    def rearm(self) -> None:
        """Forget the last roll: the dice that lie there are read and told again, without a new throw."""
        self._told = None
        self._is_armed = True
        self._start_reading()

    def step(self, time_s: float, frame: Frame) -> Observation:
        """Take in one frame.

        Args:
            time_s: When it was taken, in seconds on any clock that only goes forwards.
            frame: uint8 BGR, shape (H, W, 3).

        Raises:
            ValueError: If the time is before the last frame's.
        """
        if time_s < self._time_s:
            raise ValueError(f"frame at {time_s} s comes after one at {self._time_s} s")
        self._time_s = time_s
        small = shrink(frame, self._params)
        if self._is_moving(small):
            self._anchor, self._anchor_s = small, time_s
            self._start_reading()
            self._seen = Observation(self._moving_state(small))
        elif not self._is_decided and time_s >= max(self._next_read_s, self._anchor_s + self._params.still_s):
            self._seen = self._look(time_s, frame)
            if self._is_decided:
                self._calm = small
            return self._seen
        return Observation(self._seen.state, self._seen.reading)

    def _is_moving(self, small: Small) -> bool:
        if self._anchor is None or self._anchor.shape != small.shape:
            return True
        return int(np.count_nonzero(changed(self._anchor, small, self._params))) >= self._params.change_px

    def _moving_state(self, small: Small) -> TrayState:
        """A hand or rolling dice, told apart by what differs from the last tray that lay still."""
        if self._calm is None or self._calm.shape != small.shape:
            return TrayState.ROLLING
        is_hand = reaches_in(changed(self._calm, small, self._params), self._params)
        return TrayState.HAND if is_hand else TrayState.ROLLING

    def _start_reading(self) -> None:
        self._readings = []
        self._is_decided = False
        self._next_read_s = -math.inf

    def _look(self, time_s: float, frame: Frame) -> Observation:
        """Read a still frame, and decide when enough readings agree."""
        reading = self._read(frame)
        if self._readings and not self._agree(self._readings[-1], reading):
            self._readings = []
        self._readings.append(reading)
        if len(self._readings) < self._params.agreeing:
            return Observation(self._seen.state, self._seen.reading)
        if reading.ok:
            self._is_decided = True
            return Observation(TrayState.STILL, reading, self._tell(time_s, reading))
        if reading.reason is Reason.NO_DICE:
            self._is_decided = True
            self._was_empty = True
            return Observation(TrayState.EMPTY, reading)
        # Noise or a flickering lamp may be all that is in the way: look again, but not at every frame, and one
        # more reading of the same kind is then enough to go on waiting.
        self._readings.pop(0)
        self._next_read_s = time_s + self._params.retry_s
        return Observation(TrayState.HAND if reading.reason is Reason.HAND else TrayState.UNREADABLE, reading)

    def _agree(self, one: Reading, other: Reading) -> bool:
        if not (one.ok and other.ok):
            return one.reason is other.reason
        same_count = len(one.dice) == len(other.dice)
        return same_count and moved(one.dice, other.dice, self._params.agree_part) == 0

    def _tell(self, time_s: float, reading: Reading) -> Roll | None:
        """The roll, if these dice are not the ones told last."""
        if self._told is not None and len(self._told) == len(reading.dice):
            # An empty tray in between is no proof of a throw, as a passing shadow can hide the dice; but then one
            # die elsewhere is enough. Without it most must lie elsewhere: a nudge moves one or two.
            is_bumped = moved(self._told, reading.dice, self._params.bump_part) == 0
            nudged = moved(self._told, reading.dice, self._params.stay_part)
            is_same = is_bumped or (not self._was_empty and 2 * nudged <= len(reading.dice))
        else:
            is_same = not self._is_armed and not self._was_empty
        self._is_armed = True
        self._told = reading.dice
        self._was_empty = False
        return None if is_same else Roll(reading, time_s)
