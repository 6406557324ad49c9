"""Is something moving in the picture?

The camera delivers small grey pictures along with whole ones; these are compared. A picture is still as long as nothing
differs from the first picture of the still period. The comparison is with the first one, not the previous one, so slow
movement is detected too. Light that changes smoothly over the picture, such as a soft shadow or the camera's exposure,
is not movement. Grey takes less time than colour and is more reliable.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame, Grey

GREY_PX = (320, 240)
"""The width and height of a camera's small pictures. Each pixel averages four of a 640x480 frame, and a width that is a
multiple of 64 needs no padding on any Pi."""

_WIDTH_PX, _AVERAGED_PX, _SMOOTH_PX = 160, 2, 3
"""How small pictures are reduced: the width, and the sides of two squares over which pixels are averaged in turn."""

Small = NDArray[np.float32]
"""A small picture, further reduced and smoothed: grey levels, shape (h, w)."""

_DARK_LEVELS = 1.0  # grey levels added before dividing, because the dark contains only noise


CHANGE_LEVELS = 4.0  # difference in grey levels from which a pixel has changed; 3 to 10
NOISE_FACTOR = 8.0  # the same in a noisy picture, in standard deviations of the noise; 6 to 12
MOST_LEVELS = 20.0  # difference that is always a change, in grey levels; 12 to 40
CHANGE_PX = 4  # number of changed pixels from which there is movement; 2 to 10
SHADE_PART = 0.25  # side of the surroundings in which light changes evenly, as a part of the width; 0.15 to 0.5


class Movement:
    """Detects movement in the small pictures.

    Attributes:
        is_moving: Whether something moved in the last picture.
        since_s: Time of the last movement, seconds.
    """

    def __init__(self) -> None:
        self._first: Small | None = None
        self.is_moving = True
        self.since_s = -math.inf

    def see(self, time_s: float, grey: Grey) -> Small:
        """Add a small picture; return it further reduced."""
        small = shrink(grey)
        first = self._first
        if first is None or first.shape != small.shape:
            self.is_moving = True
        else:
            self.is_moving = int(np.count_nonzero(changed(first, small))) >= CHANGE_PX
        if self.is_moving:
            self._first, self.since_s = small, time_s
        return small


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


def changed(before: Small, now: Small) -> NDArray[np.bool_]:
    """Return where two small pictures differ by more than noise and a change of light, shape (h, w).

    A change of light multiplies levels, evenly if a lamp or the exposure changes, smoothly over the picture if a shadow
    passes. The factor is estimated from the surroundings of each pixel in both pictures.
    """
    side = max(3, round(SHADE_PART * now.shape[1]))
    surroundings = [cv2.blur(small, (side, side)) + _DARK_LEVELS for small in (before, now)]
    off = np.abs(now - before * (surroundings[1] / surroundings[0]))
    is_beyond = off > CHANGE_LEVELS
    if not is_beyond.any():
        return np.asarray(is_beyond, dtype=np.bool_)  # whatever the noise
    # Most of the tray is still, so the spread of the differences is noise: 1.4826 times the median deviation is the
    # standard deviation of a normal distribution.
    noise = 1.4826 * float(np.median(off[::3, ::3]))
    limit = min(max(CHANGE_LEVELS, NOISE_FACTOR * noise), MOST_LEVELS)
    return np.asarray(off > limit, dtype=np.bool_)
