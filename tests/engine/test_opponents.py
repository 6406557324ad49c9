"""Opponents: every level plays legally in every variant, and the references play as in the literature."""

from __future__ import annotations

import random

import pytest

import engine
from engine.opponents import LEVELS, level
from engine.opponents.rule_of_28 import EVOLVED, RULE_OF_28_OUTER
from engine.opponents.values import values_for

KEYS = [one.key for one in LEVELS if one.key != "strongest"]
"""All levels except the strongest, which is slow and has its own tests."""

RULES = [
    engine.Variants(),
    engine.Variants(5),
    engine.Variants(3, engine.FastStart.ON),
    engine.Variants(3, engine.FastStart.STRICT, no_stop_on_marker=True),
    engine.Variants(3, no_stop_on_marker=True),
    engine.Variants(3, leap=True),
]


def chosen(key: str, line: str) -> str:
    """Give the play that a level chooses for the roll that waits in a position."""
    position = engine.parse_position(line)
    assert position.roll is not None
    return engine.play_text(level(key).make().choose(position, position.roll))


def stops(key: str, line: str) -> bool:
    return level(key).make().stops(engine.parse_position(line))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("variants", RULES, ids=lambda rules: "+".join((str(rules.columns_to_win), *rules.names)))
def test_every_level_plays_a_game_to_its_end_by_legal_steps(key, variants):
    chance = random.Random(key)
    strategy = level(key).make()
    position = engine.Position.start(2, variants)
    for _ in range(5000):
        if position.winner is not None:
            break
        if engine.may_stop(position) and strategy.stops(position):
            position = engine.after(position, engine.Stop())
            continue
        roll = engine.roll_of(chance.choices(range(1, 7), k=4))
        rolled = position.with_roll(roll)
        if engine.is_bust(rolled):
            position = engine.after(rolled, engine.Bust())
        else:
            play = strategy.choose(position, roll)
            assert play == strategy.choose(rolled, roll)
            assert play in engine.plays(rolled)
            position = engine.after(rolled, play)
    assert position.winner is not None


def test_every_level_stops_if_that_wins_and_always_decides_alike():
    for key in KEYS:
        assert stops(key, "3 2:3,12:3/- 1 3:5,6:1,7:1 -")
        assert len({chosen(key, "3 4:2,7:5/8:4 1 6:2 1-3-5-6") for _ in range(5)}) == 1


def test_there_is_a_network_for_all_rules_of_the_box():
    for players, most in engine.MOST_COLUMNS_TO_WIN.items():
        for columns in range(engine.FEWEST_COLUMNS_TO_WIN, most + 1):
            assert values_for(players, columns).players == players


# The sums below are worked out by hand from the table of points.


@pytest.mark.parametrize(
    ("weights", "line", "score"),
    [
        (RULE_OF_28_OUTER, "3 -/- 1 6:1,7:1,8:1 -", 2 * 2 + 2 * 1 + 2 * 2),
        (RULE_OF_28_OUTER, "3 -/- 1 2:1,4:1,6:1 -", 2 * 6 + 2 * 4 + 2 * 2 - 2 + 4),  # even and low
        (RULE_OF_28_OUTER, "3 7:3/- 1 7:6,9:1,11:1 -", 4 * 1 + 2 * 3 + 2 * 5 + 2 + 4),  # odd and high
        (RULE_OF_28_OUTER, "3 -/- 1 3:2,5:1 -", 3 * 5 + 2 * 3),  # no sum for sets of two
        (EVOLVED, "3 -/- 1 2:1,3:1,12:1 -", 2 * 7 * 3),
        (EVOLVED, "3 -/- 1 3:1,5:1,7:1 -", 2 * 7 + 2 * 2 + 2 * 1 + 7 + 5),  # odd and low
        (EVOLVED, "3 -/- 1 8:1,10:1,12:1 -", 2 * 2 + 2 * 3 + 2 * 7 + 1 + 6),  # even and high
    ],
)
def test_a_turns_score_is_the_sum_of_the_table(weights, line, score):
    assert weights.score(engine.parse_position(line)) == score


def test_the_rule_of_28_stops_at_28_and_not_before():
    assert not stops("rule-28-outer", "3 -/- 1 6:4,7:3,8:3 -")  # 10 + 4 + 8 = 22
    assert stops("rule-28-outer", "3 -/- 1 6:5,7:3,8:5 -")  # 12 + 4 + 12 = 28
    assert not stops("rule-28-outer", "3 -/- 1 6:5,7:2,8:5 -")  # 27


def test_the_references_roll_while_a_runner_and_a_column_are_free():
    assert not stops("rule-28-outer", "3 -/- 1 2:3,7:10 -")
    # All columns but two are won, and both have a runner, so no column is left for the third.
    assert stops("rule-28-outer", "4 2:3,4:7,5:9/3:5,8:11,9:9/6:11,10:7,12:3 1 11:4,7:12 -")


def test_the_rule_of_28_chooses_by_columns_and_by_the_number_of_runners():
    assert chosen("rule-28-outer", "3 -/- 1 - 1-1-6-6") == "2+12"
    # 6+6 takes one runner: 3 x 2 - 6 = 0; 5+7 takes two: 2 x 3 + 2 x 1 - 12 = -4.
    assert chosen("rule-28-outer", "3 -/- 1 - 2-4-3-3") == "6+6"


def test_the_careful_level_keeps_a_runner_free_where_more_spaces_would_raise_the_chance_of_a_bust():
    assert chosen("counter", "3 -/- 1 6:1,8:1 1-2-5-6") == "6+8"  # 3+11 would climb further, as a share of its column


def test_equal_plays_are_decided_by_lot_in_the_same_way_for_the_same_position():
    # 3+7: 2 x 5 + 2 x 1 - 12 = 0, and 4+6: 2 x 4 + 2 x 2 - 12 = 0, wherever markers stand in other columns.
    lines = [f"3 9:{space},12:{low}/- 1 - 1-2-2-5" for space in range(1, 9) for low in (1, 2)]
    taken = [chosen("rule-28-outer", line) for line in lines]
    assert set(taken) == {"3+7", "4+6"}
    assert taken == [chosen("rule-28-outer", line) for line in lines]
