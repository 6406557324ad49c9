"""Holding a frame against the empty tray: what has not changed is neither die nor hand, what is new is a thing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.looks import looks_at
from vision import read as reading
from vision.calibrate import measure
from vision.empty import EmptyTray, as_learnt, made_small
from vision.finder import Face, Found
from vision.known_tray import forgetting, known_by, part_unchanged, remembering, something_new, unchanged
from vision.params import KnownTrayParams, Params
from vision.reading import Reason
from vision.render import draw, lay_dice, table_scene, truth
from vision.render.geometry import view
from vision.render.random_look import colour
from vision.render.scene import Light, Scene, Shade, Slab, Surface, Thing
from vision.render.table import IVORY
from vision.values import CLASSES

TABLE = table_scene()
CALIBRATION = measure(looks_at(TABLE)).calibration
KNOWN = Params(calibration=CALIBRATION)
PARAMS = KnownTrayParams()
THROWN = lay_dice(np.random.default_rng(4), TABLE, [IVORY] * 4, [1, 3, 4, 6])
FRAME = draw(THROWN, 11)
SIZE = (640, 480)
CARD_MM = (-30.0, 30.0)


def learnt() -> EmptyTray:
    empty = as_learnt(CALIBRATION)
    assert empty is not None
    return empty


def same_in(frame):
    same = unchanged(frame, learnt(), PARAMS)
    assert same is not None
    return same


def new_in(scene: Scene, empty: EmptyTray | None = None) -> tuple[float, float] | None:
    """Where something new is in a scene, told with the dice that are truly there."""
    frame, known = draw(scene, 21), empty or learnt()
    same = unchanged(frame, known, PARAMS)
    assert same is not None
    faces = [Face(die.top_centre, die.half_px, 1.0) for die in truth(scene)]
    return something_new(frame, known, same, faces, PARAMS)


def with_card(scene: Scene, shade: str = "#3c8f4a", side_mm: float = 12.0) -> Scene:
    """A small card lies where the floor is free."""
    x, y = CARD_MM
    half = side_mm / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return replace(scene, things=(Thing((Slab(outline, 0.4, 0.4, Surface(colour(shade))),)),))


def in_mixed_light(scene: Scene, angle_rad: float) -> Scene:
    """A warm lamp stands low at one side, and the sky in the windows is blue."""
    lamp = (500 * math.cos(angle_rad), 500 * math.sin(angle_rad), 350.0)
    return replace(scene, light=Light((lamp,), (0.2, 0.5, 0.9), (0.4, 0.34, 0.28)))


def as_empty(scene: Scene) -> EmptyTray:
    """What is remembered of an empty tray in other light."""
    return EmptyTray(made_small(draw(scene, 4)), learnt().inside, SIZE)


def card_px() -> tuple[float, float]:
    """Where the card's middle is in the picture."""
    place = view(TABLE.camera).project(np.array([(*CARD_MM, 0.4)]))[0]
    return float(place[0]), float(place[1])


def free_floor() -> Face:
    """A place of the floor that is far from all dice."""
    places = [(float(x), float(y)) for x in range(200, 460, 20) for y in range(140, 360, 20)]
    dice = [die.top_centre for die in truth(THROWN)]
    return Face(max(places, key=lambda place: min(np.hypot(*np.subtract(place, die)) for die in dice)), 18.0, 0.3)


def in_each_look(monkeypatch, change: Callable[[Found], Found]) -> None:
    """Have each look of the finder find something else."""
    for name in ("find_at_any_size", "look_again", "look_closer"):
        look = getattr(reading, name)
        monkeypatch.setattr(reading, name, lambda *told, look=look: change(look(*told)))


def with_foreign(monkeypatch, face: Face) -> None:
    """Have the finder take this place for something foreign."""

    def covered(found: Found) -> Found:
        foreign = found.foreign.copy()
        left, top, right, bottom = (int(edge / 8) for edge in face.box)
        foreign[top : bottom + 2, left : right + 2] = 1.0
        return replace(found, foreign=foreign)

    in_each_look(monkeypatch, covered)


def test_the_empty_tray_is_unchanged_nearly_everywhere():
    assert same_in(draw(TABLE, 12)).mean() > 0.97


