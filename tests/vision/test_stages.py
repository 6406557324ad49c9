"""The stages of reading, each by itself: the finder, the looks at a die, the networks' files."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
import pytest

from tools.scenes.labels import masks, standing, truth
from tools.scenes.random_scene import random_scene
from vision.params import Crop, FinderParams, Params
from vision.render.draw import draw
from vision.stages import network, values
from vision.stages.crops import CROP_PX, HALF_PX, crop
from vision.stages.finding import Face, find, look_again, look_closer, look_farther
from vision.stages.values import CLASSES, PLACES, FaceValues, read_values

BLACK = np.zeros((240, 320, 3), np.uint8)
FACE = Face((160.0, 120.0), 15.0, 0.9)


@lru_cache
def scene_of(seed: int, **options):
    scene = random_scene(np.random.default_rng(seed), **options)
    return scene, draw(scene, seed)


def test_the_finder_finds_each_die_near_the_middle_of_its_top_face_with_its_size():
    for seed in range(9200, 9206):
        scene, frame = scene_of(seed)
        faces = find(frame, FinderParams()).faces
        for die in truth(scene):
            near = min(faces, key=lambda face: math.dist(face.centre, die.top_centre))
            assert math.dist(near.centre, die.top_centre) < 0.4 * die.half_px, seed
            assert near.half == pytest.approx(die.half_px, rel=0.25), seed


def test_a_look_at_the_reduced_picture_keeps_the_tray_of_the_usual_look():
    _, frame = scene_of(9200)
    first = find(frame, FinderParams())
    found = look_farther(frame, first, FinderParams(), 0.35)
    assert found.said.shape[1:] == found.tray.shape < first.tray.shape
    before = cv2.resize(first.tray, found.tray.shape[::-1], interpolation=cv2.INTER_AREA)
    assert (found.tray >= before).all()


def test_a_separate_area_does_not_count_as_tray_and_all_of_a_table_that_is_not_convex_does(monkeypatch):
    said = np.full((8, 60, 80), -6, np.float32)
    monkeypatch.setattr(network, "run", lambda *_: said)
    said[4, 10:50, 10:60] = said[4, 5:9, 70:78] = 6
    tray = find(BLACK, FinderParams()).tray
    assert tray[10:50, 10:60].min() > 0.99
    assert tray[5:9, 70:78].max() == 0
    said[4, 5:55, 5:75], said[4, 5:30, 30:50] = 6, -6
    assert find(BLACK, FinderParams()).tray.min() == 1


def test_the_inside_of_the_tray_is_distinguished_from_the_table():
    agreeing = []
    for seed in range(9200, 9206):
        scene, frame = scene_of(seed)
        found = find(frame, FinderParams())
        real = cv2.resize(masks(scene).tray, found.tray.shape[::-1], interpolation=cv2.INTER_AREA)
        agreeing.append(float(((found.tray > 0.5) == (real > 0.5)).mean()))
    assert np.mean(agreeing) > 0.9


def test_a_hand_is_distinguished_from_the_tray():
    for seed in range(9300, 9304):
        scene, frame = scene_of(seed, hand=True)
        foreign = find(frame, FinderParams()).foreign
        real = cv2.resize(masks(scene).foreign, foreign.shape[::-1], interpolation=cv2.INTER_AREA) > 0.5
        assert foreign[real].mean() > foreign[~real].mean() + 0.4, seed


def test_the_dice_determine_the_camera_pose():
    off = []
    for seed in range(9200, 9206):
        scene, frame = scene_of(seed)
        pose = read_values(frame, find(frame, FinderParams()).faces, Params()).pose
        off.append(np.hypot(*np.subtract(pose.up, standing(scene.camera).up)))
    assert np.degrees(np.median(off)) < 5


@pytest.mark.parametrize("half", [18, 22, 28, 40, 47, 60, 90])
def test_the_middle_of_a_face_is_the_middle_of_its_crop(half):
    rows, columns = np.mgrid[:480, :640]
    disc = 200 * np.clip(0.3 * half + 0.5 - np.hypot(columns - 320, rows - 240), 0, 1)
    frame = np.repeat(disc[..., None], 3, axis=2).astype(np.uint8)
    seen = crop(frame, Face((320.0, 240.0), half, 1.0), np.eye(2))[..., 0].astype(float)
    middle = [(np.arange(CROP_PX) * seen.sum(axis=axis)).sum() / seen.sum() for axis in (0, 1)]
    assert middle == pytest.approx([(CROP_PX - 1) / 2] * 2, abs=0.08)


def one_square(centre: tuple[float, float], half: float) -> np.ndarray:
    frame = np.zeros((240, 320, 3), np.uint8)
    corners = [(round(centre[0] + sign * half), round(centre[1] + sign * half)) for sign in (-1, 1)]
    cv2.rectangle(frame, *corners, (255, 255, 255), -1)
    return frame


def sees_the_square(_: str, look: np.ndarray) -> np.ndarray:
    """Return the output of a perfect network for a crop with one white square."""
    rows, columns = np.nonzero(look[..., 0] > 127)
    middle = (CROP_PX - 1) / 2
    place = (columns.mean() - middle) / HALF_PX, (rows.mean() - middle) / HALF_PX
    value = [9.0 if name == "5" else -9.0 for name in CLASSES]
    return np.array([*value, 0.0, 0.0, *place, np.log(np.sqrt(len(rows)) / 2 / HALF_PX)], np.float32)


@pytest.mark.parametrize("look", [Crop(0.0, False, 1.0), Crop(0.0, True, 1.1), Crop(-7.0, True, 1.05)])
@pytest.mark.parametrize("off", [(6.0, 0.0), (0.0, -7.0), (-5.0, 4.0)])
def test_later_looks_use_the_place_that_the_first_look_found(monkeypatch, look, off):
    monkeypatch.setattr(network, "run", sees_the_square)
    params = replace(Params(), values=replace(Params().values, crops=(look,) * 2))
    found = Face((160.0 + off[0], 120.0 + off[1]), 13.0, 0.9)
    (face,) = read_values(one_square((160.0, 120.0), 16.0), (found,), params).faces
    assert face.centre == pytest.approx((160.0, 120.0), abs=1.0)
    assert face.half == pytest.approx(16.5, abs=1.0)


def test_two_faces_that_turn_out_to_be_one_are_merged(monkeypatch):
    monkeypatch.setattr(network, "run", sees_the_square)
    found = Face((152.0, 120.0), 15.0, 0.9), Face((170.0, 121.0), 15.0, 0.4)
    (face,) = read_values(one_square((160.0, 120.0), 16.0), found, Params()).faces
    assert face.score == 0.9


def looks_at(monkeypatch, name: str, chance: float) -> tuple[list[np.ndarray], FaceValues]:
    """Return the looks taken at a face that shows this class with this probability, else a 5, and what came of them."""
    logits = np.full(len(CLASSES), -20.0, np.float32)
    logits[CLASSES.index(name)], logits[CLASSES.index("5")] = np.log(chance), np.log1p(-chance)
    looks = []
    monkeypatch.setattr(network, "run", lambda _, look: looks.append(look) or np.append(logits, [0.0] * PLACES))
    return looks, read_values(BLACK, (FACE,), Params())


@pytest.mark.parametrize(
    ("name", "chance", "is_doubtful"),
    [("4", 0.3, True), ("cocked", 0.5, True), ("nothing", 0.6, True), ("4", 1e-6, False), ("nothing", 0.8, False)],
)
def test_a_doubtful_face_is_looked_at_in_all_rounds_and_another_once(monkeypatch, name, chance, is_doubtful):
    looks, _ = looks_at(monkeypatch, name, chance)
    assert len(looks) == (len(Params().values.crops) if is_doubtful else 1)


def test_a_face_that_certainly_seems_to_lean_gets_more_looks_in_its_own_colours_only(monkeypatch):
    count = len(looks_at(monkeypatch, "cocked", 0.9999)[0])
    assert [look.axis for look in Params().values.crops[:count]].count(None) > 1
    assert count < Params().values.rounds[-1]


def test_a_face_that_leans_only_in_the_first_look_shows_its_value(monkeypatch):
    """The first look uses the finder's place for the face, all others the place from the first look."""

    def look_at(_frame, faces, _pose, looks):
        said = np.full((len(looks), len(faces), len(CLASSES) + PLACES), -20.0, np.float32)
        cocked = 0.999 if looks[0] == Params().values.crops[0] else 1e-6
        said[:, :, CLASSES.index("cocked")], said[:, :, 4] = np.log(cocked), np.log1p(-cocked)
        said[:, :, len(CLASSES) :] = 0.0
        return said

    monkeypatch.setattr(values, "look_at", look_at)
    (chances,) = read_values(BLACK, (FACE,), Params()).chances
    assert chances[4] > 0.9


