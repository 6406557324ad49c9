"""If the journal is damaged, lost or cannot be written, the game continues and nothing is overwritten."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import sqlite3
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st

from device.box import Box
from device.hardware.display import ReconnectingDisplay
from device.referee.states import Deciding, GameOver, Situation, Welcome
from device.referee.transition_table import step
from device.screens.draw import draw
from device.screens.views import screen
from device.storage import journal as journal_module
from device.storage import rescue
from device.storage.journal import LOG_PAGES, Journal, JournalError, JournalWarning
from device.storage.spare import Spare
from engine import Game, SetTo, parse_position
from tests.device.helpers import HOLD_C, STOP, B, C, dice, likely_inputs
from tests.device.journals import BEGIN, NAME, TURN, knows, play

RARELY = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # which byte it was is told; a smaller one tells no more
)


def play_a_second_game(journal: Journal) -> tuple[Game, Situation]:
    """Play a game to its end and begin another; return the first game, and the situation of the second."""
    number = play(journal, *BEGIN, *TURN).number
    won = Game.new(["yellow", "orange"]).do(SetTo(parse_position("3 7:13,8:11,12:3/- 1 - -")))
    ended = Situation(GameOver(), won, number)
    journal.record("test", ended)
    return won, play(journal, *BEGIN, *TURN, now=ended)


def kill(journal: Journal, path: Path, to: Path) -> Path:
    """What is on the disk at this instant, as after a power cut."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(path.parent, to)
    return to / path.name


@pytest.fixture(scope="module")
def memory():
    """A folder in memory, if there is such a disk: hundreds of boxes that wait for a card would take minutes."""
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as folder:
        yield Path(folder)


@pytest.fixture
def tmp_path(memory, request):
    return Path(tempfile.mkdtemp(prefix=re.sub(r"\W", "-", request.node.name)[:60], dir=memory))


@pytest.fixture(scope="module")
def played(memory):
    """A folder after a power cut, once with everything in the log and once in the file; and the last situation."""
    base = memory / "played"
    journal = Journal(base / "box" / NAME)
    now = play(journal, *BEGIN, *TURN, *TURN)
    for number in range(40):  # more than the tables' first pages hold
        now = play(journal, dice(*(1 + (number * k) % 6 for k in (1, 2, 3, 5))), HOLD_C, now=now)
    now = play(journal, dice(2, 3, 4, 5), B, C, now=now)
    kill(journal, base / "box" / NAME, base / "log")
    journal.close()
    shutil.copytree(base / "box", base / "file")
    return base, knows(now)


