"""The parts of the soak test: its album of rolls, its faults and its findings are right."""

from __future__ import annotations

import itertools
import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from device.camera.port import CameraError, picture
from device.referee.inputs import DiceRead
from device.referee.transition_table import step
from device.sim.robot import next_input
from device.storage.journal import Journal
from engine import transcript
from tools.soak import disk
from tools.soak.album import AlbumTray, draw_one
from tools.soak.damage import flip
from tools.soak.games import Table
from tools.soak.world import FailingCamera
from vision.reader import read
from vision.settling.settle import Settle


@pytest.fixture(scope="module")
def album(tmp_path_factory):
    folder = tmp_path_factory.mktemp("album")
    for number in (0, 1, 2, 10):  # two of one die, two of four
        draw_one(folder, 3, number)
    return folder


def test_a_roll_from_an_album_settles_and_is_read_once_each_time(album):
    tray = AlbumTray(album, seed=1)
    settle = Settle(lambda frame, before: read(frame, before=before))
    told_rolls, thrown = [], []
    for _ in range(3):
        thrown.append(tray.throw(4))
        while tray.still_s < 0.6:
            with tray.shot(1.0) as shot:
                roll = settle.step(shot.time_s, shot.small, shot.picture).roll
            if roll is not None:
                assert tray.still_s >= 0
                told_rolls.append(roll.values)
    assert told_rolls == thrown


def test_consecutive_album_pictures_of_resting_dice_differ(album):
    tray = AlbumTray(album, seed=1)
    tray.throw(1)
    smalls = []
    while tray.still_s < 0.5:
        with tray.shot(0.1) as shot:
            smalls.append(shot.small)
    assert all((one != other).any() for one, other in itertools.pairwise(smalls))


def test_a_camera_fails_as_requested_and_recovers(album):
    tray = AlbumTray(album, seed=1)
    camera = FailingCamera(tray)
    camera.fault = "black"
    with camera.shot(1.0) as shot:
        assert not shot.small.any()
        assert not shot.picture().any()
    camera.fault = None
    with camera.shot(1.0) as sound:
        assert sound.small.any()
    camera.fault = "frozen"
    with camera.shot(1.0) as one, camera.shot(1.0) as other:
        assert np.array_equal(one.small, sound.small)
        assert np.array_equal(other.small, sound.small)
    camera.fault = "silent"
    with pytest.raises(CameraError):
        camera.shot(1.0)
    camera.fault = None
    assert picture(camera, 1.0).shape == (480, 640, 3)


def test_flipping_a_byte_does_not_write_the_rest_of_the_file(tmp_path):
    file = tmp_path / "journal.txt"
    with file.open("wb", buffering=0) as opened:
        for _ in range(256):  # page by page, as SQLite does
            opened.write(bytes(4096))
    before = _counted_as_written()
    assert flip(file, random.Random(1))
    assert _counted_as_written() - before <= 16 * 4096
    content = file.read_bytes()
    assert len(content) == 256 * 4096
    assert content.count(0) == len(content) - 1


def _counted_as_written():
    return int(re.search(r"^write_bytes: (\d+)", Path("/proc/self/io").read_text(), re.MULTILINE)[1])


def _play(journal_file):
    """Play a game that the journal contains up to its last roll; return the whole transcript."""
    chance = random.Random(4)
    journal = Journal(journal_file)
    now, waiting = journal.situation(), []
    while now.game is None or now.game.winner is None:
        event = next_input(now, 2, chance)
        now = step(now, event).situation
        waiting.append((event, now))
        if isinstance(event, DiceRead):
            for late in waiting:
                journal.record(*late)
            waiting = []
    journal.close()
    return transcript(now.game)


def _said(**what):
    return f"#{json.dumps(what)}"


def _compared(folder, lines):
    table = Table(folder, folder, 1, kills=True)
    table._take(None, lines)
    table._compare()
    return table.found.gone, len(table.found.unlike)


def test_a_game_cut_short_at_a_roll_is_lost_with_a_file_deleted_after_it(tmp_path):
    played = _play(tmp_path / "journal.txt")
    ends = [_said(ending=1), _said(game=1, transcript=played)]
    assert _compared(tmp_path, [*ends, _said(failing="journal deleted")]) == (1, 0)


def test_a_game_cut_short_without_a_reason_is_reported_as_such(tmp_path):
    played = _play(tmp_path / "journal.txt")
    ends = [_said(ending=1), _said(game=1, transcript=played)]
    assert _compared(tmp_path, [_said(failing="journal deleted"), *ends]) == (0, 1)
    assert _compared(tmp_path, [*ends, _said(failing="display unplugged")]) == (0, 1)


def test_a_file_deleted_between_the_last_input_and_the_end_of_a_game_is_a_reason(tmp_path):
    played = _play(tmp_path / "journal.txt")
    lines = [_said(ending=1), _said(failing="journal deleted"), _said(game=1, transcript=played)]
    assert _compared(tmp_path, lines) == (1, 0)


def _list_again(table, folder, *, harmed):
    """Look at the list, let a journal with fewer games take the file's place, and look again."""
    _play(folder / "journal.txt")
    table._look_at_list()
    for file in folder.glob("journal.txt*"):
        file.unlink()
    Journal(folder / "journal.txt").close()
    if harmed:
        table._harms()
    table._look_at_list()
    return table.found.unlisted


@pytest.mark.parametrize("harmed", [False, True])
def test_a_game_missing_from_the_list_is_reported_unless_a_file_was_damaged(tmp_path, harmed):
    (tmp_path / "box-1").mkdir()
    table = Table(tmp_path / "box-1", tmp_path, 1, kills=True)
    assert _list_again(table, tmp_path / "box-1", harmed=harmed) == ([] if harmed else ["box-1, game 1"])


def test_a_small_disk_rejects_writes_while_full_and_accepts_them_once_freed(tmp_path):
    folder = tmp_path / "mounted"
    folder.mkdir()
    with disk.small_disk(folder, tmp_path / "image", size=4 << 20) as kind:
        if not kind:
            pytest.skip("only root may mount a file system")
        (folder / "before").write_bytes(b"x" * 4096)
        disk.fill(folder)
        assert disk.is_full(folder)
        with pytest.raises(OSError, match="No space left"):
            (folder / "more").write_bytes(b"x")
        with (folder / "before").open("r+b") as file:
            file.write(b"y" * 4096)  # in place
        disk.free(folder)
        (folder / "more").write_bytes(b"x" * 100_000)
    assert not folder.is_mount()
