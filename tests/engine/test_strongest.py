"""The strongest level: its solved turns agree with the rules, its decisions with the trainer."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine import (
    Bust,
    Position,
    Stop,
    after,
    all_rolls,
    is_bust,
    may_stop,
    parse_position,
    parse_roll,
    play_text,
    plays,
    roll_of,
    stop_wins,
)
from engine.board import COLUMNS, EMPTY, TOP
from engine.opponents import level
from engine.opponents.endgame import turn_of
from engine.opponents.turns import Turn
from engine.opponents.values import Values, values_for
from engine.rules import runners_after

GOLDEN = json.loads(Path(__file__).with_name("strongest.json").read_text())


def chances(roll) -> int:
    """Count the ordered rolls that are this one."""
    ways = 24
    for face in set(roll):
        for n in range(2, roll.count(face) + 1):
            ways //= n
    return ways


def stop_worth(turn: Turn, values: Values, position: Position) -> float:
    """What a stop is worth, from the whole board after it."""
    if not may_stop(position):
        return -1e9
    if stop_wins(position):
        return 0 if position.players == 1 else 1
    markers = [list(spaces) for spaces in position.markers]
    for column, space in position.runners_out():
        if space == TOP[column]:
            for others in markers:
                others[column] = 0
        markers[position.turn][column] = space
    after = replace(position, markers=tuple(map(tuple, markers)), runners=EMPTY)
    viewer = (position.turn + 1) % position.players
    total = values.bias + sum(values.column(after, viewer, column) for column in COLUMNS)
    return float(values.worth(np.asarray(total)[None])[0])


def solved_by_the_rules(turn: Turn, values: Values, position: Position) -> float:
    """What rolling is worth, by recursion over `engine.plays`: slow, and with nothing of the fast solution in it."""

    @cache
    def best(runners) -> float:
        here = replace(position, runners=runners)
        return max(stop_worth(turn, values, here), roll(runners))

    @cache
    def roll(runners) -> float:
        total = 0.0
        for dice in all_rolls():
            rolled = replace(position, runners=runners, roll=dice)
            options = {runners_after(rolled, play) for play in plays(rolled)}
            total += chances(dice) * (max(map(best, options)) if options else turn.bust)
        return total / 1296

    return roll(position.runners)


# Positions late in a game, to keep the recursion short.
LATE = [
    "3 6:10,7:12,8:9/2:3,3:3,4:6,5:9 1 6:11,9:1 -",
    "3+fast 2:1,7:12,10:5/6:11,8:11,4:5,3:4 1 7:13,10:6 -",
    "3+strict 2:1,7:11,10:5/6:11,8:11,4:5,3:4 1 7:12,10:6 -",
    "3+no-stop 2:1,7:11,10:5/7:12,6:11,8:11,2:2,10:6,4:5 1 7:12,10:6 -",
    "3+leap 2:1,7:10,10:4/7:12,6:11,8:11,2:2,10:6,4:5 1 7:11,10:5 -",
    "3 2:1,7:11/6:11,8:11/10:6,12:3 1 7:12,10:6 -",
    "3 2:2,3:4,12:2,11:4,7:13,6:11 1 3:5 -",
]


@pytest.mark.parametrize("line", LATE)
def test_solving_a_turn_by_layers_agrees_with_recursion_over_the_rules(line):
    position = parse_position(line)
    values = values_for(position.players, 3)
    turn = Turn(position, values)
    (found,) = turn.solve([turn.steps(position.runners)])
    assert found.stop == pytest.approx(stop_worth(turn, values, position), abs=1e-5)
    assert found.roll == pytest.approx(solved_by_the_rules(turn, values, position), abs=1e-5)


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


def decisions(seed: int, *, forgets: bool) -> list[object]:
    """Play a game against itself and return the decisions. `forgets`: whether each decision solves its turn again."""
    chance = random.Random(seed)
    strongest = level("strongest").make()
    position, decided = parse_position("3 5:5,7:8,8:7/6:7,7:6,9:5 1 - -"), []  # a whole game would take long
    while position.winner is None:
        if forgets:
            turn_of.cache_clear()
        if may_stop(position):
            decided.append(strongest.stops(position))
            if decided[-1]:
                position = after(position, Stop())
                continue
        rolled = position.with_roll(roll_of(chance.choices(range(1, 7), k=4)))
        if is_bust(rolled):
            position = after(rolled, Bust())
            continue
        if forgets:
            turn_of.cache_clear()
        decided.append(strongest.choose(position, rolled.roll))
        position = after(rolled, decided[-1])
    return decided


@pytest.mark.parametrize("seed", range(3))
def test_cached_results_from_earlier_in_a_turn_change_no_decision(seed):
    assert decisions(seed, forgets=False) == decisions(seed, forgets=True)


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
