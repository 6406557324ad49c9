"""Is each die's value sure?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.stages.candidate import Candidate
from vision.types import Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence


def unsure_value(evidence: Evidence) -> Objection | None:
    """A die's value is not sure; no other look at the picture clears that up."""
    doubtful = [die for die in evidence.dice if not is_sure(die)]
    if not doubtful:
        return None
    worst = min(doubtful, key=lambda die: die.confidence)
    return Objection(Reason.UNSURE, f"a die at {worst.place}, {worst.value} at {worst.confidence:.3f}", worst)


def is_sure(die: Candidate) -> bool:
    """Whether a die's value is sure."""
    return die.confidence >= die.params.verdict.sure


def is_doubtful(die: Candidate) -> bool:
    """Whether it is the die's value that is in doubt.

    Retrying until one look is confident eventually accepts a wrong value: of eight dice that only a second or third
    look at the picture was sure of, two had another value.
    """
    return not is_sure(die) and die.flawed <= die.params.verdict.flawed


def is_no_value_doubtful(evidence: Evidence) -> bool:
    """Whether no die's value is in doubt, so that a second look may clear an objection."""
    return not any(is_doubtful(die) for die in evidence.dice)