def fresh(played, kind: str, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(played[0] / kind, folder)
    return folder / NAME


def resumed(path: Path) -> tuple[Situation, JournalWarning | None]:
    journal = Journal(path)
    try:
        # A repaired box continues, and its journal is then intact.
        found, sign = journal.situation(), journal.warning
        after = play(journal, C, HOLD_C, dice(1, 2, 3, 4), strictly=False)
    finally:
        journal.close()
    again = Journal(path)
    try:
        assert knows(again.situation()) == knows(after)
        assert again.warning is None
    finally:
        again.close()
    return found, sign


def asides(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.glob("*damaged*") if not file.name.endswith("-shm")}


@pytest.mark.parametrize("kind", ["log", "file"])
def test_a_power_cut_loses_nothing_that_was_shown(played, kind, tmp_path):
    found, sign = resumed(fresh(played, kind, tmp_path / "box"))
    assert knows(found) == played[1]
    assert sign is None


@RARELY
@given(kind=st.sampled_from(["log", "file"]), data=st.data())
def test_a_flipped_byte_loses_nothing_and_the_damaged_file_is_kept(played, tmp_path, kind, data):
    path = fresh(played, kind, tmp_path / "box")
    files = sorted(file for file in path.parent.iterdir() if file.stat().st_size and file.suffix != ".lock")
    file = data.draw(st.sampled_from(files), "file")
    content = bytearray(file.read_bytes())
    where = data.draw(st.integers(0, len(content) - 1), "where")
    content[where] ^= data.draw(st.integers(1, 255), "bits")
    file.write_bytes(content)
    found, sign = resumed(path)
    assert knows(found) == played[1]
    kept = asides(path)
    assert bool(kept) == (sign is not None)
    if kept and "spare" not in file.name:
        assert bytes(content) in kept.values(), "it is kept as it was found"


@RARELY
@given(kind=st.sampled_from(["log", "file"]), data=st.data())
def test_a_truncated_file_loses_nothing(played, tmp_path, kind, data):
    path = fresh(played, kind, tmp_path / "box")
    files = sorted(file for file in path.parent.iterdir() if file.stat().st_size and file.suffix != ".lock")
    file = data.draw(st.sampled_from(files), "file")
    os.truncate(file, data.draw(st.integers(0, file.stat().st_size - 1), "length"))
    assert knows(resumed(path)[0]) == played[1]


@RARELY
@given(page=st.integers(0, 40), kind=st.sampled_from(["log", "file"]), byte=st.sampled_from([0, 255]))
@example(page=0, kind="file", byte=0)
def test_a_torn_page_loses_nothing(played, tmp_path, page, kind, byte):
    path = fresh(played, kind, tmp_path / "box")
    file = path if kind == "file" else path.with_name(f"{path.name}-wal")
    content = bytearray(file.read_bytes())
    assume(page * 4096 < len(content))
    torn = content[page * 4096 : (page + 1) * 4096]
    content[page * 4096 : (page + 1) * 4096] = bytes([byte]) * len(torn)
    file.write_bytes(content)
    assert knows(resumed(path)[0]) == played[1]


@RARELY
@given(kind=st.sampled_from(["log", "file"]), data=st.data())
def test_without_the_spare_copy_a_damaged_journal_still_restores_an_earlier_state(played, tmp_path, kind, data):
    path = fresh(played, kind, tmp_path / "box")
    for spare in Spare(path).files:
        spare.unlink()
    file = data.draw(st.sampled_from([path, path.with_name(f"{path.name}-wal")] if kind == "log" else [path]), "file")
    content = bytearray(file.read_bytes())
    where = data.draw(st.integers(0, len(content) - 1), "where")
    content[where] ^= data.draw(st.integers(1, 255), "bits")
    file.write_bytes(content)
    try:
        found, _ = resumed(path)
    except JournalError:
        assert (file, where) == (path, 63), "the last byte of the number of the layout: it may be a later release's"
        assert path.read_bytes() == content
        return
    now = played[1].game
    steps = found.game.steps if found.game is not None else ()
    assert found.game is None or found.game.names == now.names
    assert len(steps) <= len(now.steps) + 2  # it has stood two steps further, and was taken back


@pytest.mark.parametrize("lost", ["the journal", "the journal and its log", "one spare file", "both spare files"])
def test_deleted_files_lose_nothing(played, tmp_path, lost):
    path = fresh(played, "log", tmp_path / "box")
    log = path.with_name(f"{path.name}-wal")
    gone = {
        "the journal": [path],
        "the journal and its log": [path, log],
        "one spare file": [Spare(path).files[0]],
        "both spare files": Spare(path).files,
    }[lost]
    for file in gone:
        file.unlink()
    found, sign = resumed(path)
    assert knows(found) == played[1]
    assert sign == (None if "spare" in lost else JournalWarning.RESTORED)


def test_if_all_files_are_damaged_they_are_kept_and_a_new_game_can_begin(played, tmp_path):
    path = fresh(played, "file", tmp_path / "box")
    for file in (path, *Spare(path).files):
        file.write_bytes(b"SQLite format 3\0" + b"x" * 9000)
    journal = Journal(path)
    assert journal.situation().state == Welcome()
    assert journal.warning is JournalWarning.DAMAGED
    play(journal, *BEGIN)
    assert journal.warning is None
    journal.close()
    assert list(asides(path).values()) == [b"SQLite format 3\0" + b"x" * 9000]


def test_a_second_damaged_file_does_not_overwrite_the_first(played, tmp_path):
    path = fresh(played, "file", tmp_path / "box")
    for byte in (1, 2):
        path.write_bytes(bytes([byte]) * 5000)
        assert knows(resumed(path)[0]).number == 1
    assert sorted(content[:1] for content in asides(path).values()) == [b"\1", b"\2"]


def test_intact_games_are_copied_to_the_new_journal(tmp_path):
    path = tmp_path / NAME
    journal = Journal(path)
    won, now = play_a_second_game(journal)
    assert now.number == 2
    journal.close()
    db = sqlite3.connect(path)
    db.execute("UPDATE input SET state = '{}' WHERE id = (SELECT max(id) - 2 FROM input)")
    db.commit()
    db.close()
    again = Journal(path)
    assert again.warning is JournalWarning.RESTORED
    assert knows(again.situation()) == knows(now)
    assert [entry.winner for entry in again.games()] == ["yellow", None]
    assert again.game(1) == won
    assert again.game(2) == now.game
    again.close()


def test_a_full_disk_loses_nothing_and_the_screen_says_so(tmp_path):
    """The kernel itself refuses: no file of this process may grow, as on a disk without a free block."""
    path = tmp_path / NAME
    journal = Journal(path)
    now = play(journal, *BEGIN)
    largest = max(file.stat().st_size for file in tmp_path.iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
    try:
        now = play(journal, *TURN, *TURN, *TURN, now=now)
        assert journal.warning is JournalWarning.SPARE
        at_power_cut = kill_quietly(journal, path, tmp_path / "cut", soft, hard)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    found, sign = resumed(at_power_cut)
    assert knows(found) == knows(now)
    assert sign is None, "nothing was damaged"
    now = play(journal, dice(2, 3, 4, 5), now=now)
    assert journal.warning is None, "there is room again"
    journal.close()
    again = Journal(path)
    assert knows(again.situation()) == knows(now)
    assert again.game(1) == now.game
    again.close()


@pytest.mark.parametrize("room", [1000, 9000])
def test_a_journal_damaged_on_a_full_disk_is_replaced_once_there_is_room(tmp_path, room):
    path = tmp_path / NAME
    journal = Journal(path)
    won, now = play_a_second_game(journal)
    journal.close()
    db = sqlite3.connect(path)
    db.execute("UPDATE input SET state = '{}' WHERE id = (SELECT max(id) - 2 FROM input)")
    db.commit()
    db.close()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        again = Journal(path)
        assert again.warning is JournalWarning.RESTORED
        for event in TURN * 2:
            now = step(now, event).situation
            with contextlib.suppress(JournalError):
                again.record(event, now)
        assert [entry.winner for entry in again.games()] == ["yellow", None]
        assert asides(path) == {}, "nothing is renamed while what is sound in it cannot be written elsewhere"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    now = play(again, *TURN, now=now)
    assert again.warning is None
    again.close()
    last = Journal(path)
    assert last.warning is None
    assert knows(last.situation()) == knows(now)
    assert [entry.winner for entry in last.games()] == ["yellow", None]
    assert last.game(1) == won
    assert last.game(2) == now.game
    last.close()
    assert len([name for name in asides(path) if name.endswith(".sqlite3")]) == 1


def some_games(path: Path) -> tuple[list, Situation]:
    """Play a game to its end and begin another; return the list of games, and the situation of the second."""
    journal = Journal(path)
    _, now = play_a_second_game(journal)
    listed = [(entry.number, entry.winner) for entry in journal.games()]
    journal.close()
    assert listed == [(1, "yellow"), (2, None)]
    return listed, now


def files_of(path: Path) -> dict[str, bytes]:
    """Return the journal's own files and those derived from them."""
    left_out = (*(file.name for file in Spare(path).files), f"{NAME}.lock", f"{NAME}-wal")
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.name not in left_out}


OF_THE_DISK = (
    *(name for name in dir(sqlite3) if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY"))),
    "SQLITE_FULL",
    "SQLITE_BUSY",
    "SQLITE_PERM",
    "SQLITE_NOLFS",
    "SQLITE_PROTOCOL",
)


def failing(code: int):
    def connect(*_, **__):
        error = sqlite3.OperationalError("the disk does not want to")
        error.sqlite_errorcode = code
        raise error

    return connect


@pytest.mark.parametrize("name", OF_THE_DISK)
def test_a_disk_error_never_sets_an_intact_journal_aside(tmp_path, monkeypatch, name):
    path = tmp_path / NAME
    listed, now = some_games(path)
    files = files_of(path)
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "sqlite3", Mock(wraps=sqlite3, connect=failing(getattr(sqlite3, name))))
        patch.setattr(journal_module.sqlite3, "Error", sqlite3.Error)
        patch.setattr(journal_module.sqlite3, "DatabaseError", sqlite3.DatabaseError)
        for start in range(3):
            journal = Journal(path)
            assert journal.warning is JournalWarning.SPARE
            assert knows(journal.situation()) == knows(now)
            now = play(journal, *((C,) if start == 0 else ()), dice(2, 3, 4, 5), B, strictly=False)
            assert [(entry.number, entry.winner) for entry in journal.games()] == listed
            journal.close()
            assert files_of(path) == files
    journal = Journal(path)
    assert journal.warning is None
    assert knows(journal.situation()) == knows(now)
    assert [(entry.number, entry.winner) for entry in journal.games()] == listed
    assert journal.game(2) == now.game
    journal.close()


@pytest.mark.parametrize(
    "name", [*(name for name in dir(sqlite3) if name.startswith("SQLITE_CORRUPT")), "SQLITE_NOTADB"]
)
def test_only_sqlites_errors_about_the_content_count_as_damage(name):
    error = sqlite3.DatabaseError("some")
    assert not rescue.is_damage(error)
    error.sqlite_errorcode = getattr(sqlite3, name)
    assert rescue.is_damage(error)


def test_starting_on_a_completely_full_disk_changes_nothing(tmp_path):
    """Simulate a full disk for a user who may not mount one: no file of this process may grow."""
    path = tmp_path / NAME
    listed, now = some_games(path)
    files = files_of(path)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, hard))  # enough for the spare copy, not for a page of the log
    try:
        for start in range(3):
            journal = Journal(path)
            assert knows(journal.situation()) == knows(now)
            now = play(journal, *((C,) if start == 0 else ()), *TURN * 2, strictly=False)
            assert journal.warning is JournalWarning.SPARE
            journal.close()
            assert files_of(path) == files
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    journal = Journal(path)
    assert knows(journal.situation()) == knows(now)
    assert [(entry.number, entry.winner) for entry in journal.games()] == listed
    journal.close()


