"""Positions set by hand, and the sense check: each thing that no game can reach has its own words."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.board import EMPTY, with_piece
from engine.variants import WHO_CAN_PLAY


def pieces(**columns: int) -> tuple[int, ...]:
    """Give spaces by column, written as c7=5."""
    spaces = EMPTY
    for name, space in columns.items():
        spaces = with_piece(spaces, int(name[1:]), space)
    return spaces


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "five fields"),
        ("3 -/- 1 - - -", "five fields"),
        ("x -/- 1 - -", "must begin with the number of columns to win"),
        ("3+jump -/- 1 - -", "unknown variant 'jump'"),
        ("3+leap+leap -/- 1 - -", "name one thing twice"),
        ("3 -/- 0 - -", "is not a player's number"),
        ("3 7/- 1 - -", "'7' is not a piece"),
        ("3 7:5,/- 1 - -", "'' is not a piece"),
        ("3 1:1/- 1 - -", "there is no column 1"),
        ("3 7:1,7:2/- 1 - -", "column 7 is named twice"),
        ("3 7:0/- 1 - -", "spaces count from 1"),
        ("3 -/- 1 - 1-2-3", "is not a roll"),
        ("3 7:14/- 1 - -", "this position makes no sense: column 7 has no space 14"),
        ("3 7:14/- 1 - -", "column 7 has no space 14, its spaces are 1 to 13"),
        ("3 -/- 1 2:4 -", "column 2 has no space 4, its spaces are 1 to 3"),
        ("3 -/- 1 6:1,7:1,8:1,9:1 -", "there are only 3 runners, not 4"),
        ("3 7:13/7:2 1 - -", "column 7 is won, so it can hold no other marker"),
        ("3 7:13/- 2 7:3 -", "column 7 is won, so it can hold no runner"),
        ("3 7:5/- 1 7:5 -", "the runner in column 7 must be above the player's own marker"),
        ("3+leap 7:5/7:5 1 - -", "with leap, two markers cannot share a space (column 7)"),
        ("3+leap -/7:5 1 7:5 -", "with leap, a runner cannot share a space with a marker (column 7)"),
        ("3 2:3,7:13,12:3/3:5,4:7,5:9 1 - -", "only one player can have won"),
        ("3 2:3,7:13,12:3/- 2 - -", "the game is won, so it must be the winner's turn"),
        ("3 2:3,7:13,12:3/- 1 - 1-2-3-4", "the game is won, so there can be no roll and no runners"),
        ("3 -/- 3 - -", "it is nobody's turn: player 3 of 2"),
        (f"3 -{'/-' * engine.MOST_PLAYERS} 1 - -", f"{WHO_CAN_PLAY}, not {engine.MOST_PLAYERS + 1}"),
        ("4 - 1 - -", "with 1 player, 3 columns win, not 4"),
        ("4 -/-/-/- 1 - -", "with 4 players, 3 columns win, not 4"),
        ("3+no-stop+leap -/- 1 - -", "cannot be combined"),
    ],
)
def test_an_invalid_or_unreachable_position_is_explained_in_words(line, problem):
    with pytest.raises(engine.BadText) as caught:
        engine.parse_position(line)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ((engine.Variants(), (EMPTY, EMPTY[1:])), "pieces are 13 numbers, space by column, not"),
        ((engine.Variants(), (EMPTY, (1, *EMPTY[1:]))), "the columns are 2 to 12"),
        ((engine.Variants(), (pieces(c7=-1), EMPTY)), "column 7 has no space -1, its spaces are 1 to 13"),
        ((engine.Variants(), (EMPTY, EMPTY), 0, pieces(c2=4)), "column 2 has no space 4, its spaces are 1 to 3"),
        ((engine.Variants(), (EMPTY, EMPTY), -1), "it is nobody's turn: player 0 of 2"),
    ],
)
def test_a_position_with_an_invalid_field_cannot_be_made(fields, problem):
    with pytest.raises(engine.BadPosition) as caught:
        engine.Position(*fields)
    assert problem in str(caught.value)


@pytest.mark.parametrize("dice", [[6, 3, 1, 5], (5, 6, 1, 3), np.array([3, 1, 6, 5])])
def test_dice_become_a_sorted_roll_of_whole_numbers(dice):
    for roll in (engine.roll_of(dice), engine.Rolled(dice).dice, engine.Position.start(2).with_roll(dice).roll):
        assert roll == (1, 3, 5, 6)
        assert set(map(type, roll)) == {int}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"columns_to_win": 7}, "3 to 5 columns win, not 7"),
        ({"leap": True, "no_stop_on_marker": True}, "cannot be combined"),
    ],
)
def test_invalid_variants_cannot_be_made(arguments, reason):
    with pytest.raises(engine.BadVariants) as caught:
        engine.Variants(**arguments)
    assert reason in str(caught.value)


@pytest.mark.parametrize("players", [0, engine.MOST_PLAYERS + 1, -1])
def test_a_game_needs_an_allowed_number_of_players(players):
    with pytest.raises(engine.BadVariants, match=f"2 to {engine.MOST_PLAYERS} can play, or 1 solo, not"):
        engine.Position.start(players)


def test_all_problems_are_reported_at_once():
    with pytest.raises(engine.BadPosition) as caught:
        engine.Position(engine.Variants(), (pieces(c7=14), pieces(c2=4)))
    assert str(caught.value).count("has no space") == 2
    crowded = engine.Position(engine.Variants(), (pieces(c7=13), pieces(c7=1)), 0, pieces(c7=2))
    assert len(crowded.problems()) == 3
