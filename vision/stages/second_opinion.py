"""The second opinion on a value, from geometry alone: do the face's colours separate as its pips would require?

For each value, patterns of pips are laid over the face (`pip_grid`). How well the colours separate the pips from the
rest is one number: the squared multiple correlation of the pattern with the colours and their products (the
discriminant of R. A. Fisher 1936). It is 1 if all pips have colours of their own, whichever they are, and lower if the
pattern misses or invents pips. No network is involved, so marbling or specks do not mislead it in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import cv2
import numpy as np

from vision.params import PipFitParams
from vision.stages.crops import CROP_PX, HALF_PX
from vision.stages.pip_grid import PLACES, RADIUS, TURN, Array, Patterns, first, near, pips_of
from vision.types import PATTERN, Frame

_PARTS = (1.0, 0.5)  # parts of a step by which each number of the best first grid is changed, one after the other
_MOST_STEPS = 3  # largest number of steps of each size

_LEAST_SPREAD = 1.5
"""The least standard deviation of colours assumed in any direction, in grey levels; below it there is only noise."""

_FARTHEST = 2.5
"""The largest deviation of a colour that counts, in standard deviations; otherwise reflections of lamps would
dominate."""

_AT_ONCE = 128
"""The number of patterns that are compared at once. With twice as many, NumPy's OpenBLAS would start threads."""

_ONE, _OTHER = np.triu_indices(3)  # all pairs of colour axes

_FROM_MIDDLE = np.hypot(*(np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2))
_RIM = np.flatnonzero(np.repeat((_FROM_MIDDLE > 10) & (_FROM_MIDDLE < 23), 3))
"""The indices of the levels of a crop, three a pixel, that may be near the edges of its top face."""


class Colours(NamedTuple):
    """The colours of a face at `PLACES`, aligned with its edges.

    Attributes:
        turn_deg: Direction of the edges in degrees.
        values: The colours and their products, uncorrelated, each with mean 0 and length 1, (places, 9).
    """

    turn_deg: float
    values: Array


class PipFit(NamedTuple):
    """The fit of a face's colours to the pips of a value.

    Attributes:
        value: The value, 1 to 6.
        likely: Log-likelihood, up to a constant that all six values share.
        explained: Part of the pattern that the colours explain, 0 to 1.
        grid: Places of the pips, in the format of `vision.stages.pip_grid.TURN`, (6,).
        colours: The colours in which they were found.
    """

    value: int
    likely: float
    explained: float
    grid: Array
    colours: Colours

    @property
    def pips(self) -> Array:
        """The places of its pips, (value, 2) in pixels of the crop."""
        return _in_pixels(pips_of(self.value, self.grid[None])[0], self.colours.turn_deg)

    @property
    def radius(self) -> float:
        """The radius of its pips in pixels of the crop."""
        return HALF_PX * float(self.grid[RADIUS])


def colours_of(seen: Frame) -> Colours:
    """Return a face's colours along its edges.

    Args:
        seen: A die in a view from straight above, (CROP_PX, CROP_PX, 3) BGR.
    """
    turn_deg = _direction_of_edges(seen)
    return Colours(turn_deg, _colours(np.asarray(cv2.blur(seen, (3, 3)), np.uint8), turn_deg))


def fits(colours: Colours, params: PipFitParams) -> tuple[PipFit, ...]:
    """Return the fit of a die's colours to each value, 1 to 6, with grids refined if that may matter."""
    found = [rough_fit(colours, value, params) for value in PATTERN]
    least = max(found, key=attrgetter("likely")).likely - params.beaten
    return tuple(refined(fit, params) if fit.likely > least else fit for fit in found)


def rough_fit(colours: Colours, value: int, params: PipFitParams) -> PipFit:
    """Return the fit of a die's colours to one of the grids of a value that are tried first."""
    return _best(first(value), colours, params)


def refined(fit: PipFit, params: PipFitParams) -> PipFit:
    """Return the best fit near a rough one, by steps along one of the six numbers of its grid at a time."""
    for part in _PARTS:
        for _ in range(_MOST_STEPS):
            better = _best(near(fit.value, fit.grid, part), fit.colours, params)
            if better.likely <= fit.likely:
                break
            fit = better
    return fit