@pytest.mark.parametrize(("seen_before", "moved_px", "looks"), [(0.99, 1.0, 0), (0.9, 1.0, 1), (0.99, 8.0, 1)])
def test_a_die_without_doubt_in_an_earlier_look_is_not_looked_at_again(monkeypatch, seen_before, moved_px, looks):
    taken, before = looks_at(monkeypatch, "cocked", 1 - seen_before)
    taken.clear()
    again = read_values(BLACK, (Face((160.0 + moved_px, 120.0), 15.0, 0.7),), Params(), before=before)
    assert len(taken) == looks
    assert again.faces[0].score == 0.7
    assert again.chances[0, 4] == pytest.approx(before.chances[0, 4], rel=0.01)


def chances_of(monkeypatch, plain: dict[str, float], along: dict[str, float]) -> dict[str, float]:
    """What is made of a face of which the looks in its own colours say one thing, those along an axis another."""

    def run(_: str, look: np.ndarray) -> np.ndarray:
        is_grey = bool((look == look[..., :1]).all())
        chances = np.array([(along if is_grey else plain).get(name, 1e-6) for name in CLASSES])
        return np.append(np.log(chances / chances.sum()), [0.0] * PLACES).astype(np.float32)

    monkeypatch.setattr(network, "run", run)
    frame = np.random.default_rng(0).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    (found,) = read_values(frame, (FACE,), Params()).chances
    return dict(zip(CLASSES, found.tolist(), strict=True))


