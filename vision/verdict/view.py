"""Is there enough light, and is each die completely inside the tray and the picture, and far enough from the camera?"""

from __future__ import annotations

from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence
from vision.stages.finding import Face
from vision.types import LIKELY, Frame, Reason
from vision.verdict.objection import Objection

_DARK = 95.0  # level that the brightest parts of the picture or of its dice must reach, 0 to 255


def too_near(evidence: Evidence) -> Objection | None:
    """A die fills so much of the picture that the camera must be too near."""
    width = evidence.size[0]
    for die in evidence.dice:
        part = 2 * die.face.half / width
        if part > evidence.params.place.widest:
            return Objection(Reason.NEAR, f"a die at {die.place} is {100 * part:.0f} % of the picture wide", die)
    return None


def out_of_tray(evidence: Evidence) -> Objection | None:
    """A die lies beside the tray or on its rim."""
    for die in evidence.dice:
        if die.inside < evidence.params.place.inside:
            return Objection(Reason.OUT_OF_TRAY, f"a die at {die.place} outside the tray", die, may_pass=True)
    return None


def cut_off(evidence: Evidence) -> Objection | None:
    """A die extends beyond the edge of the picture."""
    halves = [die.face.half for die in evidence.dice]
    for die in evidence.dice:
        if evidence.is_cut_off(die.face, median(halves)):
            return Objection(Reason.OUT_OF_TRAY, f"a die at {die.place} extends beyond the picture", die, may_pass=True)
    return None


def too_dark(evidence: Evidence) -> Objection | None:
    """The picture is dark, and so are the dice."""
    levels = _levels(evidence.detections.small)
    level = _reached(levels, 0.02)
    if level < _DARK:
        # Lit white pips on black dice in a black tray are less than 2 % of the picture, and a single one is about 3 %
        # of its die.
        zoom = levels.shape[1] / evidence.size[0]
        dice = [_of_face(levels, one.face, zoom) for one in evidence.candidates if one.nothing < LIKELY]
        level = max(level, float(np.median(dice)) if dice else 0.0)
    if level >= _DARK:
        return None
    return Objection(Reason.DARK, f"the brightest parts at level {level:.0f}, below {_DARK:.0f}")


def _levels(small: Frame) -> NDArray[np.uint8]:
    """Return the brightest channel of each pixel, after averaging: in the dark, noise would count as light."""
    height, width = small.shape[:2]
    blue, green, red = cv2.split(cv2.resize(small, (width // 2, height // 2), interpolation=cv2.INTER_AREA))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)  # six times as fast as NumPy over three channels


def _of_face(levels: NDArray[np.uint8], face: Face, zoom: float) -> float:
    """Return the level that the brightest 3 % of a die's top face reach; 0 outside the picture."""
    left, top, right, bottom = (max(0, int(edge * zoom)) for edge in face.box)
    part = levels[top : bottom + 1, left : right + 1]
    return _reached(part, 0.03) if part.size else 0.0


def _reached(levels: NDArray[np.uint8], part: float) -> float:
    """Return the level that the brightest part of these pixels reaches. Counting is ten times as fast as sorting."""
    brighter = np.cumsum(cv2.calcHist([levels], [0], None, [256], [0, 256])[::-1])
    return float(255 - np.searchsorted(brighter, part * levels.size))
