"""Is there a disc of a pip's size in the middle of a die's face, however faint?

What a pattern of discs tells of the colours is one number, the multiple correlation, as in `second_opinion`: 1 where a
disc has a colour of its own and all round it another one. The disc may be hardly seen, as a worn pip is: that depends
on its shape alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.stages.crops import CROP_PX

_PX = 15
"""Discs are looked for in squares of so many pixels, which hold the largest with what is round it."""

_ROWS = slice(CROP_PX // 2 - 2 - _PX // 2, CROP_PX // 2 + 2 + _PX // 2)
"""Rows and columns of a crop in which such a square's middle is at most 1.5 pixels off the crop's."""

_RADII = (2.0, 2.5, 3.0)
"""Radii of discs, in pixels: pips of 0.14 to 0.21 half sides."""

_ROUND = 1.5
"""What is round a disc reaches so many radii and a pixel from its middle: with 2.0, close 4s hide their discs."""

_NOISE = 1.0
"""What the colours of a crop vary by through noise alone, in grey levels squared: less is no disc."""


class Disc(NamedTuple):
    """The likeliest disc of a pip's size in the middle of a face.

    Attributes:
        likeness: How well colours there are told by its pattern, 0 to 1: the multiple correlation.
        off: How far its colour is off that of what is round it, (3,).
    """

    likeness: float
    off: NDArray[np.float32]


class _Discs(NamedTuple):
    """Discs as patterns over a square of pixels, (radii, pixels) or (radii,).

    Attributes:
        patterns: 1 in the disc and 0 round it, then less the mean, then of length 1; 0 farther out.
        shares: How much each pixel counts in a mean over a disc and what is round it.
        places: How many pixels that are.
        heights: How far the disc's level is above that of what is round it, in a pattern of length 1.
    """

    patterns: NDArray[np.float64]
    shares: NDArray[np.float64]
    places: NDArray[np.float64]
    heights: NDArray[np.float64]


def _discs() -> _Discs:
    """Discs of all radii, and round each what is not so far off that other pips may be there."""
    away = np.hypot(*(np.mgrid[:_PX, :_PX].reshape(2, -1) - _PX // 2))
    radii = np.array(_RADII)[:, None]
    is_near = away <= _ROUND * radii + 1
    shares = is_near / is_near.sum(axis=1, keepdims=True)
    levels = np.clip(radii + 0.5 - away, 0, 1)
    levels = (levels - (levels * shares).sum(axis=1, keepdims=True)) * is_near
    lengths = np.linalg.norm(levels, axis=1)
    return _Discs(levels / lengths[:, None], shares, is_near.sum(axis=1), 1 / lengths)


_DISCS = _discs()


def middle_disc(smooth: NDArray[np.float32]) -> Disc:
    """The disc that tells the colours about the middle of a face best, whichever its own colour is.

    Args:
        smooth: A die as from straight above, each pixel the mean of those about it, (CROP_PX, CROP_PX, 3) BGR.
    """
    windows = sliding_window_view(smooth[_ROWS, _ROWS], (_PX, _PX), axis=(0, 1))
    colours = windows.reshape(-1, 3, _PX * _PX).astype(np.float64)  # float32 is too coarse for the squares
    told = colours @ _DISCS.patterns.T
    means, squares = colours @ _DISCS.shares.T, (colours * colours) @ _DISCS.shares.T
    spread = (squares - means * means).sum(axis=1) + _NOISE
    likeness = (told * told).sum(axis=1) / (_DISCS.places * spread)
    place, disc = np.unravel_index(int(likeness.argmax()), likeness.shape)
    off = told[place, :, disc] * _DISCS.heights[disc]
    return Disc(math.sqrt(float(likeness[place, disc])), np.asarray(off, np.float32))
