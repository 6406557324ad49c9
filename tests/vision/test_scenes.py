"""Scenes of the project's own renderer, drawn to be scored."""

from __future__ import annotations

import numpy as np
import pytest

from vision.render import random_scene, truth
from vision.render.random_look import is_ordinary
from vision.render.scene import Texture
from vision.scoring import scenes as scenes_module
from vision.scoring.scenes import COUNTS, FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, draw_scene
from vision.scoring.score import Labelled, label_line, read_labels
from vision.types import Frame

SEED = FIRST_SEED


@pytest.fixture(scope="module")
def drawn() -> dict[str, tuple[Frame, Labelled]]:
    """One scene of each kind."""
    return {kind: draw_scene(SceneToScore(kind, SEED)) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_drawn(drawn, kind):
    frame, label = drawn[kind]
    assert (frame.shape, frame.dtype) == ((480, 640, 3), np.uint8)
    assert label.source == kind


def test_a_kind_and_a_seed_give_the_same_picture_each_time(drawn):
    first, again = drawn["hand"], draw_scene(SceneToScore("hand", SEED))
    assert np.array_equal(first[0], again[0])
    assert first[1] == again[1]
    assert not np.array_equal(first[0], draw_scene(SceneToScore("hand", SEED + 1))[0])


def test_only_the_readable_kinds_have_values(drawn):
    labels = {kind: label for kind, (_, label) in drawn.items()}
    assert [kind for kind, label in labels.items() if label.values is not None] == list(TO_BE_READ)
    for kind in TO_BE_READ:
        assert labels[kind].values == tuple(sorted(die.value for die in labels[kind].dice))
        assert len(labels[kind].values) == 4


def test_scenes_with_another_count_have_each_of_the_counts_and_never_four(monkeypatch):
    monkeypatch.setattr(scenes_module, "draw", lambda *_: None)
    counts = {len(draw_scene(SceneToScore("count", SEED + number))[1].dice) for number in range(60)}
    assert counts == set(COUNTS)
    assert 4 not in counts


def test_a_scene_is_labelled_as_a_throw_that_can_be_kept_and_read_again(tmp_path):
    _, label = draw_scene(SceneToScore(READABLE, SEED))
    (tmp_path / label.path).touch()
    (tmp_path / "labels.jsonl").write_text(label_line(label))
    (kept,) = read_labels(tmp_path)
    assert (kept.values, kept.is_throw, kept.source) == (label.values, True, READABLE)
    assert [die.value for die in kept.dice] == [die.value for die in label.dice]


def test_a_tray_without_room_is_followed_by_another(monkeypatch):
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


def test_a_seed_without_any_room_is_told(monkeypatch):
    def full(*_, **__):
        raise ValueError("no room")

    monkeypatch.setattr(scenes_module, "random_scene", full)
    with pytest.raises(ValueError, match="no room"):
        draw_scene(SceneToScore("cocked", SEED))


@pytest.mark.parametrize("seed", range(SEED, SEED + 8))
def test_in_a_clean_scene_all_dice_are_ordinary_and_easily_seen_and_the_floor_bears_no_print(seed):
    scene = random_scene(np.random.default_rng(seed), clean=True)
    assert all(is_ordinary(die.body) for die in scene.dice)
    assert scene.tray.floor.texture is not Texture.PRINTED
    labels = truth(scene)
    assert min(label.pips.contrast for label in labels) >= 40
    assert 2 * min(label.half_px for label in labels) >= 20
