"""If the journal's files are damaged, lost or cannot be written, the game continues and nothing is overwritten."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import resource
import shutil
import tempfile
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from device.cli import main
from device.referee.states import Situation, Welcome
from device.referee.transition_table import step
from device.storage import copies as copies_module
from device.storage import journal as journal_module
from device.storage.copies import Copies
from device.storage.journal import Journal, JournalError, JournalWarning
from tests.device.helpers import HOLD_C, STOP, B, C, dice, likely_inputs
from tests.device.journals import BEGIN, NAME, TURN, knows, next_game, play, won
from tests.every import every
from tools.soak import disk as small

RARELY = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # which byte it was is told; a smaller one tells no more
)

BOTH = (0, 1)
"""The two files of the current game."""


def play_a_second_game(journal: Journal) -> Situation:
    """Play a game to its end and begin another; return the situation of the second."""
    ended = won(play(journal, *BEGIN, *TURN).number)
    journal.record("test", ended)
    return next_game(journal, ended)


def kill(path: Path, to: Path) -> Path:
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
    """A folder with a past game and one in progress, and the last situation."""
    path = memory / "played" / NAME
    journal = Journal(path)
    now = play_a_second_game(journal)
    now = play(journal, dice(2, 3, 4, 5), B, C, now=now)
    journal.close()
    return path.parent, knows(now)


def fresh(played, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(played[0], folder)
    return folder / NAME


def resumed(path: Path) -> tuple[Situation, JournalWarning | None]:
    """Return what a box finds; it then continues, and a next one finds that, and two equal files."""
    with contextlib.closing(Journal(path)) as journal:
        found, sign = journal.situation(), journal.warning
        after = play(journal, C, HOLD_C, dice(1, 2, 3, 4), strictly=False)
    with contextlib.closing(Journal(path)) as again:
        assert knows(again.situation()) == knows(after)
        assert again.warning is None
    first, second = map(copies_module._read, Copies(path).files)
    assert first is not None
    assert first == second
    return found, sign


def listed(path: Path) -> list:
    with contextlib.closing(Journal(path, to_write=False)) as journal:
        return [(entry.number, entry.winner) for entry in journal.games()]


def asides(path: Path) -> list[bytes]:
    return sorted(file.read_bytes() for file in path.parent.glob("*damaged*"))


@pytest.fixture
def disk():
    """Limits the length of all files of this process, as on a disk without a free block."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    @contextlib.contextmanager
    def limited(room: int):
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limited


def refuse(patch, *names: str) -> None:
    """Let all attempts to write files of these names fail."""
    opened = os.open

    def fails(file, flags, *mode, **how):
        if Path(file).name.removesuffix(".new") in names and flags & (os.O_RDWR | os.O_WRONLY):
            raise OSError(errno.EIO, "Input/output error")
        return opened(file, flags, *mode, **how)

    patch.setattr(os, "open", fails)


def test_a_write_is_whole_or_leaves_the_old_content(tmp_path, disk, monkeypatch):
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda handle, data, at: write(handle, data[:1000], at))  # a part at a time
    files = Copies(tmp_path / NAME)
    with disk(8192):  # no room for more than the game
        files.write(1, {"text": "x" * 5000})
    with disk(copies_module.ROOM), pytest.raises(OSError, match="File too large"):
        files.write(2, {"text": "x" * copies_module.ROOM})
    assert Copies(tmp_path / NAME).read(is_known=True) == (1, {"text": "x" * 5000})


@RARELY
@given(index=st.sampled_from(BOTH), where=st.floats(0, 0.999), bits=st.one_of(st.none(), st.integers(1, 255)))
def test_a_flipped_byte_or_a_truncated_file_loses_nothing(played, tmp_path, index, where, bits):
    path = fresh(played, tmp_path / "box")
    file = Copies(path).files[index]
    content = bytearray(file.read_bytes())
    at = int(where * len(content.rstrip(b"\n")))
    if bits is None:
        del content[at:]
    else:
        content[at] ^= bits
    file.write_bytes(content)
    found, sign = resumed(path)
    assert (knows(found), sign) == (played[1], None)
    assert listed(path) == [(1, "yellow"), (2, None)]


LETTER = b"SQLite format 3\0, or a letter"


