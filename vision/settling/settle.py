"""From frames to one roll: wait until the dice lie still, read them more than once, and tell each throw once.

Frames are compared as small grey pictures, which a camera gives beside its whole ones. A picture is still for as long
as nothing in it differs from the first of the still time: comparing with that one, not with the one before, also sees
what creeps. Light that changes smoothly over the picture, as that of a soft shadow or of the camera's own exposure, is
no movement. The whole picture is asked for, and the reader called, only for still frames that have no verdict yet, so a
tray that lies there costs next to nothing.

Grey is not only less work than colour but sees more: of 150 random scenes of the renderer the noise of the sensor alone
counted as movement in 4 with the three colours, in none with grey, and a die's move by 1 mm was not seen in 12 and in 4
(each with the limits that suited it: 6 levels, and `SettleParams.change_levels`).

Whether what was read is a new roll is decided by the dice themselves: dice that kept their values and places are the
same throw, whatever has passed over the tray in between; so are dice of which most were left alone, and dice that lie
to one another as before, seen by a camera that was moved.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import takewhile

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.settling.arrangement import kept, lie_alike, moved, stayed, went_together
from vision.settling.push import Background, BumpParams, Match, background, compare
from vision.types import Die, Frame, Grey, Reading, Reason

GREY_PX = (320, 240)
"""Width and height of a camera's small pictures: each of their pixels averages four of a frame of 640x480, and a width
that is a multiple of 64 needs no padding on any Pi."""

Small = NDArray[np.float32]
"""Such a picture made smaller and smooth: grey levels, shape (h, w), at most `SettleParams.width_px` wide."""


class TrayState(StrEnum):
    """What the tray does, as the players would say it."""

    EMPTY = "empty"
    HAND = "hand"
    ROLLING = "rolling"
    STILL = "still"
    UNREADABLE = "unreadable"


_VEILED = (Reason.HAND, Reason.DARK, Reason.BLURRED, Reason.MOVING)
"""Pictures that are refused for these reasons do not show the tray well enough to say where it is."""


@dataclass(frozen=True, slots=True)
class SettleParams:
    """The tunables of settling.

    Attributes:
        width_px: Width of the smaller picture, 80 to 320. At 160 a 12 mm die is still 6 px wide.
        averaged_px: But each of its pixels averages at least so many by so many of the camera's small picture, 2 to
            4, or the noise would show.
        smooth_px: Side of the square that it is averaged over again, odd, 1 to 5. Measured as the fourth-largest
            pixel, here and below, on 150 random scenes of 640x480 with all kinds of noise.
        change_levels: A pixel has changed if it differs by more than so many grey levels of 255; 3 to 10. In that
            measurement noise does 1.8 (the median), and nine of ten moves of a die by 1 mm exceed 6.9.
        noise_factor: But in noisy pictures by more than so many deviations of the noise; 6 to 12. In that
            measurement still pictures reach 4.4 (the median) and 7.9 (the most), and nine of ten moves by 1 mm
            exceed 12.
        most_levels: And never needs more than so many grey levels, 12 to 40: a hand that fills most of the picture
            looks like noise everywhere. Noise of deviation 5 in a 640x480 frame asks for 7.
        change_px: So many changed pixels are a movement; 2 to 10. Four, as measured above.
        shade_part: Side of the surroundings over which the light may change alike, as a part of the width, 0.15 to
            0.5. At 0.25, in 40 renderer scenes of 640x480: half of the exposure changes no pixel in nine of ten, nor
            does a shadow with an edge 200 pixels soft; and each die's move by 1 mm is seen (8 levels at least, 20 the
            median; noise reaches 5).
        dark_levels: Added to the surroundings before a change of light is worked out from them, in grey levels, 0.5
            to 4; keeps a black picture from dividing by nothing.
        still_s: How long nothing may change before the first reading, in seconds, 0.06 to 0.3. A die on its
            edge before it tips stands for less than 0.1 s.
        agreeing: So many readings in a row, each of another frame, must agree; 2 to 4. Two at 15 frames a second are
            ready 0.27 s after the last movement, and leave time for one that is refused in between.
        patience: After so many readings without a verdict the tray is unreadable, and is read less often; `agreeing`
            to 8.
        retry_s: A still tray that could not be read is read again after so long, in seconds, 0.2 to 2.
        agree_part: Two readings have a die at the same place if its middle differs by less than this part of its
            size, 0.1 to 0.5. Still dice of the renderer's films differ by below 0.1.
        bump_part: Three or more dice that all kept their values and whose middles have moved by less than this part
            of their size were only bumped, 0.5 to 1.5. Of two throws after one another, four dice each in 11 to 18 cm
            of the tray, three in a million agree so far by chance at 1.0, and forty at 1.5.
        shove_part: One die in four was nudged and shoved the others, or a tray with one or two dice was bumped, if
            the others moved by less than this part, 0.3 to 0.6. For four dice at 0.5 that is chance in five throws of
            a million; for a single die in one to three of a thousand, which two throws of a roll-off can bear.
        stay_part: A die was left alone, while up to a half of the others were nudged, if its middle has moved by less
            than this part of its size, 0.12 to 0.2. Readings of a die that lies there differ by below 0.1. At 0.15 it
            is chance in five throws of a million; at 0.5 in seven of ten thousand.
        hand_part: What reaches over the picture's edge and covers more than this part of it is a hand, 0.02 to 0.1.
            A 19 mm die seen large covers 0.03; a hand with its arm 0.1 and more.
        hand_s: And what is in the way is a hand for so long while nothing moves, in seconds, 1 to 3: nobody holds one
            still for longer, so it is a thing, which the players must take away.
        most_zoom: Dice that lie to one another as before may look larger or smaller by up to this factor, 1.1 to 1.5,
            where the camera was moved.
        bump: Of noticing that the camera was moved.
    """

    width_px: int = 160
    averaged_px: int = 2
    smooth_px: int = 3
    change_levels: float = 4.0
    noise_factor: float = 8.0
    most_levels: float = 20.0
    change_px: int = 4
    shade_part: float = 0.25
    dark_levels: float = 1.0
    still_s: float = 0.1
    agreeing: int = 2
    patience: int = 4
    retry_s: float = 0.5
    agree_part: float = 0.2
    bump_part: float = 1.0
    shove_part: float = 0.5
    stay_part: float = 0.15
    hand_part: float = 0.05
    hand_s: float = 2.0
    most_zoom: float = 1.3
    bump: BumpParams = field(default_factory=BumpParams)


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


def grey_of(frame: Frame) -> Grey:
    """Give the small picture that a camera would have given beside a frame: grey, at most `GREY_PX` large."""
    height, width = frame.shape[:2]
    scale = min(1.0, GREY_PX[0] / width, GREY_PX[1] / height)
    size = (max(1, round(scale * width)), max(1, round(scale * height)))
    return np.asarray(cv2.cvtColor(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY))


def shrink(grey: Grey, params: SettleParams) -> Small:
    """A small picture made smaller by averaging, so that noise and grain are gone and movement is not."""
    height, width = grey.shape
    small_width = max(1, min(params.width_px, width // params.averaged_px))
    size = (small_width, max(1, round(height * small_width / width)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.blur(small, (params.smooth_px, params.smooth_px)), dtype=np.float32)


def changed(before: Small, now: Small, params: SettleParams) -> NDArray[np.bool_]:
    """Where two small pictures differ by more than noise and a change of light, shape (h, w).

    A change of light multiplies: of all of the picture, where lamp or exposure change, or smoothly over it, where a
    shadow passes. What it multiplies by is the relation of the two pictures' surroundings of each pixel.
    """
    side = max(3, round(params.shade_part * now.shape[1]))
    surroundings = [cv2.blur(small, (side, side)) + params.dark_levels for small in (before, now)]
    difference = now - before * (surroundings[1] / surroundings[0])
    return _beyond_noise(difference, params)


def covered(before: Small, now: Small, params: SettleParams) -> NDArray[np.bool_]:
    """Where two small pictures differ by more than noise and a common factor of brightness, shape (h, w)."""
    sample = now[::3, ::3] + params.dark_levels, before[::3, ::3] + params.dark_levels
    return _beyond_noise(now - before * np.float32(np.median(sample[0] / sample[1])), params)


def _beyond_noise(difference: Small, params: SettleParams) -> NDArray[np.bool_]:
    # The spread of the differences, where most of the tray lies still, is noise: 1.4826 times the median deviation
    # is the deviation of a normal distribution.
    off = np.abs(difference)
    noise = 1.4826 * float(np.median(off[::3, ::3]))
    limit = min(max(params.change_levels, params.noise_factor * noise), params.most_levels)
    return np.asarray(off > limit, dtype=np.bool_)


def reaches_in(mask: NDArray[np.bool_], params: SettleParams) -> bool:
    """Whether one connected change is large and comes over the picture's edge, as a hand does."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height, width = labels.shape
    for left, top, wide, high, area in stats[1:]:
        at_edge = left == 0 or top == 0 or left + wide == width or top + high == height
        if at_edge and area > params.hand_part * labels.size:
            return True
    return False


