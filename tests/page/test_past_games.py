"""Past games and statistics on the page: the same as the commands print, without a word from the box's process."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
from functools import reduce

import pytest

from device.cli import main
from device.page.board import replay
from device.page.web_side import past_games as module
from device.page.web_side.past_games import MOST_WAITING, PastGames
from device.page.wire import RequestError
from device.referee.inputs import DiceRead
from device.referee.states import GameOver, Situation, Waiting
from device.storage.journal import Journal
from device.storage.past_game_file import game_path
from engine import Bust, Corrected, Game, Joins, Leaves, Play, Returns, Rolled, SetTo, Stop, parse_position
from tests.page.helpers import PATIENCE_S, Table, page_process, until

NEW = Game.new(("Anna", "Bob"))
WON = NEW.do(SetTo(parse_position("3 7:13,8:11,12:3/- 1 - -")))
PLAYED = (
    SetTo(parse_position("3 2:3,12:3,6:9/5:7 2 - -")),
    *(Rolled((1, 1, 4, 4)), Play((5, 5), (5, 5)), Stop(), Rolled((1, 1, 1, 1)), Bust()),
    *(Rolled((1, 1, 1, 1)), Bust(), Rolled((2, 3, 3, 4)), Play((6, 6), (6, 6)), Stop()),
)
"""The end of a game; to compute the luck of a whole one takes long."""


def throw_dice(path, number: int, throws: int, game: Game = WON) -> None:
    """Record a game whose throws a camera has read."""
    chance = random.Random(5)
    journal = Journal(path)
    journal.record("begins", Situation(Waiting(), Game.new(game.names), number))
    for _ in range(throws):
        dice = tuple(sorted(chance.choices(range(1, 7), k=4)))
        read = DiceRead(dice, by_camera=True)
        journal.record(read, Situation(Waiting(), Game.new(game.names), number))
    journal.record("over", Situation(GameOver(), game, number))
    journal.close()


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "journal.txt"


@pytest.fixture
def past():
    """Asks a page's past games, with a command in place of `cantstop stats` that prints its last argument's name."""

    class Asked:
        def __init__(self) -> None:
            self.loop = asyncio.new_event_loop()
            self.games = PastGames((sys.executable, "-c", "print('{}')"))

        def __call__(self, ask: str, *of):
            return self.loop.run_until_complete(getattr(self.games, ask)(*of))

    asked = Asked()
    yield asked
    asked("close")
    asked.loop.close()


def printed(capsys, *words: str):
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_page_shows_the_figures_that_the_commands_print(tmp_path, journal, capsys):
    with Table(tmp_path) as table, page_process(table.file) as web:
        until(lambda: web.ask("GET", "/api/me")[0] == 200, "the box")
        nothing = {"players": [], "dice": None, "people": None, "working": False}
        assert web.ask("GET", "/api/figures")[2] == nothing
        throw_dice(journal, 1, 0, reduce(Game.do, PLAYED, NEW))
        throw_dice(journal, 2, 60)

        def done():
            told = web.ask("GET", "/api/figures")[2]
            return told if told.get("people") and not told["working"] else None

        told = until(done, "the figures", 4 * PATIENCE_S)  # their command gives way to all other programs
        assert [game["number"] for game in web.ask("GET", "/api/games")[2]["games"]] == [1, 2]
        game = web.ask("GET", "/api/games/1")[2]
    assert told["people"] == printed(capsys, "stats", "--journal", str(journal))
    assert told["dice"] == printed(capsys, "dice", "--journal", str(journal))
    assert sum(told["dice"]["counts"]) == 240
    assert game["transcript"] == Journal(journal, to_write=False).games()[0].text.partition("\n\n# begun")[0] + "\n"


def test_each_step_of_a_past_game_has_its_kind_its_dice_or_pairing_and_its_player():
    game = NEW.do(Rolled((1, 2, 3, 3))).do(Corrected((1, 3, 5, 6))).do(Play((6, 9), (6, 9))).do(Leaves(0, True))
    for step in (Returns(0), Joins("Cas", "red"), Leaves(1), Rolled((1, 1, 1, 1)), Play((2, 2), (2, 2)), Stop()):
        game = game.do(step)
    told = replay(game)["steps"]
    assert [(one["kind"], one["text"], one["player"]) for one in told[:-3]] == [
        ("begin", "", 0), ("roll", "1-2-3-3", 0), ("correct", "1-3-5-6", 0), ("play", "6+9", 0), ("stays", "", 0),
        ("returns", "", 0), ("joins", "", 2), ("leaves", "", 1),
    ]  # fmt: skip
    assert {len(one["board"]["markers"]) for one in told} == {3}, "who joins later has no markers yet"


def test_only_finished_games_count_as_played_and_won(journal, past):
    for number, game in ((1, WON), (2, NEW), (3, Game.new(("Bob", "Cas"))), (4, WON)):
        throw_dice(journal, number, 1, game)
    found = past("figures", journal)
    assert found["players"] == [{"name": "Anna", "games": 2, "wins": 2}, {"name": "Bob", "games": 2, "wins": 0}]
    assert sum(found["dice"]["counts"]) == 16, "the dice count in every game"
    assert [line["winner"] for line in past("games", journal)["games"]] == ["Anna", None, None, "Anna"]


def test_a_file_is_read_and_figures_are_counted_again_only_after_a_change(journal, past, monkeypatch):
    for number in (1, 2):
        throw_dice(journal, number, 2)
    read = []
    real = module.read_game
    monkeypatch.setattr(module, "read_game", lambda number, path: (read.append(number), real(number, path))[1])
    for _ in range(3):
        assert len(past("games", journal)["games"]) == 2
    assert read == [1, 2]
    counted = []
    count = module.past_games
    monkeypatch.setattr(module, "past_games", lambda folder: (counted.append(1), count(folder))[1])
    assert [sum(past("figures", journal)["dice"]["counts"]) for _ in range(3)] == [16] * 3
    throw_dice(journal, 3, 2)
    assert [sum(past("figures", journal)["dice"]["counts"]) for _ in range(3)] == [24] * 3
    assert len(counted) == 2
    throw_dice(journal, 2, 1, Game.new(("Cas", "Dee")))
    throw_dice(journal, 4, 1)
    assert [line["names"][0] for line in past("games", journal)["games"]] == ["Anna", "Cas", "Anna", "Anna"]
    assert read == [1, 2, 2, 3, 4]


def test_a_damaged_or_missing_game_is_an_error_with_its_reason_and_the_others_are_listed(journal, past, caplog):
    for number in (1, 2):
        throw_dice(journal, number, 1)
    file = game_path(Journal(journal, to_write=False).folder, 1)
    file.write_bytes(b"\xff" * 100)
    for number, says in ((1, "line 1: not text"), (7, "there is no game 7")):
        with pytest.raises(RequestError, match=says) as refused:
            past("game", journal, number)
        assert refused.value.kind == "none"
    assert [line["number"] for line in past("games", journal)["games"]] == [2]
    assert "00001.txt is left out" in caplog.text


def judged(past, journal):
    found = past("figures", journal)
    if found["working"]:
        past.loop.run_until_complete(past.games._judging)
        found = past("figures", journal)
    return found


def test_luck_and_nerve_are_computed_again_only_after_a_game_has_ended(tmp_path, journal, past):
    runs = tmp_path / "runs"
    past.games._stats = (sys.executable, "-c", f"open({str(runs)!r}, 'a').write('x'); print('{{}}')")
    for number, expected in ((1, "x"), (None, "x"), (2, "xx")):
        if number:
            throw_dice(journal, number, 1)
        assert judged(past, journal)["people"] == {}
        assert runs.read_text() == expected


@pytest.mark.parametrize(
    "command",
    [["/nowhere/cantstop"], [sys.executable, "-c", "raise SystemExit(2)"], [sys.executable, "-c", "print('no JSON')"]],
)
def test_without_luck_and_nerve_the_other_figures_are_there_and_the_log_says_why(journal, past, caplog, command):
    throw_dice(journal, 1, 1)
    past.games._stats = command
    found = judged(past, journal)
    assert (found["people"], sum(found["dice"]["counts"])) == (None, 4)
    assert "no luck and nerve for the page" in caplog.text


def test_the_end_of_the_page_does_not_wait_for_luck_and_nerve(journal, past):
    throw_dice(journal, 1, 1)
    past.games._stats = (sys.executable, "-c", "import time; time.sleep(3600)")
    assert past("figures", journal)["working"]
    past.loop.run_until_complete(asyncio.sleep(0.1))
    past("close")
    assert past.games._judging.done()


def test_more_questions_than_can_wait_are_refused(journal, past, monkeypatch):
    is_over = threading.Event()
    monkeypatch.setattr(module, "game_files", lambda _: is_over.wait(PATIENCE_S) and [])

    async def ask():
        waiting = [asyncio.create_task(past.games.games(journal)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(RequestError) as refused:
            await past.games.games(journal)
        is_over.set()
        assert await asyncio.gather(*waiting) == [{"games": []}] * MOST_WAITING
        return refused.value.kind

    assert past.loop.run_until_complete(ask()) == "busy"
