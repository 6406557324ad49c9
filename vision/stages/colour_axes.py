"""Colours set apart, so that what differs hardly, or in colour alone, stands out.

The colours of a picture spread along three axes, its principal components. What spreads most hides the rest: marbling
hides red pips, light and shade hide pips as light as their die. Seen along one axis alone, or with all three drawn out
to the same spread, they are plain (decorrelation stretch: Gillespie, Kahle and Walker 1986).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

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
    """The axes along which the colours of a picture, or of a part of it, spread; bright is positive.

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
    """A picture whose colours spread alike along all axes.

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
    return np.asarray(np.clip((picture - axes.middle) @ turn + middle, 0, 255), np.uint8)


def along(picture: Frame, axes: Axes, which: int) -> Frame:
    """A picture as it looks along one axis of its colours, in grey.

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