@every(index=BOTH, content=[b"", bytes(4096), b"\n" * 70_000, b"\xff" * 5000, None, LETTER])
def test_a_lost_file_loses_nothing_and_another_one_in_its_place_is_kept(played, tmp_path, index, content):
    path = fresh(played, tmp_path / "box")
    file = Copies(path).files[index]
    file.unlink() if content is None else file.write_bytes(content)
    found, sign = resumed(path)
    assert (knows(found), sign) == (played[1], None)
    assert asides(path) == [content] * bool(content and content[0] in b"S\xff"), "what cannot be a journal is kept"


def test_an_older_file_does_not_count_as_newer_if_its_count_was_changed(tmp_path):
    files = Copies(tmp_path / NAME)
    files.write(1, {"text": "older"})
    older = files.files[0].read_bytes()
    files.write(2, {"text": "newer"})
    files.files[0].write_bytes(older.replace(b"journal 2 1 ", b"journal 2 9 "))
    assert Copies(tmp_path / NAME).read(is_known=True) == (2, {"text": "newer"})


@every(broken=BOTH, is_whole=[False, True], at=range(4))
def test_a_power_cut_while_a_damaged_or_older_file_is_replaced_loses_nothing(played, tmp_path, broken, is_whole, at):
    """Whatever is written first, the only file that is whole and the newest is not touched before the other one is."""
    path = fresh(played, tmp_path / "box")
    file = Copies(path).files[broken]
    older = file.read_bytes()
    with contextlib.closing(Journal(path)) as journal:
        now = play(journal, C, STOP, now=journal.situation())
    file.write_bytes(older if is_whole else file.read_bytes().replace(b"orange", b"purple"))
    calls = []
    real = os.pwrite

    def cut(handle, data, where):
        calls.append(where)
        if len(calls) > at:
            real(handle, data[:60], where)
            raise KeyboardInterrupt
        return real(handle, data, where)

    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
        patch.setattr(os, "pwrite", cut)
        Journal(path).close()
    assert knows(resumed(path)[0]) == knows(now)


def test_if_both_files_are_damaged_they_are_kept_and_past_games_stay(played, tmp_path):
    path = fresh(played, tmp_path / "box")
    files = Copies(path).files
    for file in files:
        file.write_bytes(b"cantstop-journal 2" + file.read_bytes()[20:])
    content = files[0].read_bytes()
    with contextlib.closing(Journal(path)) as journal:
        assert journal.situation() == Situation(Welcome(), None, 1)
        assert journal.warning is JournalWarning.DAMAGED
        assert not journal.is_new
        assert listed(path) == [(1, "yellow")]
        assert asides(path) == [], "a box in which nothing is pressed changes nothing"
        with (
            contextlib.closing(Journal(path, to_write=False)) as reader,
            pytest.raises(JournalError, match="start the box"),
        ):
            reader.situation()
        play(journal, *BEGIN)
        assert journal.warning is None
    assert asides(path) == [content, content]
    assert listed(path) == [(1, "yellow"), (2, None)]
    for file in files:
        file.write_bytes(b"2" * 5000)
    with contextlib.closing(Journal(path)) as journal:
        play(journal, *BEGIN)
    assert asides(path) == [b"2" * 5000] * 2 + [content, content], "the first damaged files are not replaced"


@pytest.mark.parametrize("unreadable", [(0,), (1,), BOTH])
def test_a_file_that_cannot_be_read_now_is_not_taken_for_damaged(played, tmp_path, monkeypatch, unreadable):
    path = fresh(played, tmp_path / "box")
    files = [Copies(path).files[index] for index in unreadable]
    before = {file: file.read_bytes() for file in files}
    real = copies_module.read_bytes

    def fails(file, most):
        if file in files:
            raise copies_module.UnreadableFile("Input/output error; check the disk")
        return real(file, most)

    with monkeypatch.context() as patch:
        patch.setattr(copies_module, "read_bytes", fails)
        refuse(patch, *(file.name for file in files))
        if unreadable == BOTH:
            with pytest.raises(JournalError, match=r"cannot be read now.*check the disk"):
                Journal(path)
        else:
            with contextlib.closing(Journal(path)) as journal:
                assert journal.warning is JournalWarning.SPARE
                assert knows(journal.situation()) == played[1]
    assert {file: file.read_bytes() for file in files} == before
    assert asides(path) == []
    assert knows(resumed(path)[0]) == played[1]


