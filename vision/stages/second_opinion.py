"""The second witness of a value, by geometry alone: do a face's colours fall apart as its pips would have it?

For each value patterns of pips are laid over the face (`pip_grid`). How well colours tell what lies in the pips
from what lies beside them is one number, the squared multiple correlation of the pattern with the colours and their
products (the discriminant of R. A. Fisher 1936): 1 where all pips have colours of their own, whichever these are, and
the lower the more pips a pattern misses or invents. No network takes part, so what misleads networks, as marbling or
specks, does not mislead this in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.stages.crops import CROP_PX, HALF_PX
from vision.stages.pip_grid import PLACES, RADIUS, TURN, Array, Patterns, PipFitParams, first, near, pips_of
from vision.types import PATTERN, Frame

_PARTS = (1.0, 0.5)
"""From the best of the first lattices on each of its numbers is changed by a step, then by half a step,"""
_MOST_STEPS = 3
"""so often by each at most."""

_LEAST_SPREAD = 1.5
"""Colours that deviate by fewer grey levels than this in some direction hardly differ in it: the rest is noise."""

_FARTHEST = 2.5
"""Colours farther off the mean than so many deviations count as so far: else nothing would count but a lamp's image."""

_OFFS = (0.0, 22.5, 45.0, 67.5)
"""How far off the way that edges tell lattices are looked for, in degrees, where they hardly tell it."""

_NONE = np.empty((0, 0), np.float32)

_PAIRS = tuple((one, other) for one in range(3) for other in range(one, 3))

_FROM_MIDDLE = np.hypot(*(np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2))
_RIM = np.flatnonzero((_FROM_MIDDLE > 10) & (_FROM_MIDDLE < 23))
"""The numbers of the pixels of a crop that may be near the edges of its top face."""


class PipFit(NamedTuple):
    """How well a face's colours fall apart as a value's pips would have it.

    Attributes:
        value: 1 to 6.
        likely: Logarithm of how likely it is, up to what all six have in common.
        explained: The part of the pattern that the colours tell, 0 to 1.
        lattice: On which lattice: as `vision.stages.pip_grid.TURN` and so on tell, (6,), its turn from
        turn_deg: this way on.
    """

    value: int
    likely: float
    explained: float
    lattice: Array
    turn_deg: float

    @property
    def pips(self) -> Array:
        """Where its pips would be, (value, 2) in pixels of the crop."""
        return _in_pixels(pips_of(self.value, self.lattice[None])[0], self.turn_deg)

    @property
    def radius(self) -> float:
        """Their radius in pixels of the crop."""
        return HALF_PX * float(self.lattice[RADIUS])


class _Looked(NamedTuple):
    """The colours of a face, looked at along a way its edges may point.

    Attributes:
        turn_deg: That way.
        off_deg: How far that is off what its edges told,
        sure: and how sure that was, 0 to 1.
        colours: With their products, uncorrelated, each of the nine of mean 0 and length 1, (places, 9).
    """

    turn_deg: float
    off_deg: float
    sure: float
    colours: Array


class _Fitted(NamedTuple):
    """A lattice that was found.

    Attributes:
        likely: Logarithm of how likely it is.
        explained: The part of its pattern that the colours tell, 0 to 1.
        lattice: Which: as `vision.stages.pip_grid.TURN` and so on tell, (6,).
        looked: The colours in which it was found.
    """

    likely: float
    explained: float
    lattice: Array
    looked: _Looked


def fits(seen: Frame, params: PipFitParams) -> tuple[PipFit, ...]:
    """How well a die shows each value, 1 to 6.

    Args:
        seen: It as from straight above, (CROP_PX, CROP_PX, 3) BGR.
        params: The tunables.
    """
    looked = list(_looked_at(seen, params))
    return _fits({value: _coarse(value, looked, params) for value in PATTERN}, params)


def contrary(seen: Frame, value: int, params: PipFitParams) -> PipFit | None:
    """The other value that a die shows far better than the one it was read as; None if there is none.

    Only where colours hardly tell the pattern of that value the others are tried. None of them is a 1: to whom knows
    nothing but colours a lamp's image is one.

    Args:
        seen: It as from straight above, (CROP_PX, CROP_PX, 3) BGR.
        value: As it was read.
        params: The tunables.
    """
    own = []
    for way in _looked_at(seen, params):
        own.append(_best(first(value, params), way, params))
        if own[-1].explained >= params.enough:
            return None
    looked = [one.looked for one in own]
    found = {one: _likeliest(own) if one == value else _coarse(one, looked, params) for one in PATTERN}
    others = [other for other in PATTERN if other not in (1, value)]
    if all(found[value].likely >= found[other].likely for other in others):
        return None
    refined = _fits(found, params)
    best = max((refined[other - 1] for other in others), key=lambda fit: fit.likely)
    return best if best.likely - refined[value - 1].likely > params.contrary else None


def confirms(found: Sequence[PipFit], value: int, enough: float, plainer: float) -> bool:
    """Tell whether a die plainly shows the value that it was read as, and no other.

    Args:
        found: How well it shows each, as from `fits`.
        value: As it was read.
        enough: So much of its pattern the colours must tell,
        plainer: and by more than this logarithm it must be likelier than all others.
    """
    own, best = found[value - 1], max((fit for fit in found if fit.value != value), key=lambda fit: fit.likely)
    return own.explained >= enough and own.likely - best.likely > plainer


