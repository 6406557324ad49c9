"""The tool `tools.score`, with a double of the reader, so its quality does not matter."""

from __future__ import annotations

import json
import math
import re

import cv2
import numpy as np
import pytest

from tools import score as score_command
from tools.scenes import scoring as score_module
from tools.scenes.kinds import FIRST_SEED
from tools.scenes.labelled import Labelled
from vision.render.draw import draw
from vision.render.table import table_scene
from vision.types import Die, Reading, Reason


def score(*argv):
    return score_command.main([*map(str, argv)])


def dice(*values):
    return tuple(
        Die(value, (40.0 * x, 10.0, 40.0 * x + 20, 30.0), 0.9, value % 6 + 1) for x, value in enumerate(values)
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of pictures whose grey levels determine the reader's result."""
    said = {
        10: Reading(dice(1, 2, 3, 6)),
        20: Reading(dice(1, 2, 3), Reason.COUNT, "3 dice"),
        30: Reading((), Reason.NO_DICE, "none"),
    }
    monkeypatch.setattr(score_module, "read", lambda frame, *_: said[int(frame[0, 0, 0])])
    for name, level in (("throw", 10), ("three", 20), ("empty", 30)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((9, 9, 3), level, np.uint8))
    return tmp_path


def write_labels(folder, *entries):
    (folder / "labels.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))


THREE = {"file": "three.png", "values": [1, 2, 3, 4], "source": "mine"}
WRONG = {"file": "throw.png", "values": [1, 2, 3, 5], "source": "mine"}
RIGHT = {"file": "throw.png", "expect": [1, 2, 3, 6], "source": "mine"}


def test_the_table_counts_pictures_and_reasons_and_the_status_is_1_if_a_reading_is_wrong(folder, capsys):
    write_labels(folder, RIGHT, THREE)
    assert score("--jobs", 1, folder) == 0
    shown = capsys.readouterr().out
    assert re.search(r"mine +2 +1 +1 +0 +50.00 +0.00 ", shown)
    assert "1.26-98.74" in shown
    assert "mine: reasons for refusal: count 1" in shown
    write_labels(folder, WRONG, THREE)
    assert score("--jobs", 1, folder) == 1
    shown = capsys.readouterr().out
    assert re.search(r"mine +2 +0 +1 +1 +0.00 +50.00 ", shown)
    assert f"wrong: {folder / 'throw.png'}: read 1 2 3 6, label 1 2 3 5" in shown


def test_dice_are_counted_by_confidence_and_wrong_readings_are_bounded(folder, capsys):
    write_labels(folder, WRONG, THREE, {"file": "throw.png", "expect": None})  # only dice that have values count
    score("--jobs", 1, folder)
    shown = capsys.readouterr().out
    assert re.search(r"from 0.88 +7 +90.00 +85.71 ", shown)
    assert "2 of 2 readings are wrong: at most 100.00 %" in shown


def test_the_interval_of_a_share_leaves_2_5_percent_of_the_binomial_distribution_on_each_side():
    for successes, trials in ((1, 10), (31, 250), (2, 2000)):
        low, high = score_module.binomial_interval(successes, trials)
        below, above = (
            sum(math.comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(successes + more))
            for share, more in ((high, 1), (low, 0))
        )
        assert below == pytest.approx(0.025)
        assert 1 - above == pytest.approx(0.025)
    assert score_module.binomial_interval(0, 250) == pytest.approx((0, 1 - 0.025 ** (1 / 250)))
    assert score_module.binomial_interval(250, 250) == pytest.approx((0.025 ** (1 / 250), 1))


def test_the_reader_expects_the_number_of_dice_of_the_label(folder, monkeypatch):
    write_labels(folder, {"file": "throw.png", "expect": None}, {"file": "throw.png", "values": [6, 6]})
    told = []
    monkeypatch.setattr(score_module, "read", lambda *given: told.append(given[2]) or Reading((), Reason.NO_DICE))
    score("--jobs", 1, folder)
    assert told == [4, None]


def test_wrong_and_refused_pictures_are_kept_and_right_ones_are_not(folder):
    right = {"file": "empty.png", "expect": None}
    write_labels(folder, WRONG, THREE, right)
    score("--jobs", 1, "--keep", folder / "kept", folder)
    kept = {path.name: int(cv2.imread(str(path))[0, 0, 0]) for path in (folder / "kept").iterdir()}
    assert kept == {f"{folder.name}-throw.png": 10, f"{folder.name}-three.png": 20}


def test_scenes_are_scored_by_kind_starting_at_the_seed(monkeypatch, capsys):
    drawn = []

    def score_scene(scene, *, calibrated):
        drawn.append((scene.kind, scene.seed))
        label = Labelled(score_command.Path("a.png"), scene.kind, None)
        return np.zeros((4, 4, 3), np.uint8), score_module.Scored(label, Reading((), Reason.COUNT), 1.0)

    monkeypatch.setattr(score_command, "score_scene", score_scene)
    assert score("--jobs", 1, "--scenes", 2, "--kinds", "count,hand", "--seed", 7) == 0
    assert drawn == [("count", 7), ("count", 8), ("hand", 7), ("hand", 8)]
    assert re.search(r"count +2 +2 +0 +0 .* hand +2 +2 +0 +0 ", capsys.readouterr().out, re.DOTALL)
    assert score("--jobs", 1, "--scenes", 1) == 0
    assert drawn[-1] == ("readable", FIRST_SEED)


def test_with_calibrated_the_empty_tray_of_each_scene_or_picture_is_learnt_first(folder, monkeypatch):
    picture = draw(table_scene(), 1)
    cv2.imwrite(str(folder / "empty.png"), picture)
    write_labels(folder, {"file": "throw.png", "expect": [1, 2, 3, 6], "empty": "empty.png"})
    known = []
    monkeypatch.setattr(score_module, "read", lambda _, tray, *__: known.append(tray) or Reading(dice(1, 2, 3, 6)))
    for more in ([], ["--calibrated"]):
        score("--jobs", 1, "--scenes", 1, "--kinds", "hand", "--seed", 40, folder, *more)
    assert known[:2] == [None, None]
    assert all(tray.edge is not None and tray.empty is not None for tray in known[2:])
    assert len(known) == 4


def test_reading_a_scene_that_must_be_refused_is_wrong(monkeypatch, capsys):
    monkeypatch.setattr(score_module, "read", lambda *_: Reading(dice(1, 2, 3, 6)))
    assert score("--jobs", 1, "--scenes", 1, "--kinds", "dark") == 1
    assert f"wrong: dark-{FIRST_SEED}.png: read 1 2 3 6, label no reading" in capsys.readouterr().out


def test_what_cannot_be_scored_is_refused_with_the_remedy(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    (folder / "note.png").write_text("no picture")
    failures = []
    for file, options, complaint in (
        ("throw.png", [], "nothing to score; name a folder with labels.jsonl, or use --scenes N"),
        ("throw.png", ["--scenes", "0"], "not a whole number from 1"),
        ("throw.png", ["--scenes", "3", "--jobs", "0"], "not a whole number from 1"),
        ("throw.png", ["--scenes", "3", "--kinds", "readable,sunny"], "'sunny' is not a kind of scene; choose from"),
        ("throw.png", ["--scenes", "3", "--seed", "-1"], "'-1' is not a whole number from 0"),
        ("gone.png", ["."], "labels.jsonl, line 1"),
        ("note.png", ["--jobs", 1, "."], "note.png: not a picture"),
        ("throw.png", ["--calibrated", "--jobs", 1, "."], 'throw.png: its label needs "empty"'),
    ):
        write_labels(folder, {"file": file, "expect": None})
        status, said = score(*options), capsys.readouterr().err
        if status != 2 or complaint not in said:
            failures.append((options, status, said))
    assert failures == []
