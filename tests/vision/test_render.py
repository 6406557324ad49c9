"""The renderer against what is known of cubes, cameras and western dice."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.render.draw import draw, light_of
from vision.render.geometry import FACE_UP, corners, lying, matrix, resting_height, top_face, view
from vision.render.labels import truth
from vision.render.placing import lay_dice
from vision.render.random_scene import colour, random_hand, random_scene
from vision.render.scene import Camera, PlacedDie, Scene
from vision.render.table import IVORY, table_scene
from vision.render.tray_shape import in_tray

seeds = st.integers(0, 2**32 - 1)
angles = st.floats(0, math.tau, allow_nan=False)
face_values = st.integers(1, 6)


def facing(value: int) -> np.ndarray:
    """The die's own direction in which a value looks."""
    axis, side = FACE_UP[value]
    return side * np.eye(3)[axis]


def plain_scene(*dice: PlacedDie, camera: Camera | None = None) -> Scene:
    """The everyday tray without noise or lens faults, so that pixels can be compared."""
    scene = table_scene()
    sensor = replace(scene.sensor, noise=0.0, blur_px=0.0, vignette=0.0, jpeg_quality=None)
    return replace(scene, camera=camera or Camera(height_mm=262.0), sensor=sensor, dice=dice)


def ivory(value: int, x: float = 0.0, y: float = 0.0, yaw: float = 0.0) -> PlacedDie:
    return PlacedDie(IVORY, (x, y, IVORY.size_mm / 2), lying(value, yaw))


def flat_outline(die: PlacedDie) -> np.ndarray:
    size, turn = die.body.size_mm / 2, matrix(die.turn)
    level = [turn[:2, axis] for axis in range(3) if abs(turn[2, axis]) < 0.5]
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return np.array([np.array(die.centre[:2]) + size * (a * level[0] + b * level[1]) for a, b in signs])


def gap(first: np.ndarray, second: np.ndarray) -> float:
    """The widest gap between two convex outlines, (n, 2) each, along any of their sides; below 0 they overlap."""
    widest = -math.inf
    for shape in (first, second):
        sides = np.roll(shape, -1, axis=0) - shape
        normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1) / np.linalg.norm(sides, axis=1)[:, None]
        for normal in normals:
            one, other = first @ normal, second @ normal
            widest = max(widest, float(max(one.min() - other.max(), other.min() - one.max())))
    return widest


def test_opposite_faces_sum_to_seven():
    for value in range(1, 7):
        assert np.array_equal(facing(value), -facing(7 - value))


def test_one_two_three_run_counter_clockwise_round_their_corner():
    assert np.linalg.det(np.stack([facing(1), facing(2), facing(3)])) == pytest.approx(1.0)


@given(face_values, angles)
def test_a_die_laid_with_a_value_shows_it_on_top_and_level(value: int, yaw: float):
    top, tilt = top_face(ivory(value, yaw=yaw))
    assert top == value
    assert tilt == pytest.approx(0.0, abs=1e-6)


@given(face_values, angles)
def test_a_die_that_lies_flat_rests_at_half_its_size(value: int, yaw: float):
    assert resting_height(lying(value, yaw), 16.0) == pytest.approx(8.0)


@given(st.floats(0, 20), angles, angles, st.floats(-80, 80), st.floats(-80, 80))
def test_a_pixel_looks_back_at_the_point_it_shows(tilt: float, lean: float, turn: float, x: float, y: float):
    eye = view(Camera(tilt_deg=tilt, lean_deg=math.degrees(lean), turn_deg=math.degrees(turn)))
    pixel = eye.project(np.array([x, y, 0.0]))
    assert eye.on_plane(pixel[0], pixel[1]) == pytest.approx([x, y], abs=1e-6)


