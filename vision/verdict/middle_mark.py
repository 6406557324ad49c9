"""Is there a pip-sized disc in the middle of a die's face, however faint?

The likeness is the multiple correlation between the colours and the pattern of a disc, as in `second_opinion`: 1 if the
disc has one colour and its surroundings another. It depends on shape alone, so a barely visible worn pip scores high
too.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.stages.crops import CROP_PX

_PX = 14
"""The side of the searched squares in pixels, even as a crop's: enough for the largest disc and its surroundings."""

_ROWS = slice((CROP_PX - _PX) // 2 - 1, (CROP_PX + _PX) // 2 + 1)
"""The rows and columns of a crop that hold all squares whose centre is at most a pixel from the crop's."""

_RADII = (2.0, 2.5, 3.0)
"""The radii of the discs in pixels: pips of 0.14 to 0.21 half sides."""

_ROUND = 1.5
"""The outer radius of a disc's surroundings, in radii of the disc (plus one pixel). At 2.0 a 4's pips overlap them."""

_NOISE = 1.0
"""The variance that noise alone causes, in grey levels squared; a weaker disc is ignored."""


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
