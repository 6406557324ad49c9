"""Somebody leaves, returns or joins during a game."""

from __future__ import annotations

import pytest

from device.referee import states
from device.referee.correcting import MENU
from device.referee.inputs import SeatsGiven
from device.referee.putting_back import changes
from device.referee.questions import question_of
from device.referee.setup import answer_with, repeated
from engine import Joins, Position, parse_position
from tests.device.helpers import HOLD_C, HOLD_STOP, STOP, A, B, C, Story, dice

THREE = "3 7:4,8:2/7:6,9:3/- 1 7:6 -"


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


def test_who_leaves_takes_the_markers_off_and_is_skipped():
    story = change(Story.at(THREE), "leaves 1", "markers off")
    assert moves(story) == [(7, 0, 1), (9, 0, 1)]
    story.do(C)
    assert story.state == states.Deciding()
    assert position(story) == parse_position("3 7:4,8:2/-*/- 1 7:6 -")
    story.do(STOP, C)
    assert story.now.played.player == "green"


def test_markers_that_stay_keep_a_won_column_closed():
    story = change(Story.at("3 7:4/8:11/- 1 - -"), "leaves 1", "markers stay")
    assert story.state == states.Waiting()
    assert position(story).owners[8] == 1
    story.do(dice(1, 3, 3, 5))
    assert all(8 not in play.columns for play in story.now.played.plays())


def test_the_turn_of_who_leaves_ends_and_the_runners_come_off():
    story = change(Story.at(THREE), "leaves 0", "markers stay")
    assert moves(story) == [(0, 0, None)]
    story.do(C)
    assert (story.state, story.now.played.player) == (states.Waiting(), "orange")


def test_a_roll_that_waits_for_its_choice_goes_on_waiting():
    story = change(Story.at(THREE).do(dice(1, 2, 3, 4)), "leaves 2", "markers off")
    assert story.state == states.Choosing()
    assert position(story).roll == (1, 2, 3, 4)


def test_moves_that_were_due_are_told_again_after_the_change():
    story = Story.at("3 7:4/9:3 1 - -").do(dice(1, 2, 3, 4), A)
    assert isinstance(story.state, states.Telling)
    climbed = [(column, space, None) for column, space in position(story).runners_out()]
    assert moves(change(story, "leaves 1", "markers off")) == [(9, 0, 1), *climbed]


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


def test_the_last_player_is_not_asked_to_leave():
    story = change(Story.at("3 -/-* 1 - -"))
    assert question_of(story.state).options == ("returns 1", "joins")


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
    seats = SeatsGiven(("a", "b"), ("yellow", "red"), ("", ""), 3, (), 0)
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