def test_each_die_changes_its_place():
    for die in truth(THROWN):
        assert part_unchanged(same_in(FRAME), Face(die.top_centre, die.half_px, 1.0), SIZE) < 0.5


def test_the_floor_between_the_dice_is_unchanged():
    assert part_unchanged(same_in(FRAME), free_floor(), SIZE) > 0.9


@pytest.mark.parametrize("brighter", [0.6, 1.5])
def test_more_or_less_light_as_a_whole_changes_nothing(brighter):
    lit = replace(TABLE, sensor=replace(TABLE.sensor, exposure=TABLE.sensor.exposure * brighter**2.2))
    assert same_in(draw(lit, 13)).mean() > 0.9


def test_nothing_is_told_of_frames_of_another_shape():
    assert unchanged(FRAME[:, :480], learnt(), PARAMS) is None


def test_frames_of_another_size_but_the_same_shape_are_compared():
    assert same_in(draw(table_scene((320, 240)), 14)).mean() > 0.9


def test_nothing_is_known_where_the_tray_was_never_seen_empty():
    assert known_by(Params()) is None
    assert known_by(Params(calibration=replace(CALIBRATION, empty=None))) is None


def test_nothing_is_told_where_all_looks_otherwise():
    noise = np.random.default_rng(1).integers(0, 255, (60, 80, 3), np.uint8)
    assert unchanged(FRAME, replace(learnt(), picture=noise), PARAMS) is None


def test_what_only_seems_foreign_does_not_hinder_where_the_tray_is_known(monkeypatch):
    with_foreign(monkeypatch, replace(free_floor(), half=50.0))
    assert reading.read(FRAME).reason is Reason.HAND
    assert reading.read(FRAME, KNOWN).values == (1, 3, 4, 6)


def test_what_is_foreign_hinders_where_the_tray_is_known_too(monkeypatch):
    face = replace(free_floor(), half=50.0)
    left, top, right, bottom = (int(edge) for edge in face.box)
    covered = FRAME.copy()
    covered[top:bottom, left:right] = (120, 150, 200)
    with_foreign(monkeypatch, face)
    assert reading.read(covered, KNOWN).reason is Reason.HAND


def chances_with(monkeypatch, face: Face, chances: dict[str, float]) -> None:
    """Have a place found where nothing is, of which the values' network thinks so."""
    values = reading.read_values

    def read_more(frame, faces, params):
        looked = values(frame, faces, params)
        looked.chances[-1] = [chances.get(name, 0.0) for name in CLASSES]
        return looked

    in_each_look(monkeypatch, lambda found: replace(found, faces=(*found.faces, face)))
    monkeypatch.setattr(reading, "read_values", read_more)


def test_what_only_seems_a_leaning_die_does_not_hinder_where_the_tray_is_known(monkeypatch):
    leaning = {**dict.fromkeys("123456", 0.01), "cocked": 0.94}
    chances_with(monkeypatch, replace(free_floor(), score=0.6), leaning)
    assert reading.read(FRAME).reason is Reason.COUNT
    assert reading.read(FRAME, KNOWN).values == (1, 3, 4, 6)


def test_what_shows_a_value_is_never_taken_for_the_tray(monkeypatch):
    five = {"5": 0.95, "cocked": 0.01, "nothing": 0.04}
    chances_with(monkeypatch, replace(free_floor(), score=0.6), five)
    assert reading.read(FRAME, KNOWN).reason is Reason.COUNT


@pytest.mark.parametrize("scene", [TABLE, THROWN], ids=["empty", "dice"])
def test_neither_the_empty_tray_nor_dice_in_it_are_new(scene):
    assert new_in(scene) is None


@pytest.mark.parametrize("scene", [TABLE, THROWN], ids=["empty", "dice"])
@pytest.mark.parametrize("shade", ["#3c8f4a", "#c05030", "#f0efe9"])
def test_a_card_of_the_size_of_a_die_is_new_where_it_lies(scene, shade):
    assert new_in(with_card(scene, shade)) == pytest.approx(card_px(), abs=8)


def test_dice_beside_a_small_card_are_read_only_where_the_empty_tray_is_not_known():
    frame = draw(with_card(THROWN, "#9a5a3c"), 21)
    assert reading.read(frame).values == (1, 3, 4, 6)
    read = reading.read(frame, KNOWN)
    assert read.reason is Reason.HAND
    assert read.detail.startswith("something at ")