def test_a_value_that_is_visible_only_along_a_colour_axis_is_found(monkeypatch):
    found = chances_of(monkeypatch, {"5": 0.5, "3": 0.4}, {"3": 1.0})
    assert found["3"] > 0.99


def test_a_value_that_differs_between_colours_and_an_axis_is_doubtful(monkeypatch):
    found = chances_of(monkeypatch, {"5": 0.99, "3": 0.01}, {"3": 0.99, "5": 0.01})
    params = Params().confidence
    assert max(found.values()) ** params.alike < params.least_confidence


def test_flaws_of_a_die_are_judged_in_its_own_colours(monkeypatch):
    assert chances_of(monkeypatch, {"cocked": 0.9, "3": 0.1}, {"3": 1.0})["cocked"] == pytest.approx(0.9, abs=1e-3)


def test_a_value_counts_less_if_the_die_may_show_none(monkeypatch):
    found = chances_of(monkeypatch, {"5": 0.4, "3": 0.1, "cocked": 0.5}, {"nothing": 1.0})
    assert found["5"] / found["3"] < 0.4 / 0.1


def test_an_axis_without_a_visible_value_changes_nothing(monkeypatch):
    alone, beside = (chances_of(monkeypatch, {"5": 0.8, "3": 0.2}, {name: 1.0}) for name in ("faint", "nothing"))
    assert alone == pytest.approx(beside)
    assert alone["5"] == pytest.approx(0.8**1.5 / (0.8**1.5 + 0.2**1.5), abs=1e-3)


@pytest.mark.parametrize("kept", [None, 0, 1000, -1])
def test_an_error_about_missing_or_truncated_weights_names_their_file(monkeypatch, tmp_path, kept):
    (tmp_path / "weights").mkdir()
    if kept is not None:
        weights = files("vision") / "weights"
        (tmp_path / "weights" / "half.param").write_bytes((weights / "values.param").read_bytes())
        (tmp_path / "weights" / "half.bin").write_bytes((weights / "values.bin").read_bytes()[:kept])
    monkeypatch.setattr(network, "files", lambda _: tmp_path)
    with pytest.raises(RuntimeError, match=r"half\.bin.*install the package again"):
        network.run("half", np.zeros((16, 16, 3), np.uint8))


def test_two_threads_at_the_same_time_read_the_same_as_one():
    picture = np.random.default_rng(1).integers(0, 256, (CROP_PX, CROP_PX, 3), dtype=np.uint8)
    alone = network.run("values", picture)
    results: list[np.ndarray] = []

    def work() -> None:
        results.extend(network.run("values", picture) for _ in range(20))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 60
    assert all(np.allclose(result, alone, atol=1e-4) for result in results)


def test_a_second_and_an_enlarged_look_find_the_same_dice_and_the_latter_leaves_the_maps_unchanged():
    params = FinderParams(least=0.5)
    for seed in range(9200, 9203):
        scene, frame = scene_of(seed)
        first = find(frame, params)
        again, closer = look_again(frame, first, params), look_closer(frame, first, params)
        assert not np.array_equal(first.said, again.said)
        assert closer.said.shape > first.said.shape
        assert np.array_equal(closer.tray, first.tray)
        assert np.array_equal(closer.foreign, first.foreign)
        for die in truth(scene):
            one, *others = (
                min(found.faces, key=lambda face: math.dist(face.centre, die.top_centre))
                for found in (first, again, closer)
            )
            for other in others:
                assert math.dist(one.centre, other.centre) < 0.3 * die.half_px, seed
                assert one.half == pytest.approx(other.half, rel=0.2), seed


def test_dice_are_not_looked_at_again_once_another_one_has_the_reading_refused(monkeypatch):
    """The right half of the picture shows glare, the left half a 4 or a 5."""
    glare, doubt = np.full((2, len(CLASSES) + PLACES), -20.0, np.float32)
    glare[CLASSES.index("glare")] = doubt[3] = doubt[4] = glare[-PLACES:] = doubt[-PLACES:] = 0.0
    taken = []
    monkeypatch.setattr(network, "run", lambda _, look: taken.append(look) or (glare if look.mean() > 128 else doubt))
    frame = BLACK.copy()
    frame[:, 160:] = 255
    faces = tuple(Face((x, 120.0), 15.0, 0.9) for x in (40.0, 100.0, 250.0))
    read_values(frame, faces, Params())
    assert len(taken) == 1 + 2 * len(Params().values.crops)
    taken.clear()
    seen = read_values(frame, faces, Params(), is_refused=lambda _, chances: chances[CLASSES.index("glare")] > 0.9)
    assert seen.is_cut_short
    assert len(taken) == len(faces)
