"""Is the middle of a face as its value says?

Glare in the middle of a 2 or a 4 may hide a pip, unless it lies over the other pips as well and these show in it. A
faint disc of the others' size and colour there may be a pip whose paint is worn: the middle pip of a 3 or a 5 is the
only one without which a die shows another value. A 6 with a disc in its
middle is none, and a 1 whose middle is like its body bears another mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stages.candidate import Candidate
from vision.stages.crops import CROP_PX, HALF_PX
from vision.types import Reason
from vision.verdict.middle_mark import middle_disc
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence

_WAYS = np.arange(80) * (2 * np.pi / 80)

_DIRECTIONS = np.stack([np.cos(_WAYS), np.sin(_WAYS)], axis=1)
"""Directions about the middle, each of length 1: (ways, 2)."""

_CIRCLE = _DIRECTIONS * (0.65 * HALF_PX)
"""Places on the circle that the outer pips of most 2s and 4s lie on, in pixels off the middle: (ways, 2)."""

_BESIDE = 2.2
"""The distance from a pip's middle at which the face beside it is measured, in radii of the pip."""

_LEAST_REACHED = 2
"""The number of pips that glare must reach; a spot that reaches only one may be stronger farther from it."""

_MIDDLE = (CROP_PX - 1) / 2

_NEAR = np.array([(x, y) for x in (-1.5, 0.0, 1.5) for y in (-1.5, 0.0, 1.5)])
"""Where the middle of the pips and the middle pip are looked for, in pixels off a crop's middle and off that."""

_ABOUT = np.array([(x, y) for x in range(-3, 4) for y in range(-3, 4) if np.hypot(x, y) <= 3])
"""Where any part of it may be, if it is a ring or the face's middle was missed."""


@dataclass(frozen=True, slots=True)
class MiddleParams:
    """The tunables of a face's middle; levels and differences are grey levels of 255.

    Attributes:
        burnt: Level of all colours from which the middle of a 2 or a 4 may hide a pip; 240 to 250.
        beside: Difference from the body, in the mean of the colours, from which it does; 20 to 40.
        pale: Level of all colours from which glare reaches a place; 225 to 245.
        about: Part of the circle of the other pips that glare reaches for these to show in it; 0.3 to 0.5.
        unlike: Difference of their levels up to which they all show in it; 40 to 60.
        reached: Part of what is round a pip from which it lies in the glare; 0.3 to 0.5.
        dark_pip: Level up to which such a pip is dark; 140 to 200.
        other: Difference from the body from which the middle of one in doubt may hide a pip; 10 to 20.
        whiter: How much its weakest colour is above the body's for that; 40 to 80.
        bare: Difference from the body below which a 1 has no pip in its middle; 6 to 11.
        disc: Correlation with a disc of a pip's size from which the middle may bear a worn pip; 0.5 to 0.75.
        left: Difference from what is round it, as a part of the other pips' from the body, for that; 0.06 to 0.2.
        kind: Cosine between both differences for that; 0.8 to 0.95.
        marked: Correlation with a disc from which the middle of a 6 is marked; 0.8 to 0.9.
    """

    burnt: float = 245.0
    beside: float = 30.0
    pale: float = 225.0
    about: float = 0.4
    unlike: float = 50.0
    reached: float = 0.4
    dark_pip: float = 165.0
    other: float = 14.0
    whiter: float = 50.0
    bare: float = 10.0
    disc: float = 0.65
    left: float = 0.1
    kind: float = 0.9
    marked: float = 0.85


def middle_hidden(evidence: Evidence) -> Objection | None:
    """Glare in the middle of a 2 or a 4 may hide the pip that would make a 3 or a 5 of it."""
    for die in evidence.dice:
        if is_hidden(die):
            detail = f"a die at {die.place}: a {die.value}, or a {die.value + 1} whose middle pip is hidden"
            return Objection(Reason.GLARE, detail, die)
    return None


