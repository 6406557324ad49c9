"""The number of looks before a die is judged to lean or to lie flat."""

from __future__ import annotations

import pytest

from tests.vision.candidates import candidate, chances_of, evidence_of, value_of
from vision.stages.finding import Face
from vision.types import Reason
from vision.verdict import leaning
from vision.verdict.leaning import LeaningParams, leans

ALL = 6
"""The number of looks in a die's own colours."""

MOST = LeaningParams().lean_doubt[-1]

SUSPECT = 0.5 * value_of(3) + 0.5 * chances_of("cocked", 0.9999)


def looks_taken(monkeypatch, doubts: dict[int, float], last=SUSPECT) -> tuple[list[int], Reason | None]:
    """Return how many looks each round took at four dice, and the verdict, by the log odds of the last one."""
    taken = []

    def doubts_by(evidence, looks):
        taken.append(len(looks))
        return [-5.0] * 3 + [doubts[len(looks)]]

    monkeypatch.setattr(leaning, "lean_doubts", doubts_by)
    chances = [value_of(3)] * 3 + [last]
    dice = [candidate(Face((290.0 + 20 * number, 240.0), 8.0, 0.95), each) for number, each in enumerate(chances)]
    objection = leans(evidence_of(dice))
    return taken, objection and objection.reason


def test_dice_that_surely_lie_flat_are_not_looked_at_again(monkeypatch):
    assert looks_taken(monkeypatch, {}, value_of(3)) == ([], None)


def test_a_suspect_die_that_lies_flat_by_two_more_looks_is_not_looked_at_further(monkeypatch):
    assert looks_taken(monkeypatch, {2: MOST / 2 - 0.1}) == ([2], None)


@pytest.mark.parametrize(("by_all", "reason"), [(MOST - 0.1, None), (MOST + 0.1, Reason.COCKED)])
def test_a_die_that_may_lean_by_two_looks_is_refused_if_it_leans_by_all(monkeypatch, by_all, reason):
    assert looks_taken(monkeypatch, {2: MOST / 2 + 0.1, ALL: by_all}) == ([2, ALL], reason)
