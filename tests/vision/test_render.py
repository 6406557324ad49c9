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

from tools.scenes.labels import Flaw, masks, truth
from tools.scenes.legibility import legibility
from tools.scenes.random_look import random_body
from tools.scenes.random_scene import random_scene
from vision.render.draw import bend, draw, light_of
from vision.render.face_map import CELL, emblem, face_map, pip_places, pip_radius
from vision.render.geometry import (
    FACE_UP,
    after,
    corners,
    distorted,
    lying,
    matrix,
    quaternion,
    resting_height,
    top_face,
    view,
)
from vision.render.placing import lay_dice
from vision.render.scene import Camera, DieBody, Light, Pane, PlacedDie, Scene, Shade, Slab, Surface, Thing, colour
from vision.render.table import IVORY, table_scene
from vision.render.tray_shape import in_tray, room, wall_line

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


def test_opposite_faces_sum_to_seven_and_one_two_and_three_are_counter_clockwise_around_their_corner():
    assert all(np.array_equal(facing(value), -facing(7 - value)) for value in range(1, 7))
    assert np.linalg.det(np.stack([facing(1), facing(2), facing(3)])) == pytest.approx(1.0)


@given(face_values, angles)
def test_a_die_laid_with_a_value_shows_it_on_a_level_top_face(value: int, yaw: float):
    top, tilt = top_face(ivory(value, yaw=yaw))
    assert top == value
    assert tilt == pytest.approx(0.0, abs=1e-6)
    assert resting_height(lying(value, yaw), 16.0) == pytest.approx(8.0)


@given(st.floats(0, 20), angles, angles, st.floats(-80, 80), st.floats(-80, 80))
def test_the_ray_of_a_pixel_meets_the_point_that_it_shows(tilt: float, lean: float, turn: float, x: float, y: float):
    eye = view(Camera(tilt_deg=tilt, lean_deg=math.degrees(lean), turn_deg=math.degrees(turn)))
    pixel = eye.project(np.array([x, y, 0.0]))
    assert eye.on_plane(pixel[0], pixel[1]) == pytest.approx([x, y], abs=1e-6)


def test_a_camera_straight_above_shows_x_to_the_right_and_y_upwards_and_its_field_of_view():
    eye = view(Camera(height_mm=300.0, field_of_view_deg=62.2))
    reach = 300.0 * math.tan(math.radians(31.1))
    middle, right, up = eye.project(np.array([(0.0, 0.0, 0.0), (reach, 0.0, 0.0), (0.0, 50.0, 0.0)]))
    assert middle == pytest.approx([319.5, 239.5])
    assert right[0] == pytest.approx(639.5)
    assert up[1] < middle[1]


@settings(max_examples=10, deadline=None)
@given(seeds, st.sampled_from([(640, 480), (320, 240), (101, 77)]))
def test_the_same_seed_produces_the_same_picture_of_the_requested_size(seed: int, size: tuple[int, int]):
    first, again = (random_scene(np.random.default_rng(seed), size=size) for _ in range(2))
    frame = draw(first, seed)
    assert (frame.dtype, frame.shape) == (np.uint8, (size[1], size[0], 3))
    assert np.array_equal(frame, draw(again, seed))
    assert not np.array_equal(frame, draw(first, seed + 1))


@settings(max_examples=40, deadline=None)
@given(seeds, st.lists(face_values, min_size=1, max_size=6))
def test_dice_of_a_random_scene_lie_flat_in_the_tray_and_in_view_show_the_values_and_can_be_read(
    seed: int, values: list[int]
):
    scene = random_scene(np.random.default_rng(seed), values, touching=0.6, clutter=False)
    labels = truth(scene)
    assert [die.value for die in labels] == values
    width, height = scene.camera.size
    for die, label in zip(scene.dice, labels, strict=True):
        assert in_tray(scene.tray, corners(die))
        x0, y0, x1, y1 = label.box
        assert min(x0, y0) >= 0
        assert (x1, y1) < (width, height)
        assert y1 < height
        assert label.tilt_deg < 1e-4
        assert label.flaw is None
        assert label.in_tray
        assert label.seen >= 0.97
        assert label.pips.contrast > 15
        assert label.pips.clearness > 2.5
    for one, other in itertools.combinations(scene.dice, 2):
        assert gap(flat_outline(one), flat_outline(other)) > 0


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_a_cocked_die_leans_or_lies_on_another_and_the_others_lie_flat(seed: int):
    *others, cocked = (scene := random_scene(np.random.default_rng(seed), cocked=True)).dice
    _, tilt = top_face(cocked)
    assert math.degrees(tilt) > 4 or cocked.centre[2] > cocked.body.size_mm
    assert corners(cocked)[:, 2].min() > -1e-6
    assert all(die.tilt_deg < 1e-4 for die in truth(replace(scene, dice=tuple(others))))


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_a_die_that_strayed_lies_outside_the_tray(seed: int):
    scene = random_scene(np.random.default_rng(seed), strayed=True, clutter=False)
    *others, last = truth(scene)
    assert not in_tray(scene.tray, np.array([scene.dice[-1].centre]))
    assert not last.in_tray
    assert all(label.in_tray for label in others)


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
    camera = Camera(height_mm=262.0, tilt_deg=tilt, lean_deg=math.degrees(lean))
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


