"""Folders of labelled pictures: whatever is in `labels.jsonl`, it is read or refused with a message."""

from __future__ import annotations

import json

import pytest

from tools.scenes.labelled import LABELS, Labelled, LabelsError, label_line, read_labels


def write_labels(folder, *entries):
    (folder / LABELS).write_text("".join(json.dumps(entry) + "\n" for entry in entries))


@pytest.fixture
def folder(tmp_path):
    for name in ("a.png", "b.png"):
        (tmp_path / name).touch()
    return tmp_path


def test_labels_contain_values_source_and_the_number_of_dice_to_expect(folder):
    write_labels(folder, {"file": "a.png", "values": [6, 2], "source": "whose", "dice": [{"value": 6}, {"value": 2}]})
    (label,) = read_labels(folder)
    assert label == Labelled(folder / "a.png", "whose", (2, 6), None)
    for number, expected in ((1, 1), ("any", None)):
        write_labels(folder, {"file": "a.png", "values": None, "dice": number})
        assert read_labels(folder) == [Labelled(folder / "a.png", folder.name, None, expected)]


@pytest.mark.parametrize("values", [(1, 2, 3, 4), None])
@pytest.mark.parametrize("empty", [None, "b.png"])
def test_a_label_that_was_written_can_be_read_back(folder, values, empty):
    label = Labelled(folder / "a.png", folder.name, values, 4, empty and folder / empty)
    (folder / "labels.jsonl").write_text(label_line(label))
    assert read_labels(folder) == [label]


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
        ('{"file": "a.png", "values": [1], "dice": 0}', '"dice" must be the number'),
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
