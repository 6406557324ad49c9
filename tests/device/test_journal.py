"""The journal: recorded inputs survive everything that happens to the program."""

from __future__ import annotations

import random
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.referee.inputs import TrayView
from device.referee.states import (
    Choosing,
    Deciding,
    GameOver,
    NewGame,
    Resume,
    Situation,
    Waiting,
    WatchingTray,
    Welcome,
)
from device.referee.transition_table import TRANSITIONS, step
from device.sim.robot import next_action
from device.storage import rows, sql_tables
from device.storage.journal import Journal, JournalError, JournalWarning
from device.storage.rows import from_data, to_data
from engine import Game, SetTo, parse_action, parse_position, plays, transcript
from tests.device.helpers import HOLD_C, HOLD_STOP, STOP, B, C, dice, likely_inputs, tray


def record(journal: Journal, *events, now: Situation | None = None) -> Situation:
    now = now or journal.situation()
    for event in events:
        outcome = step(now, event)
        if outcome is None:
            continue
        now = outcome.situation
        journal.record(event, now)
    return now


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "journal.sqlite3"


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


def change(path, statement: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(statement)
    db.close()


BEGIN = (C, C, C, C, C, C)


def test_a_new_journal_begins_before_the_first_game(path):
    assert opened(path).situation() == Situation(Welcome())


def test_an_unfinished_game_is_announced_and_resumed(path):
    journal = opened(path)
    before = record(journal, *BEGIN, dice(2, 3, 4, 5), B, C)
    after = again(journal, path).situation()
    assert after.state == Resume(Deciding())
    assert after.game == before.game
    outcome = step(after, C)
    assert outcome is not None
    assert outcome.situation == before


def test_half_answered_questions_are_resumed(path):
    journal = opened(path)
    before = record(journal, C, B, C)
    assert again(journal, path).situation() == before
    assert isinstance(before.state, NewGame)


def test_an_undone_step_stays_undone(path):
    journal = opened(path)
    before = record(journal, *BEGIN, dice(2, 3, 4, 5), B, STOP, HOLD_C, HOLD_C, HOLD_C, dice(1, 1, 2, 2))
    journal = again(journal, path)
    assert journal.situation().game == before.game
    assert transcript(journal.game(1)) == transcript(before.game)


def test_a_box_without_a_camera_resumes_without_the_tray_screen(path):
    journal = opened(path)
    now = record(journal, *BEGIN)
    journal.record("test", Situation(WatchingTray(now.state, tray(TrayView.ROLLING)), now.game, now.number))
    assert again(journal, path).situation().state == Resume(Waiting())


def test_finished_games_are_stored_and_listed(path):
    journal = opened(path)
    chance = random.Random(1)
    now = record(journal, *BEGIN)
    while not isinstance(now.state, GameOver):
        action = next_action(now, players=2)
        thrown = dice(*(chance.randint(1, 6) for _ in range(4)))
        now = record(journal, thrown if action is None else action, now=now)
    now = record(journal, *BEGIN, dice(1, 2, 3, 4), now=now)
    first, second = again(journal, path).games()
    assert (first.number, first.names, first.winner) == (1, ("yellow", "orange"), "orange")
    assert (second.number, second.winner, second.steps) == (2, None, 1)


def test_the_list_counts_steps_without_undone_ones(path):
    journal = opened(path)
    now = record(journal, *BEGIN, dice(1, 2, 3, 4))
    number = now.number
    for steps in (("roll 1-3-5-6", "play 4+11", "stop"), ("roll 1-3-5-6",), (), ("roll 1-1-5-6", "play 2+11")):
        game = Game.new(["yellow", "orange"])
        for line in steps:
            game = game.do(parse_action(line, plays(game.position)))
        journal.record("test", Situation(Waiting(), game, number))
        assert [entry.steps for entry in journal.games()] == [len(steps)]
        assert len(journal.game(number).steps) == len(steps)


def test_an_undone_win_is_not_a_win_in_the_list(path):
    journal = opened(path)
    now = record(journal, *BEGIN)
    won = Game.new(["yellow", "orange"]).do(SetTo(parse_position("3 7:13,8:11,12:3/- 1 - -")))
    journal.record("test", Situation(GameOver(), won, now.number))
    assert journal.games()[0].winner == "yellow"
    record(journal, HOLD_C, now=Situation(GameOver(), won, now.number))
    assert journal.games()[0].winner is None


def test_a_missing_game_number_is_an_error(path):
    with pytest.raises(KeyError):
        opened(path).game(7)


def test_two_boxes_cannot_use_one_journal(path):
    with_it = opened(path)
    with pytest.raises(JournalError, match="in use by another box"):
        opened(path)
    opened(path, to_write=False).games()
    with_it.close()
    opened(path).close()


def test_a_file_that_is_not_a_journal_is_named_and_left_alone(path):
    path.parent.mkdir()
    path.write_text("dear diary, today we played " * 100)
    with pytest.raises(JournalError, match=r"journal\.sqlite3.*move the file away"):
        opened(path)
    assert path.read_text().startswith("dear diary")


def test_a_journal_of_another_version_is_refused(path):
    opened(path).close()
    change(path, "PRAGMA user_version=99")
    with pytest.raises(JournalError, match="another version"):
        opened(path)


def test_a_folder_that_cannot_be_created_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="file"):
        opened(tmp_path / "file" / "journal.sqlite3")


