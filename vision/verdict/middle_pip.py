"""A lamp mirrored in the middle of a 2 or a 4 makes a 3 or a 5 of it, and its glare a 2 or a 4 of a 3 or a 5.

The pips of one die have one colour and lie in one light. So where a 3 or a 5 left a doubt, the colour in the middle of
its face is compared with that of the other pips. These are found as the two or four places on a cross about the middle
that differ most from the die's body and least from one another. And where the middle of a 2 or a 4 is nearly white,
other than its body, nobody can tell whether there is a pip below, unless it is as white where the other pips lie, which
all show in it alike, or where two of them do, which are dark in it. Nor, if the value left a doubt, where it is only
whiter than the body. Nor where a disc of the others' size and colour, faint as it may be, is in the middle of a 2 or a
4: the paint of a 3's or 5's middle pip may be worn, the only pip without which a die shows another value. A 1 whose
middle is like its body bears another mark. And a 6 with a disc in its middle, whichever its colour, is none: the panes
of a window that a 1 mirrors lie as a 6's pips do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stages.candidate import Candidate
from vision.stages.crops import CROP_PX, HALF_PX
from vision.types import Reason
from vision.verdict.middle_mark import middle_disc
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.reader import Evidence

_OTHERS = {3: 2, 5: 4}
"""How many pips lie round the middle one of each value that has one, beside the 1."""

_WAYS, _REACHES = 80, np.arange(0.36, 0.84, 0.04)
"""Directions that are tried about the middle, and how far off it pips are looked for, in half sides."""

_ANGLES = np.arange(_WAYS) * (2 * np.pi / _WAYS)

_DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
"""These directions, each of length 1: (ways, 2)."""

_SPOKES = _DIRECTIONS[:, None] * (_REACHES * HALF_PX)[:, None]
"""All these places, in pixels off the middle: (ways, reaches, 2)."""

_CIRCLE = _DIRECTIONS * (0.65 * HALF_PX)
"""Places on the circle that the outer pips of most 2s and 4s lie on, in pixels off the middle: (ways, 2)."""

_BESIDE = 2.2
"""What is beside a pip is looked at so many of its radii off its middle."""

_LEAST_REACHED = 2
"""Glare must reach so many pips: what reaches one alone may be stronger farther from it."""

_MIDDLE = (CROP_PX - 1) / 2

_NEAR = np.array([(x, y) for x in (-1.5, 0.0, 1.5) for y in (-1.5, 0.0, 1.5)])
"""Where the middle of the pips and the middle pip are looked for, in pixels off a crop's middle and off that."""

_ABOUT = np.array([(x, y) for x in range(-3, 4) for y in range(-3, 4) if np.hypot(x, y) <= 3])
"""Where any part of it may be, if it is a ring or the face's middle was missed."""


@dataclass(frozen=True, slots=True)
class MiddleParams:
    """The tunables of a face's middle; levels and differences are grey levels of 255.

    Attributes:
        contrast: Difference of the other pips from the body, over all colours, from which they were found; 10 to 60.
        alike: Difference between them, as a part of that, up to which they were found; 0.1 to 0.4.
        apart: Difference of the middle from them, as a part of that, up to which it is one of them; 0.3 to 0.8.
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

    contrast: float = 40.0
    alike: float = 0.1
    apart: float = 0.4
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


class _Cross(NamedTuple):
    """The pips about the middle one, as they are found.

    Attributes:
        colour: Their mean colour, (3,).
        contrast: How far that is off the body's.
        unlike: How far one of them is off it at most.
        clear: How much more each of them differs from the body than from the others.
    """

    colour: NDArray[np.float32]
    contrast: float
    unlike: float
    clear: float


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


def odd_middle(evidence: Evidence) -> Objection | None:
    """The middle pip of a 3 or a 5 that left a doubt has not the colour of the others."""
    for die in evidence.dice:
        if die.value in _OTHERS and not die.is_plain_to_looks:
            apart = _apart(die, _OTHERS[die.value])
            if apart > die.params.middle.apart and not die.is_distinct:
                detail = f"a die at {die.place}, {die.value}, whose middle pip is {apart:.2f} off the others"
                return Objection(Reason.UNSURE, detail, die)
    return None


def is_hidden(die: Candidate) -> bool:
    """Whether glare in the middle of a 2 or a 4 may hide a pip."""
    if die.value + 1 not in _OTHERS:
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
    if die.value + 1 not in _OTHERS:
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


def _apart(die: Candidate, others: int) -> float:
    """How far the middle is off the 2 or 4 others, as a part of how far these are off the body; 0 if unseen."""
    smooth, body, params = die.smooth, die.body, die.params.middle
    cross, middle = max(
        ((_cross(smooth, body, others, shift), shift) for shift in _NEAR), key=lambda found: found[0].clear
    )
    if cross.contrast < params.contrast or cross.unlike > params.alike * cross.contrast:
        return 0.0
    near = _colours(smooth, _NEAR + middle)
    pip = near[np.linalg.norm(near - body, axis=1).argmax()]
    return float(np.linalg.norm(pip - cross.colour)) / cross.contrast


def _cross(smooth: NDArray[np.float32], body: NDArray[np.float32], others: int, middle: NDArray[np.float64]) -> _Cross:
    """The places on a cross about a middle, (2,) in pixels off the crop's, that are the likeliest to be pips."""
    ring = _colours(smooth, _SPOKES + middle)  # (ways, reaches, 3)
    step = _WAYS // others
    crosses = np.stack([np.roll(ring, -turn * step, axis=0)[:step] for turn in range(others)])
    means = crosses.mean(axis=0)
    off_body = np.linalg.norm(crosses - body, axis=3).min(axis=0)
    off_each_other = np.linalg.norm(crosses - means, axis=3).max(axis=0)
    clear = off_body - off_each_other
    best = np.unravel_index(int(clear.argmax()), clear.shape)
    contrast = float(np.linalg.norm(means[best] - body))
    return _Cross(means[best], contrast, float(off_each_other[best]), float(clear[best]))


def _colours(smooth: NDArray[np.float32], places: NDArray[np.floating]) -> NDArray[np.float32]:
    """The colours at places, (..., 2) in pixels off the middle of a crop: shape (..., 3)."""
    x, y = np.moveaxis(np.asarray(places, np.float32) + np.float32(_MIDDLE), -1, 0)
    flat = cv2.remap(smooth, x.reshape(-1, 1), y.reshape(-1, 1), cv2.INTER_LINEAR)
    return np.asarray(flat.reshape(*x.shape, 3), np.float32)
