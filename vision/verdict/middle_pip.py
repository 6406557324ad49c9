"""Does the middle of each face fit its value?

The middle pip of a 3 or 5 is the only one whose loss turns the value into another one. So glare or a faint mark in the
middle of a 2 or 4 is suspect, as it may hide a pip or be a worn one, and a lamp's reflection may look like the middle
pip of a 3 or 5. A mark in the middle of a 6, or none in the middle of a 1, means that marks were taken for pips.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence
from vision.stages.candidate import Candidate
from vision.stages.crops import CROP_PX
from vision.stages.middle import chance_of_lamp, chance_of_pip
from vision.types import Reason
from vision.verdict.objection import Objection

_MIDDLE = (CROP_PX - 1) / 2

_NEAR = np.array([(x, y) for x in (-1.5, 0.0, 1.5) for y in (-1.5, 0.0, 1.5)])
"""The places where the middle pip is looked for, in pixels from the centre of the crop."""

_ABOUT = np.array([(x, y) for x in range(-3, 4) for y in range(-3, 4) if np.hypot(x, y) <= 3])
"""The same for any part of a middle pip: it may be a ring, or the crop may be off centre."""

_CIRCLE = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)
_BEYOND, _WHITE, _SOFT = (3.0, 4.0), 252.0, 15.0
"""The radii of two circles around the place of a middle pip, in pixels; the level of the darkest channel from which the
inner one may be burnt out; and the largest difference between both in soft glare."""


def middle_hidden(evidence: Evidence) -> Objection | None:
    """Glare in the middle of a 2 or 4 may hide the pip that would make it a 3 or 5."""
    for die in evidence.dice:
        if is_hidden(die):
            detail = f"a die at {die.place}: a {die.value}, or a {die.value + 1} whose middle pip is hidden"
            return Objection(Reason.GLARE, detail, die)
    return None


def middle_marked(evidence: Evidence) -> Objection | None:
    """A mark in the middle of a 2 or 4, however faint, may be the worn pip that makes it a 3 or 5; a 6 has none."""
    for die in evidence.dice:
        if is_marked(die):
            why = "with a mark in its middle" if die.value == 6 else f"or a {die.value + 1} whose middle pip is worn"
            return Objection(Reason.UNSURE, f"a die at {die.place}: a {die.value}, {why}", die)
    return None


def middle_bare(evidence: Evidence) -> Objection | None:
    """A 1 has nothing in its middle, so the mark read as its pip is not one."""
    for die in evidence.dice:
        if die.value == 1 and float(_middle(die, _ABOUT)[1].max()) < die.params.middle.bare:
            return Objection(Reason.EMBLEM, f"a die at {die.place}: a 1 without a pip in its middle", die)
    return None


def middle_lit(evidence: Evidence) -> Objection | None:
    """The middle pip of a 3 or 5 is probably the reflection of a lamp."""
    for die in evidence.dice:
        if die.value in (3, 5) and chance_of_lamp(die.crop, die.body) > die.params.middle.lit:
            detail = f"a die at {die.place}: a {die.value}, or a {die.value - 1} with a lamp's reflection in its middle"
            return Objection(Reason.GLARE, detail, die)
    return None


def is_hidden(die: Candidate) -> bool:
    """Whether the die is a 2 or 4 and glare in its middle may hide a pip.

    Glare that fades softly to less than white around the place of a pip is too weak to hide one.
    """
    if die.value not in (2, 4):
        return False
    near, off_body = _middle(die, _NEAR)
    params = die.params.middle
    if float(off_body.min()) <= params.beside or float(np.median(near.min(axis=1))) < params.burnt:
        return False
    inner, outer = (float(np.median(_colours(die.smooth, radius * _CIRCLE).min(axis=1))) for radius in _BEYOND)
    return not (params.burnt <= inner < _WHITE and inner - outer < _SOFT)


def is_marked(die: Candidate) -> bool:
    """Whether the die is a 2, 4 or 6 and there may be a pip in its middle."""
    return die.value in (2, 4, 6) and chance_of_pip(die.crop, die.body) > die.params.middle.marked


def _middle(die: Candidate, places: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.floating]]:
    """Return the colours at places around the centre, (n, 3), and their mean difference from the body, (n,)."""
    near = _colours(die.smooth, places)
    return near, np.abs(near - die.body).mean(axis=1)


def _colours(smooth: NDArray[np.float32], places: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the colours, (..., 3), at places given in pixels from the centre of a crop, (..., 2)."""
    x, y = np.moveaxis(np.asarray(places, np.float32) + np.float32(_MIDDLE), -1, 0)
    flat = cv2.remap(smooth, x.reshape(-1, 1), y.reshape(-1, 1), cv2.INTER_LINEAR)
    return np.asarray(flat.reshape(*x.shape, 3), np.float32)
