"""Others' pictures with a die spoilt."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import tray_with
from tools.overdrawn import REACH, overdrawn
from vision.reader import examine


@pytest.mark.parametrize("what", ["emblem", "worn"])
def test_one_die_is_drawn_over_and_the_rest_of_the_picture_is_unchanged(what):
    frame = tray_with([3, 5, 6, 2])
    before = frame.copy()
    face = next(die.face for die in examine(frame).dice if die.value == 3)
    drawn = (overdrawn(np.random.default_rng(seed), frame, face, what) for seed in range(8))
    spoilt = next(one for one in drawn if one is not None)
    assert np.array_equal(frame, before)
    rows, columns = np.nonzero((spoilt != frame).any(axis=2))
    assert len(rows)
    assert np.abs(columns - face.centre[0]).max() <= REACH * face.half + 1
    assert np.abs(rows - face.centre[1]).max() <= REACH * face.half + 1
