"""Do the looks at the picture agree?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.types import Reason
from vision.verdict.objection import Objection

_SMALL = 0.033
"""Width of a top face, as a part of the picture's, below which only an enlarged look separates dice that touch."""

_DIFFER = "two looks at the picture disagree about the dice"


def seen_once(evidence: Evidence) -> Objection | None:
    """The number of dice is unknown, and the looks at the picture have not all found the same ones."""
    if evidence.expected is not None:
        return None
    before = evidence.before
    if before is None:
        return Objection(Reason.UNSURE, _DIFFER, may_pass=True)
    if evidence.did_hold and before.values != evidence.values:
        return Objection(Reason.UNSURE, _DIFFER)
    is_small = any(2 * die.face.half < _SMALL * evidence.size[0] for die in evidence.dice)
    if is_small and before.before is None:
        return Objection(Reason.UNSURE, "small dice, of which one may hide another", may_pass=True)
    return None
