"""The strongest level: its solved turns and its decisions agree with the trainer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import (
    Position,
    after,
    parse_position,
    parse_roll,
    play_text,
    plays,
)
from engine.opponents import level
from engine.opponents.endgame import turn_of
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
        found = turn.solve([turn.steps(runners) for runners in options])
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


def test_the_strongest_level_neither_stops_before_a_roll_nor_plays_a_bust():
    strongest = level("strongest").make()
    assert not strongest.stops(Position.start(2))
    with pytest.raises(ValueError, match="is a bust here"):
        strongest.choose(parse_position("3 -/- 1 5:1,7:1,10:1 -"), parse_roll("1-3-3-5"))
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
    turn_of.cache_clear()
    strongest = level("strongest").make()
    position = Position.start(2)
    for roll in ("1-3-5-6", "2-3-4-5", "3-3-4-5"):
        rolled = position.with_roll(parse_roll(roll))
        position = after(rolled, strongest.choose(position, rolled.roll))
        strongest.stops(position)
    assert len(solved) == 1
