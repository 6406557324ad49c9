"""A disk that is full to the last byte: the game is stored, all is read, and past games get their files later.

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
from device.referee.states import Situation
from device.storage.copies import Copies
from device.storage.journal import Journal, JournalWarning
from tests.device.journals import BEGIN, NAME, TURN, knows, play, won
from tools.soak import disk

GAMES = 12
STARTS = 3


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
    now = None
    for _ in range(games):
        now = won(play(journal, *BEGIN, *TURN, now=now).number)
        journal.record("test", now)
    now = play(journal, *BEGIN, *TURN, now=now)
    journal.close()
    return now


def names(folder: Path) -> set[str]:
    """Return the files that are not empty."""
    return {file.name for file in folder.iterdir() if file.is_file() and file.stat().st_size}


def listed(path: Path) -> list:
    return [(entry.number, entry.winner) for entry in Journal(path, to_write=False).games()]


def test_games_that_are_begun_and_end_on_a_full_disk_survive_kills_and_get_their_files_later(card, capsys):
    path = card / NAME
    now = play_games(path)
    files = names(card)
    with full(card):
        for start in range(STARTS):
            journal = Journal(path)
            assert knows(journal.situation()) == knows(now)
            assert main(["games", "--journal", str(path)]) == 0
            assert capsys.readouterr().out.count("\n") == GAMES + 1 + 2 * start
            for number in (now.number, now.number + 1):
                now = won(number)
                journal.record("test", now)
            now = play(journal, *BEGIN, *TURN, now=now)
            assert journal.warning is JournalWarning.SPARE
            journal.close()  # which writes nothing more
            assert names(card) == files
    journal = Journal(path)
    assert (journal.warning, journal.waits) == (None, False)
    assert knows(journal.situation()) == knows(now)
    assert journal.game(now.number) == now.game
    journal.close()
    last = GAMES + 2 * STARTS + 1
    assert listed(path) == [*((number, "yellow") for number in range(1, last)), (last, None)]
    assert len(list(journal.folder.iterdir())) == last - 1


def test_a_damaged_file_is_repaired_on_a_full_disk(card):
    path = card / NAME
    now = play_games(path)
    for file in Copies(path).files:
        with file.open("r+b") as opened:
            opened.seek(60)
            opened.write(b"?" * 40)
        with full(card):
            journal = Journal(path)
            assert knows(journal.situation()) == knows(now)
            now = play(journal, *TURN, now=now)
            journal.close()
        assert len(listed(path)) == GAMES + 1


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
        journal.record("test", won(GAMES + 1))
        box = Box(journal, ReconnectingDisplay(Mock))
        box.run(beat=beat)
    camera = "camera: not used"
    assert troubles[0] == f"journal: spare; {camera}"
    assert troubles[-1] == camera
    journal.close()