def test_a_tray_without_room_is_refused():
    scene = table_scene()
    tiny = replace(scene, tray=replace(scene.tray, width_mm=30.0, depth_mm=30.0))
    with pytest.raises(ValueError, match="no room"):
        lay_dice(np.random.default_rng(1), tiny, [IVORY] * 4, [1, 2, 3, 4])


# Labels against the drawn picture.


def plate(half_mm: float, x: float = 0.0, y: float = 0.0, top_mm: float = 60.0) -> Thing:
    """A white square sheet held level over the tray."""
    outline = (
        (x - half_mm, y - half_mm),
        (x + half_mm, y - half_mm),
        (x + half_mm, y + half_mm),
        (x - half_mm, y + half_mm),
    )
    return Thing((Slab(outline, top_mm, 0.2, Surface((0.9, 0.9, 0.9))),))


def straight_above(**changes: float) -> Camera:
    """A camera far above the tray's middle, by which a level plane is hardly larger near than far."""
    return replace(Camera(height_mm=2000.0, field_of_view_deg=6.0), **changes)


@settings(max_examples=12, deadline=None)
@given(st.floats(-60, 60), st.floats(-50, 50), st.floats(0, 20), angles, st.sampled_from([0.0, 0.08]))
def test_the_pip_of_a_1_is_at_the_labelled_middle_of_the_top_face(
    x: float, y: float, tilt: float, lean: float, barrel: float
):
    red = replace(IVORY, one=(0.0, 0.0, 0.9), body=(0.9, 0.0, 0.0), gloss=0.0)
    die = PlacedDie(red, (x, y, red.size_mm / 2), lying(1, 0.4))
    scene = plain_scene(die, camera=Camera(height_mm=262.0, tilt_deg=tilt, lean_deg=math.degrees(lean), barrel=barrel))
    light = light_of(scene)
    with_pip, without = light, light_of(replace(scene, dice=(replace(die, body=replace(red, one=red.body)),)))
    rows, columns = np.nonzero((with_pip - without)[..., 2] > 0.05)
    (label,) = truth(scene)
    assert (columns.mean(), rows.mean()) == pytest.approx(label.top_centre, abs=0.6)


@given(st.floats(5, 95), st.floats(0, 1), st.floats(0.01, 0.1))
def test_a_distorted_picture_shows_a_point_at_its_distorted_label(along: float, across: float, barrel: float):
    camera = Camera(size=(160, 120), barrel=barrel)
    x, y = 20 + along * 1.2, 20 + across * 80
    columns, rows = np.meshgrid(np.arange(160.0), np.arange(120.0))
    picture = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / 8).astype(np.float32)
    bent = bend(camera, picture).astype(np.float64)
    seen = (float((bent * columns).sum() / bent.sum()), float((bent * rows).sum() / bent.sum()))
    assert seen == pytest.approx(distorted(camera, np.array([x, y])), abs=0.3)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_a_top_face_under_a_sheet_is_visible_where_the_sheet_does_not_cover_it(share: float):
    covered = replace(plain_scene(ivory(5), camera=straight_above()), things=(plate(100.0, x=-100.0 + 8 - 16 * share),))
    (label,) = truth(covered)
    assert label.seen == pytest.approx(share, abs=0.12)
    assert label.flaw is Flaw.COVERED


