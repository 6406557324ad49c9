"""Which candidates are dice, and is their number right?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.types import LIKELY, Reason
from vision.verdict.objection import Objection


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
