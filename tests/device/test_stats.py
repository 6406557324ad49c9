"""`cantstop stats`: wins, luck and nerve, and the fewest turns alone."""

from __future__ import annotations

import json
from unittest.mock import patch

import numpy as np
import pytest

from device.cli import main
from device.referee.inputs import SoloGame
from device.referee.states import GameOver, Situation, Waiting
from device.statistics.people import Record, judge, together
from device.statistics.solo import fewest_turns
from device.storage.journal import Journal
from device.storage.past_game_file import StoredGame, game_path, game_text, parse_game
from engine import Bust, Corrected, Game, Play, Position, Roll, Rolled, SetTo, Stop, is_bust, parse_position, roll_of
from engine.opponents import OPPONENTS, Strategy, level
from engine.opponents.simple import Hasty
from engine.opponents.strongest import Fortune, cost, fortune
from tests.device.journals import leave_journal


class Always(Hasty):
    """Would always stop, or never."""

    def __init__(self, stops: bool) -> None:
        object.__setattr__(self, "_stops", stops)

    def stops(self, position) -> bool:
        return self._stops


def played(seed: int, *players: Strategy, names=(), levels=(), start="") -> Game:
    """A whole game of these strategies with made dice, from the empty board or from a position."""
    chance = np.random.default_rng(seed)
    game = Game.new(names or ("Anna", "Bob", "Cas", "Dee")[: len(players)], levels=levels)
    game = game.do(SetTo(parse_position(start))) if start else game
    while game.winner is None:
        position, player = game.position, players[game.position.turn]
        if position.roll is not None:
            game = game.do(Bust() if is_bust(position) else player.choose(position, position.roll))
        elif any(position.runners) and player.stops(position):
            game = game.do(Stop())
        else:
            game = game.do(Rolled(roll_of([int(value) for value in chance.integers(1, 7, 4)])))
    return game


def even(_: Position, __: Roll) -> Fortune:
    """Dice without luck."""
    return Fortune(0.0, 0.0, 0.0)


def records(game: Game, best: Strategy, luck=even, costs=lambda _, __: 0.0) -> list[Record]:
    """Return the players' figures, with invented luck and costs where they do not matter."""
    with patch("device.statistics.people.fortune", luck), patch("device.statistics.people.cost", costs):
        return judge(game, best)


QUICK = ("--against", "evolved")

TURN = (
    Rolled((2, 3, 4, 5)),
    Play((7, 7), (7, 7)),
    Rolled((2, 2, 4, 6)),
    Play((6, 8), (6, 8)),
)


def begun(*steps) -> Game:
    game = Game.new(["Anna", "Bob"])
    for step in steps:
        game = game.do(step)
    return game


def test_busts_are_compared_with_the_exact_chances_of_all_rolls():
    game = begun(*TURN, Rolled((1, 1, 1, 1)), Bust())
    anna, bob = records(game, Hasty())
    assert (anna.turns, anna.busts) == (1, 1)
    assert anna.expected == pytest.approx(104 / 1296)  # the third roll, on 6, 7 and 8; the first two cannot bust
    assert (bob.turns, bob.busts, bob.expected) == (0, 0, 0)


def test_rolling_against_the_best_is_bold_and_stopping_against_it_is_careful():
    game = begun(*TURN, Stop())
    assert [(one.decisions, one.bold, one.careful) for one in records(game, Always(True))] == [(2, 1, 0), (0, 0, 0)]
    assert [(one.decisions, one.bold, one.careful) for one in records(game, Always(False))] == [(2, 0, 1), (0, 0, 0)]
    assert records(game, Always(True))[0].nerve == 0.5
    assert records(game, Always(True))[0].nerve_word == "bold"


def test_playing_like_the_best_is_steady():
    best = level("counter").make()
    for record in records(played(5, best, best), best):
        assert record.decisions > 5
        assert (record.bold, record.careful, record.nerve_word) == (0, 0, "steady")


def test_a_forced_roll_is_not_a_decision():
    start = parse_position("3+no-stop -/8:2 1 7:3,8:2 -")
    game = Game.new(["Anna", "Bob"], start.variants).do(SetTo(start)).do(Rolled((1, 1, 1, 1)))
    assert records(game, Always(True))[0].decisions == 0


def test_statistics_are_summed_over_games_and_a_level_is_one_player_whatever_its_colour():
    each = [
        Record("Anna", "", 1, 1, 9, 2, 1.5, 20, 3, 1),
        Record("green", "child", 1, 0, 8, 4, 3.0, 15, 0, 5),
        Record("Anna", "", 1, 0, 7, 1, 2.5, 16, 1, 1),
        Record("orange", "child", 1, 1, 9, 5, 3.5, 12, 1, 4),
    ]
    child, anna = together(each)  # the player with most games is first
    assert anna == Record("Anna", "", 2, 1, 16, 3, 4.0, 36, 4, 2)
    assert (child.level, child.games, child.busts) == ("child", 2, 9)
    several, single = together([Record("Anna", gained=3.0, alone=True), Record("Anna", games=1, gained=0.25)])
    assert [(one.alone, one.gained) for one in (several, single)] == [(False, 0.25), (True, 3.0)], "in games, in turns"
    words = [Record("a", turns=30, gained=gained, variance=0.04).luck_word for gained in (0.2, 0.4, -0.4)]
    assert words == ["as expected", "lucky", "unlucky"]


def test_luck_is_the_sum_of_actual_minus_expected_values_of_a_players_rolls():
    game = begun(*TURN, Stop(), Rolled((1, 1, 1, 2)))
    anna, bob = records(game, Hasty(), fortune)
    assert anna.gained == pytest.approx(
        fortune(game.positions[0], (2, 3, 4, 5)).gain + fortune(game.positions[2], (2, 2, 4, 6)).gain
    )
    assert bob.gained == fortune(game.positions[5], (1, 1, 1, 2)).gain
    assert bob.variance == fortune(game.positions[5], (1, 1, 1, 2)).variance


