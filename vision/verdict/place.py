"""Is each die completely inside the tray and the picture, and far enough from the camera?"""

from __future__ import annotations

from vision.evidence import Evidence
from vision.stages.candidate import Candidate
from vision.types import Reason
from vision.verdict.objection import Objection


def too_near(evidence: Evidence) -> Objection | None:
    """A die fills so much of the picture that the camera must be too near."""
    width = evidence.size[0]
    for die in evidence.dice:
        part = 2 * die.face.half / width
        if part > evidence.params.place.widest:
            return Objection(Reason.NEAR, f"a die at {die.place} is {100 * part:.0f} % of the picture wide", die)
    return None


def out_of_tray(evidence: Evidence) -> Objection | None:
    """A die lies beside the tray or on its rim."""
    for die in evidence.dice:
        if die.inside < evidence.params.place.inside:
            return Objection(Reason.OUT_OF_TRAY, f"a die at {die.place} outside the tray", die, may_pass=True)
    return None


def cut_off(evidence: Evidence) -> Objection | None:
    """A die extends beyond the edge of the picture."""
    for die in evidence.dice:
        if _is_cut(die, evidence.size, evidence.params.place.reach):
            return Objection(Reason.OUT_OF_TRAY, f"a die at {die.place} extends beyond the picture", die, may_pass=True)
    return None


def _is_cut(die: Candidate, size: tuple[int, int], reach: float) -> bool:
    """Whether the die extends beyond a picture of this width and height."""
    return any(
        not reach * die.face.half <= place + 0.5 <= side - reach * die.face.half
        for place, side in zip(die.face.centre, size, strict=True)
    )
