"""Numbers that do not depend on how the engine is written: exact counts over rolls and over the tree of one turn."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest

from engine import Position, Rolled, after, all_rolls, is_bust, pairings, parse_position, plays, roll_of

ORDERED = [roll_of(dice) for dice in product(range(1, 7), repeat=4)]
"""The 1,296 ordered rolls, each as its multiset."""


@pytest.mark.parametrize(("column", "count"), [(2, 171), (7, 834), (12, 171)])
def test_a_sum_can_be_formed_in_as_many_rolls_as_franjos_prints(column, count):
    assert sum(any(column in pairing for pairing in pairings(roll)) for roll in ORDERED) == count


@pytest.mark.parametrize(("runners", "count"), [("6:1,7:1,8:1", 1192), ("2:1,3:1,12:1", 568)])
def test_the_number_of_rolls_that_move_a_runner_is_the_golden_one(runners, count):
    position = parse_position(f"3 -/- 1 {runners} -")
    assert sum(not is_bust(position.with_roll(roll)) for roll in ORDERED) == count


def test_126_rolls_have_one_pairing_810_have_two_and_360_have_three():
    assert len(all_rolls()) == len(set(all_rolls())) == len(set(ORDERED)) == 126
    assert Counter(len(pairings(roll)) for roll in ORDERED) == {1: 126, 2: 810, 3: 360}


@cache
def leaves(position: Position, depth: int) -> int:
    """Count the leaves of the tree of choices in one turn; each of the 126 rolls counts once, a bust as one leaf."""
    if not depth:
        return 1
    total = 0
    for roll in all_rolls():
        rolled = after(position, Rolled(roll))
        total += sum(leaves(after(rolled, play), depth - 1) for play in plays(rolled)) or 1
    return total


@pytest.mark.parametrize(
    ("rules", "first", "second"), [("3", 231, 76_995), ("3+fast", 203, 68_154), ("3+strict", 203, 49_080)]
)
def test_the_tree_of_choices_has_the_golden_number_of_leaves(rules, first, second):
    start = parse_position(f"{rules} -/- 1 - -")
    assert (leaves(start, 1), leaves(start, 2)) == (first, second)
