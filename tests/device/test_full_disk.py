"""A disk that is full to the last byte when the box starts: nothing is renamed, all is read, and later all is written.

On a separate file system, like a memory card, if this user (root) may mount one.
"""

from __future__ import annotations

import shutil
import subprocess
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

from device.box import Box
from device.cli import main
from device.hardware.display import ReconnectingDisplay
from device.referee.states import GameOver, Situation
from device.storage.journal import Journal, JournalWarning
from device.storage.spare import Spare
from engine import Game, SetTo, parse_position
from tests.device.helpers import STOP, C, dice
from tests.device.journals import BEGIN, NAME, TURN, knows, play
from tools.soak import disk

GAMES = 12
STARTS = 3
BESIDE = {f"{NAME}-wal", f"{NAME}-shm"}


@pytest.fixture(scope="module", params=["ext4", "tmpfs"])
def small_disk(request, tmp_path_factory):
    """A small file system, mounted, and taken away in the end."""
    place = tmp_path_factory.mktemp("disk")
    folder = place / "mounted"
    folder.mkdir()
    if not disk.mount(request.param, folder, place / "image", 8 << 20):
        pytest.skip("only root may mount a file system; ext4 needs e2fsprogs as well")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def card(small_disk):
    """An empty folder on the small disk."""
    folder = small_disk / "card"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


@contextmanager
def full(folder: Path):
    """Fill the disk to its last byte; free it at the end."""
    disk.fill(folder.parent)
    try:
        yield
    finally:
        disk.free(folder.parent)


def play_games(path: Path, games: int = GAMES) -> Situation:
    """Play some games to their end and begin one more."""
    journal = Journal(path)
    won = Game.new(["yellow", "orange"]).do(SetTo(parse_position("3 7:13,8:11,12:3/- 1 - -")))
    now = None
    for _ in range(games):
        now = Situation(GameOver(), won, play(journal, *BEGIN, *TURN, now=now).number)
        journal.record("test", now)
    now = play(journal, *BEGIN, *TURN, now=now)
    journal.close()
    return now


def killed(path: Path, by: Path) -> None:
    """Put files in place as a kill leaves them: all that was played is in the log."""
    source = by / NAME
    now = play_games(source)
    journal = Journal(source)
    play(journal, dice(2, 3, 4, 5), now=now)
    for file in by.iterdir():
        shutil.copy(file, path.parent / file.name)
    journal.close()


def names(folder: Path) -> set[str]:
    """Return the files that are not empty."""
    return {file.name for file in folder.iterdir() if file.stat().st_size}


def listed(path: Path) -> list:
    journal = Journal(path, to_write=False)
    try:
        return [(entry.number, entry.winner, entry.steps) for entry in journal.games()]
    finally:
        journal.close()


@pytest.fixture(params=["closed", "killed", "killed, and shared memory left by the release before"])
def journal_file(request, card, tmp_path):
    path = card / NAME
    if request.param == "closed":
        play_games(path)
        assert names(card) == {NAME, *(file.name for file in Spare(path).files)}
    else:
        killed(path, tmp_path)
        assert path.with_name(f"{NAME}-wal").stat().st_size > 0
        if "shared" in request.param:
            path.with_name(f"{NAME}-shm").write_bytes(bytes(32768))
    return path


def test_a_full_disk_at_the_start_sets_nothing_aside_and_the_game_is_stored_once_there_is_room(journal_file, capsys):
    path = journal_file
    before, files = listed(path), names(path.parent)
    assert len(before) == GAMES + 1
    assert main(["games", "--journal", str(path)]) == 0
    told = capsys.readouterr().out
    with full(path.parent):
        now = None
        for start in range(STARTS):
            assert main(["games", "--journal", str(path)]) == 0
            assert capsys.readouterr().out.count("\n") == told.count("\n")
            journal = Journal(path)
            if now is not None:
                assert knows(journal.situation()) == knows(now)
            presses = (C, dice(1, 2, 3, 4), STOP, C, dice(2, 3, 4, 5))
            now = play(journal, *presses[start > 0 :], strictly=False)
            assert [entry.number for entry in journal.games()] == [number for number, *_ in before]
            journal.close()
            assert names(path.parent) - BESIDE == files - BESIDE
    journal = Journal(path)
    assert journal.warning is None
    assert knows(journal.situation()) == knows(now)
    assert journal.game(now.number) == now.game
    journal.close()
    assert [game[:2] for game in listed(path)] == [game[:2] for game in before]
    assert names(path.parent) - BESIDE == {NAME, *(file.name for file in Spare(path).files)}


@pytest.mark.parametrize("spared", [True, False])
def test_a_journal_damaged_on_a_full_disk_keeps_its_name_until_its_data_is_safe_elsewhere(card, spared):
    path = card / NAME
    play_games(path)
    content = bytearray(path.read_bytes())
    content[0:16] = b"?" * 16
    path.write_bytes(content)
    if not spared:
        for file in Spare(path).files:
            file.unlink()
    files = names(card)
    with full(card):
        for _ in range(STARTS):
            journal = Journal(path)
            assert journal.warning is JournalWarning.RESTORED
            journal.close()
            assert names(card) == files
            assert path.read_bytes() == content
    journal = Journal(path)
    assert journal.warning is JournalWarning.RESTORED
    journal.close()
    assert len(listed(path)) == GAMES + 1
    aside = path.with_name("journal.damaged-1.sqlite3")
    assert aside.read_bytes() == content
    Journal(path).close()
    assert [file.name for file in card.glob("*damaged*")] == [aside.name]


def test_games_that_ended_on_a_full_disk_survive_a_kill(card):
    path = card / NAME
    play_games(path, games=1)
    now = None
    with full(card):
        for start in range(STARTS):
            journal = Journal(path)
            now = now or journal.situation()
            won = Game.new(["yellow", "orange"]).do(SetTo(parse_position("3 7:13,8:11,12:3/- 1 - -")))
            for number in range(3 * start + 2, 3 * start + 5):
                now = Situation(GameOver(), won, number)
                journal.record("test", now)
            now = play(journal, *BEGIN, *TURN, now=now)
            assert now.number == 3 * start + 5
            assert journal.warning is JournalWarning.SPARE
            journal.close()  # which writes nothing more
    after = Journal(path)
    assert knows(after.situation()) == knows(now)
    assert [(entry.number, entry.winner) for entry in after.games()] == [
        *((number, "yellow") for number in range(1, 3 * STARTS + 2)),
        (3 * STARTS + 2, None),
    ]
    assert after.warning is None
    after.close()


def test_a_full_disk_is_reported_and_retried_without_a_press(card, monkeypatch):
    monkeypatch.setattr("device.box.RETRY_S", 0.0)
    monkeypatch.setattr("device.box.TICK_S", 0.02)
    path = card / NAME
    play_games(path)
    troubles = []

    def beat(trouble: str) -> None:
        troubles.append(trouble)
        if "journal" in trouble:
            room.close()
        if "journal" not in trouble or len(troubles) > 100:
            box.stop()

    with ExitStack() as room:
        room.enter_context(full(card))
        journal = Journal(path)
        box = Box(journal, ReconnectingDisplay(Mock))
        box.run(beat=beat)
    camera = "camera: missing"
    assert troubles[0] == f"journal: spare; {camera}"
    assert troubles[-1] == camera
    journal.close()
