"""Which candidates are dice, and is their number right?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vision.params import CountingParams, PlaceParams
from vision.stages.candidate import Candidate
from vision.types import LIKELY, Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence


def considered(candidates: Sequence[Candidate], expected: int | None, params: PlaceParams) -> list[Candidate]:
    """Return the candidates, without objects beside the tray if the number of dice is known.

    If it is not known, dropping them could silently ignore a die that fell beside the tray.
    """
    if expected is None:
        return list(candidates)
    return [one for one in candidates if one.inside >= params.inside or one.flawed < LIKELY]


def dice_among(candidates: Sequence[Candidate], expected: int | None, params: CountingParams) -> list[Candidate]:
    """Return the candidates that are dice, without surplus ones that do not look like dice.

    Args:
        candidates: The result of `considered`.
        expected: The number of dice; None if it is not known.
        params: The parameters.
    """
    dice = [one for one in candidates if _is_die(one, params)]
    if expected is None or len(dice) <= expected:
        return dice
    left = [die for die in dice if not _may_be_none(die, params)]
    return left if len(left) == expected else dice


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


def _is_die(one: Candidate, params: CountingParams) -> bool:
    if one.face.score >= params.die:
        return one.nothing < LIKELY
    return one.nothing < params.unlike


def _may_be_none(die: Candidate, params: CountingParams) -> bool:
    """Whether a surplus candidate can be dropped: it shows no value, and one network doubts that it is a die."""
    return die.flawed > LIKELY and (die.face.score < params.die or die.nothing > params.surplus)
