"""`cantstop games --unfinished`, which an update asks before it touches the box."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.cli import main
from device.referee.playing import state_of
from device.referee.states import Situation
from device.storage.journal import Journal
from engine import Game
from tests.device.journals import WON, leave_journal


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.txt"


def write(file: Path, game: Game) -> None:
    leave_journal(file, Situation(state_of(game), game, 1))


def unfinished(file: Path) -> int:
    return main(["games", "--unfinished", "--journal", str(file)])


def test_an_unfinished_game_is_reported_with_the_player_to_move(file, capsys):
    write(file, Game.new(["yellow", "green"], begins=1))
    assert unfinished(file) == 0
    assert capsys.readouterr().out == "game 1 is in progress: yellow against green, green's turn\n"


def test_before_the_first_game_or_after_a_win_none_is_unfinished(file, capsys):
    assert unfinished(file) == 1
    Journal(file).close()
    assert unfinished(file) == 1
    write(file, WON)
    assert unfinished(file) == 1
    assert not capsys.readouterr().out


def test_an_unreadable_journal_has_its_own_exit_status(file, capsys):
    file.write_bytes(b"no journal" * 100)
    assert unfinished(file) == 2
    assert str(file) in capsys.readouterr().err


@pytest.mark.parametrize(("command", "says"), [("stats", "no games played yet"), ("dice", "has not read any dice yet")])
def test_a_report_about_nothing_is_explained(file, capsys, command, says):
    write(file, Game.new(["yellow", "green"]))
    assert main([command, "--journal", str(file)]) == 1
    assert says in capsys.readouterr().err


def test_past_games_are_listed_without_the_files_of_the_current_one(file, capsys):
    write(file, WON)
    for one in file.parent.glob("journal.txt*"):
        one.unlink()
    assert main(["games", "--journal", str(file)]) == 0
    assert "yellow, orange: yellow won, 1 steps" in capsys.readouterr().out
    assert main(["replay", str(file.parent / "games" / "00001.txt")]) == 0


def test_a_game_that_is_not_there_is_an_error_and_before_the_first_there_is_none(file, capsys, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(file.parent / "new"))
    assert main(["games"]) == 0
    assert capsys.readouterr().out == "no games played yet\n"
    write(file, Game.new(["yellow", "green"]))
    assert main(["games", "3", "--journal", str(file)]) == 2
    assert "no game 3" in capsys.readouterr().err
