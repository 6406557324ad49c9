"""Is the picture still, or does something move?

Frames are compared as small grey pictures, which a camera gives beside its whole ones. A picture is still for as long
as nothing in it differs from the first of the still time: comparing with that one, not with the one before, also sees
what creeps. Light that changes smoothly over the picture, as that of a soft shadow or of the camera's own exposure, is
no movement.

Grey is not only less work than colour but sees more: of 150 random scenes of the renderer the noise of the sensor alone
counted as movement in 4 with the three colours, in none with grey, and a die's move by 1 mm was not seen in 12 and in 4
(each with the limits that suited it: 6 levels, and `MovementParams.change_levels`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame, Grey

GREY_PX = (320, 240)
"""Width and height of a camera's small pictures: each of their pixels averages four of a frame of 640x480, and a width
that is a multiple of 64 needs no padding on any Pi."""

_WIDTH_PX, _AVERAGED_PX, _SMOOTH_PX = 160, 2, 3
"""They are made smaller: this wide, each pixel the mean of at least this square, and of that square of such pixels."""

Small = NDArray[np.float32]
"""Such a picture made smaller and smooth: grey levels, shape (h, w)."""

_DARK_LEVELS = 1.0
"""Grey levels added before levels are divided: in the dark all is noise."""


@dataclass(frozen=True, slots=True)
class MovementParams:
    """The tunables of seeing movement.

    Attributes:
        change_levels: Grey levels by which a pixel has changed; 3 to 10.
        noise_factor: Deviations of the noise by which it has changed in a noisy picture; 6 to 12.
        most_levels: Grey levels that are always a change; 12 to 40.
        change_px: Number of changed pixels that is a movement; 2 to 10.
        shade_part: Side of the surroundings over which light may change alike, as a part of the width; 0.15 to 0.5.
        still_s: How long nothing may change before the first reading, seconds; 0.06 to 0.3.
        hand_part: Part of the picture from which what reaches over its edge is a hand; 0.02 to 0.1.
    """

    change_levels: float = 4.0
    noise_factor: float = 8.0
    most_levels: float = 20.0
    change_px: int = 4
    shade_part: float = 0.25
    still_s: float = 0.1
    hand_part: float = 0.05


class Movement:
    """Watches the small pictures.

    Attributes:
        is_moving: Whether something has moved in the last picture.
        since_s: When it last moved; nothing has changed since.
    """

    def __init__(self, params: MovementParams) -> None:
        self._params = params
        self._first: Small | None = None
        self._settled: Small | None = None
        self.is_moving = True
        self.since_s = -math.inf

    def see(self, time_s: float, grey: Grey) -> Small:
        """Take in a small picture; return it made smaller still."""
        small = shrink(grey)
        self.is_moving = self._differs(small)
        if self.is_moving:
            self._first, self.since_s = small, time_s
        return small

    def has_settled(self, time_s: float) -> bool:
        """Whether nothing has moved for long enough to read the dice."""
        return not self.is_moving and time_s >= self.since_s + self._params.still_s

    def decided(self, small: Small) -> None:
        """Remember the picture of a tray whose dice, or their absence, are known: what a hand is told by."""
        self._settled = small

    def is_hand(self, small: Small) -> bool:
        """Whether what differs from the last settled tray reaches over the picture's edge, as a hand does."""
        if self._settled is None or self._settled.shape != small.shape:
            return False
        return reaches_in(covered(self._settled, small, self._params), self._params)

    def _differs(self, small: Small) -> bool:
        if self._first is None or self._first.shape != small.shape:
            return True
        return int(np.count_nonzero(changed(self._first, small, self._params))) >= self._params.change_px


def grey_of(frame: Frame) -> Grey:
    """Return the small picture that a camera delivers with a frame: grey, at most `GREY_PX` large."""
    height, width = frame.shape[:2]
    scale = min(1.0, GREY_PX[0] / width, GREY_PX[1] / height)
    size = (max(1, round(scale * width)), max(1, round(scale * height)))
    return np.asarray(cv2.cvtColor(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY))


def shrink(grey: Grey) -> Small:
    """Return a small picture reduced by averaging, which removes noise and grain but no movement."""
    height, width = grey.shape
    small_width = max(1, min(_WIDTH_PX, width // _AVERAGED_PX))
    size = (small_width, max(1, round(height * small_width / width)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.blur(small, (_SMOOTH_PX, _SMOOTH_PX)), dtype=np.float32)


def changed(before: Small, now: Small, params: MovementParams) -> NDArray[np.bool_]:
    """Return where two small pictures differ by more than noise and a change of light, shape (h, w).

    A change of light multiplies: of all of the picture, where lamp or exposure change, or smoothly over it, where a
    shadow passes. What it multiplies by is the relation of the two pictures' surroundings of each pixel.
    """
    side = max(3, round(params.shade_part * now.shape[1]))
    surroundings = [cv2.blur(small, (side, side)) + _DARK_LEVELS for small in (before, now)]
    difference = now - before * (surroundings[1] / surroundings[0])
    return _beyond_noise(difference, params)


def covered(before: Small, now: Small, params: MovementParams) -> NDArray[np.bool_]:
    """Return where two small pictures differ by more than noise and a common factor of brightness, shape (h, w)."""
    sample = now[::3, ::3] + _DARK_LEVELS, before[::3, ::3] + _DARK_LEVELS
    return _beyond_noise(now - before * np.float32(np.median(sample[0] / sample[1])), params)


def _beyond_noise(difference: Small, params: MovementParams) -> NDArray[np.bool_]:
    # The spread of the differences, where most of the tray lies still, is noise: 1.4826 times the median deviation
    # is the deviation of a normal distribution.
    off = np.abs(difference)
    noise = 1.4826 * float(np.median(off[::3, ::3]))
    limit = min(max(params.change_levels, params.noise_factor * noise), params.most_levels)
    return np.asarray(off > limit, dtype=np.bool_)


def reaches_in(mask: NDArray[np.bool_], params: MovementParams) -> bool:
    """Whether one connected change is large and comes over the picture's edge, as a hand does."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    height, width = labels.shape
    for left, top, wide, high, area in stats[1:]:
        at_edge = left == 0 or top == 0 or left + wide == width or top + high == height
        if at_edge and area > params.hand_part * labels.size:
            return True
    return False
