"""Do pips of the far face show through a clear die?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.stages.candidate import Candidate
from vision.types import PATTERN, Reason
from vision.verdict.objection import Objection

if TYPE_CHECKING:
    from vision.evidence import Evidence

_WITHIN = 0.6
"""Part of a pip's radius over which its colour is taken."""

_DIAGONALS = ((0, 4), (1, 3))
"""The pips of a 5, in the order of `PATTERN`, that lie opposite to each other; 2 is the middle one."""


def far_face(evidence: Evidence) -> Objection | None:
    """Of a 5 two opposite pips stand out: a 2, through which the 5 below shows."""
    for die in evidence.dice:
        if die.value == 5 and fainter_pips(die) < evidence.params.verdict.fainter:
            return Objection(Reason.UNSURE, f"a die at {die.place}: a 5, or a clear 2 with the 5 below it", die)
    return None


def fainter_pips(die: Candidate) -> float:
    """Return how much the plainest of three pips of a 5 stands out, as a part of the fainter of the two others.

    The two others lie opposite to each other and stand out most. Opposite faces add up to seven, so the far face's
    pips can make a 5 of a 2.
    """
    fit = die.pip_fits[5 - 1]
    reach = max(1, round(_WITHIN * fit.radius))
    off = np.zeros((len(PATTERN[5]), 3))
    for number, (x, y) in enumerate(np.rint(fit.pips).astype(int)):
        part = die.smooth[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        if part.size:
            off[number] = part.reshape(-1, 3).mean(axis=0) - die.body
    way = off.mean(axis=0)
    plain = off @ way
    most, least = sorted((plain[list(pair)] for pair in _DIAGONALS), key=lambda pair: -float(pair.sum()))
    return float(max(*least, plain[2]) / max(float(most.min()), 1e-6))
