"""Positions set by hand, and the sense check: each thing that no game can reach has its own words."""

from __future__ import annotations

import pytest

from engine import BadText, Game, Play, Position, Rolled, SetTo, Variants, parse_position, position_text
from engine.board import EMPTY, with_piece


def pieces(**columns: int) -> tuple[int, ...]:
    """Give spaces by column, written as c7=5."""
    spaces = EMPTY
    for name, space in columns.items():
        spaces = with_piece(spaces, int(name[1:]), space)
    return spaces


def test_the_start_makes_sense():
    assert Position.start(4).problems() == ()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("3 7:14/- 1 - -", "column 7 has no space 14, its spaces are 1 to 13"),
        ("3 -/- 1 2:4 -", "column 2 has no space 4, its spaces are 1 to 3"),
        ("3 -/- 1 6:1,7:1,8:1,9:1 -", "there are 3 runners, not 4"),
        ("3 7:13/7:2 1 - -", "column 7 is won, so no other marker can stand in it"),
        ("3 7:13/7:13 1 - -", "column 7 is won, so no other marker can stand in it"),
        ("3 7:13/- 2 7:3 -", "column 7 is won, so no runner can stand in it"),
        ("3 7:5/- 1 7:5 -", "the runner in column 7 must stand above the player's own marker"),
        ("3 7:5/- 1 7:3 -", "the runner in column 7 must stand above the player's own marker"),
        ("3+leap 7:5/7:5 1 - -", "with leap no two markers share a space, as in column 7"),
        ("3+leap -/7:5 1 7:5 -", "with leap no runner shares a space with a marker, as in column 7"),
        ("3 2:3,7:13,12:3/3:5,4:7,5:9 1 - -", "only one player can have won"),
        ("3 2:3,7:13,12:3/- 2 - -", "the game is won, so it must be the winner's turn"),
        ("3 2:3,7:13,12:3/- 1 - 1-2-3-4", "the game is won, so there can be no roll and no runner"),
        ("3 2:3,7:13,12:3/- 1 8:1 -", "the game is won, so there can be no roll and no runner"),
        ("3 -/- 3 - -", "it is nobody's turn: player 3 of 2"),
        ("3 -/-/-/-/- 1 - -", "2 to 4 can play, or 1 alone, not 5"),
        ("4 - 1 - -", "with 1 player, 3 columns win, not 4"),
        ("4 -/-/-/- 1 - -", "with 4 players, 3 columns win, not 4"),
        ("3+no-stop+leap -/- 1 - -", "exclude one another"),
    ],
)
def test_what_no_game_can_reach_is_told_in_words(line, problem):
    with pytest.raises(BadText) as caught:
        parse_position(line)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("position", "problem"),
    [
        (Position(Variants(), (EMPTY, EMPTY), -1), "it is nobody's turn: player 0 of 2"),
        (Position(Variants(), (EMPTY[:5], EMPTY)), "the columns are 2 to 12"),
        (Position(Variants(), (EMPTY, (1, *EMPTY[1:]))), "the columns are 2 to 12"),
        (Position(Variants(), (pieces(c7=-1), EMPTY)), "column 7 has no space -1, its spaces are 1 to 13"),
        (Position(Variants(), (EMPTY, EMPTY), roll=(1, 2, 3, 7)), "a die shows 1 to 6, not 7"),
        (Position(Variants(), (EMPTY, EMPTY), roll=(4, 3, 2, 1)), "the dice of a roll are kept sorted"),
    ],
)
def test_what_no_text_can_say_is_noticed_too(position, problem):
    assert [str(each) for each in position.problems()] == [problem]


def test_all_that_is_wrong_is_told_at_once():
    position = Position(Variants(), (pieces(c7=14), pieces(c2=4)))
    assert len(position.problems()) == 2


@pytest.mark.parametrize(
    "line",
    [
        "3 7:5/7:5 1 7:6 -",  # without leap markers share a space
        "3 -/7:5 1 7:5 -",
        "3 -/7:5 1 7:13 1-1-1-1",  # a topped runner has not yet won the column
        "3+leap 7:5/7:6 2 7:7 -",
        "3 2:3,7:13/3:5,4:7 1 - -",
    ],
)
def test_unusual_positions_that_games_do_reach_make_sense(line):
    assert position_text(parse_position(line)) == line


def test_a_position_set_by_hand_is_played_on_from():
    game = Game.new(["yellow", "green"]).do(Rolled((3, 3, 4, 4)))
    game = game.do(SetTo(parse_position("3 8:4/- 2 7:3,9:2 -")))
    assert game.player == "green"
    game = game.do(Rolled((3, 3, 4, 4))).do(Play((7, 7), (7, 7)))
    assert position_text(game.position) == "3 8:4/- 2 7:5,9:2 -"


def test_setting_by_hand_can_be_undone():
    game = Game.new(["yellow", "green"]).do(Rolled((3, 3, 4, 4)))
    assert game.do(SetTo(parse_position("3 8:4/- 2 7:3,9:2 -"))).undo() == game


def test_a_game_that_is_over_can_be_set_back_by_hand():
    won = Game(("yellow", "green"), (), (parse_position("3 2:3,7:13,12:3/- 1 - -"),))
    assert won.winner == "yellow"
    assert won.do(SetTo(parse_position("3 2:3,7:13/- 1 12:2 -"))).winner is None