def test_only_the_part_of_a_top_face_inside_the_picture_is_visible():
    scene = plain_scene(ivory(5), camera=straight_above(size=(640, 480)))
    eye = view(scene.camera)
    edge = eye.on_plane(np.array(-0.5), np.array(239.5), 16.0)
    (label,) = truth(replace(scene, dice=(ivory(5, float(edge[0])),)))
    assert label.seen == pytest.approx(0.5, abs=0.1)


def test_the_part_of_a_die_above_the_wall_is_in_front_of_the_rim():
    die = ivory(6, x=96.0)
    camera = Camera(height_mm=262.0, tilt_deg=18.0, lean_deg=180.0)
    scene = plain_scene(die, camera=camera)
    low = replace(scene, tray=replace(scene.tray, wall_mm=9.0))
    (label,) = truth(low)
    assert (label.seen, label.flaw, label.in_tray) == (1.0, None, True)
    light = light_of(low).sum(axis=2)
    top = np.add(die.centre, [[-0.4, 0.0, 8.0], [6.6, 0.0, 8.0]])
    middle, edge = (light[tuple(np.rint(spot).astype(int)[::-1])] for spot in view(camera).project(top))
    assert edge == pytest.approx(middle, rel=0.15)


def test_a_die_behind_the_wall_is_not_visible():
    scene = plain_scene(ivory(5, x=-96.0), camera=Camera(height_mm=262.0, tilt_deg=60.0, lean_deg=180.0))
    scene = replace(scene, tray=replace(scene.tray, wall_mm=40.0))
    (label,) = truth(scene)
    without = light_of(replace(scene, dice=()))
    x, y = (round(edge) for edge in label.top_centre)
    assert label.seen < 0.1
    assert light_of(scene)[y, x] == pytest.approx(without[y, x])


def test_the_upper_of_two_stacked_dice_is_cocked_and_the_lower_covered():
    upper = replace(ivory(2, 1.0, 2.0, 0.3), centre=(1.0, 2.0, 24.0))
    below, above = truth(plain_scene(ivory(5), upper))
    assert below.flaw is Flaw.COVERED
    assert above.flaw is Flaw.COCKED
    assert above.seen == 1.0


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


def is_a_spot_or_a_ring(shape: np.ndarray) -> bool:
    """Whether a shape without its holes lies as a disc of a pip's size does: all of it equally far about its middle."""
    rows, columns = np.nonzero(without_holes(shape))
    away = np.hypot(rows - rows.mean(), columns - columns.mean())
    return bool(away.max() < 0.45 * CELL / 2 and len(rows) > 0.88 * np.pi * (away.max() + 0.5) ** 2)


def without_holes(shape: np.ndarray) -> np.ndarray:
    """A shape with its holes filled: all that cannot be reached from the corner."""
    around = np.pad(shape.astype(np.uint8), 1)
    cv2.floodFill(around, None, (0, 0), 2)
    return around[1:-1, 1:-1] != 2


@given(seeds)
@settings(max_examples=300)
def test_an_emblem_never_consists_of_pip_like_spots_and_rings_only(seed):
    count, parts = cv2.connectedComponents((emblem(np.random.default_rng(seed)) < 0).astype(np.uint8))
    assert not all(is_a_spot_or_a_ring(parts == part) for part in range(1, count))


