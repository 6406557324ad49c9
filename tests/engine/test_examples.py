"""The worked examples of the printed rule sheets; for missing pictures, dice that fit the text are used."""

from __future__ import annotations

import pytest

from engine import (
    Game,
    Play,
    Rolled,
    Stop,
    after,
    is_bust,
    pairings,
    parse_position,
    play_text,
    plays,
    position_text,
)


def choices(line: str) -> list[str]:
    """List the legal plays of a position as texts."""
    return [play_text(play) for play in plays(parse_position(line))]


def ends(line: str, play: Play) -> str:
    """Give the position after a play, as its runners' field."""
    return position_text(after(parse_position(line), play)).split()[3]


@pytest.mark.parametrize(
    ("roll", "ways"),
    [
        ((1, 3, 5, 6), {(4, 11), (6, 9), (7, 8)}),
        ((2, 3, 3, 4), {(5, 7), (6, 6)}),
        ((2, 4, 5, 6), {(6, 11), (7, 10), (8, 9)}),
        ((1, 3, 3, 5), {(4, 8), (6, 6)}),
        ((2, 2, 4, 4), {(4, 8), (6, 6)}),
        ((2, 3, 4, 5), {(5, 9), (6, 8), (7, 7)}),
    ],
)
def test_a_roll_makes_the_pairings_that_the_sheets_print(roll, ways):
    assert set(pairings(roll)) == ways


CHOICES = [
    ("3 -/- 1 - 2-3-4-5", ["5+9", "6+8", "7+7"]),
    ("3 -/- 1 8:1,9:1 1-4-5-6", ["5+11: 5", "5+11: 11", "6+10: 6", "6+10: 10", "7+9"]),
    ("3 -/- 1 6:1,8:1 1-1-5-6", ["2+11: 2", "2+11: 11", "6+7"]),
    ("3+fast 6:11/- 1 - 1-1-4-5", ["2+9"]),
    ("3+fast 6:11/- 1 2:1,9:1 1-1-3-6", ["4+7: 4", "4+7: 7"]),
]
"""Positions, and the plays that the sheets allow."""
MOVES = [
    ("3 -/- 1 - 2-3-4-5", Play((5, 9), (5, 9)), "5:1,9:1"),
    ("3 -/- 1 - 2-3-4-5", Play((6, 8), (6, 8)), "6:1,8:1"),
    ("3 -/- 1 - 2-3-4-5", Play((7, 7), (7, 7)), "7:2"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", Play((7, 9), (7, 9)), "7:1,8:1,9:2"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", Play((6, 10), (6,)), "6:1,8:1,9:1"),
    ("3 -/- 1 8:1,9:1 1-4-5-6", Play((6, 10), (10,)), "8:1,9:1,10:1"),
    ("3 -/- 1 8:1,9:1 3-4-5-6", Play((9, 9), (9, 9)), "8:1,9:3"),
    ("3 -/- 1 6:1,8:1 1-1-5-6", Play((6, 7), (6, 7)), "6:2,7:1,8:1"),
    ("3 -/- 1 6:1 1-2-4-5", Play((6, 6), (6, 6)), "6:3"),
]
"""Positions, a play, and the runners after it."""


def test_a_roll_allows_the_plays_that_the_sheets_print():
    assert [(line, choices(line)) for line, _ in CHOICES] == CHOICES


def test_a_play_moves_the_runners_as_the_sheets_print():
    assert [(line, play, ends(line, play)) for line, play, _ in MOVES] == MOVES


def test_three_rolls_of_one_turn_end_as_the_sheet_says():
    game = Game.new(["yellow", "green"])
    for roll, play in [
        ((3, 3, 5, 6), Play((8, 9), (8, 9))),
        ((4, 4, 5, 5), Play((9, 9), (9, 9))),
        ((1, 3, 5, 6), Play((7, 8), (7, 8))),
    ]:
        game = game.do(Rolled(roll)).do(play)
    assert position_text(game.position) == "3 -/- 1 7:1,8:2,9:3 -"


def test_runners_on_5_7_and_10_are_bust_with_1_3_3_5():
    assert is_bust(parse_position("3 -/- 1 5:1,7:1,10:1 1-3-3-5"))


def test_a_fresh_turn_with_7_8_and_9_won_is_bust_with_3_4_4_5():
    assert is_bust(parse_position("4 7:13,8:11/9:9 1 - 3-4-4-5"))


def test_yellow_stops_and_its_markers_move_to_its_runners():
    game = Game(("yellow", "green"), (), (parse_position("3 7:2,9:1/9:6 1 - -"),))
    for roll, play in [
        ((1, 3, 3, 6), Play((4, 9), (4, 9))),
        ((1, 3, 3, 4), Play((4, 7), (4, 7))),
        *[((3, 4, 4, 5), Play((7, 9), (7, 9)))] * 3,
        ((1, 1, 3, 6), Play((2, 9), (9,))),
    ]:
        game = game.do(Rolled(roll)).do(play)
    assert position_text(game.do(Stop()).position) == "3 4:2,7:6,9:6/9:6 2 - -"
