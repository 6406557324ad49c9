"""A backup of games, names and settings: saved from one box, taken over by another."""

from __future__ import annotations

import contextlib
import json

import pytest

from device.referee.inputs import BackupGiven, Button
from device.referee.preferences import Preferences
from device.referee.states import GameOver, Restoring, Situation, Waiting, Welcome
from device.storage.backup import BadBackup, backup, read_backup
from device.storage.journal import Journal
from device.storage.past_game_file import parse_game
from engine import Game, SetTo, Stop, parse_position
from tests.device.helpers import C, Story
from tests.every import every
from tests.page.helpers import until
from tests.page.test_whole_box import Box, folder, turn_on  # noqa: F401 - a fixture

CHOSEN = Preferences(language="nl", odds="on", page=True, names=("Anna", "Bob"))


def won(name: str) -> Game:
    start = parse_position("3 7:13,8:11/- 1 12:3 -")
    return Game.new([name, "Bob"]).do(SetTo(start)).do(Stop())


def journal_with(path, *names: str) -> Journal:
    journal = Journal(path)
    for number, name in enumerate(names, start=1):
        journal.record("won", Situation(GameOver(), won(name), number, CHOSEN))
    return journal


def file_of(tmp_path, *names: str) -> bytes:
    with contextlib.closing(journal_with(tmp_path / "old" / "journal.txt", *names)) as journal:
        return json.dumps(backup(journal.games(), CHOSEN)).encode()


def test_a_new_box_takes_over_what_another_one_saved_after_a_question(folder, tmp_path):  # noqa: F811
    with contextlib.closing(journal_with(folder / "journal.txt", "Anna", "Carl")) as journal:
        before = [game.text for game in journal.games()]
        last = journal.situation()
    box = Box(folder, replace_state(last))
    with box.on() as web:
        key = turn_on(box, web)
        assert web.ask("GET", "/api/backup")[0] == 401
        status, _, saved = web.ask("GET", "/api/backup", key=key)
        assert status == 200
    (tmp_path / "new").mkdir()
    new = Box(tmp_path / "new", Situation(Welcome(), None, 0))
    with new.on() as web:
        key = turn_on(new, web)
        assert web.ask("POST", "/api/restore", saved)[0] == 401
        new.comes_to(Welcome)
        status, _, told = web.ask("POST", "/api/restore", saved, key=key)
        assert (status, told) == (200, {"games": 2})
        assert new.comes_to(Restoring)
        assert not (tmp_path / "new" / "games").exists(), "before the answer"
        new.press(Button.A)
        until(lambda: new.table.box.situation.preferences.names == ("Anna", "Bob"), "the names")
    with contextlib.closing(Journal(tmp_path / "new" / "journal.txt", to_write=False)) as journal:
        assert [game.text for game in journal.games()] == before
        assert journal.situation().number == 2, "the next game is the third"
    assert new.preferences.load() == box.table.box.situation.preferences


def replace_state(last: Situation) -> Situation:
    return Situation(GameOver(), last.game, last.number, CHOSEN)


def test_nothing_is_taken_over_while_a_game_goes_on():
    told = BackupGiven((), Preferences())
    playing = Story.at("3 -/- 1 7:2 -")
    assert playing.refuses(told)
    assert Story(Situation(Waiting(), Game.new(["a", "b"]), 1)).refuses(told)
    asked = Story().do(told)
    assert isinstance(asked.state, Restoring)
    assert asked.do(C).state == Welcome()


GOOD = {"cantstop backup": 1, "games": {}, "preferences": {}}
BAD = {
    "no JSON": b"PK\x03\x04",
    "cut off": json.dumps(GOOD).encode()[:-4],
    "deep": b"[" * 100_000,
    "half a surrogate pair": json.dumps(GOOD | {"x": 1}).replace("1}", '"\\ud800"}').encode(),
    "another file": b'{"games": {}}',
    "another version": json.dumps(GOOD | {"cantstop backup": 2}).encode(),
    "no games": json.dumps(GOOD | {"games": []}).encode(),
    "no number": json.dumps(GOOD | {"games": {"../1": ""}}).encode(),
    "no game": json.dumps(GOOD | {"games": {"1": "hello"}}).encode(),
    "no text": json.dumps(GOOD | {"games": {"1": 7}}).encode(),
    "preferences": json.dumps(GOOD | {"preferences": {"language": "tlh"}}).encode(),
    "a name": json.dumps(GOOD | {"preferences": {"names": ["much too long a name"]}}).encode(),
}


@every(name=BAD)
def test_no_part_of_a_bad_file_is_taken(name):
    with pytest.raises(BadBackup):
        read_backup(BAD[name], [], 0)


def test_a_backup_with_one_cheated_game_is_refused_as_a_whole(tmp_path):
    data = json.loads(file_of(tmp_path, "Anna", "Carl"))
    data["games"]["2"] = data["games"]["2"].replace("stop", "bust")
    with pytest.raises(BadBackup, match="game 2: line"):
        read_backup(json.dumps(data).encode(), [], 0)


def test_games_that_are_here_are_left_out_and_no_number_is_used_twice(tmp_path):
    data = file_of(tmp_path, "Anna", "Carl", "Dora")
    texts = json.loads(data)["games"]
    here = [parse_game(1, texts["1"]), parse_game(2, texts["3"].replace("Dora", "Eve"))]
    games, _ = read_backup(data, here, 2)
    assert [number for number, _ in games] == [4, 3]
