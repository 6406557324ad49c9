"""The pictures of another renderer (`tools.training.path_traced`): the parts that need no renderer."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.training.path_traced.plan import SIZE, LaidDie, Plan, axes, plan
from tools.training.path_traced.sensor import developed

SEEDS = range(40)


def planned(why: str) -> list[Plan]:
    found = []
    for seed in SEEDS:
        try:
            found.append(plan(np.random.default_rng(seed), why))
        except ValueError:  # no room
            continue
    assert len(found) > len(SEEDS) / 2
    return found


def corners(die: LaidDie) -> NDArray[np.float64]:
    """The corners of a die whose edges are sharp, (8, 3) cm."""
    half = die.look.size_cm / 2
    cos, sin = math.cos(die.turn_rad), math.sin(die.turn_rad)
    points = np.array(list(itertools.product((-half, half), repeat=3))) @ [[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]
    axis = np.array([-math.sin(die.lean_way_rad), math.cos(die.lean_way_rad), 0.0])
    # Rodrigues' formula
    cos, sin = math.cos(die.lean_rad), math.sin(die.lean_rad)
    along = np.outer(points @ axis, axis) * (1 - cos)
    return points * cos + np.cross(axis, points) * sin + along + np.array(die.middle)


def test_readable_dice_lie_on_the_floor_inside_the_picture() -> None:
    for made in planned(""):
        assert len(made.dice) == 4
        for die in made.dice:
            right, up, back = axes(made.camera) @ (corners(die) - made.camera.place).T
            half = -back * math.tan(made.camera.field_rad / 2)
            assert np.all(np.abs(right) < half)
            assert np.all(np.abs(up) < half * SIZE[1] / SIZE[0])
            assert corners(die)[:, 2].min() == pytest.approx(0.0)


def test_no_two_dice_overlap() -> None:
    for made in planned(""):
        for one, other in itertools.combinations(made.dice, 2):
            # Where two squares do not meet, an edge of one of them parts them (the separating axis theorem).
            parted = False
            for way in (one.turn_rad, other.turn_rad):
                for turn in (way, way + math.pi / 2):
                    line = np.array([math.cos(turn), math.sin(turn), 0.0])
                    first, second = corners(one) @ line, corners(other) @ line
                    parted |= bool(first.max() <= second.min() + 1e-9 or second.max() <= first.min() + 1e-9)
            assert parted


def test_a_leaning_die_touches_the_floor_and_the_die_it_leans_against() -> None:
    leaning = [(made.dice[0], die) for made in planned("cocked") for die in made.dice if die.lean_rad]
    assert leaning
    for against, die in leaning:
        assert corners(die)[:, 2].min() == pytest.approx(0.0, abs=1e-9)
        way = np.array([math.cos(die.lean_way_rad), math.sin(die.lean_way_rad), 0.0])
        nearest = (corners(die) @ way).min()
        assert nearest == pytest.approx((corners(against) @ way).max(), abs=1e-9)


def test_pictures_to_be_refused_for_their_count_do_not_have_four_dice() -> None:
    assert {len(made.dice) for made in planned("count")} <= {2, 3, 5, 6}


def test_a_picture_is_bright_enough_in_any_light() -> None:
    for power in (1e-3, 1.0, 1e3):
        light = np.full((48, 64, 3), power, np.float32)
        light[:24] *= 0.2
        picture = developed(np.random.default_rng(1), light)
        assert picture.dtype == np.uint8
        assert 80 < picture.mean() < 180


def test_a_picture_without_light_is_black() -> None:
    assert developed(np.random.default_rng(1), np.zeros((48, 64, 3), np.float32)).mean() < 20
