"""The number of looks before a die is judged to lean or to lie flat."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.candidates import candidate, chances_of, evidence_of, value_of
from vision.params import LeaningParams
from vision.stages.candidate import Candidate
from vision.stages.finding import Face
from vision.stages.values import CLASSES, PLACES
from vision.types import Reason
from vision.verdict import leaning
from vision.verdict.leaning import leans

ALL = 6
"""The number of looks in a die's own colours."""

MOST = LeaningParams().lean_doubt[-1]

EXPECTED = 0.05
"""The error of a die's uprights that the network expects."""

SUSPECT = 0.5 * value_of(3) + 0.5 * chances_of("cocked", 0.9999)


def looks_taken(monkeypatch, doubts: dict[int, float], last=SUSPECT) -> tuple[list[tuple[int, int]], Reason | None]:
    """Return the looks of each round and at how many of four dice, and the verdict, by the log odds of the last one."""
    taken = []

    def doubts_by(evidence, looks, answers, doubtful):
        taken.append((len(looks), len(doubtful)))
        return [-5.0] * 3 + [doubts[len(looks)]]

    monkeypatch.setattr(leaning, "lean_doubts", doubts_by)
    chances = [value_of(3)] * 3 + [last]
    dice = [candidate(Face((290.0 + 20 * number, 240.0), 8.0, 0.95), each) for number, each in enumerate(chances)]
    objection = leans(evidence_of(dice))
    return taken, objection and objection.reason


def test_a_suspect_die_is_looked_at_until_it_lies_flat_and_is_refused_if_it_leans_by_all_looks(monkeypatch):
    assert looks_taken(monkeypatch, {}, value_of(3)) == ([], None)
    assert looks_taken(monkeypatch, {1: -0.1}) == ([(1, 4)], None)
    assert looks_taken(monkeypatch, {1: 0.1, 2: MOST / 2 - 0.1}) == ([(1, 4), (2, 1)], None)
    for by_all, reason in ((MOST - 0.1, None), (MOST + 0.1, Reason.COCKED)):
        doubts = {1: 0.1, 2: MOST / 2 + 0.1, ALL: by_all}
        assert looks_taken(monkeypatch, doubts) == ([(1, 4), (2, 1), (ALL, 4)], reason)


def suspects(monkeypatch) -> tuple[list[int], list[Candidate]]:
    """Return four dice of which the last may lean by all looks, and a list that gets the number of looks at each."""
    taken = []

    def look_at(_frame, _faces, _pose, looks, _network):
        taken.append(len(looks))
        return np.zeros((len(looks), 1, len(CLASSES) + PLACES + 1), np.float32)

    monkeypatch.setattr(leaning, "look_at", look_at)
    monkeypatch.setattr(leaning, "_doubts", lambda _evidence, faces, _chances: [-0.1] * (len(faces) - 1) + [MOST + 0.1])
    return taken, [candidate(Face((290.0 + 20 * number, 240.0), 8.0, 0.95), value_of(3)) for number in range(4)]


def test_later_rounds_take_only_new_looks_and_the_last_one_looks_at_all_dice(monkeypatch):
    taken, dice = suspects(monkeypatch)
    assert leans(evidence_of(dice)) is not None
    assert taken == [1] * 4 + [1] + [ALL - 1] * 3 + [ALL - 2]


@pytest.mark.parametrize("did_hold", [True, False])
def test_the_same_dice_are_not_looked_at_again_in_a_second_look_at_the_picture(monkeypatch, did_hold):
    taken, dice = suspects(monkeypatch)
    again, before = evidence_of(dice), evidence_of(dice)
    again.__dict__.update(before=before, did_hold=did_hold)
    assert (leans(again) is None) is did_hold
    assert bool(taken) is not did_hold


def test_uprights_off_by_twice_the_error_that_the_network_expects_are_one_standard_deviation_off(monkeypatch):
    def doubts(off: float) -> list[float]:
        """Return the doubts about four dice, of which the network sees the last one's uprights off the vertical."""
        places = [(250.0, 200.0), (390.0, 200.0), (250.0, 280.0), (390.0, 280.0)]
        dice = [candidate(Face(place, 8.0, 0.95), value_of(3)) for place in places]

        def look_at(_frame, faces, _pose, looks, _network):
            said = np.zeros((len(looks), 1, len(CLASSES) + PLACES + 1), np.float32)
            is_last = faces[0].centre == dice[-1].face.centre
            said[..., len(CLASSES)] = off if is_last else 0.0
            said[..., -1] = np.log(EXPECTED if is_last else EXPECTED / 100)
            return said

        monkeypatch.setattr(leaning, "look_at", look_at)
        evidence = evidence_of(dice)
        looks = tuple(look for look in evidence.params.values.crops if look.axis is None and not look.turn_deg)[:1]
        return leaning.lean_doubts(evidence, looks, [[] for _ in dice], range(len(dice)))

    one = doubts(2 * EXPECTED)[-1] - doubts(0.0)[-1]
    assert one == pytest.approx(LeaningParams().lean_weight, rel=0.15)
