"""Endgames: the exact values agree with a plain solution of the printed rules, and Master plays by them."""

from __future__ import annotations

import random
from functools import cache

import pytest

from engine import may_stop, parse_position, parse_roll, plays, roll_of
from engine.opponents import endgame, level
from engine.opponents.endgame import exact_value, solved_turn, turn_of
from engine.opponents.turns import Turn
from engine.position import Position
from engine.rules import runners_after
from tests.engine.plain_solution import Plain

ISSUE = "5 7:13,8:11,9:9,11:5/2:1,3:5,4:7,5:9,6:11 1 {} -"

SMALL = [
    "3 6:11,7:13,2:2,3:4,4:6,5:8,8:9,9:8,10:6,11:4,12:1 1 - -",
    "4 6:11,7:13,8:11,4:6,5:8,10:6,11:4,12:1/2:3,3:5,9:9,4:6,5:8,10:6,11:4,12:2 2 - -",
    "5 4:7,5:9,6:11,7:13,2:1,12:1,10:5,11:3/3:5,8:11,9:9,2:2,10:6,11:4,12:2 2 - -",
    "5+leap 4:7,5:9,6:11,7:13,2:1,12:2,11:2/3:5,8:11,9:9,10:7,2:2,12:1,11:4 1 - -",
    "5+no-stop 4:7,5:9,6:11,7:13,2:1,12:1,11:3/3:5,8:11,9:9,10:7,2:2,12:2,11:4 1 - -",
    "5+fast+leap 4:7,5:9,6:11,7:13,2:1,12:2,11:3/3:5,8:11,9:9,10:7,2:2,11:2,12:1 1 - -",
    "5+fast 4:7,5:9,6:11,7:13,2:1,12:2,11:3/3:5,8:11,9:9,10:7,2:2,11:3,12:2 1 - -",
    "5+strict+no-stop 4:7,5:9,6:11,7:13,12:2,2:1,11:3/3:5,8:11,9:9,10:7,2:2,11:4,12:2 1 - -",
    "4 6:11,7:13,8:11,2:1,12:2/3:5,4:7,9:9,12:2,2:2/11:5,10:7,5:9,2:2,12:2 2 - -",
    "3 6:11,7:13,12:2,2:2,5:8/3:5,4:7,12:2,2:1,5:8/9:9,8:11,12:2,2:2,5:8/10:7,11:5,12:2,2:2,5:8 1 - -",
]


@cache
def solved(line):
    """Return the position of a line and its plain solution."""
    begin = parse_position(line)
    plain = Plain(begin.players, begin.variants)
    plain.solve(begin.markers)
    return begin, plain


def spaces(runners):
    """Return the space of the runner in each column."""
    return tuple(dict(runners).get(column, 0) for column in range(13))


@pytest.mark.parametrize("line", SMALL)
def test_all_values_agree_with_a_plain_solution_of_the_printed_rules(line):
    begin, plain = solved(line)
    differences, compared = [], 0
    for (markers, mover), nodes in plain.nodes.items():
        turn = solved_turn(Position(begin.variants, markers, mover))
        if turn is None:
            assert begin.turn != mover
            continue
        for runners, (stop, roll) in nodes.items():
            (found,) = turn.solve([turn.steps(spaces(runners))])
            compared += 1
            differences.append(max(abs(found.stop - stop), abs(found.roll - roll)))
    assert compared > 20
    assert max(differences) < 1e-8


def test_master_stops_where_rolling_for_the_win_gives_fifteen_percent_away():
    # Stopping wins 0.735 there, rolling 0.584.
    position = parse_position(ISSUE.format("2:2"))
    assert level("Master").make().stops(position)
    turn = turn_of(parse_position(ISSUE.format("-")))
    (here,) = turn.solve([turn.steps(position.runners)])
    assert (here.stop, here.roll) == (pytest.approx(0.735, abs=5e-4), pytest.approx(0.584, abs=5e-4))


