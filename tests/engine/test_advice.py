"""What the strongest opponent advises: its own decisions, and values that equal those of an own calculation."""

from __future__ import annotations

import pytest

from engine import Bust, Position, Stop, parse_position
from engine.odds import weighted_rolls
from engine.opponents import level
from engine.opponents.strongest import advice, value
from engine.opponents.turns import turn_of
from engine.rules import after, is_bust, plays

POSITIONS = (
    "3 7:4,6:2/8:5 1 5:2,8:3 3-3-5-6",
    "3 7:4,6:2/8:5 1 5:2,8:3 -",
    "3 7:13,8:11 1 12:1,6:2 3-3-5-6",
    "3 7:4,6:2 1 5:2,8:3 -",
    "3+no-stop -/8:2 1 7:3,8:2 -",
    "4 -/-/- 3 2:1,12:1,7:1 -",
)


@pytest.mark.parametrize("text", POSITIONS)
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
