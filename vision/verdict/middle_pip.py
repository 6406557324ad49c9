"""Does the middle of each face fit its value?

The middle pip of a 3 or 5 is the only one whose loss turns the value into another one. So glare or a faint disc in the
middle of a 2 or 4 is suspect: it may hide a pip or be a worn one. A disc in the middle of a 6, or none in the middle of
a 1, means that marks were taken for pips.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.evidence import Evidence
from vision.stages.candidate import Candidate
from vision.stages.crops import CROP_PX
from vision.types import Reason
from vision.verdict.objection import Objection

_MIDDLE = (CROP_PX - 1) / 2

_NEAR = np.array([(x, y) for x in (-1.5, 0.0, 1.5) for y in (-1.5, 0.0, 1.5)])
"""The places where the middle pip is looked for, in pixels from the centre of the crop."""

_ABOUT = np.array([(x, y) for x in range(-3, 4) for y in range(-3, 4) if np.hypot(x, y) <= 3])
"""The same for any part of a middle pip: it may be a ring, or the crop may be off centre."""


_APART, _ALIKE, _PLAIN = 5.0, 0.95, 0.4
"""The radius of a circle around a middle pip and inside those of a 4, in pixels; the least cosine of colours that are
alike; and the strength, relative to the other pips, from which the looks would see a pip."""
_CIRCLE = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)
_BEYOND, _WHITE, _SOFT = (3.0, 4.0), 252.0, 15.0
"""The radii of two circles around the place of a middle pip, in pixels; the level of the darkest channel from which the
inner one may be burnt out; and the largest difference between both in soft glare."""


def middle_hidden(evidence: Evidence) -> Objection | None:
    """Glare in the middle of a 2 or 4 may hide the pip that would make it a 3 or 5."""
    for die in evidence.dice:
        if is_hidden(die):
            detail = f"a die at {die.place}: a {die.value}, or a {die.value + 1} whose middle pip is hidden"
            return Objection(Reason.GLARE, detail, die)
    return None


def middle_worn(evidence: Evidence) -> Objection | None:
    """A faint mark in the middle of a 2 or 4 may be the worn pip that would make it a 3 or 5."""
    for die in evidence.dice:
        if is_worn(die):
            detail = f"a die at {die.place}: a {die.value}, or a {die.value + 1} whose middle pip is worn"
            return Objection(Reason.UNSURE, detail, die)
    return None


def middle_marked(evidence: Evidence) -> Objection | None:
    """A 6 has a pip-sized disc in its middle, so its other marks may not be pips."""
    for die in evidence.dice:
        if die.value == 6 and middle_disc(die.smooth).likeness > die.params.middle.marked:
            return Objection(Reason.UNSURE, f"a die at {die.place}: a 6 with a mark in its middle", die)
    return None


def middle_bare(evidence: Evidence) -> Objection | None:
    """A 1 has nothing in its middle, so the mark read as its pip is not one."""
    for die in evidence.dice:
        if die.value == 1 and float(_middle(die, _ABOUT)[1].max()) < die.params.middle.bare:
            return Objection(Reason.EMBLEM, f"a die at {die.place}: a 1 without a pip in its middle", die)
    return None


def is_hidden(die: Candidate) -> bool:
    """Whether the die is a 2 or 4 and glare in its middle may hide a pip.

    Glare that fades softly to less than white around the place of a pip is too weak to hide one.
    """
    if die.value not in (2, 4):
        return False
    near, off_body = _middle(die, _NEAR)
    params = die.params.middle
    if float(np.median(near.min(axis=1))) < params.burnt or float(off_body.min()) <= params.beside:
        return False
    inner, outer = (float(np.median(_colours(die.smooth, radius * _CIRCLE).min(axis=1))) for radius in _BEYOND)
    return not (params.burnt <= inner < _WHITE and inner - outer < _SOFT)


def is_worn(die: Candidate) -> bool:
    """Whether the die is a 2 or 4 with a disc or a tint of the other pips' colour in its middle.

    A worn pip is a disc, however faint. A blurred one is a tint, weaker than the other pips, or the looks would see it.
    """
    if die.value not in (2, 4):
        return False
    params, disc = die.params.middle, middle_disc(die.smooth)
    if disc.likeness > params.disc:
        cosine, strength = _likeness(disc.off, die)
        if disc.likeness * cosine > params.disc and strength > params.left:
            return True
    around = np.median(_colours(die.smooth, _APART * _CIRCLE), axis=0)
    cosine, strength = _likeness(_colours(die.smooth, _NEAR).mean(axis=0) - around, die)
    return cosine > _ALIKE and params.tint < cosine * strength < _PLAIN


def _likeness(off: NDArray[np.floating], die: Candidate) -> tuple[float, float]:
    """Return the cosine between a difference in colour and that of the die's pips, and the ratio of their lengths."""
    paint = _colours(die.smooth, die.rough_fit.pips - _MIDDLE).mean(axis=0) - die.body
    length, of_paint = max(float(np.linalg.norm(off)), 1e-9), max(float(np.linalg.norm(paint)), 1e-9)
    return float(off @ paint) / (length * of_paint), length / of_paint


