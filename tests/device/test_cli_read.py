"""The commands `cantstop read` and `cantstop score`."""

from __future__ import annotations

import argparse
import json

import cv2
import pytest

from device.cli import read as read_command
from device.cli import score as score_command
from tests.vision.drawn import tray, tray_with


def cantstop(*argv):
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    read_command.add(commands)
    score_command.add(commands)
    args = parser.parse_args([str(arg) for arg in argv])
    return args.run(args)


@pytest.fixture
def pictures(tmp_path):
    cv2.imwrite(str(tmp_path / "throw.png"), tray_with([6, 1, 3, 2]))
    cv2.imwrite(str(tmp_path / "empty.png"), tray())
    (tmp_path / "note.txt").write_text("no picture")
    return tmp_path


def test_a_throw_is_one_line_with_its_values(pictures, capsys):
    assert cantstop("read", pictures / "throw.png") == 0
    assert f"{pictures / 'throw.png'}: 1 2 3 6" in capsys.readouterr().out


def test_a_refusal_says_why(pictures, capsys):
    assert cantstop("read", pictures / "empty.png") == 0
    assert "not read, no dice" in capsys.readouterr().out


def test_json_has_one_object_a_line_with_just_these_keys(pictures, capsys):
    assert cantstop("read", "--json", pictures / "throw.png", pictures / "empty.png") == 0
    throw, empty = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert list(throw) == ["file", "status", "values", "dice", "reason", "ms"]
    assert (throw["status"], throw["values"], throw["reason"]) == ("ok", [1, 2, 3, 6], None)
    assert [list(die) for die in throw["dice"]] == [["value", "box", "confidence"]] * 4
    assert (empty["status"], empty["values"], empty["dice"], empty["reason"]) == ("refused", [], [], "no dice")


def test_a_file_that_is_no_picture_leaves_the_rest_read(pictures, capsys):
    assert cantstop("read", pictures / "note.txt", pictures / "throw.png") == 2
    output = capsys.readouterr()
    assert "note.txt: no picture" in output.err
    assert "1 2 3 6" in output.out


def test_any_number_of_dice_can_be_asked_for(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "two.png"), tray_with([5, 4]))
    assert cantstop("read", "--dice", "any", tmp_path / "two.png") == 0
    assert cantstop("read", "--dice", "2", tmp_path / "two.png") == 0
    assert capsys.readouterr().out.count(": 4 5") == 2


@pytest.mark.parametrize("dice", ["0", "-1", "four", "", "1.5"])
def test_a_senseless_number_of_dice_is_refused(pictures, capsys, dice):
    with pytest.raises(SystemExit) as leaving:
        cantstop("read", f"--dice={dice}", pictures / "throw.png")
    assert leaving.value.code == 2
    assert "neither a number of dice" in capsys.readouterr().err


def test_debug_pictures_are_written(pictures, capsys):
    assert cantstop("read", "--debug", pictures / "new" / "debug", pictures / "throw.png") == 0
    assert cv2.imread(str(pictures / "new" / "debug" / "throw-debug.png")) is not None


def test_a_debug_folder_that_cannot_be_made_is_told_before_reading(pictures, capsys):
    assert cantstop("read", "--debug", pictures / "note.txt" / "debug", pictures / "throw.png") == 2
    output = capsys.readouterr()
    assert "cannot make the folder" in output.err
    assert output.out == ""


def test_score_prints_a_table_and_what_is_wrong(pictures, capsys):
    (pictures / "labels.jsonl").write_text(
        '{"file": "throw.png", "expect": [1, 2, 3, 5], "source": "mine"}\n'
        '{"file": "empty.png", "expect": [1, 1, 1, 1], "source": "mine"}\n'
    )
    assert cantstop("score", pictures) == 0
    output = capsys.readouterr().out
    assert "throw.png: read 1 2 3 6, label 1 2 3 5" in output
    assert "refused: no dice 1" in output
    assert "mine" in output


@pytest.mark.parametrize("jobs", [1, 2])
def test_score_gives_clean_json_whatever_the_number_of_processes(pictures, capsys, jobs):
    (pictures / "labels.jsonl").write_text('{"file": "throw.png", "expect": [1, 2, 3, 6]}\n')
    assert cantstop("score", "--json", "--jobs", jobs, pictures) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["wrong"] == []
    assert result["sources"][0]["right"] == 1


def test_score_of_bad_labels_names_the_line(pictures, capsys):
    (pictures / "labels.jsonl").write_text('{"file": "gone.png", "expect": null}\n')
    assert cantstop("score", pictures) == 2
    assert "labels.jsonl, line 1" in capsys.readouterr().err


def test_score_interrupted_prints_what_it_has(pictures, capsys, monkeypatch):
    (pictures / "labels.jsonl").write_text('{"file": "throw.png", "expect": [1, 2, 3, 6]}\n' * 3)
    whole = score_command.score

    def interrupted(*args):
        readings = whole(*args)
        yield next(readings)
        raise KeyboardInterrupt

    monkeypatch.setattr(score_command, "score", interrupted)
    assert cantstop("score", "--json", pictures) == 130
    output = capsys.readouterr()
    assert json.loads(output.out)["sources"][0]["pictures"] == 1
    assert "interrupted after 1 of 3" in output.err