def test_games_for_which_a_full_disk_has_no_room_at_all_are_in_memory_until_it_has(tmp_path, disk, monkeypatch):
    monkeypatch.setattr(copies_module, "ROOM", 8192)
    path = tmp_path / "box" / NAME
    journal = Journal(path)
    play(journal, *BEGIN)
    with disk(copies_module.ROOM), pytest.MonkeyPatch().context() as patch:
        refuse(patch, *(f"{number:05}.txt" for number in range(1, 1000)))
        before = [file.stat().st_size for file in Copies(path).files]
        number = 0
        while len(str(journal._unfiled)) < 2 * copies_module.ROOM:
            number += 1
            now = won(number)
            journal.record("test", now)
        assert journal.warning is JournalWarning.SPARE
        assert [file.stat().st_size for file in Copies(path).files] == before
        cut = kill(path, tmp_path / "cut")
    with contextlib.closing(Journal(cut)) as killed:
        assert knows(killed.situation()) == now
    journal.retry()
    journal.close()
    assert listed(path) == [(each, "yellow") for each in range(1, number + 1)]


def test_a_disk_that_is_read_only_at_first_restores_the_game_and_stores_it_later(played, tmp_path, monkeypatch):
    path = fresh(played, tmp_path / "box")
    with monkeypatch.context() as patch:
        patch.setattr("fcntl.flock", Mock(side_effect=OSError(errno.EROFS, "Read-only file system")))
        refuse(patch, *(file.name for file in Copies(path).files))
        journal = Journal(path)
        assert knows(journal.situation()) == played[1]
        now = step(journal.situation(), C).situation
        with pytest.raises(JournalError, match="free some space or check the card"):
            journal.record(C, now)
        assert journal.waits
    now = play(journal, STOP, now=now)
    assert journal.warning is None
    journal.close()
    assert knows(resumed(path)[0]) == knows(now)
    assert asides(path) == []


@RARELY
@given(
    damages=st.lists(
        st.tuples(st.sampled_from(BOTH), st.integers(0, 5000), st.integers(1, 5000)), min_size=1, max_size=3
    ),
    deleted=st.sets(st.sampled_from(BOTH)),
)
def test_files_damaged_or_deleted_during_a_game_are_whole_with_the_next_input(tmp_path, damages, deleted):
    shutil.rmtree(tmp_path / "box", ignore_errors=True)
    path = tmp_path / "box" / NAME
    with contextlib.closing(Journal(path)) as journal:
        now = play(journal, *BEGIN, *TURN)
        for index, begin, length in damages:
            with Copies(path).files[index].open("r+b") as opened:
                opened.seek(begin)
                opened.write(b"\xff" * length)
        for index in deleted:
            Copies(path).files[index].unlink()
        now = play(journal, dice(2, 3, 4, 5), B, C, now=now)
        at_power_cut = kill(path, tmp_path / "cut")
    assert knows(resumed(at_power_cut)[0]) == knows(now)


@RARELY
@given(
    events=st.lists(likely_inputs, max_size=12),
    fails=st.lists(st.sampled_from([(), (NAME,), (f"{NAME}.copy",), (NAME, f"{NAME}.copy")]), min_size=12, max_size=12),
)
def test_after_any_failed_write_the_next_one_recovers(tmp_path, events, fails):
    shutil.rmtree(tmp_path / "box", ignore_errors=True)
    path = tmp_path / "box" / NAME
    journal = Journal(path)
    now = play(journal, *BEGIN)
    stored = now
    for event, failing in zip((*events, dice(2, 3, 4, 5), C), (*fails, (), ()), strict=False):
        outcome = step(now, event)
        if outcome is None:
            continue
        now = outcome.situation
        with pytest.MonkeyPatch().context() as patch:
            refuse(patch, *failing)
            with pytest.raises(JournalError) if len(failing) > 1 else contextlib.nullcontext():
                journal.record(event, now)
        stored = stored if len(failing) > 1 else now
        assert journal.warning is (JournalWarning.SPARE if len(failing) == 1 else None)
        with contextlib.closing(Journal(kill(path, tmp_path / "cut"))) as cut:
            assert knows(cut.situation()) == knows(stored)
    journal.record("the last one is taken", now)
    journal.close()
    assert knows(resumed(path)[0]) == knows(now)


