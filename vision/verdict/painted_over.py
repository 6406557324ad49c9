"""Does a lamp mirrored in a shiny face count for a pip?

It is a spot of a pip's size, nearly white whatever the die's colour is. So nearly white marks are painted over, and
what is left must not be another value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.stages.candidate import Candidate
from vision.stages.crops import FACE, WHITE, Crop, whiteness
from vision.types import Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence


@dataclass(frozen=True, slots=True)
class MarksParams:
    """The tunables of looking at a die with some of its marks painted over.

    Attributes:
        dull: How a die is looked at without its nearly white marks: by the first, then by all.
        part: Part of the face that nearly white marks cover at most to be lamps; 0.15 to 0.4.
        pale: Level of all colours from which other marks are nearly as light; 180 to 225.
        least: Probability of showing a value from which such a look counts; 0.05 to 0.4.
        other: Probability among the six from which it shows another value; 0.8 to 0.98.
    """

    dull: tuple[Crop, ...] = (Crop(0.0, False, 1.0, without_lamps=True), Crop(0.0, True, 1.1, without_lamps=True))
    part: float = 0.25
    pale: int = 215
    least: float = 0.1
    other: float = 0.95


def painted_over(evidence: Evidence) -> Objection | None:
    """A die shows another value once its nearly white marks are painted over."""
    for die in evidence.dice:
        found = without_lamps(die)
        if found is not None and not die.is_distinct:
            value, chance = found
            detail = f"a die at {die.place}, {die.value}, and {value} at {chance:.2f} without its nearly white marks"
            return Objection(Reason.UNSURE, detail, die)
    return None


def without_lamps(die: Candidate) -> tuple[int, float] | None:
    """Return the other value that a die shows without its nearly white marks, and its probability; None if none.

    Not where others are nearly as light: these may be pips all of them. Nor where the die itself is so light.
    """
    params, lamps = die.params.marks, whiteness(die.crop, WHITE)
    paler = whiteness(die.crop, params.pale) > cv2.dilate(lamps, np.ones((5, 5), np.uint8))
    if not 0 < lamps[FACE, FACE].mean() < params.part or paler[FACE, FACE].any():
        return None
    return _other_value(die, params.dull[:1]) and _other_value(die, params.dull)


def _other_value(die: Candidate, crops: tuple[Crop, ...]) -> tuple[int, float] | None:
    """Another value that a die shows in some crops, and its probability among the six."""
    params, shown = die.params.marks, die.shown_in(crops)
    value, total = int(shown.argmax()) + 1, float(shown.sum())
    if value == die.value or total <= params.least or shown.max() <= params.other * total:
        return None
    return value, float(shown.max()) / total
