"""`cantstop stats`: wins, luck and nerve, and the fewest turns alone."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from device.cli import main
from device.keeping.journal import Journal
from device.records.people import Record, judge, together
from device.records.solitaire import Alone, alone
from device.referee.levels import OPPONENTS
from device.referee.states import GameOver, Situation, Waiting
from engine import Bust, Game, Play, Rolled, SetTo, Stop, is_bust, parse_position, roll_of
from engine.odds import bust_chance
from engine.opponents import Hasty, Strategy, level


class Always(Hasty):
    """Would always stop, or never."""

    def __init__(self, stops: bool) -> None:
        object.__setattr__(self, "_stops", stops)

    def stops(self, position) -> bool:
        return self._stops


def played(seed: int, *players: Strategy, names=(), levels=()) -> Game:
    """A whole game of these strategies with made dice."""
    chance = np.random.default_rng(seed)
    game = Game.new(names or ("Anna", "Bob", "Cas", "Dee")[: len(players)], levels=levels)
    while game.winner is None:
        position, player = game.position, players[game.position.turn]
        if position.roll is not None:
            game = game.do(Bust() if is_bust(position) else player.choose(position, position.roll))
        elif any(position.runners) and player.stops(position):
            game = game.do(Stop())
        else:
            game = game.do(Rolled(roll_of([int(value) for value in chance.integers(1, 7, 4)])))
    return game


QUICK = ("--jobs", "1", "--beside", "evolved")

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


def test_luck_is_the_busts_that_came_beside_the_exact_chances_of_all_rolls_made():
    game = begun(*TURN, Rolled((1, 1, 1, 1)), Bust())
    anna, bob = judge(game, Hasty())
    assert (anna.turns, anna.busts) == (1, 1)
    assert anna.expected == pytest.approx(104 / 1296)  # the third roll, on 6, 7 and 8; the first two cannot bust
    assert anna.luck == pytest.approx(104 / 1296 - 1)
    assert (bob.turns, bob.busts, bob.expected) == (0, 0, 0)


def test_every_roll_counts_with_its_own_chance():
    game = played(3, Hasty(), Hasty())
    expected = sum(
        bust_chance(before)
        for before, step in zip(game.positions, game.steps, strict=False)
        if isinstance(step, Rolled) and before.turn == 1
    )
    assert judge(game, Hasty())[1].expected == pytest.approx(expected)


def test_who_rolls_where_the_best_stops_is_bold_and_who_stops_where_it_rolls_is_careful():
    game = begun(*TURN, Stop())
    assert [(one.decisions, one.bold, one.careful) for one in judge(game, Always(True))] == [(2, 1, 0), (0, 0, 0)]
    assert [(one.decisions, one.bold, one.careful) for one in judge(game, Always(False))] == [(2, 0, 1), (0, 0, 0)]
    assert judge(game, Always(True))[0].nerve == 0.5
    assert judge(game, Always(True))[0].nerve_word == "bold"


def test_who_plays_as_the_best_does_is_steady():
    best = level("counter").make()
    for record in judge(played(5, best, best), best):
        assert record.decisions > 5
        assert (record.bold, record.careful, record.nerve_word) == (0, 0, "steady")


def test_a_roll_that_must_be_made_is_no_decision():
    start = parse_position("3+no-stop -/8:2 1 7:3,8:2 -")
    game = Game.new(["Anna", "Bob"], start.variants).do(SetTo(start)).do(Rolled((1, 1, 1, 1)))
    assert judge(game, Always(True))[0].decisions == 0


def test_only_games_played_to_the_end_against_others_count_as_games():
    assert [one.games for one in judge(begun(*TURN), Hasty())] == [0, 0]
    over = judge(played(1, Hasty(), Hasty()), Hasty())
    assert [one.games for one in over] == [1, 1]
    assert sum(one.wins for one in over) == 1
    assert judge(played(1, Hasty()), Hasty())[0].games == 0


def test_the_figures_of_a_player_are_added_up_over_games_and_a_level_is_one_player_whatever_its_colour():
    records = [
        Record("Anna", "", 1, 1, 9, 2, 1.5, 1.0, 20, 3, 1),
        Record("green", "child", 1, 0, 8, 4, 3.0, 2.0, 15, 0, 5),
        Record("Anna", "", 1, 0, 7, 1, 2.5, 1.5, 16, 1, 1),
        Record("orange", "child", 1, 1, 9, 5, 3.5, 2.5, 12, 1, 4),
    ]
    child, anna = together(records)  # who played most comes first
    assert anna == Record("Anna", "", 2, 1, 16, 3, 4.0, 2.5, 36, 4, 2)
    assert (child.level, child.games, child.busts) == ("child", 2, 9)


def test_luck_has_a_word_only_where_it_is_more_than_the_usual():
    assert Record("a", turns=30, busts=10, expected=11.0, variance=8.0).luck_word == "as expected"
    assert Record("a", turns=30, busts=5, expected=11.0, variance=8.0).luck_word == "lucky"
    assert Record("a", turns=30, busts=17, expected=11.0, variance=8.0).luck_word == "unlucky"


def test_the_fewest_turns_alone_come_first_and_unfinished_games_do_not_count():
    games = [(number, "2025-11-21", played(number, Hasty())) for number in (1, 2, 3)]
    games += [(4, "", Game.new(["Anna"])), (5, "", played(7, Hasty(), Hasty()))]
    found = alone(games)
    assert {one.game for one in found} == {1, 2, 3}
    assert [one.turns for one in found] == sorted(one.turns for one in found)
    assert found[0] == Alone("Anna", "", found[0].turns, found[0].game, "2025-11-21")


def test_a_game_alone_in_which_the_board_was_set_by_hand_is_not_among_the_fewest_turns():
    start = parse_position("3 7:13,8:11 1 12:3 -")
    won = Game.new(["Anna"], start.variants).do(SetTo(start)).do(Stop())
    assert won.winner == "Anna"
    assert alone([(1, "", won)]) == []


@pytest.fixture
def journal(tmp_path):
    """A journal with two games of Anna against an opponent, one alone, one under way."""
    path = tmp_path / "j.sqlite3"
    kept = Journal(path)
    best = level("counter").make()
    games = [
        played(1, best, best, names=("Anna", "orange"), levels=("", "counter")),
        played(2, Hasty(), best, names=("Anna", "yellow"), levels=("", "counter")),
        played(4, best, names=("Zoë",)),
    ]
    for number, game in enumerate(games, start=1):
        kept.record("made", Situation(GameOver(), game, number))
    kept.close()
    return path


def test_the_report_has_each_player_and_the_fewest_turns_alone(journal, capsys):
    assert main(["stats", "--journal", str(journal), *QUICK]) == 0
    out = capsys.readouterr().out
    assert "Anna" in out
    assert "(counter)" in out
    assert "3 games." in out
    assert "alone, the fewest turns" in out
    assert max(map(len, out.splitlines())) <= 110


def test_the_report_as_json_has_all_figures(journal, capsys):
    assert main(["stats", "--journal", str(journal), "--json", *QUICK]) == 0
    report = json.loads(capsys.readouterr().out)
    players = {one["level"] or one["name"]: one for one in report["players"]}
    assert players["Anna"]["games"] == players["counter"]["games"] == 2
    assert players["Anna"]["wins"] + players["counter"]["wins"] == 2
    assert players["Anna"]["luck"] == pytest.approx(players["Anna"]["expected"] - players["Anna"]["busts"], abs=2e-3)
    assert [one["name"] for one in report["alone"]] == ["Zoë"]
    assert report["compared_with"] == "evolved"


def test_by_default_the_strongest_is_compared_with(capsys, tmp_path):
    path = tmp_path / "short.sqlite3"
    kept = Journal(path)
    kept.record("made", Situation(Waiting(), begun(*TURN, Stop()), 1))
    kept.close()
    assert main(["stats", "--journal", str(path), "--json", "--jobs", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["compared_with"] == OPPONENTS[-1] == "strongest"


def test_luck_and_nerve_are_drawn(journal, tmp_path):
    assert (
        main(
            [
                "stats",
                "--journal",
                str(journal),
                "--png",
                str(tmp_path / "people.png"),
                "--jobs",
                "1",
                "--beside",
                "evolved",
            ]
        )
        == 0
    )
    with Image.open(tmp_path / "people.png") as picture:
        assert picture.width > 600


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        (["--journal", "{tmp}/none.sqlite3"], 2, "there is no such journal"),
        (["--journal", "{tmp}/empty.sqlite3"], 1, "no game was played yet"),
        (
            ["--journal", "{tmp}/j.sqlite3", "--png", "{tmp}/no/people.png", *QUICK],
            1,
            "give another --png",
        ),
    ],
)
def test_what_cannot_be_reported_is_told(journal, tmp_path, capsys, words, status, reason):
    Journal(tmp_path / "empty.sqlite3").close()
    assert main(["stats", *(word.format(tmp=tmp_path) for word in words)]) == status
    assert reason in capsys.readouterr().err