@pytest.mark.parametrize("depth", [0.3, 0.8])
@pytest.mark.parametrize("soft_mm", [2.0, 60.0])
def test_a_shadow_is_not_new(depth, soft_mm):
    assert new_in(replace(THROWN, shade=Shade(30.0, 40.0, soft_mm=soft_mm, depth=depth))) is None


@pytest.mark.parametrize("tint", [(0.4, 0.7, 1.0), (1.0, 0.8, 0.5), (0.3, 0.3, 0.3)], ids=["warm", "cold", "dim"])
def test_a_lamp_of_another_colour_is_not_new(tint):
    around = (0.3 * tint[0], 0.3 * tint[1], 0.3 * tint[2])
    assert new_in(replace(THROWN, light=replace(THROWN.light, colour=tint, ambient=around))) is None


@pytest.mark.parametrize("angle_deg", range(0, 360, 60))
def test_long_shadows_that_a_warm_lamp_casts_under_a_cold_sky_are_not_new(angle_deg):
    lit = in_mixed_light(THROWN, math.radians(angle_deg))
    assert new_in(lit, as_empty(replace(lit, dice=()))) is None


@pytest.mark.parametrize("angle_deg", range(0, 360, 60))
def test_a_dark_card_is_new_in_mixed_light_too(angle_deg):
    lit = in_mixed_light(THROWN, math.radians(angle_deg))
    assert new_in(with_card(lit, "#401030", 20.0), as_empty(replace(lit, dice=()))) is not None


def test_nothing_is_new_where_most_of_the_floor_is():
    camera = replace(TABLE.camera, aim_mm=(60.0, 40.0))
    same = np.zeros((60, 80), np.bool_)
    assert something_new(draw(replace(with_card(TABLE), camera=camera), 3), learnt(), same, [], PARAMS) is None


def test_a_card_that_lay_in_the_tray_when_it_was_last_seen_empty_belongs_to_it():
    params = remembering(KNOWN, draw(with_card(TABLE), 5))
    assert new_in(with_card(THROWN), known_by(params)) is None
    assert reading.read(draw(with_card(THROWN), 22), params).values == (1, 3, 4, 6)


def test_a_card_that_was_taken_away_since_is_new_until_the_tray_is_seen_empty_again():
    params = remembering(Params(), draw(with_card(TABLE, "#c05030"), 5))
    assert new_in(THROWN, known_by(params)) is not None
    assert new_in(THROWN, known_by(remembering(params, draw(TABLE, 6)))) is None


def test_the_tray_is_remembered_as_it_lies_in_the_frame():
    empty = known_by(remembering(Params(), draw(TABLE, 5)))
    assert empty is not None
    assert empty.fits(SIZE)
    assert (empty.inside == learnt().inside).mean() > 0.95


def test_of_a_camera_that_was_moved_nothing_is_known():
    assert known_by(forgetting(remembering(KNOWN, draw(TABLE, 5)))) is None


@given(
    seed=st.integers(0, 2**32),
    faces=st.lists(
        st.builds(Face, st.tuples(st.floats(-50, 700), st.floats(-50, 530)), st.floats(0.5, 400), st.just(1.0))
    ),
    share=st.floats(0, 1),
)
def test_of_any_frame_and_any_faces_a_place_in_the_frame_is_told_or_none(seed, faces, share):
    rng = np.random.default_rng(seed)
    frame = rng.integers(0, 256, (48, 64, 3), np.uint8)
    empty = EmptyTray(rng.integers(0, 256, (60, 80, 3), np.uint8), rng.random((60, 80)) < share, SIZE)
    place = something_new(frame, empty, np.ones((60, 80), np.bool_), faces, PARAMS)
    assert place is None or (0 <= place[0] <= 64 and 0 <= place[1] <= 48)


@given(
    x=st.floats(-50, 700),
    y=st.floats(-50, 530),
    half=st.floats(0.5, 400),
    same=st.integers(0, 2**32).map(lambda seed: np.random.default_rng(seed).random((60, 80)) < 0.5),
)
def test_any_place_in_or_beside_the_frame_has_a_part_that_is_unchanged(x, y, half, same):
    assert 0.0 <= part_unchanged(same, Face((x, y), half, 1.0), SIZE) <= 1.0
