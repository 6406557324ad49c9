"""Was the reflection of a lamp in a shiny face counted as a pip?

Such a reflection is as large as a pip and nearly white on a die of any colour. So nearly white marks are painted over,
and the rest must not show another value.
"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.params import Crop
from vision.stages.candidate import Candidate
from vision.stages.crops import FACE, WHITE, whiteness
from vision.types import Reason
from vision.verdict.objection import Objection


def painted_over(evidence: Evidence) -> Objection | None:
    """A die shows another value once its nearly white marks are painted over."""
    for die in evidence.dice:
        found = without_lamps(die)
        if found is not None and not die.is_distinct:
            value, chance = found
            detail = f"a die at {die.place}, {die.value}, but {value} at {chance:.2f} without its nearly white marks"
            return Objection(Reason.UNSURE, detail, die)
    return None


def without_lamps(die: Candidate) -> tuple[int, float] | None:
    """Return the other value that a die shows without its nearly white marks, with its probability; None if none."""
    params, white = die.params.marks, whiteness(die.crop, WHITE)[FACE, FACE]
    if not 0 < white.mean() < params.part:
        return None
    return _other_value(die, params.dull[:1]) and _other_value(die, params.dull)


def _other_value(die: Candidate, crops: tuple[Crop, ...]) -> tuple[int, float] | None:
    """Return another value that the die surely shows in these crops, and its probability, or None."""
    shown = die.shown_in(crops)
    value, chance = int(shown.argmax()) + 1, float(shown.max())
    return (value, chance) if value != die.value and chance > die.params.marks.other else None
