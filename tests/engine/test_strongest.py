"""The strongest level: its turns and decisions agree with the trainer; its advice; luck, and what decisions cost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    COLUMNS,
    TOP,
    Bust,
    Position,
    Rolled,
    Stop,
    after,
    is_bust,
    may_stop,
    parse_position,
    parse_roll,
    play_text,
    plays,
    stop_wins,
)
from engine.board import EMPTY
from engine.odds import weighted_rolls
from engine.opponents import level, turns
from engine.opponents.rule_of_28 import EVOLVED
from engine.opponents.strongest import advice, cost, fortune, value
from engine.opponents.turns import Turn, turn_of
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


# Advice and values


DECISIONS = (
    "3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6",
    "3 7:4,6:2/8:5 1 5:2,8:3 -",
    "3 7:13,8:11 1 12:1,6:2 3-3-5-6",
    "3 7:4,6:2 1 5:2,8:3 -",
    "3+no-stop -/8:2 1 7:3,8:2 -",
    "4 -/-/- 3 2:1,12:1,7:1 -",
)


@pytest.mark.parametrize("text", DECISIONS)
def test_the_best_choice_is_what_master_plays(text):
    position, master = parse_position(text), level("strongest").make()
    found = advice(position)
    assert [one.play for one in found] == (list(plays(position)) if position.roll else [None])
    (best,) = [one for one in found if one.best]
    then = position
    if position.roll is not None:
        assert best.play == master.choose(position, position.roll)
        then = after(position, best.play)
    assert best.stops == master.stops(then)


def test_the_values_are_means_over_all_rolls_and_what_a_stop_leaves_the_other_player():
    position = parse_position("5 7:13,8:11,9:9,11:5/2:1,3:5,4:7,5:9,6:11 1 2:1 -")
    total = 0.0
    for roll, weight in weighted_rolls():
        rolled = position.with_roll(roll)
        if is_bust(rolled):
            worth = learned(after(rolled, Bust()))
        else:
            worth = max(max(one.roll, one.stop or 0.0) for one in advice(rolled))
        assert value(rolled) == pytest.approx(worth)
        total += weight * worth
    (now,) = advice(position)
    assert now.roll == pytest.approx(total / 1296)
    assert now.stop == pytest.approx(learned(after(position, Stop())), abs=1e-6)
    assert value(position) == max(now.roll, now.stop)


def learned(position: Position) -> float:
    """The network's chance to win of the player who has ended a turn, at the beginning of the next one."""
    return turn_of(position.changed(turn=1 - position.turn)).bust


def test_the_turns_left_in_a_solo_game_include_this_one():
    (now,) = advice(parse_position("3 7:13,8:11 1 12:3 -"))
    assert (now.stop, now.stops) == (pytest.approx(1), True)
    assert now.roll > 1
    assert value(parse_position("3 7:13,8:11 1 12:3 -")) == -1


# Luck and cost


ROLLED_AT = (
    "3 -/- 1 6:3,7:2,8:4 -",
    "3 7:4,6:3/8:5,5:2 2 6:6,2:1,11:1 -",
    "3+no-stop -/8:2 1 7:3,8:2 -",
    "3+leap 7:12/6:10,12:1 1 12:2,7:13 -",
    "3+strict 7:13/8:11 2 6:3,5:1,9:2 -",
    "4 -/-/- 3 2:1,12:1,7:1 -",
    "3 7:13,8:11 1 12:2,2:1,6:1 -",
)


@pytest.mark.parametrize("text", ROLLED_AT)
def test_luck_is_the_value_of_a_roll_minus_the_mean_over_all_rolls(text):
    position, rolls = parse_position(text), weighted_rolls()
    turn = turn_of(position)
    turn.solve([EMPTY])
    mean = sum(weight * value(position.with_roll(roll)) for roll, weight in rolls) / 1296
    (here,) = turn.solve([position.runners])
    assert mean == pytest.approx(here.roll - (position.players == 1), abs=1e-5)
    gains = {roll: value(position.with_roll(roll)) - mean for roll, _ in rolls}
    variance = sum(weight * gains[roll] ** 2 for roll, weight in rolls) / 1296
    for roll in ((1, 1, 2, 2), (1, 3, 5, 5), (2, 3, 4, 6)):
        found = fortune(position, roll)
        assert (found.before, found.gain) == (pytest.approx(mean, abs=1e-9), pytest.approx(gains[roll], abs=1e-9))
        assert found.variance == pytest.approx(variance)


@settings(max_examples=5, deadline=None)
@given(rolls=st.lists(st.sampled_from([roll for roll, _ in weighted_rolls()]), min_size=3, max_size=5))
def test_exactly_one_of_stopping_and_rolling_on_costs_nothing(rolls):
    position, strategy = Position.start(2), EVOLVED
    for roll in rolls:
        if any(position.runners) and may_stop(position):
            costs = cost(position, True), cost(position, False)
            assert min(costs) == 0
            assert max(costs) >= 0
            position = after(position, Stop()) if strategy.stops(position) else position
        position = after(position, Rolled(roll))
        position = after(position, Bust() if is_bust(position) else strategy.choose(position, roll))