@pytest.mark.parametrize("behind", [False, True])
def test_a_journal_unreadable_at_the_start_is_used_once_it_is_readable(tmp_path, monkeypatch, behind):
    path = tmp_path / NAME
    listed, now = some_games(path)
    spares = {file: file.read_bytes() for file in Spare(path).files}
    if behind:  # as after a power cut between the two
        journal = Journal(path)
        now = play(journal, C, dice(2, 3, 4, 5), B, strictly=False)
        journal.close()
        for file, content in spares.items():
            file.write_bytes(content)
    files = files_of(path)

    def fails(*_, **__):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(rescue.journal_snapshot, "opened", fails)
        journal = Journal(path)
        assert journal.warning is JournalWarning.SPARE
        now = play(journal, C, HOLD_C, dice(1, 3, 5, 6), strictly=False)
        assert files_of(path) == files
        with pytest.raises(JournalError, match="cannot be read now"):
            journal.games()
    journal.retry()
    assert journal.warning is None
    assert [(entry.number, entry.winner) for entry in journal.games()] == listed
    assert journal.game(2) == now.game
    journal.close()
    assert asides(path) == {}
    assert knows(resumed(path)[0]) == knows(now)


def test_an_unreadable_journal_without_a_spare_copy_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / NAME
    listed, _ = some_games(path)
    for file in Spare(path).files:
        file.unlink()
    files = files_of(path)

    def fails(*_, **__):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(rescue.journal_snapshot, "opened", fails)
        with pytest.raises(JournalError, match=r"cannot be read now.*check the disk"):
            Journal(path)
    assert files_of(path) == files
    journal = Journal(path)
    assert [(entry.number, entry.winner) for entry in journal.games()] == listed
    journal.close()


