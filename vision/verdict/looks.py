"""Do the looks at the picture agree?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vision.stages.candidate import Candidate
from vision.types import Reason
from vision.verdict.certainty import is_doubtful
from vision.verdict.objection import ClearedBy, Objection

if TYPE_CHECKING:
    from vision.reader import Evidence

_DIFFER = "two looks at the picture see other dice"


def seen_once(evidence: Evidence) -> Objection | None:
    """Where the number of dice is not known one look may have missed a die, so two looks must see the same."""
    if evidence.expected is not None:
        return None
    if not evidence.earlier:
        return Objection(Reason.UNSURE, _DIFFER, cleared_by=ClearedBy.SECOND_LOOK)
    before = evidence.earlier[-1]
    if before.would_hold and before.values != evidence.values:
        return Objection(Reason.UNSURE, _DIFFER)
    return None


def doubted_before(evidence: Evidence) -> Objection | None:
    """An earlier look left the value of one of the dice in doubt."""
    for before in evidence.earlier:
        for die in before.dice:
            if is_doubtful(die) and is_among(die, evidence.dice):
                return Objection(Reason.UNSURE, _DIFFER, die)
    return None


def odd_die(evidence: Evidence) -> Objection | None:
    """A die leans or hardly shows a value, and neither geometry nor a look from closer confirms the reading."""
    if evidence.expected is None:
        return None
    odd = next((die for die in evidence.dice if is_odd(die) and not _is_confirmed(die)), None)
    if odd is None:
        return None
    if not evidence.is_closer:
        closer = evidence.look_closer()
        if closer.would_hold and closer.values == evidence.values:
            return None
    return Objection(Reason.UNSURE, _DIFFER, odd)


def is_odd(die: Candidate) -> bool:
    """Whether a die that may be read looks odd: its own edges point elsewhere, or it hardly shows a value."""
    params = die.params.verdict
    return die.lean > params.crooked or die.flawed > params.blank


def _is_confirmed(die: Candidate) -> bool:
    """Whether geometry shows an odd die's value plainly; but a side face has plain pips too."""
    return die.lean <= die.params.verdict.aslant and die.is_plain


def is_among(die: Candidate, dice: Sequence[Candidate]) -> bool:
    """Whether a die is one of these, by its place."""
    return any(math.dist(die.face.centre, other.face.centre) < max(die.face.half, other.face.half) for other in dice)
