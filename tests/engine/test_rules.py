"""The worked examples of the printed sheets, and numbers of other sources; test_properties.py has each rule.

For missing pictures of the sheets, dice that fit the text are used.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest

import engine
from engine.rules import climb, why_no_stop


def choices(line: str) -> list[str]:
    """List the legal plays of a position as texts."""
    return [engine.play_text(play) for play in engine.plays(engine.parse_position(line))]


def runners(line: str, text: str) -> str:
    """Give the runners' field after the legal play that is written so."""
    position = engine.parse_position(line)
    (play,) = (play for play in engine.plays(position) if engine.play_text(play) == text)
    return str(engine.after(position, play)).split()[3]


CHOICES = [
    ("3 -/- 1 8:1,9:1 1-4-5-6", ["5+11: 5", "5+11: 11", "6+10: 6", "6+10: 10", "7+9"]),
    ("3 -/- 1 6:1,8:1 1-1-5-6", ["2+11: 2", "2+11: 11", "6+7"]),
    ("3+fast 6:11/- 1 - 1-1-4-5", ["2+9"]),
    ("3+fast 6:11/- 1 2:1,9:1 1-1-3-6", ["4+7: 4", "4+7: 7"]),
    ("3 -/- 1 5:1,7:1,10:1 1-3-3-5", []),
    ("4 7:13,8:11/9:9 1 - 3-4-4-5", []),
]
"""Positions, and the plays that they allow, as the sheets print them."""
MOVES = [
    ("3 -/- 1 - 2-3-4-5", "5+9", "5:1,9:1"),
    ("3 -/- 1 - 2-3-4-5", "6+8", "6:1,8:1"),
    ("3 -/- 1 - 2-3-4-5", "7+7", "7:2"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", "7+9", "7:1,8:1,9:2"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", "6+10: 6", "6:1,8:1,9:1"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", "6+10: 10", "8:1,9:1,10:1"),
    ("3 -/- 1 8:1,9:1 3-4-5-6", "9+9", "8:1,9:3"),
    ("3 -/- 1 6:1,8:1 1-1-5-6", "6+7", "6:2,7:1,8:1"),
    ("3 -/- 1 6:1 1-2-4-5", "6+6", "6:3"),
]
"""Positions, a play, and the runners after it, as the sheets print them."""


def test_the_rules_allow_these_plays_and_no_others():
    assert [(line, choices(line)) for line, _ in CHOICES] == CHOICES


def test_a_play_moves_the_runners_as_the_rules_say():
    assert [(line, play, runners(line, play)) for line, play, _ in MOVES] == MOVES


@pytest.mark.parametrize(
    ("begins", "turn", "stops", "ends"),
    [
        ("3 -/- 1 - -", ["3-3-5-6 8+9", "4-4-5-5 9+9", "1-3-5-6 7+8"], False, "3 -/- 1 7:1,8:2,9:3 -"),
        (
            "3 7:2,9:1/9:6 1 - -",
            ["1-3-3-6 4+9", "1-3-3-4 4+7", *["3-4-4-5 7+9"] * 3, "1-1-3-6 2+9: 9"],
            True,
            "3 4:2,7:6,9:6/9:6 2 - -",
        ),
    ],
)
def test_a_turn_ends_as_the_sheets_print(begins, turn, stops, ends):
    game = engine.Game.new(("yellow", "green")).do(engine.SetTo(engine.parse_position(begins)))
    for roll, text in (line.split(" ", 1) for line in turn):
        game = game.do(engine.Rolled(engine.parse_roll(roll)))
        game = game.do(next(play for play in engine.plays(game.position) if engine.play_text(play) == text))
    assert str((game.do(engine.Stop()) if stops else game).position) == ends


ORDERED = [engine.roll_of(dice) for dice in product(range(1, 7), repeat=4)]
"""The 1,296 ordered rolls, each as its multiset."""


@pytest.mark.parametrize(("column", "count"), [(2, 171), (7, 834), (12, 171)])
def test_a_sum_can_be_formed_in_as_many_rolls_as_franjos_prints(column, count):
    assert sum(any(column in pairing for pairing in engine.pairings(roll)) for roll in ORDERED) == count


@pytest.mark.parametrize(("runners", "count"), [("6:1,7:1,8:1", 1192), ("2:1,3:1,12:1", 568)])
def test_the_number_of_rolls_that_move_a_runner_is_the_golden_one(runners, count):
    position = engine.parse_position(f"3 -/- 1 {runners} -")
    assert sum(not engine.is_bust(position.with_roll(roll)) for roll in ORDERED) == count


def test_126_rolls_have_one_pairing_810_have_two_and_360_have_three():
    assert len(set(ORDERED)) == 126
    assert Counter(len(engine.pairings(roll)) for roll in ORDERED) == {1: 126, 2: 810, 3: 360}


@cache
def leaves(position: engine.Position, depth: int) -> int:
    """Count the leaves of the tree of choices in one turn; each of the 126 rolls counts once, a bust as one leaf."""
    if not depth:
        return 1
    rolled = (engine.after(position, engine.Rolled(roll)) for roll in set(ORDERED))
    return sum(sum(leaves(engine.after(each, play), depth - 1) for play in engine.plays(each)) or 1 for each in rolled)


@pytest.mark.parametrize(
    ("rules", "first", "second"), [("3", 231, 76_995), ("3+fast", 203, 68_154), ("3+strict", 203, 49_080)]
)
def test_the_tree_of_choices_has_the_golden_number_of_leaves(rules, first, second):
    start = engine.parse_position(f"{rules} -/- 1 - -")
    assert (leaves(start, 1), leaves(start, 2)) == (first, second)


def test_a_climb_begins_above_the_players_own_marker_and_ends_on_the_top_space():
    assert climb(engine.parse_position("3 4:5/4:6 1 - -"), 4) == (6, 7)
    assert climb(engine.parse_position("3 7:13/- 1 - -"), 7) == ()
    assert climb(engine.parse_position("3+leap 4:3/4:4 1 - -"), 4) == (5, 6, 7)


def test_a_bust_can_come_before_three_runners_are_placed():
    position = engine.parse_position("3 7:13/- 2 2:3 1-1-1-1")
    assert engine.is_bust(position)
    assert position.free_runners == 2
    assert not engine.is_bust(engine.parse_position("3 -/- 1 - -")), "without a roll"


def test_after_the_winning_stop_it_is_still_the_winners_turn_and_nothing_is_legal():
    before = engine.parse_position("3 2:3,12:3/- 1 7:13 -")
    assert (before.winner, engine.stop_wins(before)) == (None, True)
    assert engine.after(engine.parse_position("3 -/- 1 2:3,7:13,12:3 -"), engine.Stop()).won(0) == (2, 7, 12), (
        "several at once"
    )
    won = engine.after(before, engine.Stop())
    assert (won.winner, won.turn) == (0, 0)
    assert not engine.may_roll(won)
    assert why_no_stop(won) == "the game is over"
    assert engine.plays(won) == ()


@pytest.mark.parametrize(("players", "columns"), [(2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (4, 3)])
def test_the_agreed_number_of_columns_wins_and_one_fewer_does_not(players, columns):
    owned = ",".join(("2:3", "3:5", "4:7", "5:9")[: columns - 1])
    fewer = ",".join(("2:3", "3:5", "4:7", "5:9")[: columns - 2])
    rest = "/-" * (players - 1)
    assert engine.after(engine.parse_position(f"{columns} {owned}{rest} 1 12:3 -"), engine.Stop()).winner == 0
    assert not engine.stop_wins(engine.parse_position(f"{columns} {fewer or '-'}{rest} 1 12:3 -"))
    assert engine.after(engine.parse_position(f"{columns} {fewer or '-'}{rest} 1 12:3 -"), engine.Stop()).winner is None


def test_a_solo_player_has_every_turn_and_wins_with_three_columns():
    game = engine.Game.new(["yellow"]).do(engine.Rolled((1, 1, 1, 1))).do(engine.Play((2, 2), (2, 2))).do(engine.Stop())
    assert game.player == "yellow"
    set_to = engine.SetTo(engine.parse_position("3 2:3,12:3 1 7:13 -"))
    assert game.do(set_to).do(engine.Stop()).winner == "yellow"


def test_runner_moves_name_each_runners_new_space():
    position = engine.parse_position("3 4:1/- 1 9:8 1-3-4-5")
    assert engine.runner_moves(position, engine.Play((4, 9), (4, 9))) == (
        engine.RunnerMove(4, 2, brought_in=True, top=False),
        engine.RunnerMove(9, 9, brought_in=False, top=True),
    )


def test_marker_moves_name_the_markers_that_move_and_those_sent_back():
    assert engine.marker_moves(engine.parse_position("3 4:1,9:3/9:1/4:2,9:8 1 4:2,9:9 -")) == (
        engine.MarkerMove(4, 2, won=False, sent_back=()),
        engine.MarkerMove(9, 9, won=True, sent_back=(1, 2)),
    )
