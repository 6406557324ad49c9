"""The last word on a value: is it shown by pips alone, or did another mark on the face count for one?

A lamp mirrored in a shiny face is a spot of a pip's size; specks and dirt are others. But a die's pips are all darker
than its body, or all lighter, and a lamp's image is nearly white whatever the die's colour is. So marks of one kind are
painted over, and what is left must not be another value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import Look, Params
from vision.stages.crops import FACE, WHITE, whiteness
from vision.stages.pose import Upright
from vision.stages.values import look_at, mean_chances
from vision.types import Frame
from vision.verdict.judge import Seen


class Contrary(NamedTuple):
    """What a die shows once some marks are painted over, other than it was read.

    Attributes:
        value: 1 to 6,
        chance: with this probability, if it shows a value.
    """

    value: int
    chance: float

    def __str__(self) -> str:
        return f"and {self.value} at {self.chance:.2f} with some marks painted over"


def contradicted(seen: Frame, frame: Frame, die: Seen, upright: Upright, params: Params) -> Contrary | None:
    """The other value that a die shows once marks of one kind are painted over; None if it shows none.

    Args:
        seen: The die as from straight above, (CROP_PX, CROP_PX, 3) BGR.
        frame: The frame that it is in, (H, W, 3) uint8, BGR.
        die: As it was read.
        upright: How the camera stands.
        params: The tunables.
    """
    return _without_lamps(seen, frame, die, upright, params) or _by_one_kind(frame, die, upright, params)


def _without_lamps(seen: Frame, frame: Frame, die: Seen, upright: Upright, params: Params) -> Contrary | None:
    """What a die that has nearly white marks shows without them, if that is another value.

    Not where others are nearly as light: these may be pips all of them. Nor where the die itself is so light.
    """
    lamps = whiteness(seen, WHITE)
    paler = whiteness(seen, params.marks.pale) > cv2.dilate(lamps, np.ones((5, 5), np.uint8))
    if not 0 < lamps[FACE, FACE].mean() < params.marks.part or paler[FACE, FACE].any():
        return None
    found = _clearest(die, [_shown(frame, die, upright, params.marks.dull[:1])], params)
    return found and _clearest(die, [_shown(frame, die, upright, params.marks.dull)], params)


def _by_one_kind(frame: Frame, die: Seen, upright: Upright, params: Params) -> Contrary | None:
    """What a die that left a doubt shows by its dark or its light marks alone, if neither shows what was read."""
    if die.alone >= params.values.plain:
        return None
    shown = []
    for looks in (params.marks.dark, params.marks.light):
        values = _shown(frame, die, upright, looks)
        if values[die.value - 1] > params.marks.same * max(values.sum(), params.marks.least):
            return None
        shown.append(values)
    return _clearest(die, shown, params)


def _shown(frame: Frame, die: Seen, upright: Upright, looks: tuple[Look, ...]) -> NDArray[np.float32]:
    """Probability of each value by some looks, shape (6,): what is missing to 1 is that it shows none."""
    return mean_chances(look_at(frame, (die.face,), upright, looks))[0, :6]


def _clearest(die: Seen, shown: Sequence[NDArray[np.float32]], params: Params) -> Contrary | None:
    """The other value that some pictures of a die show the most clearly, if any does."""
    others = []
    for values in shown:
        value = int(values.argmax()) + 1
        if value != die.value and values.sum() > params.marks.least:
            others.append(Contrary(value, float(values.max() / values.sum())))
    clearest = max(others, key=lambda one: one.chance, default=None)
    return clearest if clearest and clearest.chance > params.marks.other else None