def costs(line, player, chance):
    """Yield what a player gives away by decisions in an endgame, by the plain solution: for stops and for plays."""
    begin, plain = solved(line)
    places = [(*key, runners) for key, nodes in plain.nodes.items() for runners in nodes]
    for markers, mover, runners in chance.sample(places, k=min(200, len(places))):
        position, nodes = Position(begin.variants, markers, mover, spaces(runners)), plain.nodes[markers, mover]
        if exact_value(position) is None:
            continue
        if may_stop(position):
            stop, again = nodes[runners]
            yield max(stop, again) - (stop if player.stops(position) else again)
        roll = roll_of(chance.choices(range(1, 7), k=4))
        if choices := plays(rolled := position.with_roll(roll)):
            worth = {play: max(nodes[runners_of(rolled, play)]) for play in choices}
            yield max(worth.values()) - worth[player.choose(rolled, roll)]


def runners_of(position, play):
    return tuple((column, space) for column, space in enumerate(runners_after(position, play)) if space)


@pytest.mark.parametrize("line", SMALL)
def test_no_decision_of_master_in_a_solved_endgame_costs_anything(line):
    found = list(costs(line, level("Master").make(), random.Random(line)))
    assert len(found) > 20
    assert max(found) < 1e-6


def test_decisions_of_a_beginner_in_endgames_cost_something():
    found = list(costs(SMALL[2], level("child").make(), random.Random(1)))
    assert min(found) >= 0
    assert max(found) > 1e-3


def test_a_position_has_the_same_values_however_much_was_solved_with_it():
    later = parse_position("5 7:13,8:11,9:9,11:5,2:2,10:3/2:1,3:5,4:7,5:9,6:11,12:2,10:4 2 - -")
    for one in (solved_turn, turn_of):
        one.cache_clear()
    first = parse_position(ISSUE.format("-"))
    exact_value(first)
    (whole,) = endgame._latest
    with_more = exact_value(later)
    assert endgame._latest == [whole]
    endgame._latest.clear()
    solved_turn.cache_clear()
    assert exact_value(later) == pytest.approx(with_more, abs=1e-9)
    assert endgame._latest != [whole]


@pytest.mark.parametrize(
    "line",
    [
        ISSUE.format("-").replace("5 ", "5+fast ", 1),
        ISSUE.format("-").replace("11:5/", "11:5/12:1,"),
        ISSUE.format("-").replace("11:5/2:1,3:5,", "3:5/2:1,11:5,"),
    ],
)
def test_an_endgame_is_not_confused_with_another_one(line):
    solved_turn.cache_clear()
    endgame._latest.clear()
    position = parse_position(line)
    alone = exact_value(position)
    solved_turn.cache_clear()
    endgame._latest.clear()
    exact_value(parse_position(ISSUE.format("-")))
    solved_turn.cache_clear()
    assert exact_value(position) == pytest.approx(alone, abs=1e-9)


def test_a_game_with_much_left_is_too_large():
    for line in ("3 -/- 1 - -", "5 2:3,3:5,4:7,5:9/9:9,10:7,11:5,12:3 1 - -"):
        assert exact_value(parse_position(line)) is None
        assert isinstance(turn_of(parse_position(line)), Turn)


def test_the_value_of_a_roll_is_that_of_its_best_play():
    # With 12 on its last space, a roll without a six and another six wins only by 2.
    position = parse_position("5 4:7,5:9,6:11,7:13,12:2/3:5,8:11,9:9,10:7,2:2 1 - -")
    assert exact_value(position.with_roll(parse_roll("1-2-6-6"))) == 1
    bust = exact_value(position.with_roll(parse_roll("1-2-3-4")))
    following = exact_value(parse_position("5 4:7,5:9,6:11,7:13,12:2/3:5,8:11,9:9,10:7,2:2 2 - -"))
    assert bust == pytest.approx(1 - following)
