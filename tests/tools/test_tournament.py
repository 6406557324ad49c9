"""`tools.tournament`: strategies against each other, and the results of an interrupted tournament."""

from __future__ import annotations

import re

import pytest

from engine import Variants
from tests.every import every
from tools import tournament
from tools.scenes.scoring import binomial_interval
from tools.tournament import main, pieces_of, play_piece, shares

FAST = ("evolved", "rule-28-outer", "strongest")


def told(capsys, *words: str) -> str:
    assert main([*words, "--jobs", "1"]) == 0
    return capsys.readouterr().out


def played(*keys: str, players: int, games: int, rules: str = "3") -> list[tournament.Result]:
    return [play_piece(piece) for piece in pieces_of(keys, players, tournament.rules_of(rules, players), games, 1)]


def test_the_table_has_the_shares_of_games_won_with_their_intervals(capsys):
    won, games = shares(played(*FAST[:2], players=2, games=600))["evolved", "rule-28-outer"]
    assert games == 600
    low, high = binomial_interval(won, games)
    assert low > 0.5  # published: 67 %
    table = told(capsys, *FAST[:2], "--games", "600")
    assert re.search(rf"1 Expert +{100 * won / games:.1f} *\n +±{50 * (high - low):.1f}", table)
    assert re.search(rf"2 Experienced +{100 - 100 * won / games:.1f} ", table)
    assert "at least 600 games per pair; seed 1" in table


def test_with_three_players_each_level_plays_one_seat_against_two_of_the_other():
    won = shares(played(*FAST[:2], players=3, games=300, rules="4+leap"))
    (first, games), (second, _) = won.values()
    assert first + second != games  # two tables of their own, not one seen from both sides


def test_solo_the_number_of_turns_is_printed(capsys):
    turns = tournament.turns_of(["evolved"], played("evolved", players=1, games=2000))["evolved"]
    mean, half = tournament.mean_interval(turns)
    assert mean == pytest.approx(9.25, abs=0.4)
    table = told(capsys, "evolved", "--alone", "--games", "2000")
    assert re.search(rf"Expert +2,000 +{mean:.3f} +±{half:.3f} ", table)


def test_the_pieces_hold_every_pair_and_every_seat_equally_often():
    pieces = pieces_of(FAST, 3, Variants(), 5000, 1)
    games = {}
    for piece in pieces:
        assert piece.games % 3 == 0
        games[piece.row, piece.column] = games.get((piece.row, piece.column), 0) + piece.games
    assert set(games.values()) == {5001}
    assert len(games) == 6
    assert len({piece.seed for piece in pieces}) == len(pieces)
    # All pairs get their first piece before any gets its second.
    assert len({(piece.row, piece.column) for piece in pieces[:6]}) == 6


@every(
    wrong=[
        (["evolved"], "needs an opponent"),
        (["evolved", "evolved"], "given twice"),
        (["evolved", "grandmaster"], "unknown level 'grandmaster'; choose from: Beginner"),
        (["--rules", "5", "--players", "3"], "3 to 4 columns win, not 5"),
        (["--rules", "3+leap+no-stop"], "cannot be combined"),
        (["--rules", "3+slow"], "unknown variant 'slow'"),
        (["--rules", "leap"], "must begin with the number of columns to win"),
        (["--seed", "-1"], "'-1' is not a whole number from 0"),
    ],
)
def test_invalid_input_is_refused_with_the_remedy(wrong, capsys):
    words, why = wrong
    assert main(words) == 2
    assert why in capsys.readouterr().err


def test_a_tournament_with_several_processes_or_without_gcc_prints_the_same(monkeypatch, capsys):
    words = (*FAST[:2], "--games", "4800")
    fast = told(capsys, *words)
    assert main([*words, "--jobs", "2"]) == 0
    assert capsys.readouterr().out == fast
    words = (*FAST[:2], "--games", "48")
    fast = told(capsys, *words)
    monkeypatch.setattr(tournament.shutil, "which", lambda _: None)
    assert told(capsys, *words) == fast
