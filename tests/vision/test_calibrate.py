"""Learning a tray: its edge, light, sharpness, scale and tilt, and the advice."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.every import every
from tests.vision.looks import CELLS, coarse, look_of, looks_at, noisy, tray_map
from tools.scenes.labels import masks, truth
from tools.scenes.random_scene import random_scene
from tools.scenes.random_things import random_hand
from vision.render.draw import draw
from vision.render.empty_tray import outline
from vision.render.geometry import view
from vision.render.scene import Camera, Scene
from vision.render.scene import Tray as DrawnTray
from vision.render.table import table_scene
from vision.tray.advice import Change, advise, die_px_of, whole_px
from vision.tray.calibrate import EDGE_COLOUR, Measured, TrayFrame, look_at, measure, measured_picture, tilt_of
from vision.tray.calibration import is_convex
from vision.tray.edge import CannotCalibrateError, edge_mask, exact_edge, find_edge, sides_in_picture
from vision.tray.known import Tray

TABLE = table_scene()
MEASURED = measure(looks_at(TABLE))


def with_camera(**changes) -> Scene:
    return replace(TABLE, camera=replace(TABLE.camera, **changes))


def with_sensor(**changes) -> Scene:
    return replace(TABLE, sensor=replace(TABLE.sensor, **changes))


def changes_for(scene: Scene) -> list[Change]:
    return [advice.change for advice in advise(measure(looks_at(scene)))]


def found_edges(count: int, **what: bool):
    """Random scenes with a tray whose edge is in view, each with the tray's mask and the edge found."""
    rng = np.random.default_rng(61)
    found = []
    while len(found) < count:
        scene = random_scene(rng, count=2, **what)
        if scene.tray.wall_mm > 0 and (tray := masks(scene).tray).mean() < 0.95:
            found.append((scene, tray > 0.5, find_edge(noisy(coarse(tray), np.random.default_rng(len(found))))))
    return found


def test_the_edge_of_rendered_trays_is_found_to_within_1_5_percent_of_the_picture():
    for _, true, edge in found_edges(10):
        found = edge_mask(edge, (640, 480))
        # Beyond the picture there is no tray, or the depth at its edges would not be seen.
        far_in = cv2.distanceTransform(np.pad(true, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
        assert far_in[true & ~found].max(initial=0) < 0.015 * 640
        assert (true & found).sum() > 0.95 * (true | found).sum()


def test_dice_in_a_tray_are_inside_its_edge_and_dice_beside_it_are_outside():
    places = {True: [], False: []}
    for scene, _, edge in found_edges(10, strayed=True):
        tray = Tray((640, 480), edge)
        for die in truth(scene):
            x, y = die.top_centre
            if 0 <= x < 640 and 0 <= y < 480:
                places[die.in_tray] += tray.outside([die.top_centre], (640, 480))
    assert not any(places[True])
    assert all(places[False])
    assert min(len(dice) for dice in places.values()) >= 4


def test_without_a_tray_it_says_so_and_that_reading_still_works():
    with pytest.raises(CannotCalibrateError, match=r"no tray found: .*reading still works"):
        find_edge(np.zeros((60, 80), np.float32))


def test_an_outline_with_a_dent_or_an_object_beside_it_is_not_a_tray():
    dented, joined = np.zeros((2, 60, 80), np.float32)
    dented[5:55, 5:75] = joined[10:50, 20:60] = joined[15:21, 60:72] = 1
    dented[20:, 30:] = 0
    for tray in (dented, joined):
        with pytest.raises(CannotCalibrateError, match=r"no clear edge .*: take everything out .* and from beside it"):
            find_edge(tray)


@given(arrays(np.float32, (12, 16), elements=st.floats(0, 1, width=32)))
def test_any_map_leads_to_an_edge_that_can_be_saved_or_to_a_refusal(tray):
    look = TrayFrame(np.zeros((48, 64, 3), np.uint8), tray)
    try:
        measured = measure([look])
    except CannotCalibrateError:
        return
    assert is_convex(measured.edge)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=9),
    st.floats(0.3, 3.0),
)
def test_the_edge_of_any_convex_shape_can_be_saved(corners, softness):
    shape = np.zeros((60, 80), np.float32)
    cv2.fillConvexPoly(shape, cv2.convexHull((np.array(corners) * CELLS).astype(np.int32)), 1.0)
    tray = cv2.GaussianBlur(shape, (0, 0), softness)
    try:
        edge = find_edge(tray)
    except CannotCalibrateError:
        return
    found = edge_mask(edge, CELLS)
    assert (found & (tray > 0.5)).sum() > 0.8 * (found | (tray > 0.5)).sum()


def test_the_tilt_is_unknown_for_a_round_tray_or_one_that_is_cut_off():
    assert tilt_of([(0.3, 0.3), (0.7, 0.3), (0.8, 0.5), (0.7, 0.7), (0.3, 0.7)], 4 / 3) is None
    assert tilt_of([(0.0, 0.3), (0.7, 0.3), (0.7, 0.7), (0.0, 0.7)], 4 / 3) is None


def test_dice_in_view_determine_the_scale_and_neither_they_nor_a_hand_nor_a_finer_map_spoil_the_empty_tray():
    dice = ((100.0, 100.0, 132.0, 132.0), (200.0, 300.0, 234.0, 334.0), (300.0, 300.0, 330.0, 330.0))
    hand = random_hand(np.random.default_rng(3), TABLE.tray).over(TABLE)
    finer = replace(look_of(TABLE), tray=cv2.resize(tray_map(TABLE), (160, 120)))
    measured = measure([*looks_at(TABLE), look_of(hand), look_of(TABLE, 5, dice)])
    assert measured.die_side == pytest.approx(32 / 640)
    assert die_px_of(measured) == (pytest.approx(32.0), True)
    assert np.array_equal(measured.tray.empty, MEASURED.tray.empty)
    assert np.allclose(measure([look_of(TABLE), finer]).edge, MEASURED.edge, atol=0.01)


