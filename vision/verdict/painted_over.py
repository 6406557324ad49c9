"""The last word on a value: is it shown by pips alone, or did another mark on the face count for one?

A lamp mirrored in a shiny face is a spot of a pip's size; specks and dirt are others. But a die's pips are all darker
than its body, or all lighter, and a lamp's image is nearly white whatever the die's colour is. So marks of one kind are
painted over, and what is left must not be another value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stages.candidate import Candidate
from vision.stages.crops import FACE, WHITE, Crop, Marks, whiteness
from vision.types import Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.reader import Evidence


@dataclass(frozen=True, slots=True)
class MarksParams:
    """The tunables of looking at a die with some of its marks painted over.

    Attributes:
        dark: How a die is looked at with its dark marks alone.
        light: How it is looked at with its light ones.
        dull: How it is looked at with all that are not nearly white; the first, then all.
        part: Part of the face that nearly white marks cover at most to be lamps; 0.15 to 0.4.
        pale: Level of all colours from which other marks are nearly as light; 180 to 225.
        least: Probability of showing a value from which such a look counts; 0.05 to 0.4.
        other: Probability among the six from which it shows another value; 0.8 to 0.98.
        same: Probability among the six from which it shows the same value; 0.8 to 0.95.
    """

    dark: tuple[Crop, ...] = (Crop(0.0, False, 1.0, marks=Marks.DARK), Crop(0.0, True, 1.1, marks=Marks.DARK))
    light: tuple[Crop, ...] = (Crop(0.0, False, 1.0, marks=Marks.LIGHT), Crop(0.0, True, 1.1, marks=Marks.LIGHT))
    dull: tuple[Crop, ...] = (Crop(0.0, False, 1.0, marks=Marks.DULL), Crop(0.0, True, 1.1, marks=Marks.DULL))
    part: float = 0.25
    pale: int = 215
    least: float = 0.1
    other: float = 0.95
    same: float = 0.9


def painted_over(evidence: Evidence) -> Objection | None:
    """A die shows another value once marks of one kind are painted over."""
    for die in evidence.dice:
        found = contradicted(die)
        if found is not None and not die.is_distinct:
            value, chance = found
            detail = f"a die at {die.place}, {die.value}, and {value} at {chance:.2f} with some marks painted over"
            return Objection(Reason.UNSURE, detail, die)
    return None


def contradicted(die: Candidate) -> tuple[int, float] | None:
    """Return the other value that a die shows once some marks are painted over, and its probability; None if none."""
    return _without_lamps(die) or _by_one_kind(die)


def _without_lamps(die: Candidate) -> tuple[int, float] | None:
    """What a die that has nearly white marks shows without them, if that is another value.

    Not where others are nearly as light: these may be pips all of them. Nor where the die itself is so light.
    """
    params, lamps = die.params.marks, whiteness(die.crop, WHITE)
    paler = whiteness(die.crop, params.pale) > cv2.dilate(lamps, np.ones((5, 5), np.uint8))
    if not 0 < lamps[FACE, FACE].mean() < params.part or paler[FACE, FACE].any():
        return None
    found = _clearest(die, [die.shown_in(params.dull[:1])])
    return found and _clearest(die, [die.shown_in(params.dull)])


def _by_one_kind(die: Candidate) -> tuple[int, float] | None:
    """What a die that left a doubt shows by its dark or its light marks alone, if neither shows what was read."""
    if die.is_plain_to_looks:
        return None
    params, shown = die.params.marks, []
    for crops in (params.dark, params.light):
        values = die.shown_in(crops)
        if values[die.value - 1] > params.same * max(values.sum(), params.least):
            return None
        shown.append(values)
    return _clearest(die, shown)


def _clearest(die: Candidate, shown: Sequence[NDArray[np.float32]]) -> tuple[int, float] | None:
    """The other value that some pictures of a die show the most clearly, if any does."""
    params, others = die.params.marks, []
    for values in shown:
        value = int(values.argmax()) + 1
        if value != die.value and values.sum() > params.least:
            others.append((value, float(values.max() / values.sum())))
    clearest = max(others, key=lambda one: one[1], default=None)
    return clearest if clearest and clearest[1] > params.other else None
