"""Candidates and evidence written by hand instead of by the stages, for tests of single objections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from vision.evidence import Evidence, Picture
from vision.params import Params
from vision.stages.candidate import Candidate
from vision.stages.finding import Detections, Face
from vision.stages.values import CLASSES, FaceValues
from vision.types import Frame, Pose
from vision.verdict.objection import Check, Objection

PARAMS = Params()
SIZE = (640, 480)
STRAIGHT_DOWN = Pose((0.0, 0.0), (319.5, 239.5), 1e-9)
LIT = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)


def chances_of(name: str, chance: float = 0.9999) -> np.ndarray:
    """Chances of a place that surely is of one class."""
    chances = np.full(len(CLASSES), (1 - chance) / (len(CLASSES) - 1), np.float32)
    chances[CLASSES.index(name)] = chance
    return chances


def value_of(value: int, confidence: float = 0.9999) -> np.ndarray:
    """Chances of a die that shows a value, or else the next one."""
    chances = np.zeros(len(CLASSES), np.float32)
    chances[value % 6], chances[value - 1] = 1 - confidence, confidence
    return chances


def candidate(
    face: Face,
    chances: np.ndarray,
    *,
    inside: float = 1.0,
    distinct: bool = False,
    crop: Frame | None = None,
    params: Params = PARAMS,
) -> Candidate:
    """A candidate of which the looks say this, and geometry whether its pips are distinct."""
    made = Candidate(LIT if crop is None else crop, face, STRAIGHT_DOWN, chances, inside, params)
    known = {"chances": chances, "has_second_opinion": distinct, "is_distinct": distinct}
    made.__dict__.update(known if crop is None else {**known, "crop": crop})
    return made


def evidence_of(
    candidates: Sequence[Candidate],
    detections: Detections | None = None,
    *,
    frame: Frame = LIT,
    expected: int | None = 4,
) -> Evidence:
    """One look that saw these candidates."""
    blank = np.zeros((60, 80), np.float32)
    said = np.stack([blank] * 8)
    small = np.ascontiguousarray(frame[::2, ::2])
    seen = detections or Detections((), blank + 1, blank, said, said, small)
    evidence = Evidence(Picture(frame, None, None, expected, PARAMS), replace(seen, small=small))
    evidence.__dict__.update(
        candidates=tuple(candidates), face_values=FaceValues((), np.zeros((0, len(CLASSES)), np.float32), STRAIGHT_DOWN)
    )
    return evidence


def objected(check: Check, *dice: Candidate) -> Objection | None:
    """Return the objection of a row of the table to some dice."""
    return check(SimpleNamespace(dice=dice))
