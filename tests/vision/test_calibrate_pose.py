"""A tilted or distant camera over the empty tray, from drawn pictures through the reader to the advice."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from tests.vision.looks import looks_at
from vision.render import draw, table_scene
from vision.render.empty_tray import outline
from vision.render.geometry import view
from vision.render.scene import Camera, Scene, Tray
from vision.tray.advice import Change, advise, whole_px
from vision.tray.calibrate import Measured, look_at, measure
from vision.tray.edge import exact_edge, sides_in_picture

TABLE = table_scene()
FIELD_DEG = TABLE.camera.field_of_view_deg
SLIGHT = (0.0, 10.0)
STRONG = (26.0, 30.0, 33.0, 36.0)
DIRECTIONS = (0.0, 90.0, 180.0, 270.0)


def wholly_in_view(camera: Camera, tray: Tray, margin: float) -> Camera:
    """Return the camera at a height at which the tray leaves at least this part of the picture's width free."""
    points = np.concatenate([outline(tray, tray.rim_mm, tray.wall_mm), outline(tray, tray.rim_mm, 0.0)])
    width, height = camera.size
    low, high = tray.wall_mm + 60.0, 3000.0
    while high - low > 1.0:
        middle = (low + high) / 2
        seen = view(replace(camera, height_mm=middle)).project(points)
        free = min(seen.min(), (np.array([width, height]) - seen).min())
        low, high = (low, middle) if free > margin * width else (middle, high)
    return replace(camera, height_mm=high)


def tilted(tilt_deg: float, lean_deg: float) -> Scene:
    """The everyday tray, wholly in view of a camera that is tilted towards a side."""
    camera = replace(TABLE.camera, tilt_deg=tilt_deg, lean_deg=lean_deg)
    return replace(TABLE, camera=wholly_in_view(camera, TABLE.tray, 0.04))


@lru_cache
def seen(tilt_deg: float, lean_deg: float, field_deg: float | None) -> Measured:
    """Return the measurements of a tilted tray."""
    return measure([look_at(draw(tilted(tilt_deg, lean_deg), 1), field_deg=field_deg)])


def changes(measured: Measured) -> list[tuple[Change, bool]]:
    return [(advice.change, advice.is_required) for advice in advise(measured)]


@pytest.mark.parametrize("lean_deg", DIRECTIONS)
@pytest.mark.parametrize("tilt_deg", SLIGHT + STRONG)
def test_a_rectangular_tray_has_four_corners_and_shows_the_tilt_to_within_five_degrees(tilt_deg, lean_deg):
    measured = seen(tilt_deg, lean_deg, FIELD_DEG)
    assert len(measured.edge) == 4
    assert measured.tilt_deg == pytest.approx(tilt_deg, abs=5)


@pytest.mark.parametrize("lean_deg", DIRECTIONS)
@pytest.mark.parametrize("tilt_deg", STRONG)
def test_a_strongly_tilted_camera_should_look_straight_down(tilt_deg, lean_deg):
    assert (Change.UPRIGHT, True) in changes(seen(tilt_deg, lean_deg, FIELD_DEG))
    assert (Change.UPRIGHT, False) in changes(seen(tilt_deg, lean_deg, None))


@pytest.mark.parametrize("lean_deg", DIRECTIONS)
@pytest.mark.parametrize("tilt_deg", SLIGHT)
def test_a_slightly_tilted_camera_need_not_look_straight_down(tilt_deg, lean_deg):
    assert Change.UPRIGHT not in dict(changes(seen(tilt_deg, lean_deg, FIELD_DEG)))


@pytest.mark.parametrize(
    ("height_mm", "sensor", "told"),
    [
        (700.0, {"blur_px": 0.9}, [Change.LOWER]),
        (700.0, {"blur_px": 1.9}, [Change.LOWER, Change.FOCUS]),
        (262.0, {"blur_px": 3.2, "exposure": 0.012}, [Change.MORE_LIGHT, Change.FOCUS]),
    ],
)
def test_advice_on_distance_comes_first_then_light_then_the_lens(height_mm, sensor, told):
    camera = replace(TABLE.camera, height_mm=height_mm, tilt_deg=0.0)
    scene = replace(TABLE, camera=camera, sensor=replace(TABLE.sensor, **sensor))
    advised = [change for change, _ in changes(measure(looks_at(scene)))]
    assert advised[: len(told)] == told
    assert (Change.FOCUS in advised) is (Change.FOCUS in told)


def test_a_die_that_is_too_narrow_is_never_reported_as_wide_enough():
    measured = measure([*looks_at(TABLE), *looks_at(TABLE, 1, ((100.0, 100.0, 123.98, 123.98),))])
    (advice,) = [advice for advice in advise(measured) if advice.change is Change.LOWER]
    assert advice.detail == "they are 23 pixels wide and should be 24 or more"
    assert whole_px(23.98) == "23"


def test_sides_that_are_one_percent_off_in_the_map_are_found_in_the_picture():
    true = view(TABLE.camera).project(outline(TABLE.tray, 0.0, TABLE.tray.wall_mm)) / TABLE.camera.size
    exact = exact_edge(true * TABLE.camera.size, TABLE.camera.size)
    off = tuple((0.5 + (x - 0.5) * 0.97, 0.5 + (y - 0.5) * 0.97) for x, y in exact)
    found = np.array(sides_in_picture(draw(TABLE, 3), off))
    assert np.abs(found - np.array(exact)).max() < 0.005
    assert np.abs(np.array(off) - np.array(exact)).max() > 0.01
