"""The command `cantstop read`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cli import main
from tests.vision.known import KNOWN
from vision.render.draw import draw
from vision.render.placing import lay_dice
from vision.render.table import IVORY, table_scene
from vision.tray.calibration import save
from vision.verdict.all_objections import TABLE, title

PROJECT = Path(__file__).parents[2]
VALUES = [1, 2, 3, 6]


def cantstop(*argv):
    return main([*map(str, argv)])


def everyday_tray(values):
    """Return a frame of the simulated box's own tray with dice of these values, which every reader must read."""
    return draw(lay_dice(np.random.default_rng(3), table_scene(), [IVORY] * len(values), values, touching=0.0), 3)


@pytest.fixture(scope="module")
def throw():
    return everyday_tray(VALUES)


@pytest.fixture
def pictures(tmp_path, throw):
    cv2.imwrite(str(tmp_path / "throw.png"), throw)
    cv2.imwrite(str(tmp_path / "empty.png"), everyday_tray([]))
    (tmp_path / "note.txt").write_text("no picture")
    return tmp_path


def test_the_command_in_the_readme_prints_what_the_readme_shows(capsys):
    lines = (PROJECT / "README.md").read_text("utf-8").splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.startswith("$ .venv/bin/cantstop read ")]
    picture = lines[at].split()[-1]
    assert cantstop("read", PROJECT / picture) == 0
    printed = capsys.readouterr().out.replace(f"{PROJECT}/", "").strip()
    assert re.sub(r"\d+ ms", "", printed) == re.sub(r"\d+ ms", "", lines[at + 1])


def test_why_prints_each_row_of_the_table_with_its_result(pictures, capsys):
    assert cantstop("read", "--why", pictures / "throw.png", pictures / "empty.png") == 0
    lines = capsys.readouterr().out.splitlines()
    rows = len(TABLE)
    assert len(lines) == 2 * (rows + 1)
    assert [line.split()[-1] for line in lines[1 : rows + 1]] == ["passed"] * rows
    assert [line[2:].partition("  ")[0].strip() for line in lines[1 : rows + 1]] == [title(check) for check in TABLE]
    refused = lines[rows + 2 :]
    place = next(number for number, line in enumerate(refused) if "no dice: no die found" in line)
    assert all(line.endswith("passed") for line in refused[:place])
    assert all(line.endswith("not asked") for line in refused[place + 1 :])


def test_with_a_calibration_an_object_that_the_networks_miss_is_reported(pictures, throw, capsys):
    card = throw.copy()
    card[168:190, 250:272] = (40, 60, 190)
    cv2.imwrite(str(pictures / "card.png"), card)
    save(KNOWN, pictures / "calibration.json")
    assert cantstop("read", pictures / "card.png") == 0
    assert cantstop("read", pictures / "card.png", "--calibration", pictures / "calibration.json") == 0
    without, known = capsys.readouterr().out.splitlines()
    assert "1 2 3 6" in without
    assert "not read, hand: something at " in known


def test_json_has_one_object_a_line_with_exactly_these_keys(pictures, capsys):
    assert cantstop("read", "--json", pictures / "throw.png", pictures / "empty.png") == 0
    throw, empty = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert list(throw) == ["file", "status", "values", "dice", "reason", "ms"]
    assert (throw["status"], throw["values"], throw["reason"]) == ("ok", VALUES, None)
    assert [list(die) for die in throw["dice"]] == [["value", "box", "confidence"]] * 4
    assert (empty["status"], empty["values"], empty["dice"], empty["reason"]) == ("refused", [], [], "no dice")
    assert cantstop("read", "--why", "--json", pictures / "empty.png") == 0
    why = json.loads(capsys.readouterr().out)["why"]
    assert list(why) == [title(check) for check in TABLE]
    assert why["no dice"] == "no dice: no die found"


def test_a_file_that_is_not_a_picture_does_not_stop_the_others(pictures, capsys):
    assert cantstop("read", pictures / "note.txt", pictures / "throw.png") == 2
    output = capsys.readouterr()
    assert "note.txt: not a picture" in output.err
    assert "1 2 3 6" in output.out


def test_any_number_of_dice_can_be_requested(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "two.png"), everyday_tray([5, 4]))
    assert cantstop("read", "--dice", "any", tmp_path / "two.png") == 0
    assert cantstop("read", "--dice", "2", tmp_path / "two.png") == 0
    assert capsys.readouterr().out.count(": 4 5") == 2


@pytest.mark.parametrize("number", ["0", "100", "-1", "four", "²"])
def test_a_number_of_dice_that_no_table_has_is_refused_with_the_range(number, tmp_path, capsys):
    assert cantstop("read", f"--dice={number}", tmp_path / "none.png") == 2
    assert f"{number!r} is not a number of dice from 1 to 99, or any" in capsys.readouterr().err


def test_pictures_with_the_same_name_get_separate_debug_pictures(pictures):
    folder = pictures / "new" / "d"
    (pictures / "other").mkdir()
    (pictures / "other" / "throw.png").write_bytes((pictures / "throw.png").read_bytes())
    assert cantstop("read", "--debug", folder, pictures / "throw.png", pictures / "other" / "throw.png") == 0
    assert sorted(file.name for file in (folder).iterdir()) == [
        "1-throw-debug.png",
        "2-throw-debug.png",
    ]
    assert cv2.imread(str(folder / "1-throw-debug.png")) is not None


def test_an_unusable_calibration_or_debug_folder_is_reported_before_anything_is_read(pictures, capsys):
    note = pictures / "note.txt"
    for option, value, told in (
        ("--calibration", note, f"{note} is not a calibration"),
        ("--debug", note / "debug", "cannot create the folder"),
    ):
        assert cantstop("read", option, value, pictures / "throw.png") == 2
        output = capsys.readouterr()
        assert told in output.err
        assert output.out == ""
