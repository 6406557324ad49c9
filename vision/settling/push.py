"""Has the camera moved against the tray? Two small pictures of a still tray are laid over one another.

The background is followed, not the dice: they are masked out. What counts is its relief, each pixel against its
surroundings, so that another light changes little. The motion between the two pictures is the affine one that makes
them correlate best (ECC: Evangelidis and Psarakis, Parametric image alignment using enhanced correlation coefficient
maximization, IEEE PAMI 30, 2008), sought from coarse to fine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Box

Picture = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Match(Enum):
    """How two views of a tray lie to one another."""

    SAME = auto()
    """The camera sees the tray as before."""
    MOVED = auto()
    """It sees the same tray from elsewhere: shifted, turned, nearer or farther."""
    UNKNOWN = auto()
    """No motion brings them together: another light, another tray, or a view without any feature; then dice may tell,
    see `vision.settling.arrangement.went_together`."""


@dataclass(frozen=True, slots=True)
class BumpParams:
    """The tunables of noticing a bumped camera; pixels are those of the small picture.

    The figures are of 40 random scenes of 480x360 for each kind of change, with least_gain at 0.5. The same place was
    told in all 40 with the dice thrown anew; under a lamp of another kind from another side in 33, while 6 were
    unknown and one counted as moved. A camera shifted by 8, 20 or 40 pixels was told in 39, 40 and 39 of 40, one
    turned by 8 degrees in 38, one 7 % nearer in 40.

    Attributes:
        relief_part: Side of the surroundings that a pixel is compared with, as a part of the width, 0.1 to 0.4.
        dark_levels: Added to the surroundings before dividing by them, in grey levels, 4 to 16; keeps the noise of
            dark pictures small.
        die_part: How far around a die's top face its sides and its shadow are masked too, as a part of its size,
            0.4 to 1.
        least_part: A motion that brings no corner of the picture further than this part of its width is none, 0.008
            to 0.03. At 0.0125, 8 pixels of a 640 pixel frame, some 3 mm of a usual tray.
        farthest_part: And one that brings a corner further than this is none either, 0.5 to 1: little of the picture is
            left to compare then, and may agree by chance. Of 193 pushes that were found, by 5 to 30 mm, 2 to 10 degrees
            or 7 % of the distance, one brought a corner further than 0.25, to 0.51; a tray almost without features
            agreed with itself at 1.01.
        most_part: Shifts up to this part of the picture are looked for where ECC would not get by itself, 0.1 to
            0.3.
        least_match: Views belong together if they correlate so well at the best motion, 0.7 to 0.95. At 0.9 only 28
            of the 40 shifts by 40 pixels were found.
        least_gain: And a motion is believed if it takes away at least this part of what was missing to a correlation
            of 1, 0.3 to 0.7. At 0.6 the changed lamp gives the same counts.
        steps: Iterations at a quarter, a half and the whole of the small picture's size.
    """

    relief_part: float = 0.2
    dark_levels: float = 8.0
    die_part: float = 0.6
    least_part: float = 0.0125
    farthest_part: float = 0.6
    most_part: float = 0.2
    least_match: float = 0.8
    least_gain: float = 0.6
    steps: tuple[int, int, int] = (30, 20, 20)


@dataclass(frozen=True, slots=True)
class Background:
    """A still tray as it is compared with later ones.

    Attributes:
        relief: Each pixel against its surroundings, shape (h, w).
        bare: Where no die is in the way, shape (h, w).
    """

    relief: Picture
    bare: Mask


def background(small: Picture, boxes: Iterable[Box], scale: float, params: BumpParams) -> Background:
    """Take a still tray's background.

    Args:
        small: The small picture, grey, shape (h, w).
        boxes: Where the dice's top faces are, in pixels of the frame.
        scale: Size of the small picture / size of the frame.
        params: The tunables.
    """
    side = max(3, round(params.relief_part * small.shape[1]))
    around = cv2.blur(small, (side, side))
    bare = np.ones(small.shape, np.bool_)
    for x0, y0, x1, y1 in boxes:
        margin = params.die_part * max(x1 - x0, y1 - y0)
        left, top = (max(0, int((edge - margin) * scale)) for edge in (x0, y0))
        right, bottom = (max(0, int((edge + margin) * scale) + 1) for edge in (x1, y1))
        bare[top:bottom, left:right] = False
    return Background(((small - around) / (around + params.dark_levels)).astype(np.float32), bare)


def compare(before: Background, now: Background, params: BumpParams) -> Match:
    """Tell whether two backgrounds of one size are seen from the same place."""
    shape = before.relief.shape
    unmoved = np.eye(2, 3, dtype=np.float32)
    as_it_is = _correlation(before, now, unmoved)
    best, motion = as_it_is, unmoved
    for start in (unmoved, _shift(before, now, params)):
        found = _align(before, now, start, params)
        if _displacement(found, shape) > params.farthest_part * shape[1]:
            continue
        match = _correlation(before, now, found)
        if match > best:
            best, motion = match, found
    if best < params.least_match:
        return Match.UNKNOWN
    gained = (best - as_it_is) / max(1.0 - as_it_is, 1e-6)
    is_far = _displacement(motion, shape) > params.least_part * shape[1]
    return Match.MOVED if is_far and gained > params.least_gain else Match.SAME


def _shift(before: Background, now: Background, params: BumpParams) -> Picture:
    """The shift at which the middle of the view before fits best into the view now, as a 2x3 matrix."""
    height, width = before.relief.shape
    inset_x, inset_y = round(params.most_part * width), round(params.most_part * height)
    middle = (before.relief * before.bare)[inset_y : height - inset_y, inset_x : width - inset_x]
    fits = cv2.matchTemplate(now.relief * now.bare, np.ascontiguousarray(middle), cv2.TM_CCOEFF_NORMED)
    x, y = cv2.minMaxLoc(fits)[3]
    return np.array([[1, 0, x - inset_x], [0, 1, y - inset_y]], np.float32)


def _align(before: Background, now: Background, start: Picture, params: BumpParams) -> Picture:
    """The affine motion from before to now, 2x3, as far as ECC gets from a first guess."""
    height, width = before.relief.shape
    both = (before.bare & now.bare).astype(np.uint8)
    motion = start
    for smaller, steps in zip((4, 2, 1), params.steps, strict=True):
        size = (max(1, width // smaller), max(1, height // smaller))
        views = [cv2.resize(view.relief, size, interpolation=cv2.INTER_AREA) for view in (before, now)]
        mask = cv2.resize(both, size, interpolation=cv2.INTER_NEAREST)
        guess = motion.copy()
        guess[:, 2] /= smaller
        until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, steps, 1e-4)
        try:
            _, found = cv2.findTransformECC(views[0], views[1], guess, cv2.MOTION_AFFINE, until, mask, 5)
        except cv2.error:
            continue  # no convergence at this size: the next finer one starts where this one did
        motion = np.array(found, dtype=np.float32)
        motion[:, 2] *= smaller
    return motion


def _correlation(before: Background, now: Background, motion: Picture) -> float:
    """Pearson's correlation of the two reliefs once the motion is undone, where both show background."""
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
    """How far the motion brings the corner of the picture that it moves most, in pixels."""
    height, width = shape
    corners = np.array([(0, 0, 1), (width, 0, 1), (0, height, 1), (width, height, 1)], np.float32)
    return float(np.linalg.norm(corners @ motion.T - corners[:, :2], axis=1).max())