def test_middle_wear_removes_paint_of_the_middle_pips_of_a_three_and_a_five_only():
    worn, new = (face_map(DieBody(middle_wear=wear))[..., 3] for wear in (0.75, 0.0))
    for value in range(1, 7):
        left = worn[:, (value - 1) * CELL : value * CELL]
        middle = left[CELL // 2, CELL // 2]
        assert middle == (0.25 if value in (3, 5) else 1.0)
        for u, v in pip_places(DieBody(), value):
            if math.hypot(u, v) > 0.1:
                assert left[int((v + 1) / 2 * CELL), int((u + 1) / 2 * CELL)] == 1.0
    assert (new == 1.0).all()


def test_a_lamp_reflected_in_the_top_face_burns_out_its_pips_and_is_labelled_glare():
    # Deep pips mirror something else than the face round them, and show even in glare; painted ones do not.
    shiny = replace(ivory(5), body=replace(IVORY, gloss=0.9, pip_depth=0.0))
    scene = plain_scene(shiny)
    glaring = replace(scene, light=replace(scene.light, panes=(Pane((0.0, 0.0, 900.0), (80.0, 80.0), 0.0, 100.0),)))
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


def contrast_of(body: DieBody, **sensor: float) -> float:
    scene = plain_scene(replace(ivory(6), body=body))
    return legibility(replace(scene, sensor=replace(scene.sensor, **sensor)), scene.dice[0]).contrast


def test_pips_that_differ_only_in_hue_are_invisible_in_a_grey_picture():
    body = replace(IVORY, body=colour("#2a8a2a"), pip=colour("#b05a5a"), pip_depth=0.0, gloss=0.0)
    assert contrast_of(body) > 35
    assert contrast_of(body, saturation=0.0) < 15


def test_the_bodys_own_pattern_makes_pips_less_clear_at_the_same_contrast():
    calm = replace(IVORY, pip=colour("#7a7a7a"), second=colour("#141414"), swirl=0.0, seed=3)
    clear, busy = (plain_scene(replace(ivory(2), body=body)) for body in (calm, replace(calm, swirl=0.8)))
    assert legibility(busy, busy.dice[0]).clearness < 0.3 * legibility(clear, clear.dice[0]).clearness


def test_noise_makes_small_pips_less_clear_than_large_ones():
    def clearness(height_mm: float) -> float:
        scene = plain_scene(ivory(4), camera=Camera(height_mm=height_mm))
        noisy = replace(scene, sensor=replace(scene.sensor, noise=6.0))
        return legibility(noisy, noisy.dice[0]).clearness

    assert clearness(600.0) < 0.6 * clearness(250.0)


def test_a_die_with_pips_in_its_own_colour_is_faint():
    blank = replace(IVORY, pip=IVORY.body, one=None, pip_depth=0.0)
    (label,) = truth(plain_scene(replace(ivory(3), body=blank)))
    assert label.flaw is Flaw.FAINT
    assert label.pips.contrast < 1


# What random scenes promise.

FLAWED = [
    ({"cocked": True}, {Flaw.COCKED}),
    ({"moving": True}, {Flaw.SMEARED}),
    ({"blurred": True}, {Flaw.SMEARED}),
    ({"emblem": True}, {Flaw.EMBLEM}),
    ({"glare": True}, {Flaw.GLARE}),
]


@pytest.mark.parametrize(("flags", "flaws"), FLAWED, ids=lambda value: next(iter(value), None))
@pytest.mark.parametrize("seed", range(3))
def test_a_flag_causes_the_flaw_that_it_names(flags: dict[str, bool], flaws: set[Flaw], seed: int):
    labels = truth(random_scene(np.random.default_rng(seed), **flags))
    assert flaws & {label.flaw for label in labels}


@pytest.mark.parametrize("seed", range(4))
def test_a_die_that_is_cut_off_lies_across_the_pictures_edge(seed: int):
    scene = random_scene(np.random.default_rng(seed), cut=True)
    x0, y0, x1, y1 = truth(scene)[-1].box
    width, height = scene.camera.size
    assert min(x0, y0, width - 1 - x1, height - 1 - y1) < 0
    assert max(x0 - width, y0 - height, -x1, -y1) < 0


@pytest.mark.parametrize("flag", ["hand", "thing"])
@pytest.mark.parametrize("seed", range(3))
def test_a_hand_or_object_covers_some_of_the_trays_inside(flag: str, seed: int):
    tray, foreign = masks(random_scene(np.random.default_rng(seed), size=(320, 240), **{flag: True}))
    assert (tray * foreign).mean() > 0.004


@pytest.mark.parametrize("seed", range(6))
def test_clutter_beside_the_tray_is_not_foreign(seed: int):
    scene = random_scene(np.random.default_rng(seed), size=(320, 240), clutter=True)
    assert masks(scene).foreign.max() == 0
    changed = np.abs(light_of(scene) - light_of(replace(scene, things=()))).max(axis=-1) > 0.05
    assert (changed & (masks(scene).tray > 0.9)).mean() < 0.002


# Masks.


def test_the_tray_mask_covers_floor_and_inner_walls():
    scene = plain_scene(camera=Camera(height_mm=300.0, tilt_deg=15.0, lean_deg=40.0, barrel=0.05))
    black = Surface((0.0, 0.0, 0.0))
    table = replace(scene, tray=replace(scene.tray, table=black))
    floor = replace(scene, tray=replace(scene.tray, floor=black))
    tray = masks(scene).tray
    shown = light_of(scene)
    assert tray[np.abs(shown - light_of(table)).max(axis=-1) > 0.01].max() < 0.05
    assert tray[np.abs(shown - light_of(floor)).max(axis=-1) > 0.01].min() > 0.9


def test_all_of_a_bare_table_counts_as_inside():
    scene = plain_scene()
    mat = Surface((0.3, 0.3, 0.3))
    bare = replace(scene, tray=replace(scene.tray, wall_mm=0.0, rim_mm=0.0, floor=mat, wall=mat, table=mat))
    assert masks(bare).tray.min() == 1.0


def test_the_foreign_mask_covers_the_object_in_the_picture():
    # A white sheet over a black tray: only the sheet is brighter, since its shadow is darker.
    scene = plain_scene(camera=Camera(height_mm=262.0, tilt_deg=12.0, barrel=0.06))
    sheet = replace(scene, things=(plate(40.0, 20.0, 10.0),))
    brighter = (light_of(sheet) - light_of(scene)).max(axis=-1) > 0.15
    foreign = masks(sheet).foreign > 0.5
    assert (brighter & foreign).sum() > 0.97 * (brighter | foreign).sum()


# Trays, shadows and lamps.


@pytest.mark.parametrize("sides", [4, 6, 8])
def test_the_room_at_the_wall_of_any_tray_is_zero(sides: int):
    tray = replace(table_scene().tray, sides=sides, depth_mm=210.0)
    line = wall_line(tray)
    assert len(line) == sides
    assert room(tray, line) == pytest.approx(0.0, abs=1e-9)
    assert room(tray, (line + np.roll(line, 1, axis=0)) / 2) == pytest.approx(0.0, abs=1e-9)
    assert (room(tray, wall_line(tray, 5.0)) < -4.9).all()
    assert room(tray, np.zeros((1, 2)))[0] == pytest.approx(105.0)


def test_a_shadow_blocks_the_lamp_on_its_own_side_of_the_tray_only():
    scene = plain_scene()
    shaded = replace(scene, shade=Shade(towards_deg=0.0, from_mm=10.0, soft_mm=4.0, depth=1.0))
    before, after_it = light_of(scene), light_of(shaded)
    assert after_it[240, 200] == pytest.approx(before[240, 200])
    assert after_it[240, 420] == pytest.approx(light_of(replace(scene, light=lamp_off(scene.light)))[240, 420])


def test_a_shadow_falls_on_dice_too():
    scene = plain_scene(ivory(1))
    dimmed = replace(scene, shade=Shade(towards_deg=0.0, from_mm=-50.0, depth=0.8))
    (label,) = truth(scene)
    x, y = round(label.top_centre[0] + 0.5 * label.half_px), round(label.top_centre[1])
    assert light_of(dimmed)[y, x].sum() < 0.6 * light_of(scene)[y, x].sum()


def lamp_off(light: Light) -> Light:
    return replace(light, colour=(0.0, 0.0, 0.0))


def test_with_the_lamp_off_only_ambient_light_is_left():
    scene = plain_scene()
    dim = light_of(replace(scene, light=lamp_off(scene.light)))
    darkness = light_of(replace(scene, light=replace(lamp_off(scene.light), ambient=(0.0, 0.0, 0.0))))
    assert 0 < dim[240, 320].sum() < 0.6 * light_of(scene)[240, 320].sum()
    assert darkness.max() == 0


# Makes of dice.


def mirrored(body: DieBody) -> np.ndarray:
    """How much brighter a die's top face is under a ring of lamps than without, over (60, 60) pixels."""
    scene = plain_scene(replace(ivory(2), body=body))
    ring = Pane((0.0, 0.0, 400.0), (60.0, 60.0), 0.0, 40.0, is_round=True, hole=0.8)
    lit = replace(scene, light=replace(scene.light, panes=(ring,)))
    (label,) = truth(scene)
    gained = cv2.subtract(draw(lit), draw(scene)).mean(axis=2).astype(np.float32)
    side = round(2 * label.half_px)
    top = cv2.getRectSubPix(gained, (side, side), label.top_centre)
    return cv2.resize(top, (60, 60), interpolation=cv2.INTER_AREA)


@given(seeds)
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
