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


def test_a_first_roll_brings_in_two_runners_or_one_that_moves_twice():
    line = "3 -/- 1 - 2-3-4-5"
    assert choices(line) == ["5+9", "6+8", "7+7"]
    assert ends(line, Play((5, 9), (5, 9))) == "5:1,9:1"
    assert ends(line, Play((6, 8), (6, 8))) == "6:1,8:1"
    assert ends(line, Play((7, 7), (7, 7))) == "7:2"


def test_a_pairing_moves_a_runner_on_the_board_and_brings_in_the_third():
    assert ends("3 -/- 1 8:1,9:1 1-4-5-6", Play((7, 9), (7, 9))) == "7:1,8:1,9:2"


def test_with_one_free_runner_and_two_new_columns_the_player_chooses_one_of_them():
    line = "3 -/- 1 8:1,9:1 1-4-5-6"
    assert [text for text in choices(line) if text.startswith("6+10")] == ["6+10: 6", "6+10: 10"]
    assert ends(line, Play((6, 10), (6,))) == "6:1,8:1,9:1"
    assert ends(line, Play((6, 10), (10,))) == "8:1,9:1,10:1"


def test_equal_sums_move_one_runner_up_two():
    assert ends("3 -/- 1 8:1,9:1 3-4-5-6", Play((9, 9), (9, 9))) == "8:1,9:3"


def test_three_rolls_of_one_turn_end_as_the_sheet_says():
    game = Game.new(["yellow", "green"])
    for roll, play in [
        ((3, 3, 5, 6), Play((8, 9), (8, 9))),
        ((4, 4, 5, 5), Play((9, 9), (9, 9))),
        ((1, 3, 5, 6), Play((7, 8), (7, 8))),
    ]:
        game = game.do(Rolled(roll)).do(play)
    assert position_text(game.position) == "3 -/- 1 7:1,8:2,9:3 -"


def test_the_third_runner_goes_to_2_or_11_or_it_goes_to_7_and_the_6_moves_up():
    line = "3 -/- 1 6:1,8:1 1-1-5-6"
    assert choices(line) == ["2+11: 2", "2+11: 11", "6+7"]
    assert ends(line, Play((6, 7), (6, 7))) == "6:2,7:1,8:1"


def test_runners_on_5_7_and_10_are_bust_with_1_3_3_5():
    assert is_bust(parse_position("3 -/- 1 5:1,7:1,10:1 1-3-3-5"))


def test_a_fresh_turn_with_7_8_and_9_won_is_bust_with_3_4_4_5():
    assert is_bust(parse_position("4 7:13,8:11/9:9 1 - 3-4-4-5"))


def test_a_double_moves_a_runner_on_the_board_up_two():
    assert ends("3 -/- 1 6:1 1-2-4-5", Play((6, 6), (6, 6))) == "6:3"


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


def test_fast_start_demands_the_pairing_that_brings_in_two_runners():
    assert choices("3+fast 6:11/- 1 - 1-1-4-5") == ["2+9"]


def test_fast_start_demands_the_third_runner_if_one_can_come_in():
    assert choices("3+fast 6:11/- 1 2:1,9:1 1-1-3-6") == ["4+7: 4", "4+7: 7"]
