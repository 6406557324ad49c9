"""Scoring of labelled pictures, with a double of the reader, so its quality does not matter."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.scenes import scoring as score_module
from tools.scenes.scoring import (
    Scored,
    dice_table,
    expected_dice,
    judged_dice,
    learnt_tray,
    match_dice,
    score_frame,
    table,
    wilson_interval,
)
from vision.pictures.labelled import Labelled, LabelledDie, LabelsError, label_line, read_labels
from vision.pictures.load import load
from vision.render import draw, table_scene
from vision.tray.edge import CannotCalibrateError
from vision.types import Die, Reading, Reason


def write_labels(folder, *entries):
    (folder / "labels.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))


@pytest.fixture
def folder(tmp_path):
    for name in ("a.png", "b.png", "c.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((4, 4, 3), np.uint8))
    return tmp_path


def die(value, x=0.0, y=0.0, confidence=0.9):
    return Die(value, (x - 5, y - 5, x + 5, y + 5), confidence, value % 6 + 1)


def labelled_die(value, x=0.0, y=0.0):
    return LabelledDie(value, (x - 10, y - 10, x + 10, y + 10))


def scored(label, *values, reason=None, source="mine", ms=1.0):
    """A picture labelled with values (None: to be refused) of which the reader said so."""
    labelled = Labelled(Path("a.png"), source, label)
    return Scored(labelled, Reading(tuple(die(value) for value in values), reason), ms)


def scored_dice(label, *found, reason=None):
    """A picture with labelled dice in which these dice were found."""
    values = tuple(sorted(one.value for one in label))
    return Scored(Labelled(Path("a.png"), "mine", values, None, tuple(label)), Reading(found, reason), 1.0)


@pytest.mark.parametrize(
    ("label", "values", "reason", "outcome"),
    [
        ((1, 2, 3, 4), (4, 3, 2, 1), None, "right"),
        ((1, 2, 3, 5), (1, 2, 3, 4), None, "wrong"),
        ((1, 2, 3, 4), (1, 2, 3, 4), Reason.UNSURE, "refused"),
        (None, (1, 2), Reason.COUNT, "right"),
        (None, (1, 2, 3, 4), None, "wrong"),
    ],
)
def test_a_reading_is_right_refused_or_wrong(label, values, reason, outcome):
    assert scored(label, *values, reason=reason).outcome == outcome


@pytest.mark.parametrize(("dice", "asked"), [("auto", [4, None]), ("any", [None, None]), (5, [5, 5])])
def test_the_option_sets_the_number_of_dice_that_the_reader_expects(folder, monkeypatch, dice, asked):
    write_labels(folder, {"file": "a.png", "expect": None}, {"file": "b.png", "values": [6, 6]})
    told = []

    def read(_frame, _tray, expected, _params):
        told.append(expected)
        return Reading((), Reason.NO_DICE)

    monkeypatch.setattr(score_module, "read", read)
    assert [score_frame(load(one.path), one, dice).outcome for one in read_labels(folder)] == ["right", "refused"]
    assert told == asked
    assert [expected_dice(one, dice) for one in read_labels(folder)] == asked


def test_the_table_has_a_row_for_each_source():
    ones = [
        scored((1, 2, 3, 4), 1, 2, 3, 4, ms=10.0),
        scored((1, 2, 3, 4), 1, 2, 3, 5, ms=30.0),
        scored((1, 2, 3, 4), reason=Reason.NO_DICE, ms=20.0),
        scored(None, reason=Reason.HAND, source="another"),
    ]
    another, mine = table(ones)
    assert (another.source, mine.source) == ("another", "mine")
    assert (mine.pictures, mine.right, mine.refused, mine.wrong, mine.median_ms) == (3, 1, 1, 1, 20.0)
    refused = [scored((1, 2), reason=Reason.GLARE), *[scored(None, reason=Reason.HAND)] * 2]
    assert list(table(refused)[0].reasons.items()) == [("hand", 2), ("glare", 1)], "the most frequent first"
    assert dice_table(ones) == judged_dice(ones) == [], "their dice have no places"


def test_a_die_counts_only_at_its_labelled_place():
    label = (labelled_die(1, 0), labelled_die(2, 50), labelled_die(3, 100), labelled_die(4, 150))
    (row,) = dice_table([scored_dice(label, die(1, 3), die(5, 51), die(4, 150), die(6, 300))])
    assert (row.pictures, row.dice, row.right, row.misread, row.missed, row.phantom) == (1, 4, 2, 1, 1, 1)
    assert match_dice(label[:1], (die(5, 4), die(6, 1))) == [None, label[0]], "the nearest, once"


def test_the_dice_of_a_refused_picture_are_right_but_not_reported():
    label = (labelled_die(1, 0), labelled_die(2, 50))
    read = scored_dice(label, die(1, 0), die(2, 50))
    refused = scored_dice(label, die(1, 0), reason=Reason.UNSURE)
    (row,) = dice_table([read, refused])
    assert (row.dice, row.right, row.accepted) == (4, 3, 2)


coordinates = st.integers(-30, 30)


@given(
    st.lists(st.tuples(coordinates, coordinates), max_size=6), st.lists(st.tuples(coordinates, coordinates), max_size=6)
)
def test_dice_are_matched_one_to_one_and_only_within_their_boxes(labelled_places, found_places):
    label = [labelled_die(1 + index, *place) for index, place in enumerate(labelled_places)]
    found = [die(1, *place) for place in found_places]
    matches = match_dice(label, found)
    met = [match.value for match in matches if match is not None]
    assert len(matches) == len(found)
    assert len(met) == len(set(met))
    for place, match in zip(found_places, matches, strict=True):
        near = [one for one, at in zip(label, labelled_places, strict=True) if math.dist(at, place) <= 10]
        assert (
            match is None or max(abs(a - b) for a, b in zip(labelled_places[match.value - 1], place, strict=True)) <= 10
        )
        assert match is not None or all(one.value in met for one in near)


def test_each_die_that_was_found_is_judged_with_its_confidence():
    label = (labelled_die(1, 0), labelled_die(2, 50))
    found = (die(1, 0, confidence=0.999), die(3, 50, confidence=0.4), die(6, 300, confidence=0.2))
    ones = judged_dice([scored_dice(label, *found, reason=Reason.UNSURE)])
    assert [(one.number, one.die.confidence, one.is_right, one.is_accepted) for one in ones] == [
        (0, 0.999, True, False),
        (1, 0.4, False, False),
        (2, 0.2, False, False),
    ]
    must_refuse = Labelled(Path("a.png"), "mine", None, 4, (labelled_die(1),))
    assert judged_dice([Scored(must_refuse, Reading((die(1),), Reason.COCKED), 1.0)]) == []


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_of_a_proportion_is_as_published(successes, trials, low, high):
    # The last is Newcombe's example (Statistics in Medicine 17, 1998, table I, method 3).
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=1e-4)


def test_labels_contain_values_source_and_dice_or_their_number(folder):
    dice = [{"value": 6, "box": [1, 2, 3.5, 4], "tilt": 0.0}, {"value": 2, "box": [5, 6, 7, 8]}]
    write_labels(folder, {"file": "a.png", "values": [6, 2], "source": "whose", "dice": dice})
    (label,) = read_labels(folder)
    boxes = (LabelledDie(6, (1.0, 2.0, 3.5, 4.0)), LabelledDie(2, (5.0, 6.0, 7.0, 8.0)))
    assert label == Labelled(folder / "a.png", "whose", (2, 6), None, boxes)
    for number, expected in ((1, 1), ("any", None)):
        write_labels(folder, {"file": "a.png", "values": None, "dice": number})
        assert read_labels(folder) == [Labelled(folder / "a.png", folder.name, None, expected)]


@pytest.mark.parametrize("values", [(1, 2, 3, 4), None])
@pytest.mark.parametrize("dice", [None, (), (LabelledDie(3, (1.0, 2.0, 3.5, 4.0)),)])
@pytest.mark.parametrize("empty", [None, "b.png"])
def test_a_label_that_was_written_can_be_read_back(folder, values, dice, empty):
    label = Labelled(folder / "a.png", folder.name, values, 4, dice, empty and folder / empty)
    (folder / "labels.jsonl").write_text(label_line(label))
    assert read_labels(folder) == [label]


def test_the_edge_and_colours_are_learned_from_a_picture_of_the_empty_tray(folder):
    cv2.imwrite(str(folder / "b.png"), draw(table_scene(), np.random.default_rng(0)))
    tray = learnt_tray(Labelled(folder / "a.png", "mine", (1,), empty=folder / "b.png"))
    assert tray is not None
    assert tray.edge is not None
    assert tray.empty is not None


def test_nothing_is_learned_from_a_picture_without_a_clear_edge(folder, monkeypatch):
    def no_edge(_looks):
        raise CannotCalibrateError("no clear edge of the tray")

    monkeypatch.setattr(score_module, "measure", no_edge)
    assert learnt_tray(Labelled(folder / "a.png", "mine", (1,), empty=folder / "b.png")) is None


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "not valid JSON"),
        ("[]", 'needs "file"'),
        ('{"values": [1]}', 'needs "file"'),
        ('{"file": "a.png"}', 'needs "expect" or "values"'),
        ('{"file": "a.png", "values": [7]}', "from 1 to 6"),
        ('{"file": "a.png", "values": [true]}', "from 1 to 6"),
        ('{"file": "gone.png", "values": [1]}', "does not exist"),
        ('{"file": "a.png", "values": [1], "empty": "gone.png"}', "does not exist"),
        ('{"file": "a.png", "values": [1], "empty": 1}', '"empty" must be the name'),
        ('{"file": "a.png", "values": [1], "dice": 0}', '"dice" must be a list'),
        ('{"file": "a.png", "values": [1], "dice": [{"value": 0, "box": [1, 2, 3, 4]}]}', '"dice" must be a list'),
        ('{"file": "a.png", "values": [1], "dice": [{"value": 1, "box": [1, 2, 3]}]}', '"dice" must be a list'),
        ('{"file": "a.png", "values": [1], "dice": [{"value": 1}]}', '"dice" must be a list'),
    ],
)
def test_a_bad_line_is_reported_with_its_number(folder, line, complaint):
    (folder / "labels.jsonl").write_text('{"file": "a.png", "values": [1]}\n\n' + line + "\n")
    with pytest.raises(LabelsError, match=f"line 3: .*{complaint}"):
        read_labels(folder)


def test_a_folder_without_labels_is_named(tmp_path):
    with pytest.raises(LabelsError, match=r"labels\.jsonl"):
        read_labels(tmp_path)
    write_labels(tmp_path)
    with pytest.raises(LabelsError, match="contains no labels"):
        read_labels(tmp_path)
