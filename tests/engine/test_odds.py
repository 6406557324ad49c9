"""The odds against counting: every set of columns, every variant, and the figures of the rule sheets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    COLUMNS,
    TOP,
    FastStart,
    Position,
    Stop,
    Variants,
    after,
    is_bust,
    may_stop,
    odds,
    parse_position,
    plays,
    roll_of,
)
from engine.board import EMPTY, with_piece
from engine.odds import _turn
from engine.position import RUNNERS

WEIGHTS = Counter(roll_of(dice) for dice in product(range(1, 7), repeat=4))


def counted_busts(position: Position) -> int:
    """Count, of the 1,296 ordered rolls, those with which the rules allow no play."""
    return sum(weight for roll, weight in WEIGHTS.items() if is_bust(position.with_roll(roll)))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position in which dice are rolled: any variant, any markers, no runner to three of them."""
    players = draw(st.integers(2, 4))
    other = draw(st.sampled_from(["", "no stop on a marker", "leap"]))
    variants = Variants(
        3,
        draw(st.sampled_from(FastStart)),
        no_stop_on_marker=other == "no stop on a marker",
        leap=other == "leap",
    )
    markers = [[0] * 13 for _ in range(players)]
    for column in COLUMNS:
        if draw(st.integers(0, 5)) == 0:
            markers[draw(st.integers(0, players - 1))][column] = TOP[column]
            continue
        spaces = draw(st.lists(st.integers(0, TOP[column] - 1), min_size=players, max_size=players))
        for player, space in enumerate(spaces):
            if not (variants.leap and space in [one[column] for one in markers]):
                markers[player][column] = space
    position = Position(variants, tuple(map(tuple, markers)), draw(st.integers(0, players - 1)))
    for column in draw(st.lists(st.sampled_from(COLUMNS), max_size=RUNNERS, unique=True)):
        own = position.markers[position.turn][column]
        if position.owners[column] is None:
            space = draw(st.integers(own + 1, TOP[column]))
            if not (variants.leap and position.others_on(column, space)):
                position = Position(
                    variants, position.markers, position.turn, with_piece(position.runners, column, space)
                )
    return position


def test_the_chance_of_a_bust_agrees_with_counting_for_all_2048_sets_of_columns():
    for mask in range(2048):
        # The columns outside the set are won, so with a free runner exactly the set is usable.
        columns = [column for column in COLUMNS if mask >> (column - 2) & 1]
        won = tuple(0 if column < 2 or column in columns else TOP[column] for column in range(13))
        position = Position(Variants(), (EMPTY, won))
        assert odds.moving_columns(position) == mask == odds.mask_of(columns)
        assert odds.bust_chance(position) == counted_busts(position) / 1296, columns


@given(positions())
@settings(max_examples=100)
def test_the_chance_of_a_bust_in_any_position_of_any_variant_agrees_with_counting_all_rolls(position):
    assert odds.bust_chance(position) == counted_busts(position) / 1296
    if not position.variants.no_stop_on_marker:
        assert odds.loss_chance(position) == odds.bust_chance(position)


@given(positions())
def test_the_stake_is_what_a_stop_would_add_to_the_markers(position):
    if may_stop(position):
        stopped = after(position, Stop())
        gained = sum(stopped.markers[position.turn]) - sum(position.markers[position.turn])
        assert odds.at_stake(position) == gained


@cache
def counted_loss(position: Position) -> Fraction:
    """Follow every roll with the rules themselves until a stop is allowed; slow, and exact."""
    lost = Fraction(0)
    for roll, weight in WEIGHTS.items():
        rolled = position.with_roll(roll)
        ends = [after(rolled, play) for play in plays(rolled)]
        if not any(map(may_stop, ends)):
            lost += weight * min(map(counted_loss, ends), default=Fraction(1))
    return lost / 1296


@pytest.mark.parametrize(
    "line",
    [
        "3+no-stop -/7:5 1 6:3,7:5,8:2 -",  # two players, one runner shares its space
        "3+no-stop -/2:1,3:1,12:1 1 2:1,3:1,12:1 -",  # all three do
        "3+no-stop -/2:1/2:2/3:4 1 2:1,3:4,7:12 -",  # from one marker to the next
        "3+no-stop+fast -/12:1/12:2 1 2:3,12:1 -",  # a free runner that must be brought in
        "3+no-stop+strict -/2:1,11:3/11:4 1 2:1,11:3,12:2 -",
        "3+no-stop 6:9/2:2,6:10 1 6:10,2:2,12:3 -",  # one is on top
        "3+no-stop 7:3/4:2 1 7:5,8:2,9:3 -",  # none does: a stop is allowed now
    ],
)
def test_the_chance_to_lose_the_turn_before_a_stop_is_allowed_again_is_exact(line):
    position = parse_position(line)
    assert odds.loss_chance(position) == pytest.approx(float(counted_loss(position)), abs=1e-12)


@pytest.mark.parametrize("others", [["6:3", "6:3,8:2"], ["6:3,7:6,8:2", "6:3,7:5,8:3"], ["-"]])
def test_cached_results_from_earlier_in_a_turn_change_no_chance(others):
    line = "3+no-stop -/7:5,8:2,6:3,9:2/6:4,8:3 1 {} -"
    _turn.cache_clear()
    alone = odds.loss_chance(parse_position(line.format("6:3,7:5,8:2")))
    _turn.cache_clear()
    for runners in others:
        odds.loss_chance(parse_position(line.format(runners)))
    assert odds.loss_chance(parse_position(line.format("6:3,7:5,8:2"))) == alone
    # With other markers it is another turn, even if the runners are the same.
    assert odds.loss_chance(parse_position("3+no-stop -/7:6 1 6:3,7:5,8:2 -")) != alone