def test_new_files_and_the_new_folder_of_games_are_in_their_folder_on_the_disk_too(tmp_path, monkeypatch):
    synced = []
    for module in (copies_module, journal_module):
        monkeypatch.setattr(module, "sync_folder", synced.append)
    with contextlib.closing(Journal(tmp_path / NAME)) as journal:
        play(journal, C, C)
        assert synced == [tmp_path] * 2
        for number in (1, 2):
            journal.record("test", won(number))
    assert synced == [tmp_path] * 3


def test_a_clock_that_jumps_back_changes_neither_order_nor_numbers(tmp_path, monkeypatch):
    years = iter((2026, 1970, 2031))
    clock = Mock(now=lambda zone: datetime(next(years), 1, 1, tzinfo=zone))
    monkeypatch.setattr(journal_module, "datetime", clock)
    path = tmp_path / NAME
    with contextlib.closing(Journal(path)) as journal:
        for number in (1, 2, 3):
            journal.record("test", won(number))
    with contextlib.closing(Journal(path, to_write=False)) as journal:
        assert [(one.number, one.begun[:4]) for one in journal.games()] == [(1, "2026"), (2, "1970"), (3, "2031")]


def test_a_game_that_finds_no_room_is_reported_and_stored_without_a_press(journal, box_with, monkeypatch):
    monkeypatch.setattr("device.box.RETRY_S", 0.0)
    monkeypatch.setattr("device.box.TICK_S", 0.02)
    troubles = []

    def beat(trouble: str) -> None:
        troubles.append(trouble)
        if "journal" in trouble:
            full.undo()
        if "journal" not in trouble or len(troubles) > 100:
            box.stop()

    with pytest.MonkeyPatch.context() as full:
        refuse(full, "00001.txt")
        journal.record("test", won(1))
        box = box_with()
        box.run(beat=beat)
    assert (troubles[0], troubles[-1]) == ("journal: spare; camera: not used", "camera: not used")


# On a disk that is full to the last byte: a separate file system, if this user (root) may mount one


GAMES = 12
STARTS = 3


@pytest.fixture
def card(tmp_path_factory):
    """A small file system, mounted, and taken away in the end."""
    place = tmp_path_factory.mktemp("disk")
    (place / "mounted").mkdir()
    with small.small_disk(place / "mounted", place / "image") as is_mounted:
        if not is_mounted:
            pytest.skip("only root may mount a file system; it needs e2fsprogs as well")
        yield place / "mounted"


@contextmanager
def full(card: Path):
    """Fill the disk to its last byte; free it at the end."""
    small.fill(card)
    try:
        yield
    finally:
        small.free(card)


def play_games(path: Path, games: int = GAMES) -> Situation:
    """Play some games to their end and begin one more."""
    journal = Journal(path)
    now = None
    for _ in range(games):
        now = won(next_game(journal, now).number)
        journal.record("test", now)
    now = next_game(journal, now)
    journal.close()
    return now


def names(folder: Path) -> set[str]:
    """Return the files that are not empty."""
    return {file.name for file in folder.iterdir() if file.is_file() and file.stat().st_size}


def test_games_that_are_begun_and_end_on_a_full_disk_survive_kills_and_get_their_files_later(card, capsys):
    path = card / "box" / NAME
    now = play_games(path)
    files = names(path.parent)
    with full(card):
        for start in range(STARTS):
            journal = Journal(path)
            assert knows(journal.situation()) == knows(now)
            assert main(["games", "--journal", str(path)]) == 0
            assert capsys.readouterr().out.count("\n") == GAMES + 1 + 2 * start
            for number in (now.number, now.number + 1):
                now = won(number)
                journal.record("test", now)
            now = next_game(journal, now)
            assert journal.warning is JournalWarning.SPARE
            journal.close()  # which writes nothing more
            assert names(path.parent) == files
    journal = Journal(path)
    assert (journal.warning, journal.waits) == (None, False)
    assert knows(journal.situation()) == knows(now)
    assert journal.game(now.number) == now.game
    journal.close()
    last = GAMES + 2 * STARTS + 1
    assert listed(path) == [*((number, "yellow") for number in range(1, last)), (last, None)]
    assert len(list(journal.folder.iterdir())) == last - 1


def test_a_damaged_file_is_repaired_on_a_full_disk(card):
    path = card / "box" / NAME
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
