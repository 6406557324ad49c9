"""Marks that are drawn on dice to learn from."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.drawn import FELT, add_die, tray
from tools.training.blemish import drawn_over
from vision.stages.crops import CROP_PX, HALF_PX, crop
from vision.stages.finding import Face
from vision.types import Frame

PLACE, HALF = (320.0, 240.0), 40.0
_ROWS, _COLUMNS = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
AWAY = np.hypot(_ROWS, _COLUMNS) / HALF_PX
EIGHTHS = np.floor(np.arctan2(_ROWS, _COLUMNS) / (np.pi / 4)) % 8


@cache
def die(value: int) -> Frame:
    frame = tray(FELT)
    add_die(frame, value, PLACE, HALF, 20.0, (230, 230, 230))
    return crop(frame, Face(PLACE, HALF, 0.95), np.eye(2))


def paint(seen: Frame) -> float:
    """How far the middle is off the body, in grey levels."""
    return 230.0 - float(seen[AWAY < 0.1].mean())


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_an_emblem_or_a_single_pip_is_drawn_on_the_top_face_only(seed: int, value: int):
    before = die(value)
    drawn = drawn_over(np.random.default_rng(seed), before.copy(), HALF_PX)
    assert drawn is not None
    seen, shown = drawn
    assert shown in ("1", "emblem")
    assert np.abs(seen[AWAY > 1.05].astype(int) - before[AWAY > 1.05]).max() <= 1


def test_a_single_pip_drawn_over_a_value_leaves_no_other_pip():
    rng = np.random.default_rng(1)
    drawn = (drawn_over(rng, die(6).copy(), HALF_PX) for _ in range(20))
    ones = [seen for seen, shown in filter(None, drawn) if shown == "1"]
    assert ones
    for seen in ones:
        assert seen[(AWAY > 0.45) & (AWAY < 0.85)].min() > 150
        assert all(seen[(AWAY < 0.4) & (eighth == EIGHTHS)].min() < 120 for eighth in range(8))
        assert paint(seen) > 150 or paint(seen) < 110, "neither a spot nor a ring"
