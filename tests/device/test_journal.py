"""The journal: recorded inputs survive everything that happens to the program."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from unittest.mock import Mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.referee import states
from device.referee.players import GameSettings
from device.referee.states import Situation
from device.storage import journal as journal_module
from device.storage.journal import Journal, JournalError
from device.storage.past_game_file import game_path, game_text, past_games
from device.storage.state_text import from_data, to_data
from engine import Game, Rolled, parse_transcript
from tests.device.helpers import B, C, dice, likely_inputs
from tests.device.journals import BEGIN, WON, begun, play, won

record = partial(play, strictly=False)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "journal.txt"


_opened: list[Journal] = []


@pytest.fixture(autouse=True)
def _closed_in_the_end():
    yield
    while _opened:
        _opened.pop().close()


def opened(path, **how) -> Journal:
    _opened.append(Journal(path, **how))
    return _opened[-1]


def again(journal: Journal, path) -> Journal:
    journal.close()
    return opened(path)


@pytest.mark.parametrize(
    "state",
    [
        states.NewGame(states.Waiting()),
        states.RollingOff(GameSettings(("a", "b")), (0, 1)),
        states.Resume(states.Waiting()),
    ],
    ids=type,
)
def test_what_is_asked_beside_a_game_is_resumed_without_announcing_the_game(path, state):
    journal = opened(path)
    now = record(journal, *BEGIN)
    journal.record("test", Situation(state, now.game, now.number))
    assert again(journal, path).situation().state == state


def test_two_boxes_cannot_use_one_journal(path):
    with_it = opened(path)
    with pytest.raises(JournalError, match="in use by another box"):
        opened(path)
    assert opened(path, to_write=False).games() == []
    with_it.close()
    opened(path).close()


def test_what_another_box_writes_until_it_unlocks_the_journal_counts(path, monkeypatch):
    first = opened(path)
    now = record(first, *BEGIN)
    lock, last = fcntl.flock, []

    def flock(*how):
        last.append(record(first, dice(2, 3, 4, 5), B, now=now))
        first.close()
        lock(*how)

    monkeypatch.setattr(fcntl, "flock", flock)
    assert opened(path).situation().game == last[0].game


def test_a_game_keeps_its_start_time_over_a_restart(path, monkeypatch):
    journal = opened(path)
    record(journal, *BEGIN)
    (begun,) = [game.begun for game in journal.games()]
    monkeypatch.setattr(journal_module, "datetime", None)
    journal = again(journal, path)
    journal.record("test", won(1))
    assert [game.begun for game in journal.games()] == [begun]
    assert f"# begun {begun}\n" in game_path(journal.folder, 1).read_text()


OTHER_FILES = {
    "is not a journal; move the file away": b"dear diary, today we played " * 100,
    "was written by another version of the box; give another --journal": b"cantstop-journal 99 1 2 ab\n{}",
    "was written by another version": None,  # of version 1.0.0: an SQLite file
}


@pytest.mark.parametrize("says", OTHER_FILES)
@pytest.mark.parametrize("to_write", [True, False])
def test_a_file_that_is_not_a_journal_of_this_version_is_named_and_left_alone(path, says, to_write):
    path.parent.mkdir()
    content = OTHER_FILES[says]
    if content is None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("CREATE TABLE game (number INTEGER PRIMARY KEY)")
    else:
        path.write_bytes(content)
    content = path.read_bytes()
    for _ in range(2):
        with pytest.raises(JournalError, match=rf"journal\.txt {says}"):
            opened(path, to_write=to_write)
    assert [(file.name, file.read_bytes()) for file in path.parent.iterdir()] == [("journal.txt", content)]


def test_a_journal_that_this_version_cannot_parse_is_refused_and_not_damaged(path):
    journal = opened(path)
    record(journal, *BEGIN)
    journal._copies.write(10**6, {"surprise": True})
    journal.close()
    with pytest.raises(JournalError, match="another version"):
        opened(path)


@pytest.mark.parametrize("full", [False, True])
def test_a_win_that_was_undone_is_undone_in_its_file_too(path, monkeypatch, full):
    journal = opened(path)
    now = record(journal, *BEGIN)

    for again_won in (False, True, False):
        journal.record("won", won(now.number))
        assert parse_transcript((path.parent / "games" / "00001.txt").read_text()) == WON
        with monkeypatch.context() as patch:
            if full:
                patch.setattr(journal_module, "write_whole", Mock(side_effect=OSError(28, "No space left on device")))
            journal.record("undone", Situation(states.Waiting(), WON.undo(), now.number))
            assert journal.games()[0].winner is None
            journal.record("goes on", Situation(states.Choosing(), WON.undo().do(Rolled((1, 2, 3, 4))), now.number))
            assert journal.games()[0].steps == ("1-2-3-4",)
            if again_won:
                journal.record("won", won(now.number))
        journal.retry()
        (entry,) = past_games(journal.folder)
        assert entry.winner == ("yellow" if again_won else None)
    journal.record("test", begun(2))
    assert [(entry.number, entry.winner, len(entry.steps)) for entry in journal.games()] == [(1, None, 1), (2, None, 0)]


def test_a_past_game_with_an_illegal_step_is_listed_and_named_when_it_is_replayed(path):
    journal = opened(path)
    record(journal, *BEGIN, dice(2, 3, 4, 5), B)
    journal.record("test", begun(2))
    file = game_path(journal.folder, 1)
    file.write_text(file.read_text().replace("2-3-4-5", "1-1-1-1"))
    assert [entry.number for entry in journal.games()] == [1, 2]
    with pytest.raises(JournalError, match=r"00001\.txt: line 7: .*correct the file"):
        journal.game(1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"some other text",
        b"Can't Stop\nplayers: Anna\n",
        (game_text(Game.new(["a", "b"]), "", ()) + "# more\n" * 150_000).encode(),
        os.mkfifo,
        os.mkdir,
    ],
)
def test_what_is_no_game_in_the_folder_is_left_alone_and_does_not_hide_the_others(path, caplog, content):
    journal = opened(path)
    record(journal, *BEGIN)
    journal.folder.mkdir()
    for file in (game_path(journal.folder, 7), journal.folder / "notes.txt"):
        content(file) if callable(content) else file.write_bytes(content)
    assert [entry.number for entry in journal.games()] == [1]
    assert callable(content) or game_path(journal.folder, 7).read_bytes() == content
    assert callable(content) or "00007.txt is left out" in caplog.text


def test_past_games_are_in_the_order_of_their_numbers_whatever_the_disk_lists_first(path, monkeypatch):
    journal = opened(path)
    for number in (1, 2, 3):
        journal.record("test", begun(number))
    names = os.listdir
    for order in (sorted, lambda found: sorted(found, reverse=True)):
        monkeypatch.setattr(os, "listdir", lambda folder, order=order: order(names(folder)))
        assert [game.number for game in past_games(journal.folder)] == [1, 2]


def test_nothing_is_written_before_the_first_input(path):
    journal = opened(path)
    assert journal.is_new
    assert not journal.waits
    assert [file.name for file in path.parent.iterdir()] == ["journal.txt.lock"]
    record(journal, C)
    assert not journal.is_new
    assert not again(journal, path).is_new


def test_a_reader_beside_a_playing_box_never_sees_a_damaged_game(path, tmp_path):
    journal = opened(path)
    record(journal, *BEGIN)
    child = os.fork()
    if not child:
        try:
            now = journal.situation()
            while not (tmp_path / "over").exists():
                journal.record("test", now)
        finally:
            os._exit(0)
    try:
        for _ in range(300):
            assert Journal(path, to_write=False).situation().number == 1
    finally:
        (tmp_path / "over").touch()
        os.waitpid(child, 0)


def test_a_state_of_another_version_is_replaced_by_that_of_the_position(path, monkeypatch):
    journal = opened(path)
    now = record(journal, *BEGIN)
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "to_data", lambda _: {"state": "Dancing"})
        record(journal, dice(2, 3, 4, 5), now=now)
    assert again(journal, path).situation().state == states.Resume(states.Choosing())


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(likely_inputs, max_size=60), cut=st.integers(0, 60))
def test_a_box_killed_after_any_input_resumes_there(tmp_path_factory, events, cut):
    path = tmp_path_factory.mktemp("journal") / "journal.txt"
    journal = opened(path)
    now = record(journal, *BEGIN, *events[:cut])
    after = again(journal, path)
    situation = after.situation()
    state = situation.state.before if isinstance(situation.state, states.Resume) else situation.state
    expected = from_data(to_data(now.state))  # without what only lay over it: a look into the tray, the page's address
    assert replace(situation, state=state) == replace(now, state=expected)
    after.close()
