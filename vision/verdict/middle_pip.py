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

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import MiddleParams, Params
from vision.stages.crops import CROP_PX, FACE, HALF_PX
from vision.stages.second_opinion import fits
from vision.types import Frame
from vision.verdict.judge import Seen
from vision.verdict.middle_mark import middle_disc

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


class Odd(NamedTuple):
    """That a die's middle pip is not like the others.

    Attributes:
        apart: How far its colour is from that of the others, as a part of how far these are from the body's.
    """

    apart: float

    def __str__(self) -> str:
        return f"whose middle pip is {self.apart:.2f} off the others"


def odd_middle(seen: Frame, die: Seen, params: Params) -> Odd | None:
    """How the middle pip of a 3 or a 5 that left a doubt is not like the others; None if it is, and for other dice.

    Args:
        seen: The die as from straight above, (CROP_PX, CROP_PX, 3) BGR.
        die: As it was read.
        params: The tunables.
    """
    if die.value not in _OTHERS or die.alone >= params.values.plain:
        return None
    apart = _apart(seen, _OTHERS[die.value], params.middle)
    return Odd(apart) if apart > params.middle.apart else None


def is_middle_hidden(seen: Frame, die: Seen, params: Params) -> bool:
    """Tell whether glare in the middle of a 2 or a 4 may hide the pip that makes a 3 or a 5 of it.

    Arguments as for `odd_middle`.
    """
    if die.value + 1 not in _OTHERS:
        return False
    near, off_body = _middle(seen, _NEAR)
    white, off = float(np.median(near.min(axis=1))), float(off_body.min())
    if white >= params.middle.burnt and off > params.middle.beside and not _do_pips_show(seen, die.value, params):
        return True
    if die.alone >= params.values.plain or off <= params.middle.other:
        return False
    return white - float(_body(seen).min()) > params.middle.whiter


def _do_pips_show(seen: Frame, value: int, params: Params) -> bool:
    """Tell whether what is nearly white in a face's middle reaches other pips, which show in it: so would one there.

    Either it lies over much of the face and all pips are alike in it, or two at least lie in it and are dark.
    """
    smooth = _smooth(seen)
    found = fits(seen, params.lattice)[value - 1]
    places = found.pips - _MIDDLE
    levels = _colours(smooth, places).mean(axis=1)
    is_wide = (_colours(smooth, _CIRCLE).min(axis=1) >= params.middle.pale).mean() >= params.middle.about
    if is_wide and float(levels.max() - levels.min()) <= params.middle.unlike:
        return True
    beside = _colours(smooth, places[:, None] + _BESIDE * found.radius * _DIRECTIONS).min(axis=2)
    lit = (beside >= params.middle.pale).mean(axis=1) >= params.middle.reached
    return int(lit.sum()) >= _LEAST_REACHED and float(levels[lit].max()) <= params.middle.dark_pip


def is_middle_worn(seen: Frame, die: Seen, params: Params) -> bool:
    """Tell whether what a 2 or a 4 bears in its middle may be the worn pip that makes a 3 or a 5 of it.

    Arguments as for `odd_middle`.
    """
    if die.value + 1 not in _OTHERS:
        return False
    smooth = _smooth(seen)
    disc = middle_disc(smooth)
    if disc.likeness < params.middle.disc:
        return False
    pips = fits(seen, params.lattice)[die.value - 1].pips - _MIDDLE
    paint = _colours(smooth, pips).mean(axis=0) - _body(seen)
    strength, of_paint = float(np.linalg.norm(disc.off)), float(np.linalg.norm(paint))
    is_of_their_kind = float(disc.off @ paint) > params.middle.kind * strength * of_paint
    return is_of_their_kind and strength > params.middle.left * of_paint


def is_middle_bare(seen: Frame, die: Seen, params: Params) -> bool:
    """Tell whether a 1 has nothing in its middle: what was taken for its pip is none.

    Arguments as for `odd_middle`.
    """
    return die.value == 1 and float(_middle(seen, _ABOUT)[1].max()) < params.middle.bare


def is_middle_marked(seen: Frame, die: Seen, params: Params) -> bool:
    """Tell whether a 6 bears a disc of a pip's size in its middle: what was taken for its pips may be none.

    Arguments as for `odd_middle`.
    """
    return die.value == 6 and middle_disc(_smooth(seen)).likeness > params.middle.marked


def _middle(seen: Frame, places: NDArray[np.floating]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The colours at places about the middle, (n, 3), and how far each is off the body's in the mean, (n,)."""
    near = _colours(_smooth(seen), places)
    return near, np.abs(near - _body(seen)).mean(axis=1)


def _smooth(seen: Frame) -> NDArray[np.float32]:
    """A crop with each pixel the mean of those about it, as noise is taken for colour else: the same shape."""
    return cv2.blur(seen, (3, 3)).astype(np.float32)


def _body(seen: Frame) -> NDArray[np.float32]:
    """The colour of a die's body, (3,)."""
    return np.asarray(np.median(seen[FACE, FACE].reshape(-1, 3), axis=0), np.float32)


def _apart(seen: Frame, others: int, params: MiddleParams) -> float:
    """How far the middle's colour is off the other pips', in how far these are off the body's; 0 where none are seen.

    Args:
        seen: A die as from straight above, (CROP_PX, CROP_PX, 3) BGR.
        others: How many pips there are about the middle, 2 or 4.
        params: The tunables.
    """
    smooth = _smooth(seen)
    body = _body(seen)
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