def test_a_good_tray_needs_no_advice_and_without_dice_their_size_is_estimated():
    assert advise(MEASURED) == ()
    die_px, is_measured = die_px_of(MEASURED)
    assert not is_measured
    assert die_px == pytest.approx(34, abs=4)  # 16 mm from 262 mm
    small = cv2.resize(draw(TABLE), (80, 60), interpolation=cv2.INTER_AREA)
    assert np.abs(MEASURED.tray.empty.astype(int) - small).max() <= 4


def test_pictures_of_different_sizes_are_refused():
    small = replace(TABLE, camera=replace(TABLE.camera, size=(320, 240)))
    with pytest.raises(CannotCalibrateError, match="640x480 and 320x240"):
        measure([look_of(TABLE), look_of(small)])


def test_a_camera_that_moves_during_the_measurement_is_reported():
    with pytest.raises(CannotCalibrateError, match="not at the same place"):
        measure([look_of(TABLE, 1), look_of(TABLE, 2), look_of(with_camera(aim_mm=(60.0, 0.0)), 3)])


def test_wide_frames_are_measured_as_if_640_wide():
    large = with_camera(size=(1280, 960))
    blurred = replace(large, sensor=replace(large.sensor, blur_px=4.0))
    measured = measure([look_of(blurred)])
    assert measured.frame.shape == (480, 640, 3)
    assert measured.tray.frame_size == (1280, 960)
    assert measured.blur_px == pytest.approx(2.0, rel=0.3)


@pytest.mark.parametrize(
    ("scene", "change"),
    [
        (with_camera(height_mm=185.0, tilt_deg=0.0), Change.HIGHER),
        (with_camera(height_mm=480.0), Change.LOWER),
        (with_camera(aim_mm=(95.0, 0.0), height_mm=300.0), Change.AIM),
        (with_camera(tilt_deg=32.0, height_mm=400.0), Change.UPRIGHT),
        (with_sensor(blur_px=3.5), Change.FOCUS),
        (with_sensor(exposure=0.02), Change.MORE_LIGHT),
    ],
    ids=lambda value: value.value if isinstance(value, Change) else "",
)
def test_each_fault_is_reported_with_what_to_change(scene, change):
    assert change in changes_for(scene)


def test_glare_is_reported_with_its_place():
    look = look_of(TABLE)
    cv2.circle(look.frame, (430, 130), 25, (255, 255, 255), -1)
    (advice,) = advise(measure([look]))
    assert advice.change is Change.LESS_GLARE
    assert "the tray's top right" in advice.detail
    assert advice.is_required


def test_dice_in_every_frame_lead_to_the_advice_to_empty_the_tray():
    measured = measure(looks_at(TABLE, dice=((100.0, 100.0, 132.0, 132.0),)))
    assert measured.tray.empty is None
    assert [advice.change for advice in advise(measured)] == [Change.EMPTY]


def test_a_hand_over_the_tray_leads_to_the_advice_to_remove_it():
    scene = random_hand(np.random.default_rng(3), TABLE.tray).over(TABLE)
    measured = measure(looks_at(scene))
    assert measured.is_covered
    (advice,) = [advice for advice in advise(measured) if advice.change is Change.EMPTY]
    assert "cover a part" in advice.detail


def test_a_floor_that_looks_covered_in_every_frame_is_learned():
    looks = [replace(look, is_covered=True) for look in looks_at(TABLE)]
    measured = measure(looks)
    assert measured.is_covered
    assert np.array_equal(measured.tray.empty, MEASURED.tray.empty)
    assert [advice.is_required for advice in advise(measured)] == [False]


def test_the_picture_shows_the_edge():
    picture = measured_picture(MEASURED)
    assert picture.shape == (720, 960, 3)
    (x0, y0), (x1, y1) = (np.array(MEASURED.edge[corner]) * (960, 720) for corner in (0, 1))
    near = picture[round((y0 + y1) / 2) - 2 :, round((x0 + x1) / 2) - 2 :][:5, :5].reshape(-1, 3)
    assert (near == EDGE_COLOUR).all(axis=1).any()


def wholly_in_view(camera: Camera, tray: DrawnTray, margin: float) -> Camera:
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


def changes(measured: Measured) -> list[tuple[Change, bool]]:
    return [(advice.change, advice.is_required) for advice in advise(measured)]


@every(tilt_deg=[0.0, 10.0, 26.0, 36.0], lean_deg=[0.0, 270.0])
def test_a_trays_four_corners_show_the_tilt_and_a_strongly_tilted_camera_should_look_straight_down(tilt_deg, lean_deg):
    frame = draw(tilted(tilt_deg, lean_deg), 1)
    known, unknown = (measure([look_at(frame, field_deg=field)]) for field in (TABLE.camera.field_of_view_deg, None))
    assert len(known.edge) == 4
    assert known.tilt_deg == pytest.approx(tilt_deg, abs=5)
    is_strong = tilt_deg > 22
    assert dict(changes(known)).get(Change.UPRIGHT) is (True if is_strong else None)
    assert not is_strong or (Change.UPRIGHT, False) in changes(unknown)


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
