"""Enhances the colours of a picture, so that faint differences stand out, and measures the colour of a die.

The colours of a picture spread along three axes, its principal components. The axis with the most spread hides the
others: marbling hides red pips; light and shade hide pips as light as their die. These pips become visible along a
single axis, or with all axes stretched to the same spread (decorrelation stretch: Gillespie, Kahle and Walker 1986).
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

SPREAD = 45.0  # standard deviation of colours along a stretched axis, in grey levels
LEAST = 4.0  # least standard deviation assumed for an axis, in grey levels; below it there is only noise
_GREY = 128.0  # level of the mean, in grey levels

_LEVELS = np.arange(256) / 255
_LIGHT = np.where(_LEVELS <= 0.04045, _LEVELS / 12.92, ((_LEVELS + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""The linear light of each level of sRGB (IEC 61966-2-1)."""

_TO_XYZ = np.array(((0.1898, 0.3762, 0.4339), (0.0722, 0.7152, 0.2127), (0.8728, 0.1095, 0.0178)), np.float32)
_TO_LAB = np.array(((0, 116, 0, -16), (500, -500, 0, 0), (0, 200, -200, 0)), np.float32)
"""From linear BGR to XYZ relative to white (D65), and from its cube roots to L*a*b* (CIE 15)."""


class Axes(NamedTuple):
    """The spread of a picture's colours.

    Attributes:
        middle: Mean colour, BGR (3,).
        spread: Standard deviation along each axis, the largest first, (3,).
        directions: Axes as unit vectors, one per row, (3, 3).
    """

    middle: NDArray[np.float32]
    spread: NDArray[np.float32]
    directions: NDArray[np.float32]


def axes_of(sample: Frame) -> Axes:
    """Return the axes along which the colours of a picture spread; bright is positive.

    Args:
        sample: (H, W, 3) uint8, BGR, at least two pixels.
    """
    middle, directions, variances = cv2.PCACompute2(sample.reshape(-1, 3).astype(np.float32), np.empty(0))
    directions = directions * np.where(directions.sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    spread = np.sqrt(np.maximum(variances[:, 0], 0.0))
    return Axes(np.asarray(middle[0], np.float32), spread.astype(np.float32), directions.astype(np.float32))


def stretched(picture: Frame, axes: Axes, power: float = 1.0) -> Frame:
    """Return a picture whose colours spread equally along all axes.

    Args:
        picture: (H, W, 3) uint8, BGR.
        axes: The result of `axes_of` for the part to enhance.
        power: Strength: 0 leaves the picture unchanged, 1 makes all spreads equal.

    Returns:
        The same shape, uint8.
    """
    gains = (SPREAD / np.maximum(axes.spread, LEAST)) ** power
    turn = (axes.directions.T * gains) @ axes.directions
    middle = axes.middle + power * (_GREY - axes.middle)
    # OpenCV is ten times as fast as NumPy here. Half a level is subtracted because it rounds.
    moved = np.column_stack([turn.T, middle - axes.middle @ turn - 0.5])
    apart = np.asarray(cv2.transform(picture.astype(np.float32), moved), np.float32)
    return np.asarray(cv2.add(apart, np.zeros_like(apart), dtype=cv2.CV_8U), np.uint8)


def along(picture: Frame, axes: Axes, which: int) -> Frame:
    """Return a picture in grey, as it looks along one axis of its colours.

    Args:
        picture: (H, W, 3) uint8, BGR.
        axes: The result of `axes_of` for the part to enhance.
        which: The number of the axis, 0 to 2; 0 is the one along which colours spread most.

    Returns:
        The same shape, uint8, all three channels alike.
    """
    direction = axes.directions[which] * (SPREAD / max(float(axes.spread[which]), LEAST))
    level = _GREY - direction @ axes.middle - 0.5  # half a level is subtracted because OpenCV rounds
    grey = cv2.transform(picture, np.append(direction, level)[None])
    return np.asarray(cv2.merge([grey] * 3), np.uint8)


def lab(picture: Frame) -> NDArray[np.float32]:
    """Return the colours of a picture, (H, W, 3) uint8, BGR, as L*a*b*, whose distances are perceptual.

    OpenCV's own conversion computes tables first, which takes as long as several readings.
    """
    xyz = cv2.transform(cv2.LUT(picture, _LIGHT), _TO_XYZ)
    roots = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.asarray(cv2.transform(roots.astype(np.float32), _TO_LAB), np.float32)
