"""The luck of a roll, from the solved turn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Position, is_bust, parse_position
from engine.actions import Bust, Rolled, Stop
from engine.board import EMPTY
from engine.odds import weighted_rolls
from engine.opponents.strongest import cost, fortune, value
from engine.opponents.turns import Turn, turn_of
from engine.opponents.values import values_for
from engine.opponents.weighted import EVOLVED, WeightedSums
from engine.rules import after, may_stop, plays, runners_after

POSITIONS = (
    "3 -/- 1 6:3,7:2,8:4 -",
    "3 7:4,6:3/8:5,5:2 2 6:6,2:1,11:1 -",
    "3+no-stop -/8:2 1 7:3,8:2 -",
    "3+leap 7:12/6:10,12:1 1 12:2,7:13 -",
    "3+strict 7:13/8:11 2 6:3,5:1,9:2 -",
    "4 -/-/- 3 2:1,12:1,7:1 -",
    "3 7:13,8:11 1 12:2,2:1,6:1 -",
)


def turn_at(position: Position) -> Turn:
    return Turn(position, values_for(position.players, position.variants.columns_to_win))


@pytest.mark.parametrize("text", POSITIONS)
def test_luck_is_the_value_of_a_roll_minus_the_mean_over_all_rolls(text):
    position = parse_position(text)
    rolls = weighted_rolls()
    turn_of(position).solve([EMPTY])
    mean = sum(weight * value(position.with_roll(roll)) for roll, weight in rolls) / 1296
    gains = {roll: value(position.with_roll(roll)) - mean for roll, _ in rolls}
    for roll in ((1, 1, 2, 2), (1, 3, 5, 5), (2, 3, 4, 6)):
        found = fortune(position, roll)
        assert (found.before, found.gain) == (pytest.approx(mean, abs=1e-9), pytest.approx(gains[roll], abs=1e-9))
        variance = sum(weight * gains[each] ** 2 for each, weight in rolls) / 1296
        assert found.variance == pytest.approx(variance)


@pytest.mark.parametrize("text", POSITIONS)
def test_the_expected_value_of_a_roll_is_that_of_rolling_in_the_solved_turn(text):
    position = parse_position(text)
    turn = turn_at(position)
    (worth,) = turn.solve([position.runners])
    for roll in ((1, 1, 2, 2), (1, 3, 5, 5), (2, 3, 4, 6)):
        rolled = position.with_roll(roll)
        options = turn.solve([runners_after(rolled, play) for play in plays(rolled)])
        after_it = max((one.best for one in options), default=turn.bust)
        assert after_it - fortune(position, roll).gain == pytest.approx(worth.roll, abs=1e-5)


@settings(max_examples=5, deadline=None)
@given(rolls=st.lists(st.sampled_from([roll for roll, _ in weighted_rolls()]), min_size=3, max_size=5))
def test_exactly_one_of_stopping_and_rolling_on_costs_nothing(rolls):
    position, strategy = Position.start(2), WeightedSums(EVOLVED)
    for roll in rolls:
        if any(position.runners) and may_stop(position):
            costs = cost(position, True), cost(position, False)
            assert min(costs) == 0
            assert max(costs) >= 0
            position = after(position, Stop()) if strategy.stops(position) else position
        position = after(position, Rolled(roll))
        position = after(position, Bust() if is_bust(position) else strategy.choose(position, roll))