def _looked_at(seen: Frame, params: PipFitParams) -> Iterator[_Looked]:
    """The face's colours along each way that its edges may point, the likeliest first."""
    turn, sure = _edges(seen)
    smooth = np.asarray(cv2.blur(seen, (3, 3)), np.uint8)
    for off in _OFFS if sure < params.edged else _OFFS[:1]:
        yield _Looked(turn + off, off, sure, _colours(smooth, turn + off))


def _coarse(value: int, looked: list[_Looked], params: PipFitParams) -> _Fitted:
    """The best of the lattices that are tried at first."""
    return _likeliest(_best(first(value, params), way, params) for way in looked)


def _likeliest(found: Iterable[_Fitted]) -> _Fitted:
    return max(found, key=lambda one: one.likely)


def _fits(found: dict[int, _Fitted], params: PipFitParams) -> tuple[PipFit, ...]:
    """The fits of all values by the best of the first lattices of each, refined where that may matter."""
    most = _likeliest(found.values()).likely
    refined = {
        value: _refined(value, one, params) if one.likely > most - params.beaten else one
        for value, one in found.items()
    }
    return tuple(
        PipFit(value, one.likely + params.usual[value - 1], one.explained, one.lattice, one.looked.turn_deg)
        for value, one in refined.items()
    )


def _refined(value: int, found: _Fitted, params: PipFitParams) -> _Fitted:
    """The best lattice beside one, by steps along one of its six numbers at a time."""
    for part in _PARTS:
        for _ in range(_MOST_STEPS):
            better = _best(near(value, found.lattice, part, params), found.looked, params)
            if better.likely <= found.likely:
                break
            found = better
    return found


def _best(patterns: Patterns, looked: _Looked, params: PipFitParams) -> _Fitted:
    """The likeliest of some patterns.

    If the errors of a regression are normal, half of how many places there are, times the logarithm of the part that is
    not explained, is how unlikely it is. As neighbours are alike, and errors not normal, `worth` is measured instead.
    """
    # By OpenCV, as NumPy would start threads for a product of this size.
    correlations = np.asarray(cv2.gemm(patterns.masks, looked.colours, 1.0, _NONE, 0.0), np.float32)
    explained = (correlations * correlations).sum(axis=1)
    left = np.maximum(1.0 - explained, 1e-3)
    likely = -params.worth * np.log(left) - patterns.unlikely - _askew(patterns, looked, params)
    best = int(likely.argmax())
    return _Fitted(float(likely[best]), float(explained[best]), patterns.lattices[best], looked)


def _askew(patterns: Patterns, looked: _Looked, params: PipFitParams) -> Array:
    """Logarithm of how unlikely the patterns' turns are beside the face's edges, (n,); a 1 has no turn."""
    if patterns.value == 1:
        return np.zeros(len(patterns.lattices), np.float32)
    off = (patterns.lattices[:, TURN] + looked.off_deg + 45) % 90 - 45
    deviation = params.turn_off_deg * max(1.0, params.plainly / looked.sure)
    return np.asarray(np.minimum(0.5 * (off / deviation) ** 2, params.misled), np.float32)


def _colours(smooth: Frame, turn_deg: float) -> Array:
    """The colours and their products at the places along a way, uncorrelated, each of mean 0 and length 1."""
    x, y = np.ascontiguousarray(_in_pixels(PLACES, turn_deg).T)
    sampled = cv2.remap(smooth, x[:, None], y[:, None], cv2.INTER_LINEAR)[:, 0].astype(np.float32)
    colours = np.clip(_uncorrelated(sampled), -_FARTHEST, _FARTHEST)
    products = np.stack([colours[:, one] * colours[:, other] for one, other in _PAIRS], axis=1)
    # What spreads by 10 is far from noise, so products count as much as colours.
    both = _uncorrelated(np.float32(10.0) * np.concatenate([colours, products], axis=1))
    return both / np.float32(math.sqrt(len(both)))


def _in_pixels(places: Array, turn_deg: float) -> Array:
    """Places of a face that is turned, (n, 2) in half sides off its middle, in pixels of a crop."""
    turn = math.radians(turn_deg)
    way = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]], np.float32)
    return np.asarray(HALF_PX * places @ way + (CROP_PX - 1) / 2, np.float32)


def _uncorrelated(samples: Array) -> Array:
    """Samples, (n, k), turned and scaled so that each of the k has mean 0, deviation 1, and none tells of another."""
    off = samples - samples.mean(axis=0)
    variances, ways = np.linalg.eigh(off.T @ off / len(off) + _LEAST_SPREAD**2 * np.eye(off.shape[1]))
    return np.asarray(off @ (ways / np.sqrt(variances)), np.float32)


def _edges(seen: Frame) -> tuple[float, float]:
    """Which way the edges of a face point, 0 to 90 degrees, and how sure that is, more than 0 to 1.

    All gradients round its rim, their angles taken fourfold so that edges at right angles add up.
    """
    smooth = cv2.GaussianBlur(seen, (0, 0), 1.2)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *way).reshape(-1, 3).take(_RIM, axis=0) for way in ((1, 0), (0, 1)))
    lengths, angles = cv2.cartToPolar(across, down)
    x, y = (float(part.sum()) for part in cv2.polarToCart(lengths, 4 * angles))
    return math.degrees(math.atan2(y, x)) / 4 % 90, max(1e-3, math.hypot(x, y) / max(float(lengths.sum()), 1.0))
