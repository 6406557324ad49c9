"""The strongest level: its solved turns and its decisions agree with the trainer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine import COLUMNS, TOP, Position, after, may_stop, parse_position, parse_roll, play_text, plays, stop_wins
from engine.odds import weighted_rolls
from engine.opponents import level, turns
from engine.opponents.turns import Turn
from engine.opponents.values import Values, values_for
from engine.rules import runners_after

GOLDEN = json.loads(Path(__file__).with_name("strongest.json").read_text())


@pytest.mark.parametrize("rules", sorted({one["position"].split()[0] for one in GOLDEN}))
def test_the_box_and_the_trainer_compute_the_same_values_and_decide_alike(rules):
    strongest = level("strongest").make()
    for one in GOLDEN:
        if one["position"].split()[0] != rules:
            continue
        position = parse_position(one["position"])
        roll = position.roll
        begin = position.with_roll(None)
        turn = Turn(position, values_for(position.players, position.variants.columns_to_win))
        options = [runners_after(position, play) for play in plays(position)]
        worth = [max(option) for option in one["worth"]]
        found = turn.solve(options)
        for (stop, rolled), mine in zip(one["worth"], found, strict=True):
            assert mine.stop == pytest.approx(stop, abs=2e-4)
            assert mine.roll == pytest.approx(rolled, abs=2e-4)
        chosen = options.index(runners_after(position, strongest.choose(begin, roll)))
        assert worth[chosen] == pytest.approx(max(worth), abs=4e-4)
        stop, rolled = one["worth"][chosen]
        then = replace(begin, runners=options[chosen])
        if abs(stop - rolled) > 4e-4:
            assert strongest.stops(then) == (stop > rolled)


def test_a_network_of_the_wrong_size_is_refused():
    with pytest.raises(ValueError, match="a network for 2 players has 37089 numbers, not 7"):
        Values.of(2, np.zeros(7, np.float32))


def test_a_play_without_a_choice_needs_no_network():
    strongest = level("strongest").make()
    assert play_text(strongest.choose(parse_position("3 2:3,12:3/- 1 3:4,6:1 -"), parse_roll("1-2-6-6"))) == "3+12: 3"


@pytest.mark.parametrize("noise", [-1e-6, 1e-6])
def test_rounding_errors_do_not_decide_between_mirrored_plays(monkeypatch, noise):
    solve = Turn.solve

    def noisy(turn, starts):
        return [replace(one, roll=one.roll + nth * noise) for nth, one in enumerate(solve(turn, starts))]

    monkeypatch.setattr(Turn, "solve", noisy)
    strongest = level("strongest").make()
    position = parse_position("3 7:13/- 1 6:1,8:1 -")
    assert play_text(strongest.choose(position, parse_roll("2-2-5-5"))) == "4+10: 4"


def test_a_turn_is_solved_once_for_all_its_decisions(monkeypatch):
    solved = []
    settle = Turn.settle
    monkeypatch.setattr(Turn, "settle", lambda turn, starts: solved.append(starts) or settle(turn, starts))
    turns._turn.cache_clear()
    strongest = level("strongest").make()
    position = Position.start(2)
    for roll in ("1-3-5-6", "2-3-4-5", "3-3-4-5"):
        rolled = position.with_roll(parse_roll(roll))
        position = after(rolled, strongest.choose(position, rolled.roll))
        strongest.stops(position)
    assert len(solved) == 1


@pytest.mark.parametrize("rules", ["3", "5", "3+fast", "3+no-stop", "3+leap"])
def test_master_takes_an_obvious_win(rules):
    strongest, variants = level("strongest").make(), parse_position(f"{rules} -/- 1 - -").variants
    random, wins = Random(rules), 0
    while wins < 15:
        # All other columns of the player are won, and those that are open are a few steps from the top.
        columns = random.sample(COLUMNS, k=len(COLUMNS))
        won, open_columns = columns[: variants.columns_to_win - 1], columns[variants.columns_to_win - 1 :]
        markers = [[0] * 13, [0] * 13]
        for column in won:
            markers[0][column] = TOP[column]
        for column in open_columns:
            for own in markers:
                own[column] = TOP[column] - random.choice((1, 2, 3))
        position = Position(variants, tuple(map(tuple, markers)))
        if position.problems():
            continue
        roll = random.choice(weighted_rolls())[0]
        winning = [play for play in plays(position.with_roll(roll)) if wins_after(position.with_roll(roll), play)]
        if winning:
            wins += 1
            play = strongest.choose(position, roll)
            assert play in winning
            assert strongest.stops(after(position.with_roll(roll), play))


def wins_after(position, play):
    then = after(position, play)
    return stop_wins(then) and may_stop(then)


def test_master_stops_where_the_win_is_near_but_a_bust_would_lose_more():
    # By an exact solution of the rest of this game, stopping wins 73.5 % there, and rolling for the win 58.4 %.
    assert level("strongest").make().stops(parse_position("5 7:13,8:11,9:9,11:5/2:1,3:5,4:7,5:9,6:11 1 2:2 -"))
    # Alone there is nothing to lose but this turn: with both columns won, the last step is rolled for or stopped at.
    assert not level("strongest").make().stops(parse_position("3 7:13,8:11 1 12:1 -"))
    assert level("strongest").make().stops(parse_position("3 7:13,8:11 1 12:3 -"))
