"""Is the confidence in each die's value high enough, and are its pips arranged like those of this value?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.stages.candidate import Candidate, sure_of
from vision.stages.second_opinion import contrary
from vision.types import Reason
from vision.verdict.objection import Objection


def unsure_value(evidence: Evidence) -> Objection | None:
    """A die's value is uncertain. Another look at the picture may not overrule that."""
    doubtful = [die for die in evidence.dice if not is_sure(die)]
    if not doubtful:
        return None
    worst = min(doubtful, key=lambda die: die.confidence)
    return Objection(Reason.UNSURE, f"a die at {worst.place}, {worst.value} at {worst.confidence:.3f}", worst)


def is_sure(die: Candidate) -> bool:
    """Whether the confidence in a die's value is high enough."""
    return die.confidence >= die.params.confidence.least_confidence


def is_doubtful(die: Candidate) -> bool:
    """Whether a die shows some value but it is uncertain which one.

    Retrying until one look is confident eventually accepts a wrong value.
    """
    return not is_sure(die) and die.flawed <= die.params.confidence.flawed


def is_no_value_doubtful(evidence: Evidence) -> bool:
    """Whether no die's value is uncertain; only then may another look clear an objection."""
    return not any(is_doubtful(die) for die in evidence.dice)


def other_pips(evidence: Evidence) -> Objection | None:
    """Geometry finds another value far more likely than the one the looks are sure of."""
    for die in evidence.dice:
        if die.is_plain_to_looks and sure_of(die.by_looks) < die.params.pips.certain:
            other = contrary(die.rough_fit, die.params.pips)
            if other is not None:
                detail = f"a die at {die.place}, {die.value}, with its pips arranged like a {other.value}"
                return Objection(Reason.UNSURE, detail, die)
    return None
