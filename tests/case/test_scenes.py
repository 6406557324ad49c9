"""The scenes of `make case-scenes` have the geometry of the case."""

from __future__ import annotations

import numpy as np
import pytest

from case.layout import Layout
from case.parameters import CAMERAS, Choice, Design
from tools.scenes.labels import truth
from tools.training.path_traced.case_setting import in_the_case
from vision.render.geometry import view


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_floor_is_in_each_picture_and_tray_lens_and_lamps_are_those_of_the_case(camera):
    layout = Layout(Choice(camera=camera, tray=220.0))
    for seed in range(5):
        scene = in_the_case(np.random.default_rng(seed), layout)
        tray, points = scene.tray, np.array(scene.light.points)
        floor = np.column_stack([tray.wall_line(), np.zeros(4)])
        spots = view(scene.camera).project(floor)
        assert np.all(spots > -10), "pixels"
        assert np.all(spots < np.array(scene.camera.size) + 10)
        assert (tray.width_mm, tray.depth_mm, tray.wall_mm) == (220.0, 220.0, Design.TRAY_WALL)
        assert view(scene.camera).position == pytest.approx([0, 0, layout.lens], abs=10.0)
        assert set(points[:, 1]) == {-layout.lamp, layout.lamp}
        assert np.ptp(points[:, 0]) < layout.lamp_length
        assert layout.lamp_low < points[0, 2] < layout.lamp_top
        assert [die.flaw for die in truth(scene)] == [None] * 4
