"""Scenes of the project's own renderer, drawn to be scored."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tools.scenes import kinds as scenes_module
from tools.scenes.kinds import COUNTS, FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, draw_scene
from tools.scenes.labels import Flaw, masks, standing, truth
from tools.scenes.random_look import is_ordinary
from tools.scenes.random_scene import random_scene
from vision.pictures.labelled import Labelled, label_line, read_labels
from vision.render.draw import light_of
from vision.render.scene import Texture
from vision.types import Frame

SEED = FIRST_SEED


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple[Frame, Labelled]]:
    """One scene of each kind."""
    return {kind: draw_scene(SceneToScore(kind, SEED)) for kind in KINDS}


def test_the_same_kind_and_seed_produce_the_same_picture(drawn):
    first, again = drawn["hand"], draw_scene(SceneToScore("hand", SEED))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
    assert not np.array_equal(first[0], draw_scene(SceneToScore("hand", SEED + 1))[0])


def test_every_kind_can_be_rendered_and_only_the_readable_ones_have_values(drawn):
    labels = {kind: label for kind, (_, label) in drawn.items()}
    assert all((frame.shape, frame.dtype) == ((480, 640, 3), np.uint8) for frame, _ in drawn.values())
    assert [label.source for label in labels.values()] == list(KINDS)
    assert (KINDS["two-for-one"].expected, len(labels["two-for-one"].dice)) == (1, 2)
    assert [kind for kind, label in labels.items() if label.values is not None] == list(TO_BE_READ)
    for kind in TO_BE_READ:
        assert labels[kind].values == tuple(sorted(die.value for die in labels[kind].dice))
        assert KINDS[kind].expected in (None, len(labels[kind].values))


def scene_of(kind, seed=SEED):
    return KINDS[kind].make(np.random.default_rng(seed))


@pytest.mark.parametrize(("kind", "dice"), [("leaning-one", 1), ("leaning-two", 2), ("leaning-four", 4)])
@pytest.mark.parametrize("seed", range(SEED, SEED + 4))
def test_one_die_of_a_leaning_kind_leans_by_10_to_45_degrees_and_the_others_lie_flat(kind, dice, seed):
    tilts = sorted(die.tilt_deg for die in truth(scene_of(kind, seed)))
    assert len(tilts) == dice
    assert 10 <= round(tilts[-1], 6) <= 45
    assert max(tilts[:-1], default=0.0) < 0.01


@pytest.mark.parametrize(("kind", "least", "most"), [("near", 1 / 6, 1 / 3), ("nearest", 1 / 3, 1 / 2)])
def test_near_dice_have_the_width_of_their_kind(kind, least, most):
    for seed in range(SEED, SEED + 4):
        widths = [2 * die.half_px / 640 for die in truth(scene_of(kind, seed))]
        assert 0.85 * least < min(widths)
        assert max(widths) < 1.15 * most


@pytest.mark.parametrize("kind", ["palm", "held"])
def test_dice_on_a_hand_or_sheet_are_above_the_floor_on_a_foreign_object(kind):
    scene = scene_of(kind)
    assert all(die.centre[2] > 20 for die in scene.dice)
    assert all(die.flaw is Flaw.COCKED for die in truth(scene))
    assert float((masks(scene).foreign > 0.5).mean()) > 0.02


def test_the_bottom_face_of_a_transparent_die_shows_through_it():
    scene = scene_of("see-through")
    assert all(die.body.see_through > 0 for die in scene.dice)
    opaque = replace(scene, dice=tuple(replace(die, body=replace(die.body, see_through=0.0)) for die in scene.dice))
    assert np.abs(light_of(scene) - light_of(opaque)).max() > 0.02


def test_small_dice_are_12_mm_wide_and_marbled_ones_have_two_colours():
    assert {die.body.size_mm for die in scene_of("small").dice} == {12.0}
    assert all(die.body.swirl > 0 or die.body.speckle > 0 for die in scene_of("marbled").dice)


def test_a_window_is_reflected_without_hiding_a_pip():
    scene = scene_of("window")
    assert scene.light.panes[-1].bars > 0
    assert all(die.flaw is None for die in truth(scene))


def test_five_dice_in_a_row_are_side_by_side():
    places = np.array([die.centre for die in scene_of("row").dice])
    gaps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    size = scene_of("row").dice[0].body.size_mm
    assert np.all((gaps > size) & (gaps < 1.3 * size))


def test_scenes_with_another_count_have_each_of_the_counts_and_never_four(monkeypatch):
    monkeypatch.setattr(scenes_module, "draw", lambda *_: None)
    counts = {len(draw_scene(SceneToScore("count", SEED + number))[1].dice) for number in range(60)}
    assert counts == set(COUNTS)
    assert 4 not in counts


def test_a_scene_has_the_label_of_a_roll_that_can_be_saved_and_loaded(tmp_path):
    _, label = draw_scene(SceneToScore(READABLE, SEED))
    (tmp_path / label.path).touch()
    (tmp_path / "labels.jsonl").write_text(label_line(label))
    (kept,) = read_labels(tmp_path)
    assert (kept.values, kept.expected, kept.source) == (label.values, 4, READABLE)
    assert [die.value for die in kept.dice] == [die.value for die in label.dice]


def test_a_tray_without_room_is_replaced_by_another(monkeypatch):
    wanted = scenes_module.random_scene
    tries = []

    def cramped(rng, **options):
        tries.append(options)
        if len(tries) < 3:
            raise ValueError("no room")
        return wanted(rng, **options)

    monkeypatch.setattr(scenes_module, "random_scene", cramped)
    draw_scene(SceneToScore("cocked", SEED))
    assert tries == [{"cocked": True}] * 3


@pytest.mark.parametrize("seed", range(SEED, SEED + 8))
def test_a_clean_scene_has_ordinary_dice_in_plain_view_and_no_print_on_the_floor(seed):
    scene = random_scene(np.random.default_rng(seed), clean=True)
    assert all(is_ordinary(die.body) for die in scene.dice)
    assert scene.tray.floor.texture is not Texture.PRINTED
    labels = truth(scene)
    assert min(label.pips.contrast for label in labels) >= 40
    assert 2 * min(label.half_px for label in labels) >= 20


def test_with_the_tray_known_a_roll_shows_the_cameras_pose_first(monkeypatch):
    trays = []
    monkeypatch.setattr(scenes_module, "score_frame", lambda *_, tray: trays.append(tray))
    scenes_module.score_scene(SceneToScore("one", SEED), calibrated=True)
    scene = KINDS["one"].make(np.random.default_rng(SEED))
    assert trays[0].pose.up == pytest.approx(standing(scene.camera).up, abs=0.1)
