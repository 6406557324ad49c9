"""Pips of the bottom face of a transparent die."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.candidates import candidate, value_of
from vision.stages.crops import CROP_PX
from vision.stages.finding import Face
from vision.stages.pip_grid import first
from vision.stages.second_opinion import PipFit, colours_of
from vision.verdict.see_through import far_pips, seventh_pip


@pytest.mark.parametrize("radius", [0.001, 0.03, 0.05, 0.15, 0.25])
@pytest.mark.parametrize(("value", "measure"), [(5, far_pips), (6, seventh_pip)])
def test_pips_of_any_size_are_compared_with_the_body(radius, value, measure):
    crop = np.random.default_rng(1).integers(0, 256, (CROP_PX, CROP_PX, 3), np.uint8)
    die = candidate(Face((320.0, 240.0), 20.0, 0.9), value_of(value), crop=crop)
    grid = first(value).grids[0].copy()
    grid[-1] = radius
    die.__dict__["own_fit"] = PipFit(value, 0.0, 0.8, grid, colours_of(crop))
    assert np.isfinite(measure(die))