def middle_worn(evidence: Evidence) -> Objection | None:
    """What a 2 or a 4 bears in its middle may be the worn pip that would make a 3 or a 5 of it."""
    for die in evidence.dice:
        if is_worn(die):
            detail = f"a die at {die.place}: a {die.value}, or a {die.value + 1} whose middle pip is worn"
            return Objection(Reason.UNSURE, detail, die)
    return None


def middle_marked(evidence: Evidence) -> Objection | None:
    """A 6 bears a disc of a pip's size in its middle: what was taken for its pips may be none."""
    for die in evidence.dice:
        if die.value == 6 and middle_disc(die.smooth).likeness > die.params.middle.marked:
            return Objection(Reason.UNSURE, f"a die at {die.place}: a 6 with a mark in its middle", die)
    return None


def middle_bare(evidence: Evidence) -> Objection | None:
    """A 1 has nothing in its middle: what was taken for its pip is none."""
    for die in evidence.dice:
        if die.value == 1 and float(_middle(die, _ABOUT)[1].max()) < die.params.middle.bare:
            return Objection(Reason.EMBLEM, f"a die at {die.place}: a 1 without a pip in its middle", die)
    return None


def is_hidden(die: Candidate) -> bool:
    """Whether glare in the middle of a 2 or a 4 may hide a pip."""
    if die.value not in (2, 4):
        return False
    params = die.params.middle
    near, off_body = _middle(die, _NEAR)
    white, off = float(np.median(near.min(axis=1))), float(off_body.min())
    if white >= params.burnt and off > params.beside and not _do_pips_show(die):
        return True
    if die.is_plain_to_looks or off <= params.other:
        return False
    return white - float(die.body.min()) > params.whiter


def _do_pips_show(die: Candidate) -> bool:
    """Whether what is nearly white in a face's middle reaches other pips, which show in it: so would one there.

    Either it lies over much of the face and all pips are alike in it, or two at least lie in it and are dark.
    """
    params, found = die.params.middle, die.pip_fits[die.value - 1]
    places = found.pips - _MIDDLE
    levels = _colours(die.smooth, places).mean(axis=1)
    is_wide = (_colours(die.smooth, _CIRCLE).min(axis=1) >= params.pale).mean() >= params.about
    if is_wide and float(levels.max() - levels.min()) <= params.unlike:
        return True
    beside = _colours(die.smooth, places[:, None] + _BESIDE * found.radius * _DIRECTIONS).min(axis=2)
    lit = (beside >= params.pale).mean(axis=1) >= params.reached
    return int(lit.sum()) >= _LEAST_REACHED and float(levels[lit].max()) <= params.dark_pip


def is_worn(die: Candidate) -> bool:
    """Whether the middle of a 2 or a 4 bears a disc of a pip's size and of the other pips' colour, however faint."""
    if die.value not in (2, 4):
        return False
    params, disc = die.params.middle, middle_disc(die.smooth)
    if disc.likeness < params.disc:
        return False
    pips = die.pip_fits[die.value - 1].pips - _MIDDLE
    paint = _colours(die.smooth, pips).mean(axis=0) - die.body
    strength, of_paint = float(np.linalg.norm(disc.off)), float(np.linalg.norm(paint))
    is_of_their_kind = float(disc.off @ paint) > params.kind * strength * of_paint
    return is_of_their_kind and strength > params.left * of_paint


def _middle(die: Candidate, places: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The colours at places about the middle, (n, 3), and how far each is off the body's in the mean, (n,)."""
    near = _colours(die.smooth, places)
    return near, np.abs(near - die.body).mean(axis=1)


def _colours(smooth: NDArray[np.float32], places: NDArray[np.floating]) -> NDArray[np.float32]:
    """The colours at places, (..., 2) in pixels off the middle of a crop: shape (..., 3)."""
    x, y = np.moveaxis(np.asarray(places, np.float32) + np.float32(_MIDDLE), -1, 0)
    flat = cv2.remap(smooth, x.reshape(-1, 1), y.reshape(-1, 1), cv2.INTER_LINEAR)
    return np.asarray(flat.reshape(*x.shape, 3), np.float32)
