"""Luck, nerve and fairness on the page: the same as the commands print, computed outside the box process."""

from __future__ import annotations

import json
import random
import sys
import time

import pytest

from device.cli import main
from device.page.box_side.answers import Answers
from device.page.box_side.figures import Figures
from device.page.box_side.past_games import PastGames
from device.page.box_side.past_games_process import RACE_S, PastGamesReader
from device.page.box_side.phone_keys import PhoneKeys
from device.page.routes import Place
from device.page.wire import RequestError
from device.referee.inputs import DiceRead, DieSeen
from device.referee.states import Situation, Waiting
from device.storage.journal import Journal
from engine import Game
from tests.page.helpers import PATIENCE_S, Table, page_process, until
from tools.docs.page import play_a_game

IVORY = (232, 226, 208)


def throw_dice(path, throws: int) -> None:
    """Put throws that the camera has read into a journal."""
    chance = random.Random(5)
    journal = Journal(path)
    now = Situation(Waiting(), Game.new(("Anna", "Bob")), 2)
    for _ in range(throws):
        dice = tuple(sorted(chance.choices(range(1, 7), k=4)))
        journal.record(DiceRead(dice, (), tuple(DieSeen(value, 0.99, IVORY) for value in dice)), now)
    journal.close()


def printed(capsys, *words: str):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_page_shows_the_figures_that_the_commands_print(tmp_path, capsys):
    journal = tmp_path / "journal.sqlite3"
    with Table(tmp_path) as table, page_process(table.file) as web:
        until(lambda: web.ask("GET", "/api/me")[0] == 200, "the box")
        play_a_game(journal)
        throw_dice(journal, 60)

        def done():
            time.sleep(0.2)  # no more requests than one address may make
            told = web.ask("GET", "/api/figures")[2]
            return None if told["worked_out"]["working"] else told

        told = until(done, "the figures", 4 * PATIENCE_S)  # their commands give way to all other programs
    assert told["worked_out"]["people"] == printed(capsys, "stats", "--jobs", "1", "--journal", str(journal))
    assert told["worked_out"]["dice"] == printed(capsys, "dice", "--journal", str(journal))
    assert sum(told["faces"]) == 240
    assert told["worked_out"]["dice"]["sets"][0]["all"]["counts"] == told["faces"]
    assert told["worked_out"]["problems"] == {}


def past(file, program: str = "") -> PastGamesReader:
    """The process's part that reads the journal, with a program in place of the commands."""
    return PastGamesReader(file, Figures(file, (sys.executable, "-c", program or "import time; time.sleep(3600)")))


def test_the_journal_is_read_once_per_change_for_any_number_of_clients(tmp_path, monkeypatch):
    file = tmp_path / "journal.sqlite3"
    play_a_game(file)
    throw_dice(file, 10)
    reads = []
    rows = Journal.rows
    monkeypatch.setattr(Journal, "rows", lambda journal: (reads.append(1), rows(journal))[1])
    asked = past(file)
    time.sleep(2 * RACE_S)
    first = asked.answer({"ask": "figures"})["data"]
    assert sum(first["faces"]) == 40
    assert first["worked_out"]["working"]
    assert [asked.answer({"ask": "figures"})["data"] for _ in range(20)] == [first] * 20
    assert len(reads) == 1
    throw_dice(file, 1)
    assert sum(asked.answer({"ask": "figures"})["data"]["faces"]) == 44
    asked._figures.close()


def test_an_input_recorded_right_after_an_answer_is_in_the_next_answer(tmp_path):
    file = tmp_path / "journal.sqlite3"
    Journal(file).close()
    asked = past(file)
    journal = Journal(file)
    now = Situation(Waiting(), Game.new(("Anna", "Bob")), 2)
    for count in range(1, 40):
        journal.record(DiceRead((1, 2, 3, 4), (), tuple(DieSeen(value, 0.99, IVORY) for value in (1, 2, 3, 4))), now)
        assert sum(asked.answer({"ask": "figures"})["data"]["faces"]) == 4 * count
    journal.close()
    asked._figures.close()


def running(archive: PastGames) -> bool:
    return archive._process is not None and archive._process.poll() is None


