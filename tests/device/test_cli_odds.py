"""`cantstop odds`: the odds of a position as table and JSON."""

from __future__ import annotations

import json

from device.cli import main


def told(capsys, *words: str) -> str:
    assert main(["odds", *words]) == 0
    return capsys.readouterr().out


def test_table_and_json_have_bust_and_stake(capsys):
    line = "3 -/- 1 6:1,7:1,8:10 -"
    assert [figure for figure in ("8.02 %", "12") if figure not in told(capsys, line)] == []
    assert json.loads(told(capsys, line, "--json"))["odds"] == {
        "bust": 104 / 1296, "lose_turn": 104 / 1296, "at_stake": 12, "may_stop": True,
    }  # fmt: skip


def test_masters_chance_to_win_is_printed(capsys):
    won = "3 7:13,8:11/- 1 12:3 -"
    assert "chance to win, by Master's estimate: 100.0 %" in told(capsys, won)
    assert json.loads(told(capsys, won, "--json"))["value"] == 1
    assert "turns left, by Master's estimate: 1.00" in told(capsys, "3 7:13,8:11 1 12:3 -")
    assert 0.5 < json.loads(told(capsys, "3 -/- 1 - -", "--json"))["value"] < 0.7, "a little more for who begins"


def test_with_a_roll_the_odds_after_each_play_are_printed(capsys):
    line = "3 -/- 1 6:3,8:5 1-3-5-6"
    plays = json.loads(told(capsys, line, "--json"))["plays"]
    assert [one["play"] for one in plays] == ["4+11: 4", "4+11: 11", "6+9", "7+8"]
    assert plays[3]["odds"]["bust"] == 104 / 1296
    out = told(capsys, line)
    assert all(one["play"] in out for one in plays)


def test_a_bust_and_a_forbidden_stop_are_named(capsys):
    assert "is a bust" in told(capsys, "3 -/- 1 5:1,7:1,10:1 1-3-3-5")
    out = told(capsys, "3+no-stop -/7:5 1 6:3,7:5,8:2 -")
    assert "turn lost: before a stop is allowed" in out
    assert ", no stop" in out
    assert "turn lost" in told(capsys, "3+no-stop -/7:5 1 6:3,7:4,8:2 1-3-3-4")