def confirms(found: Sequence[PipFit], value: int, params: PipFitParams) -> bool:
    """Whether the pips of the value that a die was read as are distinct; `found` is from `fits`."""
    own, best = found[value - 1], max((fit for fit in found if fit.value != value), key=attrgetter("likely"))
    return own.explained >= params.distinct and own.likely - best.likely > params.distinct_plainer


def _best(patterns: Patterns, colours: Colours, params: PipFitParams) -> PipFit:
    """Return the likeliest of some patterns.

    With normal errors, the negative log-likelihood of a regression is half the number of places times the logarithm of
    the unexplained part. Neighbours are correlated and errors are not normal, so the factor `worth` was measured.
    """
    parts = (patterns.masks[start : start + _AT_ONCE] for start in range(0, len(patterns.masks), _AT_ONCE))
    correlations = np.concatenate([part @ colours.values for part in parts])
    explained = (correlations * correlations).sum(axis=1)
    left = np.maximum(1.0 - explained, 1e-3)
    likely = -params.worth * np.log(left) - patterns.unlikely - _askew(patterns, params)
    best = int(likely.argmax())
    return PipFit(patterns.value, float(likely[best]), float(explained[best]), patterns.grids[best], colours)


def _askew(patterns: Patterns, params: PipFitParams) -> Array:
    """Return the logarithm of how unlikely the patterns' turns off the face's edges are, (n,); a 1 has no turn."""
    if patterns.value == 1:
        return np.zeros(len(patterns.grids), np.float32)
    off = (patterns.grids[:, TURN] + 45) % 90 - 45
    return np.asarray(0.5 * (off / params.turn_off_deg) ** 2, np.float32)


def _colours(smooth: Frame, turn_deg: float) -> Array:
    """Return the colours and their products at the places, uncorrelated, each of mean 0 and length 1."""
    x, y = np.ascontiguousarray(_in_pixels(PLACES, turn_deg).T)
    sampled = cv2.remap(smooth, x[:, None], y[:, None], cv2.INTER_LINEAR)[:, 0].astype(np.float32)
    colours = np.clip(_uncorrelated(sampled), -_FARTHEST, _FARTHEST)
    products = colours[:, _ONE] * colours[:, _OTHER]
    # Scaled to 10, far above the noise, products count as much as colours.
    both = _uncorrelated(np.float32(10.0) * np.concatenate([colours, products], axis=1))
    return both / np.float32(math.sqrt(len(both)))


def _in_pixels(places: Array, turn_deg: float) -> Array:
    """Return places of a turned face, (n, 2) in half sides from its centre, in pixels of a crop."""
    turn = math.radians(turn_deg)
    rotation = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]], np.float32)
    return np.asarray(HALF_PX * places @ rotation + (CROP_PX - 1) / 2, np.float32)


def _uncorrelated(samples: Array) -> Array:
    """Return samples, (n, k), whitened: each of the k has mean 0 and deviation 1, and they are uncorrelated."""
    off = samples - samples.mean(axis=0)
    variances, directions = np.linalg.eigh(off.T @ off / len(off))
    return np.asarray(off @ (directions / np.sqrt(np.maximum(variances, 0.0) + _LEAST_SPREAD**2)), np.float32)


def _direction_of_edges(seen: Frame) -> float:
    """Return the direction of a face's edges, 0 to 90 degrees.

    It is the mean direction of all gradients around the rim, with angles multiplied by four so that edges at right
    angles add up.
    """
    smooth = cv2.GaussianBlur(seen, (0, 0), 1.2)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *order).ravel().take(_RIM) for order in ((1, 0), (0, 1)))
    # With the double angle's cosine and sine times the squared length, twice: faster than by the angles themselves.
    squares = across * across, down * down
    cosine, sine, length = squares[0] - squares[1], 2 * across * down, np.sqrt(squares[0] + squares[1])
    cubes = np.maximum(length * length * length, np.float32(1e-6))
    x, y = ((cosine * cosine - sine * sine) / cubes).sum(), (2 * cosine * sine / cubes).sum()
    return math.degrees(math.atan2(float(y), float(x))) / 4 % 90
