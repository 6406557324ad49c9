"""Do pips of the bottom face show through a transparent die?

Opposite faces add up to seven. The pips of both together turn a 2, 3 or 4 into a 5, and a 1 into a 6 with an additional
pip. The pips of the bottom face are fainter and, in a view from above, lie lower than pips of the top face would.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.stages.candidate import Candidate
from vision.stages.crops import CROP_PX, HALF_PX
from vision.stages.second_opinion import PipFit
from vision.types import Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence

Array = NDArray[np.float32]

_WITHIN = 0.6
"""The part of a pip's radius over which its colour is averaged."""

_REACH = 1.7
"""The largest distance of a pip from its expected place, in its radii."""

_SHOWN = 0.3
"""The likeness to the pips from which a pixel belongs to one."""

_FAINTER, _LOWER = 0.15, 1 / 30
"""The evidence for a bottom face that counts as 1: pips fainter by this part, or lower by this many half sides."""

_ALONE = 2 / 3
"""The weight of the evidence from a single pip, because real dice may have a middle pip in another paint."""

_APART = 1.6
"""The least distance of a seventh pip from all pips of a 6, in their radii."""

_UPWARDS = np.array([(aside, -0.03 * step) for step in range(10) for aside in (-0.07, 0.0, 0.07)])
"""The places of a seventh pip relative to the centre of a 6, in half sides; pips of the bottom face lie lower."""

_PLAIN = 1.5
"""The logarithm of a fit's likelihood below which the places of its pips are unreliable."""

_ROUGHLY = 0.5
"""The part of the evidence that is enough to object from which a rough fit calls for an exact one."""

_NOISE = 4.0
"""The variance of colours that noise alone causes, in grey levels squared."""

_TOPS = ((0, 4), (1, 3), (0, 2, 4), (1, 2, 3), (0, 1, 3, 4))
"""The pips of a 5, as indices of `vision.types.PATTERN`, that belong to a 2, 3 or 4 on top."""

