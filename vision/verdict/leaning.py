"""Does a die lean?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from vision.stages.candidate import Candidate
from vision.stages.pose import fit
from vision.stages.values import CLASSES, look_at, mean_chances
from vision.types import Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence

_COCKED = CLASSES.index("cocked")

_WITNESSES = 2
"""So many other dice fix the vertical."""

_EDGES_ALONE = -3.0
"""Of one or two dice under a known pose looks speak no more strongly against leaning: edges alone may tell."""


def leans(evidence: Evidence) -> Objection | None:
    """A die's edges point elsewhere than the others and the known pose say, or it looks as if it leaned."""
    for die in evidence.dice:
        doubt, most = lean_doubt(evidence, die)
        if doubt > most:
            return Objection(Reason.COCKED, f"a die at {die.place} may lean: {doubt:.1f}, at most {most:.1f}", die)
    return None


def lean_doubt(evidence: Evidence, die: Candidate) -> tuple[float, float]:
    """Return how much speaks for a die's leaning, as log odds, and the most that a reading allows.

    The vertical is what the other dice and the known pose say, as a die that leans says otherwise. With one other die
    or none little fixes it, so less is allowed.
    """
    params, known = evidence.params.verdict, evidence.picture.pose
    others = [replace(other.face, score=1.0 - other.nothing) for other in evidence.dice if other is not die]
    pose = fit(others, evidence.size, evidence.params.pose, known)
    off, seen = pose.lean(die.face), _log_odds(die.chance("cocked"))
    is_lone = len(others) < _WITNESSES
    if is_lone and known is None:
        return seen + params.lone_lean_weight * off, params.lone_lean_doubt
    most = params.known_lean_doubt if is_lone else params.lean_doubt
    if seen + params.lean_weight * off > most - params.lean_margin:
        # The usual look goes by where the finder saw edges point; this one by the vertical.
        straight = look_at(evidence.frame, (die.face,), pose, evidence.params.values.crops[:1])
        again = _log_odds(float(mean_chances(straight)[0, _COCKED]))
        seen = max(again, _EDGES_ALONE) if is_lone else (seen + again) / 2
    return seen + params.lean_weight * off, most


def _log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-4), 1.0 - 1e-4)
    return math.log(chance / (1.0 - chance))
