"""The scenes of `make case-scenes` have the geometry of the case."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from case.layout import Layout
from case.parameters import CAMERAS, Choice, Design
from tools.training.path_traced.case_setting import in_the_case
from tools.training.path_traced.plan import SIZE, axes, die_look, is_plain, plan, with_room


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_whole_floor_is_in_each_picture_despite_assembly_errors(camera):
    layout = Layout(Choice(camera=camera))
    planner = partial(plan, why="", setting=in_the_case(layout))
    for seed in range(30):
        made = with_room(planner, np.random.default_rng(seed))
        corners = np.array([(i * made.tray.wide / 2, j * made.tray.deep / 2, 0.0) for i in (-1, 1) for j in (-1, 1)])
        across, up, back = axes(made.camera) @ (corners - made.camera.place).T
        half = -back * math.tan(made.camera.field_rad / 2)
        assert np.all(np.abs(across) < half)
        assert np.all(np.abs(up) < half * SIZE[1] / SIZE[0])


@pytest.mark.parametrize("camera", CAMERAS)
def test_tray_lens_and_lamps_are_those_of_the_case(camera):
    layout = Layout(Choice(camera=camera, tray=220.0))
    tray, lens, lamps, around = in_the_case(layout)(np.random.default_rng(0))
    assert (tray.wide, tray.deep, tray.high) == (22.0, 22.0, Design.TRAY_WALL / 10)
    assert lens.place[2] == pytest.approx(layout.lens / 10, abs=1.0)
    assert [lamp.place[0] for lamp in lamps] == [-layout.lamp / 10, layout.lamp / 10]
    for lamp in lamps:
        assert lamp.place[2] + lamp.high / 2 == pytest.approx(layout.lamp_top / 10)
        assert lamp.size == layout.lamp_length / 10
    assert around > 0


def test_dice_of_one_opaque_colour_and_of_wood_are_plain_others_are_not():
    looks = [die_look(np.random.default_rng(seed), 1.6) for seed in range(60)]
    plain = [look.body for look in looks if is_plain(look)]
    others = [look.body for look in looks if not is_plain(look)]
    assert {body.pattern for body in plain} == {"", "wood"}
    assert not any(body.clear for body in plain)
    assert all(body.clear or body.pattern == "noise" for body in others)
    assert any(body.clear for body in others)
