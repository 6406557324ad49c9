"""The colours of a picture: set apart, so that what differs hardly or in colour alone stands out; and that of a die.

The colours of a picture spread along three axes, its principal components. What spreads most hides the rest: marbling
hides red pips, light and shade hide pips as light as their die. Seen along one axis alone, or with all three drawn out
to the same spread, they are plain (decorrelation stretch: Gillespie, Kahle and Walker 1986).
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Box, Colour, Frame

SPREAD = 45.0
"""Grey levels of 255 that colours deviate from the middle along an axis that is drawn out."""

LEAST = 4.0
"""An axis along which they deviate by less is drawn out no farther than one with so many: the rest is noise."""

_GREY = 128.0
"""The level of the middle."""


class Axes(NamedTuple):
    """How the colours of a picture spread.

    Attributes:
        middle: Their mean, blue, green and red, shape (3,).
        spread: The deviation along each axis, the largest first, shape (3,).
        ways: The axes, one unit vector a row, shape (3, 3).
    """

    middle: NDArray[np.float32]
    spread: NDArray[np.float32]
    ways: NDArray[np.float32]


def axes_of(sample: Frame) -> Axes:
    """Return the axes along which the colours of a picture spread; bright is positive.

    Args:
        sample: (H, W, 3) uint8, BGR, of two pixels at least.
    """
    colours = sample.reshape(-1, 3).astype(np.float32)
    middle = colours.mean(axis=0)
    off = colours - middle
    variances, columns = np.linalg.eigh(off.T @ off / (len(off) - 1))
    ways = columns.T[::-1]
    ways = ways * np.where(ways.sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    spread = np.sqrt(np.maximum(variances[::-1], 0.0))
    return Axes(middle, spread.astype(np.float32), ways.astype(np.float32))


def stretched(picture: Frame, axes: Axes, power: float = 1.0) -> Frame:
    """Return a picture whose colours spread equally along all axes.

    Args:
        picture: (H, W, 3) uint8, BGR.
        axes: As `axes_of` gives them for what is to stand out.
        power: How far that is done: 0 leaves the picture as it is, 1 makes the spreads the same.

    Returns:
        The same shape, uint8.
    """
    gains = (SPREAD / np.maximum(axes.spread, LEAST)) ** power
    turn = (axes.ways.T * gains) @ axes.ways
    middle = axes.middle + power * (_GREY - axes.middle)
    # By OpenCV, as NumPy takes ten times as long; half a level less, as it rounds.
    moved = np.column_stack([turn.T, middle - axes.middle @ turn - 0.5])
    apart = np.asarray(cv2.transform(picture.astype(np.float32), moved), np.float32)
    return np.asarray(cv2.add(apart, np.zeros_like(apart), dtype=cv2.CV_8U), np.uint8)


def along(picture: Frame, axes: Axes, which: int) -> Frame:
    """Return a picture in grey, as it looks along one axis of its colours.

    Args:
        picture: (H, W, 3) uint8, BGR.
        axes: As `axes_of` gives them for what is to stand out.
        which: The number of the axis, 0 to 2; 0 is the one along which colours spread most.

    Returns:
        The same shape, uint8, all three channels alike.
    """
    gain = SPREAD / max(float(axes.spread[which]), LEAST)
    grey = np.clip((picture - axes.middle) @ axes.ways[which] * gain + _GREY, 0, 255).astype(np.uint8)
    return np.asarray(np.repeat(grey[..., None], 3, axis=2))


INNER = 0.7
"""How much of the top face is looked at, from its middle: a square of this part of its side lies within the face
however the die is turned (1 / √2)."""


def body_colour(frame: Frame, box: Box) -> Colour | None:
    """Return the colour of the body round a top face's pips.

    Of each channel the median is taken: pips cover at most two fifths of the inner face (six of a fifth of its side
    each), and a small glare is left out the same way.

    Args:
        frame: (H, W, 3) uint8, BGR.
        box: The upright square about the top face, in its pixels.

    Returns:
        Red, green and blue, 0 to 255 each; None where the face is outside of the frame.
    """
    x0, y0, x1, y1 = box
    x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, INNER * (x1 - x0) / 2
    left, top = max(0, round(x - half)), max(0, round(y - half))
    part = frame[top : max(0, round(y + half) + 1), left : max(0, round(x + half) + 1)]
    if not part.size:
        return None
    blue, green, red = np.median(part.reshape(-1, 3), axis=0)
    return int(red), int(green), int(blue)
