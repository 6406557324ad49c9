"""The renderer, compared with facts about cubes, cameras and western dice."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.scenes.faces import top_face
from tools.scenes.labels import Flaw, masks, truth
from tools.scenes.lamps import Pane, in_room
from tools.scenes.random_scene import random_scene
from tools.scenes.random_setting import LensCamera
from tools.scenes.things import Slab, Thing, with_things
from vision.render.draw import draw, light_of
from vision.render.geometry import FACE_UP, after, corners, lying, quaternion, resting_height, view
from vision.render.scene import Camera, PlacedDie, Scene, Surface
from vision.render.table import IVORY, table_scene

seeds = st.integers(0, 2**32 - 1)
angles = st.floats(0, math.tau, allow_nan=False)
face_values = st.integers(1, 6)


def facing(value: int) -> np.ndarray:
    """The die's own direction in which a value looks."""
    axis, side = FACE_UP[value]
    return side * np.eye(3)[axis]


def plain_scene(*dice: PlacedDie, camera: Camera | None = None) -> Scene:
    """The ordinary tray without noise or lens faults, so pixels can be compared."""
    scene = table_scene()
    sensor = replace(scene.sensor, noise=0.0, blur_px=0.0, vignette=0.0, jpeg_quality=None)
    return replace(scene, camera=camera or Camera(height_mm=262.0), sensor=sensor, dice=dice)


def ivory(value: int, x: float = 0.0, y: float = 0.0, yaw: float = 0.0) -> PlacedDie:
    return PlacedDie(IVORY, (x, y, IVORY.size_mm / 2), lying(value, yaw))


def outline(die: PlacedDie) -> np.ndarray:
    """The die from above."""
    return cv2.convexHull(corners(die)[:, :2].astype(np.float32))


def test_opposite_faces_sum_to_seven_and_one_two_and_three_are_counter_clockwise_around_their_corner():
    assert all(np.array_equal(facing(value), -facing(7 - value)) for value in range(1, 7))
    assert np.linalg.det(np.stack([facing(1), facing(2), facing(3)])) == pytest.approx(1.0)


@given(face_values, angles)
def test_a_die_laid_with_a_value_shows_it_on_a_level_top_face(value: int, yaw: float):
    top, tilt = top_face(ivory(value, yaw=yaw))
    assert top == value
    assert tilt == pytest.approx(0.0, abs=1e-6)
    assert resting_height(lying(value, yaw), 16.0) == pytest.approx(8.0)


@settings(max_examples=20, deadline=None)
@given(seeds, st.lists(face_values, min_size=1, max_size=6))
def test_dice_of_a_random_scene_lie_flat_in_the_tray_and_in_view_show_the_values_and_can_be_read(
    seed: int, values: list[int]
):
    scene = random_scene(np.random.default_rng(seed), values, touching=0.6, clutter=False)
    labels = truth(scene)
    assert [die.value for die in labels] == values
    width, height = scene.camera.size
    for die, label in zip(scene.dice, labels, strict=True):
        assert scene.tray.holds(corners(die))
        x0, y0, x1, y1 = label.box
        assert min(x0, y0) >= 0
        assert x1 < width
        assert y1 < height
        assert label.tilt_deg < 1e-4
        assert label.flaw is None
        assert label.in_tray
        assert label.seen >= 0.97
        assert label.pips.contrast > 15
        assert label.pips.clearness > 2.5
    for one, other in itertools.combinations(scene.dice, 2):
        assert cv2.intersectConvexConvex(outline(one), outline(other))[0] == 0


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
def test_a_die_that_is_removed_changes_the_picture_within_its_box(
    value: int, x: float, y: float, yaw: float, tilt: float, lean: float
):
    camera = LensCamera(height_mm=262.0, tilt_deg=tilt, lean_deg=math.degrees(lean))
    scene = plain_scene(ivory(value, x, y, yaw), camera=camera)
    (label,) = truth(scene)
    # Red distinguishes light bodies from green; shadows only darken the ground.
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


# Labels against the drawn picture.


