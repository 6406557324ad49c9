"""Somebody leaves, returns or joins during a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.referee import states
from device.referee.correcting import MENU
from device.referee.inputs import SeatsGiven
from device.referee.players import GameSettings
from device.referee.putting_back import changes
from device.referee.questions import question_of
from device.referee.setup import answer_with, repeated
from engine import Joins, Position, parse_position
from tests.device.helpers import HOLD_C, HOLD_STOP, STOP, A, B, C, Story, dice

THREE = "3 7:4,8:2/7:6,9:3/- 1 7:6 -"
ROLL = dice(1, 2, 3, 4)


def change(story: Story, *answers: str) -> Story:
    """Answer the questions that the menu leads to."""
    story.do(HOLD_STOP, *[B] * MENU.index("seats"), C)
    assert isinstance(story.state, states.ChangingSeats)
    for answer in answers:
        story.now = answer_with(story.now, story.state, answer)
    return story


def position(story: Story) -> Position:
    return story.now.played.position


def moves(story: Story) -> list[tuple[int, int, int | None]]:
    assert isinstance(story.state, states.PutBack)
    return [(one.column, one.space, one.player) for one in changes(story.now, story.state)]


LEAVES = [
    # Markers are taken off, or stay, and keep a won column closed
    (THREE, (), (1, "off"), [(7, 0, 1), (9, 0, 1)], states.Deciding(), "3 7:4,8:2/-*/- 1 7:6 -"),
    ("3 7:4/8:11/- 1 - -", (), (1, "stay"), [], states.Waiting(), "3 7:4/8:11*/- 1 - -"),
    # The turn of who leaves ends, and the runners come off
    (THREE, (), (0, "stay"), [(0, 0, None)], states.Waiting(), "3 7:4,8:2*/7:6,9:3/- 2 - -"),
    # A roll goes on waiting for its choice, and moves that were due are told again
    (THREE, (ROLL,), (2, "off"), [], states.Choosing(), "3 7:4,8:2/7:6,9:3/-* 1 7:6 1-2-3-4"),
    ("3 7:4/9:3 1 - -", (ROLL, A), (1, "off"), [(9, 0, 1), (3, 1, None), (7, 5, None)], states.Deciding(),
     "3 7:4/-* 1 3:1,7:5 -"),
]  # fmt: skip
"""A position and the inputs from there; who leaves, with the markers or not; the pieces to move, and what follows."""


def test_who_leaves_is_out_of_the_game_with_or_without_the_markers():
    for line, events, (seat, markers), expected, state, after in LEAVES:
        story = change(Story.at(line).do(*events), f"leaves {seat}", f"markers {markers}")
        found = moves(story) if expected else []
        while isinstance(story.state, states.PutBack):
            story.do(C)
        assert (found, story.state, position(story)) == (expected, state, parse_position(after)), (line, seat)
    assert change(Story.at(THREE), "leaves 1", "markers off").do(C, STOP, C).now.played.player == "green"


def test_what_the_last_roll_may_have_been_is_over_for_who_plays_after_a_change_of_the_players():
    story = Story.at("3 7:4/9:3/- 2 - -")
    story.now = replace(story.now, likely=((1, 2, 3, 5),), undone=(1, 2, 3, 4))
    change(story, "leaves 1", "markers off")
    assert (story.now.likely, story.now.undone) == ((), ())


def test_who_left_returns_with_the_markers_that_stayed():
    story = change(change(Story.at(THREE), "leaves 1", "markers stay"), "returns 1")
    assert position(story) == parse_position(THREE)
    story.do(STOP, C)
    assert story.now.played.player == "orange"


def test_who_joins_gets_a_free_colour_and_a_name_and_plays_last():
    story = Story.at("3 7:4/9:3 2 - -")
    change(story, "joins")
    assert not {"yellow", "orange"} & set(question_of(story.state).options)
    for answer in ("green", "new name"):
        story.now = answer_with(story.now, story.state, answer)
    assert isinstance(story.state, states.EnteringName)
    story.do(C, C, HOLD_C)
    game = story.now.played
    assert (game.names[2], game.colours[2]) == ("Aa", "green")
    story.do(dice(6, 6, 6, 6), A, C, STOP, C)
    assert story.now.played.player == "Aa"


def test_an_opponent_who_joins_decides_in_its_turn():
    story = change(Story.at("3 7:4 1 - -"), "joins", "orange", "counter")
    story.do(dice(6, 6, 6, 6), A, C, STOP, C, dice(1, 2, 3, 4))
    assert isinstance(story.state, states.Thinking)


def test_nobody_joins_a_full_table_or_a_game_to_too_many_columns():
    for full in ("3 -/-/-/- 1 - -", "5 -/- 1 - -"):
        story = change(Story.at(full))
        assert "joins" not in question_of(story.state).options
    last = change(Story.at("3 -/-* 1 - -"))
    assert question_of(last.state).options == ("returns 1", "joins"), "the last one cannot leave"


@pytest.mark.parametrize("answers", [("leaves 1", "markers off"), ("joins", "blue", "")])
def test_undo_takes_a_change_of_the_players_back(answers):
    story = Story.at(THREE)
    before = story.now.played
    change(story, *answers)
    if isinstance(story.state, states.PutBack):
        story.do(C)
    story.do(HOLD_C)
    assert story.now.played == before


def test_a_piece_of_who_joined_is_put_back_before_the_joining_is_undone():
    story = change(Story.at("3 7:4 1 - -"), "joins", "orange", "")
    story.do(dice(6, 6, 6, 6), A, C, STOP, C, dice(5, 5, 5, 5), A, C, STOP, C)
    while not isinstance(story.now.played.steps[-1], Joins):
        assert not story.refuses(HOLD_C)
        story.do(HOLD_C)
    assert isinstance(story.state, states.PutBack)
    assert story.refuses(HOLD_C)


def test_the_board_set_by_hand_never_gives_the_turn_to_who_left():
    story = Story.at("3 -/-*/- 1 - -")
    story.do(HOLD_STOP, *[B] * MENU.index("set the board"), C, *[C] * 4)
    turns = []
    for _ in range(2):
        story.do(A)
        assert isinstance(story.state, states.SettingBoard)
        turns.append(story.state.turn)
    assert turns == [2, 0]


def test_a_phones_form_does_not_end_the_game_while_the_players_change():
    seats = SeatsGiven(GameSettings(("a", "b"), colours=("yellow", "red"), levels=("", "")))
    story = change(Story.at(THREE))
    assert story.refuses(seats)
    for answer in ("joins", "blue", "new name"):
        story.now = answer_with(story.now, story.state, answer)
    assert story.refuses(seats)


def test_who_left_is_not_in_the_next_game():
    story = change(Story.at("3 7:13,8:11/4:2/- 1 12:3 -"), "leaves 1", "markers off")
    story.do(C, STOP)
    assert repeated(story.now.played).names == ("yellow", "green")
    assert repeated(story.now.played).begins == "green"


def test_the_score_of_the_evening_survives_who_joins():
    story = change(Story.at("3 7:13,8:11/4:2 1 12:3 -"), "joins", "blue", "")
    story.do(STOP)
    assert story.now.wins == (1, 0, 0)
