"""Pictures of misread rolls are saved, with or without a page, in a folder that `python -m tools.score` reads."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from device.camera import misread
from device.camera.misread import LABELS, Misread
from device.camera.simulated import SimulatedTray
from device.camera.watcher import Watcher
from device.storage.journal import Journal
from engine import Corrected
from tests.device.box_helpers import WAITING, fake_watcher, run
from tests.device.camera_helpers import sight_of_a_throw
from tests.device.helpers import HOLD_A, HOLD_C, A, B, dice
from tests.waiting import PATIENCE_S, until
from tools.scenes.labelled import read_labels
from tools.sim.table import SimulatedTable
from vision.pictures import load


@pytest.fixture
def sight():
    return sight_of_a_throw()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "misread"


def watcher(sight, folder) -> Watcher:
    made = Watcher(lambda: pytest.fail("never opened"), lambda _: None, misread=Misread(folder))
    made.thrown = sight
    return made


def wait_for_writers() -> None:
    for thread in threading.enumerate():
        if thread.name == "misread":
            thread.join(PATIENCE_S)


def test_only_the_picture_of_a_corrected_roll_is_stored_with_its_correct_values(folder, sight):
    made = watcher(sight, folder)
    made.corrected((1, 1, 1, 1), (2, 3, 4, 6))  # entered by hand: the picture is of another throw
    made.corrected((2, 3, 4, 5), (2, 3, 4, 5))
    watcher(None, folder).corrected((2, 3, 4, 5), (2, 3, 4, 6))
    wait_for_writers()
    assert not folder.exists()
    made.corrected((2, 3, 4, 5), (2, 3, 4, 6))
    wait_for_writers()
    (label,) = read_labels(folder)
    assert (label.values, label.source, label.expected) == ((2, 3, 4, 6), "misread", 4)
    (entry,) = Misread(folder).listed()
    assert (entry["name"], entry["read"], entry["expect"]) == (label.path.name, [2, 3, 4, 5], [2, 3, 4, 6])


def test_the_photograph_of_a_misread_roll_is_stored_not_the_cameras_picture_of_the_roll_before(folder, sight):
    photograph = replace(sight, frame=np.rot90(sight.frame).copy())
    made = watcher(sight, folder)
    made.thrown = photograph
    made.corrected((2, 3, 4, 5), (2, 3, 4, 6))
    wait_for_writers()
    (label,) = read_labels(folder)
    assert load(label.path).shape == photograph.frame.shape


def test_the_files_for_a_bug_report_are_those_of_the_folder(folder, sight):
    kept = Misread(folder)
    assert kept.files() == []
    kept.keep(sight, (2, 3, 4, 6))
    kept.keep(sight, (1, 3, 4, 5))
    assert dict(kept.files()) == {file.name: file.read_bytes() for file in folder.iterdir()}


def test_only_the_newest_pictures_are_kept(folder, sight, monkeypatch):
    monkeypatch.setattr(misread, "MOST_MISREAD", 3)
    kept = Misread(folder)
    for value in range(1, 6):
        kept.keep(sight, (1, 1, 1, value))
    assert [entry["expect"][3] for entry in kept.listed()] == [5, 4, 3]
    assert len(read_labels(folder)) == 3
    assert len(list(folder.iterdir())) == 4


def test_missing_pictures_are_left_out(folder, sight):
    kept = Misread(folder)
    for value in (1, 2, 3):
        kept.keep(sight, (1, 1, 1, value))
    (folder / kept.listed()[0]["name"]).unlink()
    assert [entry["expect"][3] for entry in kept.listed()] == [2, 1]
    kept.keep(sight, (1, 1, 1, 4))
    assert [label.values[3] for label in read_labels(folder)] == [1, 2, 4]


def test_a_list_that_the_card_has_spoilt_begins_anew(folder, sight):
    folder.mkdir()
    (folder / LABELS).write_bytes(bytes(100))
    assert Misread(folder).listed() == []
    watcher(sight, folder).corrected((2, 3, 4, 5), (2, 3, 4, 6))
    wait_for_writers()
    assert len(Misread(folder).listed()) == 1


def test_a_full_disk_stops_nothing(folder, sight):
    folder.write_text("a file where the folder should be")
    Misread(folder).keep(sight, (2, 3, 4, 6))


def test_a_correction_is_reported_once_and_an_undone_one_is_not(box_with):
    watcher = fake_watcher()
    read = dice(2, 3, 4, 5, likely=((2, 3, 4, 6), (1, 3, 4, 5)))
    run(box_with(WAITING), read, HOLD_A, A, B, HOLD_C, HOLD_C, watcher=watcher)
    watcher.corrected.assert_called_once_with((2, 3, 4, 5), (2, 3, 4, 6))


def test_a_box_without_a_page_stores_the_picture_too(tmp_path, folder):
    tray = SimulatedTray(3, hurried=True)
    with SimulatedTable(Journal(tmp_path / "j.txt"), tray, start=WAITING, misread=folder) as table:
        tray.throw(4, (2, 3, 4, 5))
        until(lambda: table.box.situation.played.position.roll == (2, 3, 4, 5))
        table.box.put(HOLD_A)
        table.box.put(A)
        until(lambda: isinstance(table.box.situation.played.steps[-1], Corrected))
        until((folder / "labels.jsonl").exists)
        right = table.box.situation.played.steps[-1].dice
    (label,) = read_labels(folder)
    assert label.values == right
