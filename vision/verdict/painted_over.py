"""Was the reflection of a lamp in a shiny face counted as a pip?

Such a reflection is as large as a pip and nearly white on a die of any colour. In the middle of a face it turns a 2
into a 3 and a 4 into a 5. So nearly white marks are painted over, and the rest must not show one pip fewer.
"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.stages.candidate import Candidate
from vision.stages.crops import FACE, WHITE, whiteness
from vision.types import LIKELY, Reason
from vision.verdict.objection import Objection


def painted_over(evidence: Evidence) -> Objection | None:
    """A 3 or 5 probably shows one pip fewer once its nearly white marks are painted over."""
    for die in evidence.dice:
        chance = without_lamps(die)
        if chance is not None and not die.is_distinct:
            detail = f"a die at {die.place}, {die.value}, but {die.value - 1} at {chance:.2f} without its white marks"
            return Objection(Reason.UNSURE, detail, die)
    return None


def without_lamps(die: Candidate) -> float | None:
    """Return the probability that a 3 or 5 shows one pip fewer without its nearly white marks; None if it is low."""
    params = die.params.marks
    if die.value not in (3, 5) or not 0 < whiteness(die.crop, WHITE)[FACE, FACE].mean() < params.part:
        return None
    chance = 0.0
    for looks in (params.dull[:1], params.dull):
        chance = float(die.shown_in(looks)[die.value - 2])
        if chance <= LIKELY:
            return None
    return chance
