"""Is the number of dice right, and do the looks at the picture agree about them?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.types import LIKELY, Reason
from vision.verdict.objection import Objection

_DIFFER = "two looks at the picture disagree about the dice"


def no_dice(evidence: Evidence) -> Objection | None:
    """No die was found."""
    return None if evidence.dice else Objection(Reason.NO_DICE, "no die found")


def wrong_count(evidence: Evidence) -> Objection | None:
    """There are more or fewer dice than expected."""
    dice, expected, params = evidence.dice, evidence.expected, evidence.params.counting
    if expected is None or len(dice) == expected:
        return None
    sure = [die for die in dice if die.face.score >= params.contrary and die.flawed < LIKELY]
    # Another look may drop a doubtful die, or see one at another place in the tray. It hardly ever finds new places.
    may_pass = len(sure) <= expected <= len(evidence.considered)
    return Objection(Reason.COUNT, f"{len(dice)} dice, {expected} expected", may_pass=may_pass)


def seen_once(evidence: Evidence) -> Objection | None:
    """The number of dice is unknown, and the looks at the picture have not all found the same ones."""
    if evidence.expected is not None:
        return None
    before = evidence.before
    if before is None:
        return Objection(Reason.UNSURE, _DIFFER, may_pass=True)
    if evidence.did_hold and before.values != evidence.values:
        return Objection(Reason.UNSURE, _DIFFER)
    # Only an enlarged look separates dice that touch if a top face is narrower than a thirtieth of the picture.
    is_small = any(2 * die.face.half < 0.033 * evidence.size[0] for die in evidence.dice)
    if is_small and before.before is None:
        return Objection(Reason.UNSURE, "small dice, of which one may hide another", may_pass=True)
    return None