def test_rows_that_could_not_be_written_are_written_with_the_next_input(path, monkeypatch):
    journal = opened(path)
    now = record(journal, *BEGIN)

    def refused(*_):
        raise sqlite3.OperationalError("database or disk is full")

    rolled = step(now, dice(2, 3, 4, 5)).situation
    with monkeypatch.context() as patch:
        patch.setattr(sql_tables, "write", refused)
        journal.record("dice", rolled)
    assert journal.warning is JournalWarning.SPARE
    chosen = step(rolled, B).situation
    journal.record(B, chosen)
    assert journal.warning is None
    assert len(journal.game(1).steps) == 2
    assert again(journal, path).situation().game == chosen.game


def test_a_file_in_use_by_another_program_is_written_once_it_is_free(path):
    journal = opened(path)
    before = record(journal, *BEGIN)
    journal.close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM game").fetchall()
    journal = opened(path)
    assert journal.warning is JournalWarning.SPARE
    assert journal.situation().game == before.game
    assert [entry.number for entry in journal.games()] == [1]
    other.close()
    journal.retry()
    assert journal.warning is None
    record(journal, dice(2, 3, 4, 5), now=before)
    assert len(again(journal, path).game(1).steps) == 1


def test_a_state_of_another_version_is_replaced_by_that_of_the_position(path, monkeypatch):
    journal = opened(path)
    now = record(journal, *BEGIN)
    with monkeypatch.context() as patch:
        patch.setattr(rows, "to_data", lambda _: {"state": "Dancing"})
        record(journal, dice(2, 3, 4, 5), now=now)
    assert again(journal, path).situation().state == Resume(Choosing())


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(likely_inputs, max_size=60), cut=st.integers(0, 60))
def test_a_box_killed_after_any_input_resumes_there(tmp_path_factory, events, cut):
    path = tmp_path_factory.mktemp("journal") / "journal.sqlite3"
    journal = opened(path)
    now = record(journal, *BEGIN, *events[:cut])
    after = again(journal, path)
    situation = after.situation()
    state = situation.state.before if isinstance(situation.state, Resume) else situation.state
    expected = from_data(to_data(now.state))  # without what only lay over it: a look into the tray, the page's address
    assert (state, situation.game, situation.number) == (expected, now.game, now.number)
    if isinstance(situation.state, Resume):
        outcome = step(situation, C)
        assert outcome is not None
        assert type(outcome.situation.state) in TRANSITIONS[Resume, "C"].to
    after.close()


def test_the_menu_is_resumed(path):
    journal = opened(path)
    before = record(journal, *BEGIN, HOLD_STOP, B)
    assert again(journal, path).situation().state == Resume(before.state)