def plate(half_mm: float, x: float = 0.0, y: float = 0.0, top_mm: float = 60.0) -> Thing:
    """A white square sheet held level over the tray."""
    outline = tuple((x + half_mm * a, y + half_mm * b) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return Thing((Slab(outline, top_mm, 0.2, Surface((0.9, 0.9, 0.9))),))


def straight_above(**changes: float) -> Camera:
    """A camera far above the tray's middle, by which a level plane is hardly larger near than far."""
    return replace(Camera(height_mm=2000.0, field_of_view_deg=6.0), **changes)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_a_top_face_under_a_sheet_is_visible_where_the_sheet_does_not_cover_it(share: float):
    covered = with_things(plain_scene(ivory(5), camera=straight_above()), plate(100.0, x=-100.0 + 8 - 16 * share))
    (label,) = truth(covered)
    assert label.seen == pytest.approx(share, abs=0.12)
    assert label.flaw is Flaw.COVERED


@pytest.mark.parametrize(("tilt_deg", "flaw"), [(3.0, None), (5.0, Flaw.COCKED), (40.0, Flaw.COCKED)])
def test_a_die_that_leans_by_more_than_four_degrees_is_cocked(tilt_deg: float, flaw: Flaw | None):
    turn = after(quaternion((1, 0, 0), math.radians(tilt_deg)), lying(4, 0.0))
    (label,) = truth(plain_scene(PlacedDie(IVORY, (0.0, 0.0, resting_height(turn, 16.0)), turn)))
    assert label.tilt_deg == pytest.approx(tilt_deg)
    assert label.flaw is flaw


@pytest.mark.parametrize(("mm_per_s", "flaw"), [(100.0, None), (400.0, Flaw.SMEARED)])
def test_a_die_is_smeared_if_it_moves_by_an_eighth_of_its_size_during_the_exposure(mm_per_s: float, flaw: Flaw | None):
    scene = plain_scene(replace(ivory(6), velocity=(mm_per_s, 0.0, 0.0)))
    (label,) = truth(scene)
    assert scene.sensor.shutter_s == 0.008
    assert label.flaw is flaw


def test_a_lamp_reflected_in_the_top_face_burns_out_its_pips_and_is_labelled_glare():
    # Deep pips mirror something else than the face round them, and show even in glare; painted ones do not.
    shiny = replace(ivory(5), body=replace(IVORY, gloss=0.9, pip_depth=0.0))
    scene = plain_scene(shiny)
    lamp = Pane((0.0, 0.0, 900.0), (80.0, 80.0), 0.0, 100.0)
    glaring = replace(scene, light=replace(in_room(scene.light), panes=(lamp,)))
    (clear,), (lost,) = truth(scene), truth(glaring)
    assert clear.flaw is None
    assert lost.flaw is Flaw.GLARE
    x, y, reach = round(lost.top_centre[0]), round(lost.top_centre[1]), int(0.6 * lost.half_px)
    assert draw(glaring)[y - reach : y + reach, x - reach : x + reach].min() > 240
    assert draw(scene)[y - reach : y + reach, x - reach : x + reach].min() < 100


def test_the_contrast_of_pips_is_that_of_the_picture():
    scene = plain_scene(ivory(1), camera=Camera(height_mm=150.0))
    (label,) = truth(scene)
    x, y = (round(edge) for edge in label.top_centre)
    frame = draw(scene).astype(float)
    beside = frame[y, round(x + 0.45 * label.half_px)]
    assert np.abs(frame[y, x] - beside).mean() == pytest.approx(label.pips.contrast, abs=12)


def test_a_die_with_pips_in_its_own_colour_is_faint():
    blank = replace(IVORY, pip=IVORY.body, pip_depth=0.0)
    (label,) = truth(plain_scene(replace(ivory(3), body=blank)))
    assert label.flaw is Flaw.FAINT
    assert label.pips.contrast < 1


# What random scenes promise.


@pytest.mark.parametrize(
    ("flag", "flaw"),
    [("cocked", Flaw.COCKED), ("moving", Flaw.SMEARED), ("blurred", Flaw.SMEARED), ("emblem", Flaw.EMBLEM)],
)
def test_a_flag_causes_the_flaw_that_it_names(flag: str, flaw: Flaw):
    for seed in range(2):
        assert flaw in {label.flaw for label in truth(random_scene(np.random.default_rng(seed), **{flag: True}))}


@pytest.mark.parametrize("seed", range(3))
def test_a_die_is_cut_off_or_strayed_a_hand_and_a_thing_are_foreign_over_the_tray_and_clutter_is_not(seed: int):
    def made(**flags: bool) -> Scene:
        return random_scene(np.random.default_rng(seed), size=(320, 240), **flags)

    x0, y0, x1, y1 = truth(made(cut=True))[-1].box
    assert min(x0, y0, 319 - x1, 239 - y1) < 0
    assert max(x0 - 320, y0 - 240, -x1, -y1) < 0
    assert [label.in_tray for label in truth(made(strayed=True, clutter=False))] == [True] * 3 + [False]
    for flag in ("hand", "thing"):
        tray, foreign = masks(made(**{flag: True}))
        assert (tray * foreign).mean() > 0.004
    beside = made(clutter=True)
    assert masks(beside).foreign.max() == 0
    changed = np.abs(light_of(beside) - light_of(replace(beside, things=()))).max(axis=-1) > 0.05
    assert (changed & (masks(beside).tray > 0.9)).mean() < 0.002


# Masks.


def test_the_tray_mask_covers_floor_and_inner_walls():
    scene = plain_scene(camera=LensCamera(height_mm=300.0, tilt_deg=15.0, lean_deg=40.0, barrel=0.05))
    black = Surface((0.0, 0.0, 0.0))
    table = replace(scene, tray=replace(scene.tray, table=black))
    floor = replace(scene, tray=replace(scene.tray, floor=black))
    tray = masks(scene).tray
    shown = light_of(scene)
    assert tray[np.abs(shown - light_of(table)).max(axis=-1) > 0.01].max() < 0.05
    assert tray[np.abs(shown - light_of(floor)).max(axis=-1) > 0.01].min() > 0.9


def test_the_foreign_mask_covers_the_object_in_the_picture():
    # A white sheet over a black tray: only the sheet is brighter, since its shadow is darker.
    scene = plain_scene(camera=LensCamera(height_mm=262.0, tilt_deg=12.0, barrel=0.06))
    sheet = with_things(scene, plate(40.0, 20.0, 10.0))
    brighter = (light_of(sheet) - light_of(scene)).max(axis=-1) > 0.15
    foreign = masks(sheet).foreign > 0.5
    assert (brighter & foreign).sum() > 0.97 * (brighter | foreign).sum()
