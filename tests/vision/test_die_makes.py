"""How makers differ: grids of pips, and faces that are not quite flat, as the renderer draws them."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.looks import one_die_under
from tools.scenes.labels import truth
from tools.scenes.random_look import random_body
from vision.render.draw import draw
from vision.render.face_map import pip_places, pip_radius
from vision.render.scene import Camera, DieBody, Pane, Scene

RING = Pane((0.0, 0.0, 400.0), (60.0, 60.0), 0.0, 40.0, is_round=True, hole=0.8)


def under(pane: Pane, body: DieBody) -> Scene:
    """One die in the middle of the everyday tray, which mirrors a pane: no noise, from straight above."""
    scene = one_die_under(pane, body, 2, 0.0)
    sensor = replace(scene.sensor, noise=0.0, blur_px=0.0, vignette=0.0, jpeg_quality=None)
    return replace(scene, camera=Camera(height_mm=262.0), sensor=sensor)


def mirrored(body: DieBody) -> np.ndarray:
    """How much brighter a die's top face is with the ring of lamps than without, over (60, 60) pixels."""
    scene = under(RING, body)
    (label,) = truth(scene)
    dark = replace(scene, light=replace(scene.light, panes=()))
    gained = cv2.subtract(draw(scene), draw(dark)).mean(axis=2).astype(np.float32)
    half = label.half_px
    size = (round(2 * half), round(2 * half))
    top = cv2.getRectSubPix(gained, size, label.top_centre)
    return cv2.resize(top, (60, 60), interpolation=cv2.INTER_AREA)


@given(st.integers(0, 2**32 - 1))
def test_no_two_pips_of_a_random_die_touch(seed: int):
    body = random_body(np.random.default_rng(seed))
    for value in range(2, 7):
        for one, other in itertools.combinations(pip_places(body, value), 2):
            assert math.dist(one, other) > 2 * pip_radius(body, value)


def test_each_face_has_its_own_grid():
    body = DieBody(spread=0.25, grid=(*[(1.0, 1.0)] * 5, (0.6, 0.9)))
    assert set(pip_places(body, 4)) == set(itertools.product((-0.5, 0.5), repeat=2))
    assert {round(abs(x), 3) for x, _ in pip_places(body, 6)} == {0.3}
    assert {round(y, 3) for _, y in pip_places(body, 6)} == {-0.45, 0.0, 0.45}


def test_a_domed_face_reflects_a_ring_of_lamps_as_a_ring_and_a_flat_one_does_not():
    shiny = DieBody(gloss=1.0, pip_radius=0.0, body=(0.05, 0.05, 0.05), edge=0.03)
    flat, domed = mirrored(shiny), mirrored(replace(shiny, dome=0.15))
    assert domed[24:36, 24:36].max() < 5  # the lens sees itself in the middle
    assert domed.max() > 60
    assert (domed > 30).mean() > 2 * (flat > 30).mean()
