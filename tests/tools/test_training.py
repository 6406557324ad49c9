"""Examples for training the networks, from our own renderer and from pictures of another one."""

from __future__ import annotations

import dataclasses
import sys

import cv2
import numpy as np

from tests.vision.drawn import FELT, add_die, tray
from tools.scenes.random_scene import random_scene
from tools.training import blemish, examples, photos
from tools.training.examples import WORN, Shard, shard
from vision.pictures import save_png
from vision.render.draw import draw


def numbers_of(made: Shard) -> tuple[int, int, int]:
    """The numbers of pictures, dice and crops, if all arrays agree on them."""
    pictures, dice, crops = (len(part) for part in (made.pictures, made.dice, made.crops))
    assert [len(part) for part in (made.areas, made.stands)] == [pictures] * 2
    assert [len(part) for part in (made.classes, made.views, made.rises)] == [crops] * 3
    assert made.dice[:, 0].max() < pictures
    return pictures, dice, crops


def test_a_shard_has_the_examples_of_its_scenes_and_is_the_same_again(monkeypatch):
    monkeypatch.setattr(examples, "SHARD", 2)
    made, again = shard(3), shard(3)
    pictures, dice, crops = numbers_of(made)
    assert (pictures, dice > 2, crops > dice) == (2, True, True)
    for one in dataclasses.fields(Shard):
        np.testing.assert_array_equal(getattr(made, one.name), getattr(again, one.name))
    known = made.rises[~np.isnan(made.rises).any(axis=1)]
    assert np.hypot(*known.T).max() <= 1.001
    flat = made.crops[made.classes < 6]
    assert flat[:, 40:72, 40:72].std(axis=(1, 2)).max(axis=1).min() > 4, "a value without pips"


def test_scenes_for_the_middle_of_a_face_show_only_2s_to_5s(monkeypatch):
    monkeypatch.setattr(examples, "SHARD", 2)
    made = shard(3, usual=WORN)
    values = made.classes[made.classes < 6] + 1
    assert len(values) > 3
    assert set(values.tolist()) <= {2, 3, 4, 5}


def test_a_worn_5_keeps_its_other_pips_and_loses_some_or_all_of_its_middle_one():
    frame = tray(FELT)
    add_die(frame, 5, (56.0, 56.0), 24.0, 0.0, body := (40, 40, 170), (250, 250, 250))
    seen, pip = frame[:112, :112], (slice(54, 59), slice(54, 59))
    outer = np.hypot(*(np.mgrid[:112, :112] - 56.0)) > 0.66 * 24.0
    for seed in range(20):
        made, is_left = blemish.worn(np.random.default_rng(seed), seen, 24.0)
        np.testing.assert_array_equal(made[outer], seen[outer])
        assert made[pip].mean() < seen[pip].mean() - 20
        assert (np.abs(made[pip].astype(float) - body).mean() > 3) == is_left


def test_a_lamp_lights_up_the_middle_of_a_2_and_nothing_else():
    frame = tray(FELT)
    add_die(frame, 2, (56.0, 56.0), 24.0, 0.0, (40, 40, 170), (25, 25, 25))
    seen, outer = frame[:112, :112], np.hypot(*(np.mgrid[:112, :112] - 56.0)) > 0.9 * 24.0
    for seed in range(20):
        made = blemish.lamp(np.random.default_rng(seed), seen, 24.0)
        np.testing.assert_array_equal(made[outer], seen[outer])
        assert made[50:63, 50:63].mean() > seen[50:63, 50:63].mean() + 5


def test_a_picture_in_the_finders_size_has_dice_and_areas_but_no_crops(monkeypatch):
    monkeypatch.setattr(examples, "SHARD", 2)
    whole = draw(scene := random_scene(np.random.default_rng(3)))
    monkeypatch.setitem(examples.DRAWN, "small", lambda *_: cv2.resize(whole, examples.PICTURE))
    monkeypatch.setattr(examples, "random_scene", lambda *_, **__: scene)
    made = shard(3, drawn="small")
    assert numbers_of(made) == (2, 2 * len(scene.dice), 0)
    assert made.areas[..., 0].any()


def test_a_photograph_without_dice_teaches_that_nothing_is_there(monkeypatch, tmp_path):
    shown = np.full((300, 400, 3), 90, np.uint8)
    shown[100:200, 100:250] = (40, 200, 200)
    (folder := tmp_path / "tables").mkdir()
    save_png(shown, folder / "table.png")
    monkeypatch.setattr(sys, "argv", ["photos", str(folder), str(tmp_path / "out")])
    photos.main()
    with np.load(tmp_path / "out" / f"{photos.SEED:06d}.npz") as made:
        assert made["pictures"].shape == (photos.VIEWS, 240, 320, 3)
        assert (made["pictures"][..., 2].astype(int) - made["pictures"][..., 0] > 100).any(axis=(1, 2)).all()
        assert len(made["dice"]) == len(made["crops"]) == 0
        assert not made["areas"][..., :3].any()
        assert (made["areas"][..., 3] == 255).all()