def test_a_misread_roll_counts_with_its_correct_values():
    def threes(_: Position, roll: Roll) -> Fortune:
        return Fortune(0.0, roll.count(3), 1.0)

    game = begun(Rolled((1, 2, 3, 5)), Corrected((1, 3, 3, 5)), Corrected((3, 3, 3, 5)), Play((6, 8), (6, 8)))
    assert records(game.do(Rolled((3, 3, 3, 3))), Hasty(), threes)[0].gained == 3 + 4


def test_the_cost_of_decisions_is_summed():
    game = begun(*TURN, Stop())
    anna, _ = records(game, Hasty(), costs=cost)
    assert anna.given == pytest.approx(cost(game.positions[2], False) + cost(game.positions[4], True))
    assert anna.given > 0


def stored(number: int, game: Game) -> StoredGame:
    return parse_game(number, game_text(game, "2025-11-21", ()))


def test_solo_games_with_the_fewest_turns_come_first_and_unfinished_ones_and_boards_set_by_hand_do_not_count():
    games = [stored(number, played(number, Hasty())) for number in (1, 2, 3)]
    start = parse_position("3 7:13,8:11 1 12:3 -")
    by_hand = Game.new(["Anna"], start.variants).do(SetTo(start)).do(Stop())
    games += [stored(4, Game.new(["Anna"])), stored(5, played(7, Hasty(), Hasty())), stored(6, by_hand)]
    found = fewest_turns(games)
    assert {one.number for one in found} == {1, 2, 3}
    assert [one.turns for one in found] == sorted(one.turns for one in found)
    assert found[0] == SoloGame(1, "Anna", "", found[0].turns, found[0].number, "2025-11-21")


LATE = "3 7:13,8:11,6:5/5:9,9:9,4:3 1 - -"
"""A position from which a game soon ends."""


@pytest.fixture
def without_luck(monkeypatch):
    """Dice and decisions whose luck and cost are not computed, which takes long."""
    monkeypatch.setattr("device.statistics.people.fortune", even)
    monkeypatch.setattr("device.statistics.people.cost", lambda _, __: 0.0)


@pytest.fixture
def journal(tmp_path):
    """A journal with two games of Anna against an opponent, one alone, one under way."""
    best = level("counter").make()
    games = [
        played(1, best, best, names=("Anna", "orange"), levels=("", "counter"), start=LATE),
        played(2, Hasty(), best, names=("Anna", "yellow"), levels=("", "counter"), start=LATE),
        played(4, best, names=("Zoë",)),
    ]
    leave_journal(tmp_path / "j.txt", *(Situation(GameOver(), game, number) for number, game in enumerate(games, 1)))
    return tmp_path / "j.txt"


def test_the_report_has_players_and_the_best_solo_games(journal, without_luck, capsys):
    assert main(["stats", "--journal", str(journal), *QUICK]) == 0
    out = capsys.readouterr().out
    assert "Anna" in out
    assert "(Careful)" in out
    assert "3 finished games." in out
    assert "solo games with the fewest turns" in out
    assert max(map(len, out.splitlines())) <= 110


def test_json_has_all_figures(journal, capsys):
    assert main(["stats", "--journal", str(journal), "--json", *QUICK]) == 0
    report = json.loads(capsys.readouterr().out)
    players = {one["level"] or one["name"]: one for one in report["players"]}
    assert players["Anna"]["games"] == players["counter"]["games"] == 2
    assert players["Anna"]["wins"] + players["counter"]["wins"] == 2
    assert 0 < players["Anna"]["variance"] < 1
    assert abs(players["Anna"]["gained"]) < 2
    assert [one["name"] for one in report["alone"]] == ["Zoë"]
    assert report["compared_with"] == "evolved"


@pytest.mark.parametrize(
    ("damage", "to", "says"),
    [("Can't", "Can", "00002.txt is left out: not a game"), ("win: 3", "win: 9", "game 2 is skipped: line 4")],
)
def test_a_damaged_game_is_reported_and_left_out(journal, without_luck, capsys, caplog, damage, to, says):
    file = game_path(Journal(journal, to_write=False).folder, 2)
    file.write_text(file.read_text().replace(damage, to))
    assert main(["stats", "--journal", str(journal), "--json", *QUICK]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 2
    assert says in said.err + caplog.text


def test_the_report_can_be_limited_to_the_last_games_and_counts_no_unfinished_ones(journal, without_luck, capsys):
    def counted(*words: str) -> tuple[int, dict[str, int]]:
        assert main(["stats", "--journal", str(journal), "--json", *words, *QUICK]) == 0
        report = json.loads(capsys.readouterr().out)
        return report["games"], {one["name"]: one["games"] for one in report["players"]}

    games, players = counted("--last", "2")
    assert (games, players["Anna"]) == (2, 1)
    leave_journal(journal, *(Situation(Waiting(), begun(*TURN, Stop()), number) for number in (4, 5)))
    assert counted() == (3, {"Anna": 2, "orange": 2, "Bob": 0, "Zoë": 0})


def test_decisions_are_compared_with_the_strongest_level_by_default(capsys, tmp_path):
    leave_journal(tmp_path / "short.txt", Situation(Waiting(), begun(*TURN, Stop()), 1))
    assert main(["stats", "--journal", str(tmp_path / "short.txt"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["compared_with"] == OPPONENTS[-1] == "strongest"
    assert [one["turns"] for one in report["players"]] == [1, 0]