def holds_first_page(log: Path) -> bool:
    """Whether SQLite's log has the file's first page, by its format (https://sqlite.org/fileformat2.html#walformat)."""
    data = log.read_bytes() if log.exists() else b""
    salt, frames = data[16:24], range(32, len(data), 24 + 4096)
    return any(data[at : at + 4] == b"\0\0\0\1" and data[at + 8 : at + 16] == salt for at in frames)


@pytest.mark.parametrize("size", [16, 100, 4096])
@pytest.mark.parametrize("kind", ["log", "file"])
def test_a_journal_with_a_broken_header_and_no_spare_copy_is_set_aside_and_the_box_starts(played, tmp_path, size, kind):
    path = fresh(played, kind, tmp_path / "box")
    for file in Spare(path).files:
        file.unlink()
    in_log = holds_first_page(path.with_name(path.name + "-wal"))
    content = b"?" * size + path.read_bytes()[size:]
    path.write_bytes(content)
    found, sign = resumed(path)
    assert content in asides(path).values()
    if size == 4096 and not in_log:  # without the tables' names nothing can be read
        assert (found, sign) == (Situation(Welcome()), JournalWarning.DAMAGED)
    else:
        assert (knows(found), sign) == (played[1], JournalWarning.RESTORED)


def test_a_file_without_the_journals_tables_is_not_searched_row_by_row():
    class Counting(sqlite3.Connection):
        asked = 0

        def execute(self, *args):
            self.asked += 1
            return super().execute(*args)

    with contextlib.closing(sqlite3.connect(":memory:", factory=Counting)) as db:
        assert rescue.read_back(db, "damaged").replayed == {}
        assert db.asked < 10


