"""Do pips of the bottom face show through a transparent die?

Opposite faces add up to seven. The pips of both together turn a 2, 3 or 4 into a 5, and a 1 into a 6 with an additional
pip. The pips of the bottom face are fainter and, in a view from above, lie lower than pips of the top face would.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence
from vision.stages.candidate import Candidate
from vision.stages.crops import CROP_PX, HALF_PX
from vision.types import Reason
from vision.verdict.objection import Objection

Array = NDArray[np.float32]

_NEAR = slice(CROP_PX // 2 - 20, CROP_PX // 2 + 20)
"""The rows and columns of a crop that can be near a pip or between pips, however the die is turned."""

_ROWS, _COLUMNS = np.mgrid[_NEAR, _NEAR].astype(np.float32)


def far_face(evidence: Evidence) -> Objection | None:
    """Fainter and lower pips of a 5, or a seventh pip of a 6, may be those of a transparent die's bottom face."""
    params = evidence.params.far_face
    for die in evidence.dice:
        # Pips of its value that explain most colours leave none for others; a rough fit takes a third of the time.
        if die.value not in (5, 6) or die.rough_fit.explained >= 0.85:
            continue
        if die.own_fit.likely < 1.5:  # the places of its pips are unreliable
            continue
        if far_pips(die) > params.far_pips if die.value == 5 else seventh_pip(die) > params.seventh_pip:
            detail = f"a die at {die.place}: a {die.value}, or pips of two faces of a clear die"
            return Objection(Reason.UNSURE, detail, die)
    return None


def far_pips(die: Candidate) -> float:
    """Return the covariance of how faint, relative to their mean, and how low, in half sides, the pips of a die are."""
    away, radius = _away(die), die.own_fit.radius
    likeness, inside = _likeness(die, away), away <= max(1.0, 0.6 * radius)
    levels = (inside * likeness).sum(axis=(1, 2)) / inside.sum(axis=(1, 2))
    # Not what is only a little like a pip, nor what lies nearer to another pip.
    shown = np.maximum(likeness - 0.3, 0.0) * (away <= np.minimum(1.7 * radius, away.min(axis=0) + 1e-6))
    rows = (shown * _ROWS).sum(axis=(1, 2)) / np.maximum(shown.sum(axis=(1, 2)), 1e-6)
    low = (rows - die.own_fit.pips[:, 1]) / HALF_PX
    return float(-((levels - levels.mean()) @ (low - low.mean())) / max(levels.mean(), 0.05) / len(low))


def seventh_pip(die: Candidate) -> float:
    """Return the likeness of the most likely seventh pip near the middle of a 6 to the others: 1 if it is alike."""
    away, radius, (x, y) = _away(die), die.own_fit.radius, die.own_fit.pips.mean(axis=0)
    side = 2 * max(1, int(0.6 * radius)) + 1
    likeness = cv2.blur(_likeness(die, away), (side, side))
    # A seventh pip lies in the middle, or above it: pips of the bottom face lie lower.
    is_near = (np.abs(_COLUMNS - x) < 0.1 * HALF_PX) & (y - 0.3 * HALF_PX <= _ROWS) & (y + 1 >= _ROWS)
    # It may have made the fit's radius larger than any pip of a 6.
    is_apart = away.min(axis=0) > 1.6 * min(radius, 0.24 * HALF_PX)
    return float(likeness[is_near & is_apart].max(initial=0.0))


def _likeness(die: Candidate, away: Array) -> Array:
    """Return the likeness of each pixel to the pips, 0 for the body and 1 for the mean pip, in `_NEAR`.

    It is measured in the colour direction that separates the pips best from the body (Fisher). `away` is the result of
    `_away`.
    """
    pips, radius, colours = die.own_fit.pips, die.own_fit.radius, die.smooth[_NEAR, _NEAR]
    nearest, (x, y) = away.min(axis=0), pips.mean(axis=0)
    side = np.abs(pips - (x, y)).max() + 1.2 * radius
    is_face = np.maximum(np.abs(_COLUMNS - x), np.abs(_ROWS - y)) <= side
    paint, body = colours[nearest <= max(1.0, 0.7 * radius)], colours[(nearest > 1.3 * radius) & is_face]
    of_pips, of_body = paint.mean(axis=0), body.mean(axis=0)
    spread = sum((part - middle).T @ (part - middle) for part, middle in ((paint, of_pips), (body, of_body)))
    spread = spread / (len(paint) + len(body)) + 4.0 * np.eye(3)  # noise alone has a deviation of 2 grey levels
    direction = np.asarray(np.linalg.solve(spread, of_pips - of_body), np.float32)
    return np.asarray((colours - of_body) @ direction / max(float((of_pips - of_body) @ direction), 1e-9))


def _away(die: Candidate) -> Array:
    """Return the distance of each pixel in `_NEAR` from each pip, (pips, rows, columns)."""
    x, y = die.own_fit.pips.T[..., None, None]
    return np.asarray(np.sqrt((_COLUMNS[:1] - x) ** 2 + (_ROWS[:, :1] - y) ** 2))