def test_the_boxs_own_process_never_reads_the_journal_for_the_page(tmp_path, monkeypatch):
    file = tmp_path / "journal.sqlite3"
    play_a_game(file)
    answers = Answers(lambda _: None, PhoneKeys(None), journal=file, misread=tmp_path / "misread")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the journal is opened in the box's process")

    monkeypatch.setattr(Journal, "__init__", never)
    for ask in ("games", "figures", "game"):
        place, answer = answers.admit({"ask": ask, "number": 1})
        assert place is Place.ARCHIVE
        assert "data" in json.loads(answer({"ask": ask, "number": 1}))
    answers.close()


def test_a_killed_or_ended_process_is_restarted(tmp_path):
    file = tmp_path / "journal.sqlite3"
    play_a_game(file)
    archive = PastGames(file)
    assert len(json.loads(archive.answer({"ask": "games"}))["data"]["games"]) == 1
    assert archive._process is not None
    archive._process.kill()
    assert len(json.loads(archive.answer({"ask": "games"}))["data"]["games"]) == 1
    archive.close()
    assert not running(archive)


def test_an_idle_process_ends_and_the_next_request_starts_another(tmp_path):
    file = tmp_path / "journal.sqlite3"
    play_a_game(file)
    program = "import sys; from pathlib import Path; from device.page.box_side import past_games_process as one; "
    archive = PastGames(file, (sys.executable, "-c", program + "one.IDLE_S = 0.2; one.main(Path(sys.argv[1]))"))
    for _ in range(2):
        assert len(json.loads(archive.answer({"ask": "games"}))["data"]["games"]) == 1
        until(lambda: not running(archive), "its end")
    archive.close()


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        (("/nowhere/python",), "failed"),
        ((sys.executable, "-c", "pass"), "failed"),
        ((sys.executable, "-c", "import time; time.sleep(3600)"), "late"),
        ((sys.executable, "-c", "while True: print(end='x')"), "late"),
    ],
)
def test_a_process_that_does_not_answer_is_reported_and_killed(tmp_path, program, kind):
    archive = PastGames(tmp_path / "journal", program, answer_s=0.5 if kind == "late" else PATIENCE_S)
    with pytest.raises(RequestError) as refused:
        archive.answer({"ask": "games"})
    assert refused.value.kind == kind
    assert not running(archive)


@pytest.mark.parametrize(
    "question",
    [{}, {"ask": 1}, {"ask": "press"}, {"ask": "game"}, {"ask": "game", "number": []}, {"ask": "game", "number": 7}],
)
def test_an_invalid_request_is_refused_and_the_process_continues(tmp_path, question):
    file = tmp_path / "journal.sqlite3"
    play_a_game(file)
    archive = PastGames(file)
    assert "error" in json.loads(archive.answer(question))
    assert running(archive)
    archive.close()


def told_at_last(figures: Figures, mark) -> dict:
    def done():
        told = figures.answer(mark)
        return None if told["working"] else told

    return until(done, "the figures")


def test_figures_are_computed_again_only_after_the_journal_has_changed(tmp_path):
    runs = tmp_path / "runs"
    program = f"open({str(runs)!r}, 'a').write('x'); print('{{}}')"
    figures = Figures(tmp_path / "journal", (sys.executable, "-c", program))
    for mark, expected in (("one", 2), ("one", 2), ("two", 4)):
        assert told_at_last(figures, mark)["people"] == {}
        assert len(runs.read_text()) == expected
    figures.close()


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (("/nowhere/cantstop",), "failed"),
        ((sys.executable, "-c", "raise SystemExit(2)"), "failed"),
        ((sys.executable, "-c", "print('no JSON')"), "failed"),
        ((sys.executable, "-c", "import sys; sys.exit('the test needs scipy: sudo apt install it')"), "scipy"),
        ((sys.executable, "-c", "raise SystemExit(1)"), "none"),
    ],
)
def test_a_failed_command_is_reported_with_its_reason(tmp_path, command, problem):
    figures = Figures(tmp_path / "journal", command)
    told = told_at_last(figures, "mark")
    assert (told["people"], told["dice"]) == (None, None)
    assert told["problems"] == {"people": problem, "dice": problem}
    figures.close()


def test_switching_off_neither_waits_for_a_hung_command_nor_logs_it(tmp_path, caplog):
    figures = Figures(tmp_path / "journal", (sys.executable, "-c", "import time; time.sleep(3600)"))
    assert figures.answer("mark")["working"]
    until(lambda: figures._process, "the command")
    figures.close()
    assert figures._process is not None
    assert figures._process.returncode is not None
    assert not figures.answer("another")["working"]
    assert caplog.text == ""