_NEAR = slice(CROP_PX // 2 - 20, CROP_PX // 2 + 20)
"""The rows and columns of a crop that can be near a pip or between pips, however the die is turned."""

_TICKS = np.arange(CROP_PX, dtype=np.float32)[_NEAR]


@dataclass(frozen=True, slots=True)
class FarFaceParams:
    """Thresholds for pips of the bottom face.

    Attributes:
        far_pips: How much fainter and lower than the others pips of a 5 may be, see the function `far_pips`; 1 to 2.
        seventh_pip: Likeness to the pips of a 6 from which a mark near its middle is a seventh pip; 0.6 to 0.9.
    """

    far_pips: float = 1.25
    seventh_pip: float = 0.7


class _Seen(NamedTuple):
    """The visible pips of a die.

    Attributes:
        likeness: Likeness of each pixel near the face to the pips, 0 for the body and 1 for the mean pip.
        levels: Mean likeness of each pip, (n,).
        off: Distance of each pip from its expected place, relative to the others, (x, y) in half sides, (n, 2).
    """

    likeness: Array
    levels: Array
    off: Array


def far_face(evidence: Evidence) -> Objection | None:
    """Fainter and lower pips of a 5, or a seventh pip of a 6, may be those of a transparent die's bottom face.

    If neither the looks nor geometry see the pips clearly, a 5 or 6 cannot be distinguished from such a die.
    """
    for die in evidence.dice:
        if die.value in (5, 6) and _may_be_clear(die) and _shows_far_face(die):
            detail = f"a die at {die.place}: a {die.value}, or pips of two faces of a clear die"
            return Objection(Reason.UNSURE, detail, die)
    return None


def _may_be_clear(die: Candidate) -> bool:
    """Whether a 5 or 6 may be transparent, by the rough fit, which takes a third of the time of the exact one.

    If the pips of its value explain its colours, there are no other pips.
    """
    fit = die.rough_fit
    return fit.explained < die.params.pips.distinct and (fit.likely < _PLAIN or _far_part(die, fit) > _ROUGHLY)


def _shows_far_face(die: Candidate) -> bool:
    return not die.is_plain_to_looks if die.own_fit.likely < _PLAIN else _far_part(die, die.own_fit) > 1.0


def _far_part(die: Candidate, fit: PipFit) -> float:
    """Return the evidence for a bottom face, as a part of what is enough to object."""
    params = die.params.far_face
    return far_pips(die, fit) / params.far_pips if die.value == 5 else seventh_pip(die, fit) / params.seventh_pip


def far_pips(die: Candidate, fit: PipFit) -> float:
    """Return how much fainter and lower some pips of a 5 are than the others, for the likeliest of a 2, 3 or 4 on top.

    1 means fainter by `_FAINTER` or lower by `_LOWER`.
    """
    seen = _seen(die, fit)
    return max(_far(seen, list(top)) for top in _TOPS)


def seventh_pip(die: Candidate, fit: PipFit) -> float:
    """Return the likeness of the most likely seventh pip near the middle of a 6 to the others, 0 to 1."""
    likeness = _seen(die, fit).likeness
    places = fit.pips.mean(axis=0) + HALF_PX * _UPWARDS
    apart = np.hypot(*(places[:, None] - fit.pips).transpose(2, 0, 1)).min(axis=1)
    return float(_levels(likeness, places[apart > _APART * fit.radius], fit.radius).max(initial=0.0))


def _far(seen: _Seen, top: list[int]) -> float:
    """Return how much fainter and lower all pips except these are, as in `far_pips`."""
    far = [pip for pip in range(len(seen.levels)) if pip not in top]
    least, most = float(seen.levels[top].min()), float(seen.levels[top].max())
    # If pips of the same face differ as much, this is no evidence.
    fainter = 1.0 - (seen.levels[far].max() + most - least) / max(least, 0.05)
    lower = seen.off[far].mean(axis=0)[1] - seen.off[top].mean(axis=0)[1]
    return float(fainter / _FAINTER + lower / _LOWER) * (_ALONE if len(far) == 1 else 1.0)


def _seen(die: Candidate, fit: PipFit) -> _Seen:
    """Return the visible pips of a die, in the colour direction that separates them best from the body (Fisher)."""
    pips, radius, colours = fit.pips, fit.radius, die.smooth[_NEAR, _NEAR]
    away = _away(pips)
    nearest = away.min(axis=0)
    x, y = pips.mean(axis=0)
    side = np.abs(pips - (x, y)).max() + 1.2 * radius
    is_face = (np.abs(_TICKS - x) <= side) & (np.abs(_TICKS[:, None] - y) <= side)
    paint, body = colours[nearest <= 0.7 * radius], colours[(nearest > 1.3 * radius) & is_face]
    spread = (len(paint) * np.cov(paint.T) + len(body) * np.cov(body.T)) / (len(paint) + len(body))
    apart = paint.mean(axis=0) - body.mean(axis=0)
    way = np.asarray(np.linalg.solve(spread + _NOISE * np.eye(3), apart), np.float32)
    likeness = (colours - body.mean(axis=0)) @ way / max(float(apart @ way), 1e-9)
    shown = np.clip(likeness - _SHOWN, 0.0, 0.5) * (away <= np.minimum(_REACH * radius, nearest + 1e-6))
    total = np.maximum(shown.sum(axis=(1, 2)), 1e-6)
    middles = np.stack([shown.sum(axis=1) @ _TICKS, shown.sum(axis=2) @ _TICKS], axis=1) / total[:, None]
    off = (middles - pips) / HALF_PX
    return _Seen(likeness, _levels(likeness, pips, radius), off - off.mean(axis=0))


def _away(places: Array) -> Array:
    """Return the distance of each pixel near the face from some places, (n, 2): shape (n, len(_TICKS), len(_TICKS))."""
    x, y = places.T[..., None] - _TICKS
    return np.asarray(np.sqrt((x * x)[:, None] + (y * y)[:, :, None]))


def _levels(likeness: Array, places: Array, radius: float) -> Array:
    """Return the mean likeness over a pip at each of some places, (n, 2): shape (n,)."""
    inside = _away(places) <= max(1.0, _WITHIN * radius)
    return np.asarray((inside * likeness).sum(axis=(1, 2)) / inside.sum(axis=(1, 2)))