def test_a_changed_layout_number_loses_no_game(tmp_path):
    for number in (0, -5, 0x01000001):
        path = tmp_path / str(abs(number)) / NAME
        listed, now = some_games(path)
        for file in Spare(path).files:
            file.unlink()
        db = sqlite3.connect(path)
        db.execute(f"PRAGMA user_version={number}")
        db.close()
        journal = Journal(path)
        assert journal.warning is JournalWarning.RESTORED
        assert knows(journal.situation()) == knows(now)
        assert [(entry.number, entry.winner) for entry in journal.games()] == listed
        journal.close()


@pytest.mark.parametrize("renamed", [0, 1, 2])
@pytest.mark.parametrize("kind", ["log", "file"])
def test_a_power_cut_while_a_damaged_file_is_replaced_loses_no_game(tmp_path, monkeypatch, kind, renamed):
    path = tmp_path / "box" / NAME
    journal = Journal(path)
    won, now = play_a_second_game(journal)
    if kind == "log":
        path = kill(journal, path, tmp_path / "cut")
    journal.close()
    content = bytearray(path.read_bytes())
    content[:16] = bytes(16)
    path.write_bytes(content)
    rename, done = Path.rename, []

    def cut(self, target):
        done.append(self)
        if len(done) > renamed:
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", cut)
        with contextlib.suppress(KeyboardInterrupt):
            Journal(path).close()
    journal = Journal(path)
    assert knows(journal.situation()) == knows(now)
    assert [entry.winner for entry in journal.games()] == ["yellow", None]
    assert journal.game(1) == won
    journal.close()
    assert bytes(content) in asides(path).values()
    assert not list(path.parent.glob("*.new"))


def test_the_log_is_reused_from_its_start_before_it_grows_long(tmp_path):
    path = tmp_path / NAME
    journal = Journal(path)
    now = play(journal, *BEGIN)
    for number in range(4 * LOG_PAGES):
        journal.record(f"test {number}", now)
    assert path.with_name(f"{NAME}-wal").stat().st_size <= 1.2 * LOG_PAGES * 4096
    journal.close()


def kill_quietly(journal: Journal, path: Path, to: Path, soft: int, hard: int) -> Path:
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    return kill(journal, path, to)