def _middle(die: Candidate, places: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.floating]]:
    """Return the colours at places around the centre, (n, 3), and their mean difference from the body, (n,)."""
    near = _colours(die.smooth, places)
    return near, np.abs(near - die.body).mean(axis=1)


def _colours(smooth: NDArray[np.float32], places: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the colours, (..., 3), at places given in pixels from the centre of a crop, (..., 2)."""
    x, y = np.moveaxis(np.asarray(places, np.float32) + np.float32(_MIDDLE), -1, 0)
    flat = cv2.remap(smooth, x.reshape(-1, 1), y.reshape(-1, 1), cv2.INTER_LINEAR)
    return np.asarray(flat.reshape(*x.shape, 3), np.float32)


_PX = 14  # side of the searched squares in pixels, even as a crop's: enough for the largest disc and its surroundings

_ROWS = slice((CROP_PX - _PX) // 2 - 1, (CROP_PX + _PX) // 2 + 1)
"""The rows and columns of a crop that hold all squares whose centre is at most a pixel from the crop's."""

_RADII = (2.0, 2.5, 3.0)  # radii of the discs in pixels: pips of 0.14 to 0.21 half sides

_ROUND = 1.5
"""The outer radius of a disc's surroundings, in radii of the disc (plus one pixel). At 2.0 a 4's pips overlap them."""

_NOISE = 1.0  # variance that noise alone causes, in grey levels squared; a weaker disc is ignored


class Disc(NamedTuple):
    """The most likely pip-sized disc in the middle of a face.

    Attributes:
        likeness: Multiple correlation between the colours there and the disc's pattern, 0 to 1.
        off: Difference in colour between the disc and its surroundings, BGR (3,).
    """

    likeness: float
    off: NDArray[np.float32]


class _Discs(NamedTuple):
    """Patterns of discs over a square of pixels, shape (radii, pixels) or (radii,).

    Attributes:
        patterns: 1 in the disc and 0 around it, with mean 0 and length 1 after scaling; 0 farther out.
        shares: Weight of each pixel in the mean over a disc and its surroundings.
        places: Number of pixels in a disc and its surroundings.
        heights: Difference in level between a disc and its surroundings in a pattern of length 1.
    """

    patterns: NDArray[np.float64]
    shares: NDArray[np.float64]
    places: NDArray[np.float64]
    heights: NDArray[np.float64]


def _discs() -> _Discs:
    """Return the discs of all radii, with surroundings too narrow to contain other pips."""
    away = np.hypot(*(np.mgrid[:_PX, :_PX].reshape(2, -1) - (_PX - 1) / 2))
    radii = np.array(_RADII)[:, None]
    is_near = away <= _ROUND * radii + 1
    shares = is_near / is_near.sum(axis=1, keepdims=True)
    levels = np.clip(radii + 0.5 - away, 0, 1)
    levels = (levels - (levels * shares).sum(axis=1, keepdims=True)) * is_near
    lengths = np.linalg.norm(levels, axis=1)
    return _Discs(levels / lengths[:, None], shares, is_near.sum(axis=1), 1 / lengths)


_DISCS = _discs()


def middle_disc(smooth: NDArray[np.float32]) -> Disc:
    """Return the disc of any colour that fits the colours around the middle of a face best.

    The likeness is the multiple correlation between the colours and the pattern of a disc, as in `second_opinion`: 1 if
    the disc has one colour and its surroundings another. It depends on shape alone, so a barely visible worn pip scores
    high too.

    Args:
        smooth: The smoothed crop of a die, seen from straight above, (CROP_PX, CROP_PX, 3) BGR.
    """
    windows = sliding_window_view(smooth[_ROWS, _ROWS], (_PX, _PX), axis=(0, 1))
    colours = windows.reshape(-1, 3, _PX * _PX).astype(np.float64)  # float32 is too coarse for the squares
    matches = colours @ _DISCS.patterns.T
    means, squares = colours @ _DISCS.shares.T, (colours * colours) @ _DISCS.shares.T
    spread = (squares - means * means).sum(axis=1) + _NOISE
    likeness = (matches * matches).sum(axis=1) / (_DISCS.places * spread)
    place, disc = np.unravel_index(int(likeness.argmax()), likeness.shape)
    off = matches[place, :, disc] * _DISCS.heights[disc]
    return Disc(math.sqrt(float(likeness[place, disc])), np.asarray(off, np.float32))
