"""Examples for training the networks, from our own renderer and from pictures of another one."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tools.scenes.labelled import LabelsError, read_labels
from tools.training import examples
from tools.training.examples import Shard, label_to_learn, scene_to_learn, shard, shard_of
from vision.pictures.save import save_png
from vision.render import draw
from vision.stages.values import CLASSES


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


@pytest.fixture
def traced(tmp_path):
    """A folder as of `tools.training.path_traced --learn`, with our own renderer instead of Blender."""
    with (tmp_path / "labels.jsonl").open("w") as labels:
        for seed in (1, 2):
            scene = scene_to_learn(np.random.default_rng(seed))
            path = tmp_path / f"{seed:06d}.png"
            save_png(draw(scene), path)
            labels.write(examples.label_line(label_to_learn(path, scene)))
    return tmp_path


def test_a_picture_of_another_renderer_has_the_labels_of_the_scene_of_its_seed(traced):
    made = shard_of(read_labels(traced))
    numbers_of(made)
    truth = [die.value for label in read_labels(traced) for die in label.dice]
    assert len(made.dice) == len(truth)
    values = [int(CLASSES[index]) for index in made.classes if CLASSES[index].isdigit()]
    assert values
    assert not [value for value in values if value not in truth]


def test_a_picture_of_another_scene_is_rejected_by_name(traced):
    text = (traced / "labels.jsonl").read_text()
    (traced / "labels.jsonl").write_text(text.replace('"values": [', '"values": [1, ', 1))
    with pytest.raises(LabelsError, match=r"000001\.png: .*--learn"):
        shard_of(read_labels(traced))