@pytest.fixture
def nobody():
    """Does things without the right to write, as on a disk that is read-only; root may write anywhere."""

    @contextlib.contextmanager
    def without_rights(folder: Path):
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        was_root = os.geteuid() == 0
        if was_root:
            os.seteuid(65534)
        try:
            yield
        finally:
            if was_root:
                os.seteuid(0)
            folder.chmod(0o755)
            for file in folder.iterdir():
                file.chmod(0o644)

    return without_rights


def open_for_all(path: Path) -> None:
    """Lets everybody look into the folders above a file, which pytest keeps to itself."""
    for folder in path.parents:
        if folder.owner() == "root" and folder != Path("/") and folder.stat().st_mode & 0o055 != 0o055:
            folder.chmod(folder.stat().st_mode | 0o055)


def test_a_disk_that_is_read_only_at_first_restores_the_game_and_stores_it_later(played, tmp_path, nobody):
    path = fresh(played, "file", tmp_path / "box")
    open_for_all(path)
    with nobody(path.parent):
        journal = Journal(path)
        assert knows(journal.situation()) == played[1]
        assert journal.warning is JournalWarning.SPARE
        now = step(journal.situation(), C).situation
        with pytest.raises(JournalError, match="free some space or check the card"):
            journal.record(C, now)
    now = play(journal, STOP, now=now)
    assert journal.warning is None
    journal.close()
    again = Journal(path)
    assert knows(again.situation()) == knows(now)
    again.close()
    assert asides(path) == {}


@pytest.mark.parametrize("deleted", ["", "-wal"])
def test_a_journal_deleted_during_a_game_is_recreated_with_all_games(tmp_path, deleted):
    path = tmp_path / NAME
    journal = Journal(path)
    won, now = play_a_second_game(journal)
    path.with_name(f"{NAME}{deleted}").unlink()
    now = play(journal, dice(2, 3, 4, 5), now=now)
    assert journal.warning is (None if deleted else JournalWarning.RESTORED), (
        "with its file its log is whole, once it is closed"
    )
    now = play(journal, B, C, now=now)
    assert journal.warning is None
    journal.close()
    again = Journal(path)
    assert [entry.winner for entry in again.games()] == ["yellow", None]
    assert again.game(1) == won
    assert again.game(2) == now.game
    assert knows(again.situation()) == knows(now)
    again.close()


@RARELY
@given(data=st.data())
def test_a_journal_damaged_during_a_game_loses_nothing(tmp_path, data):
    shutil.rmtree(tmp_path / "box", ignore_errors=True)
    path = tmp_path / "box" / NAME
    journal = Journal(path)
    now = play(journal, *BEGIN, *TURN)
    file = data.draw(st.sampled_from([path, path.with_name(f"{path.name}-wal"), *Spare(path).files]), "file")
    content = bytearray(file.read_bytes())
    begin = data.draw(st.integers(0, len(content) - 1), "begin")
    length = data.draw(st.integers(1, 5000), "length")
    content[begin : begin + length] = b"\xff" * len(content[begin : begin + length])
    with file.open("r+b") as opened:
        opened.write(content)
    now = play(journal, dice(2, 3, 4, 5), B, C, now=now)
    at_power_cut = kill(journal, path, tmp_path / "cut")
    journal.close()
    assert knows(resumed(at_power_cut)[0]) == knows(now)


@RARELY
@given(events=st.lists(likely_inputs, max_size=12), fails=st.lists(st.booleans(), min_size=12, max_size=12))
def test_after_any_failed_disk_call_the_next_one_recovers(tmp_path, monkeypatch, events, fails):
    shutil.rmtree(tmp_path / "box", ignore_errors=True)
    path = tmp_path / "box" / NAME
    journal = Journal(path)
    now = play(journal, *BEGIN)

    def refused(*_):
        raise OSError(5, "Input/output error")

    for event, is_refused in zip((*events, dice(2, 3, 4, 5), C), (*fails, False), strict=False):
        outcome = step(now, event)
        if outcome is None:
            continue
        now = outcome.situation
        with monkeypatch.context() as patch:
            if is_refused:
                patch.setattr(journal._spare, "write", refused)
                patch.setattr(journal_module.sql_tables, "write", refused)
            with pytest.raises(JournalError) if is_refused else contextlib.nullcontext():
                journal.record(event, now)
    journal.record("the last one is taken", now)
    journal.close()
    again = Journal(path)
    assert knows(again.situation()) == knows(now)
    if now.number:
        assert again.game(now.number) == now.game
    again.close()


