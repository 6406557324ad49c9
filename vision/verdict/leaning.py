"""Is any die leaning?

A third network, fitted to leaning dice, measures the direction of each die's upright edges and its expected error. Only
dice that may lean by the usual looks are shown to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence
from vision.params import Crop
from vision.stages.finding import Face
from vision.stages.pose import deviations, fit
from vision.stages.values import CLASSES, as_seen, look_at, mean_chances
from vision.types import Reason
from vision.verdict.objection import Objection

_LONE = 2  # with this many dice or fewer, no die has two others that show the vertical


def leans(evidence: Evidence) -> Objection | None:
    """A die's edges do not point the way the other dice and the camera's known pose imply, or it appears to lean."""
    count, is_known = len(evidence.dice), evidence.picture.pose is not None
    # The usual looks are straightened by all dice, so they say little about a lone one.
    if count > _LONE:
        by_usual_looks = _doubts(evidence, _faces(evidence), [die.chance("cocked") for die in evidence.dice])
        if max(by_usual_looks) <= (-1.0 if is_known else 0.0):
            return None  # plainly flat
    before = evidence.before
    if before is not None and evidence.did_hold and _faces(before) == _faces(evidence):
        return None  # these dice did not lean in the earlier look
    params = evidence.params.leaning
    most = params.known_lean_doubt if is_known else params.lean_doubt[min(count, _LONE + 1) - 1]
    looks = tuple(look for look in evidence.params.values.crops if look.axis is None)
    answers: list[list[NDArray[np.float32]]] = [[] for _ in evidence.dice]
    dice, over = range(count), list(range(count))
    # Most flat dice need only one or two looks. The mean of all, at all dice, is needed to be sure that one leans.
    for upto, bound in ((1, 0.0), (2, most / 2), (len(looks), most)):
        doubts = lean_doubts(evidence, looks[:upto], answers, over if upto < len(looks) else dice)
        over = [number for number in dice if doubts[number] > bound]
        if not over:
            return None
    doubt, die = doubts[over[0]], evidence.dice[over[0]]
    return Objection(Reason.COCKED, f"a die at {die.place} may lean: {doubt:.1f}, at most {most:.1f}", die)


def lean_doubts(
    evidence: Evidence,
    looks: tuple[Crop, ...],
    answers: Sequence[list[NDArray[np.float32]]],
    doubtful: Sequence[int],
) -> list[float]:
    """Return the log odds that each die leans, from looks straightened by the vertical of the other dice.

    The usual looks are straightened by the vertical of all dice, to which a leaning one contributes.

    Args:
        evidence: The look at the picture.
        looks: The looks at each doubtful die.
        answers: The network's output for each die's looks so far; those at doubtful dice are added.
        doubtful: The numbers of the dice to look at.
    """
    faces, chances = [], []
    for number, face in enumerate(dice := _faces(evidence)):
        others = dice[:number] + dice[number + 1 :]
        pose = fit(others, evidence.size, evidence.picture.pose)
        said = answers[number]
        if number in doubtful:
            said += list(look_at(evidence.frame, (face,), pose, looks[len(said) :], "leaning")[:, 0])
        seen = [as_seen(face, pose, look, answer).rise for look, answer in zip(looks, said, strict=False)]
        rise_x, rise_y = np.mean(seen, axis=0)
        mean = np.mean(said, axis=0)
        off = 2.0 * math.exp(float(mean[-1]))  # twice the error that the network expects
        faces.append(replace(face, rise=(float(rise_x), float(rise_y)), rise_off=off))
        chances.append(float(mean_chances([mean[None]])[0, CLASSES.index("cocked")]))
    return _doubts(evidence, faces, chances)


def _doubts(evidence: Evidence, faces: list[Face], chances: list[float]) -> list[float]:
    """Return the log odds that each die leans, from its appearance and the deviation of its edges from the vertical."""
    known, weight = evidence.picture.pose, evidence.params.leaning.lean_weight
    return [
        _log_odds(chance) + weight * deviations(face, faces[:number] + faces[number + 1 :], evidence.size, known)
        for number, (face, chance) in enumerate(zip(faces, chances, strict=True))
    ]


def _faces(evidence: Evidence) -> list[Face]:
    """Return the faces of the dice, weighted by the probability of being a die."""
    return [replace(die.face, score=1.0 - die.nothing) for die in evidence.dice]


def _log_odds(chance: float) -> float:
    chance = min(max(chance, 1e-4), 1.0 - 1e-4)
    return math.log(chance / (1.0 - chance))
