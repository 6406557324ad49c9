"""Do pips of the far face show through a clear die?

Opposite faces add up to seven. The pips of both make a 5 of a 2, 3 or 4, and of a 1 a 6 with one pip more. Those of the
far face are fainter and, seen as from straight above, lie lower than their places on the top face.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.stages.candidate import Candidate
from vision.stages.crops import CROP_PX, HALF_PX
from vision.types import Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence

Array = NDArray[np.float64]

_WITHIN = 0.6
"""Part of a pip's radius over which its colour is taken."""

_REACH = 1.7
"""From where a pip should be to the farthest that its middle is looked for, in its radii."""

_SHOWN = 0.3
"""Likeness to the pips from which a pixel belongs to one."""

_FAINTER, _LOWER = 0.15, 1 / 30
"""What counts as much for a far face: pips fainter by this part, pips lower by so many half sides."""

_ALONE = 2 / 3
"""How much a single pip's counts: real dice have middle pips of another paint."""

_APART = 1.6
"""Distance from all pips of a 6, in their radii, at which a seventh one is looked for."""

_UPWARDS = np.array([(aside, -0.03 * step) for step in range(10) for aside in (-0.07, 0.0, 0.07)])
"""How far off the middle of a 6's pips a seventh one may be, half sides: the far face's pips lie lower than it."""

_PLAIN = 1.5
"""Logarithm of a fit's likelihood below which it is too poor to tell the places of pips."""

_NOISE = 4.0
"""What colours vary by through noise alone, grey levels squared."""

_TOPS = ((0, 4), (1, 3), (0, 2, 4), (1, 2, 3), (0, 1, 3, 4))
"""The pips of a 5, in the order of `vision.types.PATTERN`, that a 2, a 3 or a 4 on top has."""

_ROWS, _COLUMNS = np.mgrid[:CROP_PX, :CROP_PX].astype(np.float64)


class _Seen(NamedTuple):
    """The pips of a die as they are seen.

    Attributes:
        likeness: Each pixel's likeness to the pips, 0 for the body and 1 for the mean pip, shape (CROP_PX, CROP_PX).
        levels: The same of each pip, shape (n,).
        off: How far each pip is off its place, beside the others, (x, y) in half sides, shape (n, 2).
    """

    likeness: Array
    levels: Array
    off: Array


def far_face(evidence: Evidence) -> Objection | None:
    """Some pips of a 5 are fainter and lower, or a 6 has a seventh: those of a clear die's far face.

    Where neither the looks nor geometry see the pips plainly, nothing tells a 5 or a 6 from such a die.
    """
    params = evidence.params.verdict
    for die in evidence.dice:
        if die.value not in (5, 6):
            continue
        if die.own_fit.likely < _PLAIN:
            is_far = not die.is_plain_to_looks
        else:
            is_far = far_pips(die) > params.far_pips if die.value == 5 else seventh_pip(die) > params.seventh_pip
        if is_far:
            detail = f"a die at {die.place}: a {die.value}, or pips of two faces of a clear die"
            return Objection(Reason.UNSURE, detail, die)
    return None


def far_pips(die: Candidate) -> float:
    """Return how much fainter and lower some pips of a 5 are than the rest, for the likeliest of a 2, 3 or 4.

    1 stands for `_FAINTER` or `_LOWER` alone.
    """
    seen = _seen(die)
    return max(_far(seen, list(top)) for top in _TOPS)


def seventh_pip(die: Candidate) -> float:
    """Return the likeness to its pips, 0 to 1, of the likeliest seventh one near the middle of a 6."""
    fit = die.own_fit
    likeness = _seen(die).likeness
    places = fit.pips.mean(axis=0) + HALF_PX * _UPWARDS
    apart = np.hypot(*(places[:, None] - fit.pips).transpose(2, 0, 1)).min(axis=1)
    return max((_level(likeness, place, fit.radius) for place in places[apart > _APART * fit.radius]), default=0.0)


def _far(seen: _Seen, top: list[int]) -> float:
    """How much fainter and lower all pips but these are, as for `far_pips`."""
    far = [pip for pip in range(len(seen.levels)) if pip not in top]
    least, most = float(seen.levels[top].min()), float(seen.levels[top].max())
    # Pips that differ among themselves as much say nothing.
    fainter = 1.0 - (seen.levels[far].max() + most - least) / max(least, 0.05)
    lower = seen.off[far].mean(axis=0)[1] - seen.off[top].mean(axis=0)[1]
    return float(fainter / _FAINTER + lower / _LOWER) * (_ALONE if len(far) == 1 else 1.0)


def _seen(die: Candidate) -> _Seen:
    """The die's pips as they are seen, by the colour that tells them best from its body (Fisher's discriminant)."""
    fit = die.own_fit
    pips, radius, colours = fit.pips.astype(np.float64), float(fit.radius), die.smooth.astype(np.float64)
    away = np.stack([_away(pip) for pip in pips])
    nearest = away.min(axis=0)
    x, y = pips.mean(axis=0)
    side = np.abs(pips - (x, y)).max() + 1.2 * radius
    is_face = np.maximum(np.abs(_COLUMNS - x), np.abs(_ROWS - y)) <= side
    paint, body = colours[nearest <= 0.7 * radius], colours[(nearest > 1.3 * radius) & is_face]
    spread = (len(paint) * np.cov(paint.T) + len(body) * np.cov(body.T)) / (len(paint) + len(body))
    apart = paint.mean(axis=0) - body.mean(axis=0)
    way = np.linalg.solve(spread + _NOISE * np.eye(3), apart)
    likeness = (colours - body.mean(axis=0)) @ way / max(float(apart @ way), 1e-9)
    levels = [_level(likeness, pip, radius) for pip in pips]
    shown = np.clip(likeness - _SHOWN, 0.0, 0.5) * (away <= np.minimum(_REACH * radius, nearest + 1e-6))
    total = np.maximum(shown.sum(axis=(1, 2)), 1e-6)
    middles = np.stack([(shown * part).sum(axis=(1, 2)) / total for part in (_COLUMNS, _ROWS)], axis=1)
    off = (middles - pips) / HALF_PX
    return _Seen(likeness, np.array(levels), off - off.mean(axis=0))


def _away(place: Array) -> Array:
    """How far each pixel of a crop is from a place, shape (CROP_PX, CROP_PX)."""
    return np.asarray(np.hypot(_COLUMNS - place[0], _ROWS - place[1]))


def _level(likeness: Array, place: Array, radius: float) -> float:
    """The mean likeness over a pip at a place."""
    return float(likeness[_away(place) <= max(1.0, _WITHIN * radius)].mean())
