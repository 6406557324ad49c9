"""Has the camera moved relative to the tray? Two small pictures of a still tray are aligned.

The dice are masked out; only the background counts. Each pixel is compared with its surroundings (the relief), so a
change of light has little effect. The motion between the two pictures is the affine one with the best correlation (ECC:
Evangelidis and Psarakis, Parametric image alignment using enhanced correlation coefficient maximization, IEEE PAMI 30,
2008).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.settling.new_throw import STAYED, kept, went_together
from vision.types import Box, Die, Reading, Reason

Picture = NDArray[np.float32]
Mask = NDArray[np.bool_]


DIE_PART = 0.6  # width of the mask around a die for its sides and shadow, in sizes of the die; 0.4 to 1
LEAST_PART = 0.0125  # least motion of the picture's corners that counts, as a part of its width; 0.008 to 0.03
LEAST_MATCH = 0.8  # correlation from which two views match; 0.7 to 0.95
LEAST_GAIN = 0.6  # part of the difference to a correlation of 1 that a motion must remove; 0.3 to 0.7

_RELIEF_PART, _DARK_LEVELS = 0.2, 8.0
"""The side of a pixel's surroundings for comparison, as a part of the picture's width; and the grey levels added before
dividing, because the dark contains only noise."""

_FARTHEST_PART = 0.6  # motion of the picture's corners, as a part of its width, beyond which a match is due to chance
_MOST_PART = 0.2  # largest shift, as a part of the picture, that is tried as a first guess for ECC
_ITERATIONS = 20  # largest number of ECC iterations

_UNMOVED = np.eye(2, 3, dtype=np.float32)

_VEILED = (Reason.HAND, Reason.DARK, Reason.BLURRED, Reason.MOVING)
"""The reasons for a refusal with which the background does not show where the tray is, though the dice may: a known
tray seen from another place looks like one that a hand covers."""


class Viewpoint:
    """Remembers from where the camera sees the tray."""

    def __init__(self) -> None:
        self._home: Background | None = None
        self._lay: tuple[Die, ...] = ()

    def was_pushed(self, small: Picture, width: int, reading: Reading) -> bool:
        """Whether a still tray is seen from another place than before; `width` is the frame's in pixels."""
        is_veiled = reading.reason in _VEILED
        if is_veiled and not went_together(self._lay, reading.dice):
            return False
        now = background(small, [die.box for die in reading.dice], small.shape[1] / width)
        before, self._lay, lay = self._home, reading.dice, self._lay
        if before is None or before.relief.shape != now.relief.shape:
            self._home = now
            return False
        has_moved = None if is_veiled else compare(before, now)
        if has_moved and kept(lay, reading.dice, STAYED) > 1:
            return False  # if two dice are at their places, so is the tray, whatever else has changed
        if has_moved is not False:
            # An unchanged view does not replace the old one: a tray pushed a little by each roll ends up far away.
            self._home = now
        if has_moved is None:  # a floor without features: the dice decide
            return went_together(lay, reading.dice)
        return has_moved


class Background(NamedTuple):
    """The background of a still tray, for comparison with later ones.

    Attributes:
        relief: Pixels relative to their surroundings, (h, w).
        bare: Mask of pixels without dice, (h, w).
    """

    relief: Picture
    bare: Mask


def background(small: Picture, boxes: Iterable[Box], scale: float) -> Background:
    """Return the background of a still tray; `scale` is the size of the small picture / that of the boxes' frame."""
    side = max(3, round(_RELIEF_PART * small.shape[1]))
    around = cv2.blur(small, (side, side))
    bare = np.ones(small.shape, np.bool_)
    for x0, y0, x1, y1 in boxes:
        margin = DIE_PART * max(x1 - x0, y1 - y0)
        left, top = (max(0, int((edge - margin) * scale)) for edge in (x0, y0))
        right, bottom = (max(0, int((edge + margin) * scale) + 1) for edge in (x1, y1))
        bare[top:bottom, left:right] = False
    return Background(((small - around) / (around + _DARK_LEVELS)).astype(np.float32), bare)


def compare(before: Background, now: Background) -> bool | None:
    """Return whether the camera sees the same tray from another place in the second of two backgrounds of equal size.

    None if no motion aligns them: another light, another tray, or a view without features.
    """
    width, as_it_is = before.relief.shape[1], _correlation(before, now, _UNMOVED)
    best, away = as_it_is, 0.0
    for start in (_UNMOVED, _shift(before, now)):
        motion = _align(before, now, start)
        displaced, match = _displacement(motion, before.relief.shape), _correlation(before, now, motion)
        if displaced <= _FARTHEST_PART * width and match > best:
            best, away = match, displaced
    if best < LEAST_MATCH:
        return None
    gained = (best - as_it_is) / max(1.0 - as_it_is, 1e-6)
    return away > LEAST_PART * width and gained > LEAST_GAIN


def _shift(before: Background, now: Background) -> Picture:
    """Return the shift at which the middle of the earlier view fits best into the present one, as a 2x3 matrix."""
    height, width = before.relief.shape
    inset_x, inset_y = round(_MOST_PART * width), round(_MOST_PART * height)
    middle = (before.relief * before.bare)[inset_y : height - inset_y, inset_x : width - inset_x]
    fits = cv2.matchTemplate(now.relief * now.bare, np.ascontiguousarray(middle), cv2.TM_CCOEFF_NORMED)
    x, y = cv2.minMaxLoc(fits)[3]
    return np.array([[1, 0, x - inset_x], [0, 1, y - inset_y]], np.float32)


def _align(before: Background, now: Background, start: Picture) -> Picture:
    """Return the affine motion from before to now, 2x3, as far as ECC gets from a first guess."""
    both = (before.bare & now.bare).astype(np.uint8)
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _ITERATIONS, 1e-4)
    try:
        _, motion = cv2.findTransformECC(before.relief, now.relief, start.copy(), cv2.MOTION_AFFINE, until, both, 5)
    except cv2.error:
        return start  # no convergence
    return np.asarray(motion, np.float32)


def _correlation(before: Background, now: Background, motion: Picture) -> float:
    """Return Pearson's correlation of both reliefs where they show background, with the motion undone."""
    height, width = before.relief.shape
    undo = cv2.WARP_INVERSE_MAP
    relief = cv2.warpAffine(now.relief, motion, (width, height), flags=cv2.INTER_LINEAR | undo)
    bare = cv2.warpAffine(now.bare.astype(np.uint8), motion, (width, height), flags=cv2.INTER_NEAREST | undo)
    both = before.bare & (bare > 0)
    if np.count_nonzero(both) < both.size / 4:
        return -1.0
    one, other = before.relief[both], relief[both]
    one, other = one - one.mean(), other - other.mean()
    power = float(np.sqrt(float(one @ one) * float(other @ other)))
    return float(one @ other) / power if power > 0 else -1.0


def _displacement(motion: Picture, shape: tuple[int, ...]) -> float:
    """Return how far a motion moves the corner of the picture that it moves most, in pixels."""
    height, width = shape
    corners = np.array([(0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1)], np.float32)
    return float(np.linalg.norm(corners @ motion.T - corners[:, :2], axis=1).max())
