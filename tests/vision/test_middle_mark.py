"""Discs in the middle of a face."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.stages.crops import CROP_PX
from vision.verdict.middle_pip import middle_disc

MIDDLE = (CROP_PX - 1) / 2
PLACES = np.mgrid[:CROP_PX, :CROP_PX][::-1]


def face(off: tuple[float, ...], x: float = MIDDLE, y: float = MIDDLE, radius: float = 2.5) -> np.ndarray:
    """A body of one colour with a disc that is so far off it, (CROP_PX, CROP_PX, 3)."""
    away = np.hypot(PLACES[0] - x, PLACES[1] - y)
    return (np.clip(radius + 0.5 - away, 0, 1)[..., None] * np.array(off) + 120.0).astype(np.float32)


@given(
    st.tuples(*[st.floats(-100, 100)] * 3).filter(lambda off: np.linalg.norm(off) > 12),
    st.floats(-1.5, 1.5),
    st.floats(-1.5, 1.5),
    st.floats(2.0, 3.0),
)
def test_a_disc_is_found_by_its_shape_even_if_it_is_faint_and_its_colour_is_measured(off, x, y, radius):
    found = middle_disc(face(off, MIDDLE + x, MIDDLE + y, radius))
    assert found.likeness > 0.7
    assert np.linalg.norm(found.off - off) < 0.3 * np.linalg.norm(off)


@pytest.mark.parametrize("shape", ["bare", "edge", "bar"])
def test_other_shapes_are_not_a_disc(shape):
    seen = face((0.0, 0.0, 0.0))
    if shape == "edge":
        seen[:, CROP_PX // 2 :] += 60
    if shape == "bar":
        seen[CROP_PX // 2 - 1 : CROP_PX // 2 + 1] += 60
    assert middle_disc(seen).likeness < 0.5


def test_a_disc_beside_the_middle_does_not_count():
    assert middle_disc(face((-80.0, -80.0, -80.0), MIDDLE + 9)).likeness < 0.5