def test_a_record_is_synced_to_the_disk_before_it_is_shown(tmp_path, monkeypatch):
    journal = Journal(tmp_path / NAME)
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL: each commit is forced out"
    done = []
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda *of: (done.append("write"), write(*of))[1])
    for name in ("fsync", "fdatasync"):
        force = getattr(os, name)
        monkeypatch.setattr(os, name, lambda handle, force=force: (done.append("force"), force(handle))[1])
    play(journal, C, C, C)
    journal.close()
    # The two files are new at first, and then their folder is forced out as well.
    assert done == ["write", "force", "force"] * 2 + ["write", "force"]


def test_a_clock_that_jumps_has_no_effect(tmp_path, monkeypatch):
    start = datetime(2026, 1, 1, tzinfo=UTC)
    jumps = iter(start + timedelta(days=days) for days in (0, -20000, 9000, 3, -3, *range(100)))

    class Clock:
        @staticmethod
        def now(_):
            return next(jumps)

    monkeypatch.setattr(journal_module, "datetime", Clock)
    path = tmp_path / NAME
    journal = Journal(path)
    now = play(journal, *BEGIN, *TURN)
    cut = kill(journal, path, tmp_path / "cut")
    journal.close()
    assert knows(resumed(cut)[0]) == knows(now)


def test_boxes_with_swapped_disks_have_each_others_games(tmp_path):
    shown = {}
    for name, events in (("one", TURN[:2]), ("other", TURN)):
        journal = Journal(tmp_path / name / NAME)
        shown[name] = knows(play(journal, *BEGIN, *events))
        journal.close()
    (tmp_path / "one").rename(tmp_path / "swap")
    (tmp_path / "other").rename(tmp_path / "one")
    (tmp_path / "swap").rename(tmp_path / "other")
    for here, there in (("one", "other"), ("other", "one")):
        found, sign = resumed(tmp_path / here / NAME)
        assert knows(found) == shown[there]
        assert sign is None


def test_a_replaced_journal_is_used_and_not_mixed_with_the_old_spare_copy(tmp_path):
    for name, events in (("old", (*TURN, *TURN)), ("new", TURN[:3])):
        journal = Journal(tmp_path / name / NAME)
        shown = knows(play(journal, *BEGIN, *events))
        journal.close()
    shutil.copy(tmp_path / "new" / NAME, tmp_path / "old" / NAME)
    found, sign = resumed(tmp_path / "old" / NAME)
    assert knows(found) == shown
    assert sign is None


@pytest.mark.parametrize("sign", [None, *JournalWarning])
def test_the_screen_reports_the_journals_state_until_the_next_press(tmp_path, sign):
    pictures = []

    class Shown:
        def show(self, image):
            pictures.append(image.tobytes())

        def close(self):
            pass

    journal = Journal(tmp_path / NAME)
    play(journal, *BEGIN, dice(2, 3, 4, 5), B)
    journal.close()
    journal = Journal(tmp_path / NAME)
    journal.warning = sign
    box = Box(journal, ReconnectingDisplay(Shown))
    box.stop()
    box.run()
    plain = draw(screen(box.situation)).tobytes()
    assert (pictures[-1] == plain) == (sign is None)
    box.put(C)
    box.put(C)
    box.stop()
    box.run()
    assert isinstance(knows(box.situation).state, Deciding)
    assert pictures[-1] == draw(screen(box.situation)).tobytes()
    journal.close()


def test_a_damaged_inner_page_does_not_keep_the_box_from_starting(played, tmp_path, monkeypatch):
    path = fresh(played, "file", tmp_path / "box")
    content = bytearray(path.read_bytes())
    db = sqlite3.connect(path)
    (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'input'").fetchone()
    db.close()
    content[(root - 1) * 4096 : root * 4096] = bytes(4096)
    path.write_bytes(content)
    assert rescue.look(path).last is None
    assert knows(resumed(path)[0]) == played[1]
