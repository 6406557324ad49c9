"""Scoring labelled folders."""

from __future__ import annotations

import json

import cv2
import pytest

from tests.vision.drawn import tray, tray_with
from vision.reading import Reason
from vision.score import LabelsError, expected_dice, read_labels, refusals, score, score_one, table


def write_labels(folder, *entries):
    (folder / "labels.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries))


@pytest.fixture
def folder(tmp_path):
    cv2.imwrite(str(tmp_path / "a.png"), tray_with([1, 2, 3, 4]))
    cv2.imwrite(str(tmp_path / "b.png"), tray_with([6, 6]))
    cv2.imwrite(str(tmp_path / "c.png"), tray())
    return tmp_path


def outcomes(folder, **options):
    return [one.outcome for one in score(read_labels(folder), lambda labelled: score_one(labelled, **options))]


def test_a_throw_read_as_labelled_is_right(folder):
    write_labels(folder, {"file": "a.png", "expect": [4, 3, 2, 1]})
    assert outcomes(folder) == ["right"]


def test_a_throw_read_otherwise_is_wrong(folder):
    write_labels(folder, {"file": "a.png", "expect": [1, 2, 3, 5]})
    assert outcomes(folder) == ["wrong"]


def test_a_throw_that_is_not_read_is_refused(folder):
    write_labels(folder, {"file": "c.png", "expect": [1, 2, 3, 5]})
    assert outcomes(folder) == ["refused"]


def test_to_refuse_what_cannot_be_read_is_right(folder):
    write_labels(folder, {"file": "c.png", "expect": None})
    assert outcomes(folder) == ["right"]


def test_to_read_what_cannot_be_read_is_wrong(folder):
    write_labels(folder, {"file": "a.png", "expect": None})
    assert outcomes(folder) == ["wrong"]


def test_a_photograph_is_read_with_any_number_of_dice(folder):
    write_labels(folder, {"file": "b.png", "values": [6, 6]})
    assert outcomes(folder) == ["right"]
    assert outcomes(folder, dice=4) == ["refused"]
    assert outcomes(folder, dice="labelled") == ["right"]


def test_how_many_dice_to_expect_follows_the_option(folder):
    write_labels(folder, {"file": "b.png", "values": [6, 6]}, {"file": "c.png", "expect": None})
    photograph, nothing = read_labels(folder)
    assert [expected_dice(photograph, dice) for dice in (5, "any", "labelled", "auto")] == [5, None, 2, None]
    assert [expected_dice(nothing, dice) for dice in (5, "any", "labelled", "auto")] == [5, None, 4, 4]


def test_the_table_sums_up_by_source(folder):
    write_labels(
        folder,
        {"file": "a.png", "expect": [1, 2, 3, 4], "source": "mine"},
        {"file": "c.png", "expect": [1, 2, 3, 4], "source": "mine"},
        {"file": "b.png", "values": [6, 6]},
    )
    rows = {row.source: row for row in table(score(read_labels(folder)))}
    assert set(rows) == {"mine", folder.name}
    assert (rows["mine"].pictures, rows["mine"].right, rows["mine"].refused, rows["mine"].wrong) == (2, 1, 1, 0)


def test_refusals_are_counted_by_reason(folder):
    write_labels(folder, {"file": "c.png", "expect": [1, 2, 3, 4]}, {"file": "c.png", "expect": None})
    assert refusals(score(read_labels(folder))) == {Reason.NO_DICE: 1}


def test_a_folder_without_labels_is_named(tmp_path):
    with pytest.raises(LabelsError, match=r"labels\.jsonl"):
        read_labels(tmp_path)


def test_empty_labels_are_told(tmp_path):
    write_labels(tmp_path)
    with pytest.raises(LabelsError, match="holds no labels"):
        read_labels(tmp_path)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "no JSON"),
        ("[]", 'needs "file"'),
        ('{"values": [1]}', 'needs "file"'),
        ('{"file": "a.png"}', 'needs "expect" or "values"'),
        ('{"file": "a.png", "values": null}', 'needs "expect" or "values"'),
        ('{"file": "a.png", "values": [7]}', "from 1 to 6"),
        ('{"file": "a.png", "values": [true]}', "from 1 to 6"),
        ('{"file": "gone.png", "values": [1]}', "no picture"),
    ],
)
def test_a_bad_line_is_told_with_its_number(folder, line, complaint):
    (folder / "labels.jsonl").write_text('{"file": "a.png", "values": [1]}\n\n' + line + "\n")
    with pytest.raises(LabelsError, match=f"line 3: .*{complaint}"):
        read_labels(folder)
