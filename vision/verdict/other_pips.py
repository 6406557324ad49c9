"""Are a confident die's pips arranged like those of another value?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.stages.candidate import sure_of
from vision.stages.second_opinion import contrary
from vision.types import Reason
from vision.verdict.objection import Objection


def other_pips(evidence: Evidence) -> Objection | None:
    """Geometry finds another value far more likely than the one the looks are sure of."""
    for die in evidence.dice:
        if die.is_plain_to_looks and sure_of(die.by_looks) < die.params.pips.certain:
            other = contrary(die.rough_fit, die.params.pips)
            if other is not None:
                detail = f"a die at {die.place}, {die.value}, with its pips arranged like a {other.value}"
                return Objection(Reason.UNSURE, detail, die)
    return None