def test_a_camera_straight_above_shows_y_upwards_and_x_to_the_right():
    eye = view(Camera())
    middle, right, up = eye.project(np.array([(0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (0.0, 50.0, 0.0)]))
    assert middle == pytest.approx([319.5, 239.5])
    assert right[0] > middle[0]
    assert up[1] < middle[1]


def test_the_field_of_view_is_the_pictures_width():
    camera = Camera(height_mm=300.0, field_of_view_deg=62.2)
    reach = 300.0 * math.tan(math.radians(31.1))
    edge = view(camera).project(np.array([reach, 0.0, 0.0]))
    assert edge[0] == pytest.approx(639.5)


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_the_same_seed_gives_the_same_picture(seed: int):
    first = random_scene(np.random.default_rng(seed), size=(160, 120))
    again = random_scene(np.random.default_rng(seed), size=(160, 120))
    assert first == again
    assert np.array_equal(draw(first, seed), draw(again, seed))


def test_another_seed_gives_another_picture():
    assert not np.array_equal(draw(table_scene(), 1), draw(table_scene(), 2))


@settings(max_examples=10, deadline=None)
@given(seeds, st.sampled_from([(640, 480), (480, 360), (320, 240), (101, 77)]))
def test_a_frame_is_bytes_in_bgr_of_the_size_asked_for(seed: int, size: tuple[int, int]):
    frame = draw(random_scene(np.random.default_rng(seed), size=size), seed)
    assert frame.dtype == np.uint8
    assert frame.shape == (size[1], size[0], 3)


@settings(max_examples=60, deadline=None)
@given(seeds, st.lists(face_values, min_size=1, max_size=6))
def test_a_random_scene_shows_the_values_asked_for(seed: int, values: list[int]):
    labels = truth(random_scene(np.random.default_rng(seed), values))
    assert [die.value for die in labels] == values
    assert all(die.tilt_deg < 1e-4 for die in labels)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_dice_of_a_random_scene_lie_in_the_tray_in_view_and_apart(seed: int):
    scene = random_scene(np.random.default_rng(seed), touching=0.6)
    width, height = scene.camera.size
    for die, label in zip(scene.dice, truth(scene), strict=True):
        assert in_tray(scene.tray, corners(die))
        x0, y0, x1, y1 = label.box
        assert x0 >= 0
        assert y0 >= 0
        assert x1 < width
        assert y1 < height
    for one, other in itertools.combinations(scene.dice, 2):
        assert gap(flat_outline(one), flat_outline(other)) > 0


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_cocked_die_leans_or_lies_on_another_and_the_rest_lies_flat(seed: int):
    *others, cocked = (scene := random_scene(np.random.default_rng(seed), cocked=True)).dice
    _, tilt = top_face(cocked)
    assert math.degrees(tilt) > 4 or cocked.centre[2] > cocked.body.size_mm
    assert corners(cocked)[:, 2].min() > -1e-6
    assert all(die.tilt_deg < 1e-4 for die in truth(replace(scene, dice=tuple(others))))


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_die_that_strayed_lies_outside_the_tray(seed: int):
    scene = random_scene(np.random.default_rng(seed), strayed=True)
    assert not in_tray(scene.tray, np.array([scene.dice[-1].centre]))


@pytest.mark.parametrize("value", range(1, 7))
def test_the_top_face_shows_as_many_dark_spots_as_its_value(value: int):
    die = ivory(value, yaw=0.3)
    camera = Camera(height_mm=200.0, field_of_view_deg=20.0)
    scene = plain_scene(die, camera=camera)
    (label,) = truth(scene)
    x0, y0, x1, y1 = (round(edge) for edge in label.top)
    grey = cv2.cvtColor(draw(scene, 0), cv2.COLOR_BGR2GRAY)[y0:y1, x0:x1]
    _, _, stats, _ = cv2.connectedComponentsWithStats((grey < 70).astype(np.uint8))
    pip_area = math.pi * (IVORY.pip_radius * (y1 - y0) / (math.cos(0.3) + math.sin(0.3))) ** 2
    assert sum(0.5 * pip_area < area < 1.6 * pip_area for *_, area in stats[1:]) == value


@settings(max_examples=15, deadline=None)
@given(face_values, st.floats(-70, 70), st.floats(-60, 60), angles, st.floats(0, 20), angles)
def test_the_whole_box_is_where_the_picture_changes_when_the_die_is_taken_away(
    value: int, x: float, y: float, yaw: float, tilt: float, lean: float
):
    camera = Camera(height_mm=262.0, tilt_deg=tilt, lean_deg=math.degrees(lean))
    scene = plain_scene(ivory(value, x, y, yaw), camera=camera)
    (label,) = truth(scene)
    # Light bodies on green are told by red; shadows only make the ground darker.
    brighter = light_of(scene)[..., 2] - light_of(replace(scene, dice=()))[..., 2] > 0.1
    rows, columns = np.nonzero(brighter)
    seen = (columns.min(), rows.min(), columns.max(), rows.max())
    assert seen == pytest.approx(label.box, abs=2.5)


def test_a_die_casts_a_shadow_away_from_the_lamp():
    scene = plain_scene(ivory(1))
    lamp = replace(scene.light, points=((-400.0, 0.0, 400.0),))
    with_die, without = replace(scene, light=lamp), replace(scene, light=lamp, dice=())
    lost = (light_of(without) - light_of(with_die))[..., 1]
    eye = view(scene.camera)
    behind = np.rint(eye.project(np.array([18.0, 0.0, 0.0]))).astype(int)
    before = np.rint(eye.project(np.array([-22.0, 0.0, 0.0]))).astype(int)
    assert lost[behind[1], behind[0]] > 5 * max(0.002, lost[before[1], before[0]])


def test_a_moving_die_is_smeared_along_its_way():
    still = ivory(1)
    smeared = replace(still, velocity=(1500.0, 0.0, 0.0))
    sensor = replace(plain_scene().sensor, shutter_s=0.016)
    edges = []
    for die in (still, smeared):
        light = light_of(replace(plain_scene(die), sensor=sensor))[..., 2]
        edges.append(float(np.abs(np.diff(light[240])).max()))
    assert edges[1] < 0.5 * edges[0]


def test_a_hand_over_the_tray_covers_what_lies_below():
    scene = table_scene()
    scene = replace(scene, hand=random_hand(np.random.default_rng(5), scene.tray))
    assert scene.hand is not None
    palm = np.rint(view(scene.camera).project(np.array(scene.hand.palm_mm))).astype(int)
    with_hand, without = light_of(scene), light_of(replace(scene, hand=None))
    assert np.abs(with_hand - without)[palm[1], palm[0]].max() > 0.02


def test_a_dark_scene_is_nearly_black():
    scene = random_scene(np.random.default_rng(3), dark=True)
    assert np.median(draw(scene, 0)) < 50


def test_drawing_leaves_the_kept_empty_tray_as_it_was():
    bare = draw(table_scene(), 4)
    draw(replace(table_scene(), dice=(ivory(5),)), 4)
    assert np.array_equal(draw(table_scene(), 4), bare)


def test_a_colour_code_is_turned_to_linear_blue_green_red():
    assert colour("#ff8000") == pytest.approx((0.0, (128 / 255) ** 2.2, 1.0))


def test_a_tray_without_room_is_refused():
    scene = table_scene()
    tiny = replace(scene, tray=replace(scene.tray, width_mm=30.0, depth_mm=30.0))
    with pytest.raises(ValueError, match="no room"):
        lay_dice(np.random.default_rng(1), tiny, [IVORY] * 4, [1, 2, 3, 4])
