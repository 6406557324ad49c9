"""Grids of pips, and the patterns of faces that follow from them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.stages.pip_grid import ACROSS, ALONG, RADIUS, TURN, X, Y, near, pips_of

SQUARE = np.array([0.0, 0.5, 0.5, 0.0, 0.0, 0.16], np.float32)
ALL = pytest.mark.parametrize("value", range(1, 7))


def test_the_positions_of_pips_follow_from_rotation_widths_and_centre():
    grid = replace_numbers(SQUARE, {TURN: 90.0, ACROSS: 0.4, ALONG: 0.6, X: 0.1, Y: -0.05})
    (pips,) = pips_of(2, grid[None])
    assert pips == pytest.approx(np.array([(0.6 + 0.1, -0.4 - 0.05), (-0.6 + 0.1, 0.4 - 0.05)]), abs=1e-6)


@pytest.mark.parametrize(("value", "steps"), [(1, 6), (2, 10), (3, 10), (4, 10), (5, 10), (6, 12)])
def test_a_step_changes_one_number_and_only_a_6_may_become_oblong(value, steps):
    grids = near(value, SQUARE, 1.0).grids
    assert len(grids) == steps
    changed = np.abs(grids - SQUARE) > 1e-6
    if value == 6:
        assert (changed.sum(axis=1) == 1).all()
    else:
        assert np.allclose(grids[:, ACROSS], grids[:, ALONG])
        assert (np.delete(changed, ACROSS, axis=1).sum(axis=1) == 1).all()


@ALL
def test_the_usual_grid_is_the_most_likely(value):
    usual = replace_numbers(SQUARE, {ACROSS: 0.47, ALONG: 0.47, RADIUS: 0.155})
    if value == 1:
        usual = replace_numbers(usual, {RADIUS: 0.2})
    beside = near(value, usual, 1.0)
    turns_only = np.isclose(np.delete(beside.grids, TURN, axis=1), np.delete(usual, TURN)).all(axis=1)
    assert np.allclose(beside.unlikely[turns_only], 0, atol=1e-6)
    assert (beside.unlikely[~turns_only] > 0).all()


def test_every_grid_has_pips_of_some_size():
    assert np.isinf(near(4, replace_numbers(SQUARE, {RADIUS: 0.0}), 0.0).unlikely).all()


def replace_numbers(grid: np.ndarray, numbers: dict[int, float]) -> np.ndarray:
    changed = grid.copy()
    for number, value in numbers.items():
        changed[number] = value
    return changed
