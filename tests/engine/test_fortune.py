"""The luck of a roll from the solved turn: zero on average, and the values of a bust and of a win."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Position, is_bust, parse_position
from engine.actions import Bust, Rolled, Stop
from engine.odds import weighted_rolls
from engine.opponents.fortune import cost, fortune
from engine.opponents.turns import Turn
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
def test_luck_averages_zero_over_all_rolls(text):
    position = parse_position(text)
    gains = [(fortune(position, roll), weight) for roll, weight in weighted_rolls()]
    assert sum(weight * one.gain for one, weight in gains) == pytest.approx(0, abs=1e-9)
    variance = sum(weight * one.gain**2 for one, weight in gains) / 1296
    assert gains[0][0].variance == pytest.approx(variance)


@pytest.mark.parametrize("text", POSITIONS)
def test_the_expected_value_of_a_roll_is_that_of_rolling_in_the_solved_turn(text):
    position = parse_position(text)
    turn = turn_at(position)
    (worth,) = turn.solve([turn.steps(position.runners)])
    for roll in ((1, 1, 2, 2), (1, 3, 5, 5), (2, 3, 4, 6)):
        rolled = position.with_roll(roll)
        options = turn.solve([turn.steps(runners_after(rolled, play)) for play in plays(rolled)])
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