def same_throw(before: Sequence[Die], now: Sequence[Die], params: SettleParams) -> bool:
    """Whether dice are those of an earlier reading, lying there, bumped, nudged or seen by a camera that was moved.

    Args:
        before: Dice of the earlier reading.
        now: As many dice of the later one.
        params: The tunables.
    """
    count = len(now)
    return (
        (count > 2 and moved(before, now, params.bump_part) == 0)
        or moved(before, now, params.shove_part) <= count // 4
        or moved(before, now, params.stay_part) <= count // 2
        or (count > 2 and lie_alike(before, now, params.stay_part, params.most_zoom))
    )


class Settle:
    """Turns frames into rolls; owns no thread and no clock, so the same frames give the same rolls."""

    def __init__(
        self,
        read: Callable[[Frame], Reading],
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
        self._read = read
        self._on_empty = on_empty
        self._params = params or SettleParams()
        self._anchor: Small | None = None
        self._anchor_s = -math.inf
        self._calm: Small | None = None
        self._time_s = -math.inf
        self._next_read_s = -math.inf
        self._home: Background | None = None
        self._lay: tuple[Die, ...] = ()
        self._readings: deque[Reading] = deque(maxlen=self._params.patience)
        self._looks = 0
        self._is_decided = False
        self._told: tuple[Die, ...] | None = None
        self._rolled: tuple[int, ...] | None = None  # the values of the last roll, however the dice lie by now
        self._is_armed = armed
        self._unread: tuple[Die, ...] = ()  # what lay there at first and could not be read
        self._was_empty = False
        self._seen = Observation(TrayState.ROLLING)

    def rearm(self) -> None:
        """Forget the last roll: the dice that lie there are read and told again, without a new throw."""
        self._told = None
        self._is_armed = True
        self._start_reading()

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
        small = shrink(grey, self._params)
        if self._is_moving(small):
            self._anchor, self._anchor_s = small, time_s
            self._start_reading()
            self._seen = Observation(self._moving_state(small))
        elif not self._is_decided and time_s >= max(self._next_read_s, self._anchor_s + self._params.still_s):
            self._seen = self._look(time_s, picture(), small)
            return self._seen
        return Observation(self._seen.state, self._seen.reading, missed=self._seen.missed)

    def _is_moving(self, small: Small) -> bool:
        if self._anchor is None or self._anchor.shape != small.shape:
            return True
        return int(np.count_nonzero(changed(self._anchor, small, self._params))) >= self._params.change_px

    def _moving_state(self, small: Small) -> TrayState:
        """A hand or rolling dice, told apart by what differs from the last tray that lay still."""
        if self._calm is None or self._calm.shape != small.shape:
            return TrayState.ROLLING
        is_hand = reaches_in(covered(self._calm, small, self._params), self._params)
        return TrayState.HAND if is_hand else TrayState.ROLLING

    def _start_reading(self) -> None:
        self._readings.clear()
        self._looks = 0
        self._is_decided = False
        self._next_read_s = -math.inf

    def _look(self, time_s: float, frame: Frame, small: Small) -> Observation:
        """Read a still frame, and decide when enough readings in a row agree."""
        reading = self._read(frame)
        self._readings.append(reading)
        self._looks += 1
        alike = list(takewhile(lambda one: self._agree(one, reading), reversed(self._readings)))
        if len(alike) >= self._params.agreeing:
            self._is_decided = True
            self._calm = small
            bumped = self._was_bumped(frame, small, reading)
            if reading.ok:
                roll = self._tell(time_s, reading)
                missed = roll is None and reading.values != self._rolled
                return Observation(TrayState.STILL, reading, roll, bumped, missed)
            self._was_empty = True
            self._is_armed = self._is_armed or not self._unread  # whatever comes into an empty tray was thrown
            self._on_empty(frame)
            return Observation(TrayState.EMPTY, reading, bumped=bumped)
        if self._looks < self._params.patience:
            return Observation(self._seen.state, self._seen.reading)
        # Noise or a flickering lamp may be all that is in the way: look again, but not at every frame, unless it has
        # just become readable.
        refused = next((one for one in reversed(self._readings) if not one.ok), None)
        if not alike or refused is None:
            self._next_read_s = time_s + self._params.retry_s
        refused = refused or Reading(reading.dice, Reason.UNSURE, "readings of the same still dice do not agree")
        self._unread = self._unread or refused.dice
        bumped = self._looks == self._params.patience and self._was_bumped(frame, small, refused)
        is_hand = refused.reason is Reason.HAND and time_s < self._anchor_s + self._params.hand_s
        return Observation(TrayState.HAND if is_hand else TrayState.UNREADABLE, refused, bumped=bumped)

    def _agree(self, one: Reading, other: Reading) -> bool:
        """Whether two readings come to the same verdict: these dice, or an empty tray."""
        if not (one.ok and other.ok):
            return one.reason is Reason.NO_DICE and other.reason is Reason.NO_DICE
        same_count = len(one.dice) == len(other.dice)
        return same_count and moved(one.dice, other.dice, self._params.agree_part) == 0

    def _was_bumped(self, frame: Frame, small: Small, reading: Reading) -> bool:
        """Whether the tray is seen from elsewhere than before; from now on this is where it is seen from."""
        if reading.reason in _VEILED:
            return False
        scale = small.shape[1] / frame.shape[1]
        now = background(small, [die.box for die in reading.dice], scale, self._params.bump)
        before, self._lay, lay = self._home, reading.dice, self._lay
        if before is None or before.relief.shape != now.relief.shape:
            self._home = now
            return False
        match = compare(before, now, self._params.bump)
        half_a_push_px = self._params.bump.least_part * frame.shape[1] / 2
        if match is Match.MOVED and stayed(lay, reading.dice, half_a_push_px) > 1:
            return False  # where two dice are seen in their places so is the tray, whatever else has changed
        if match is not Match.SAME:
            # What stays the same is not renewed, as a tray that is pushed a little by each throw is pushed far.
            self._home = now
        if match is Match.UNKNOWN:  # a floor without any feature: the dice tell
            far = self._params.shove_part
            return went_together(lay, reading.dice, self._params.stay_part, far, self._params.most_zoom)
        return match is Match.MOVED

    def _tell(self, time_s: float, reading: Reading) -> Roll | None:
        """The roll, if these dice are not the ones told last."""
        if self._told is not None and len(self._told) == len(reading.dice):
            is_same = same_throw(self._told, reading.dice, self._params)
        else:
            is_same = not self._is_armed and self._lay_there_at_first(reading.dice)
        self._is_armed = True
        self._told = reading.dice
        if is_same:
            return None
        self._rolled = reading.values
        return Roll(reading, time_s)

    def _lay_there_at_first(self, dice: tuple[Die, ...]) -> bool:
        """Whether the first dice that can be read are those that could not be: most of them lie where they lay.

        Else they were thrown since. Where nothing was seen to lie there, as in the dark, they may have lain there. Dice
        that were taken out and put back lie all where they lay, and to one another as before if the camera was moved.
        """
        lay = self._unread
        if not lay or (len(dice) > 2 and lie_alike(lay, dice, self._params.stay_part, self._params.most_zoom)):
            return True
        there = kept(lay, dice, self._params.shove_part)
        return (there if self._was_empty else 2 * there) >= len(dice)
