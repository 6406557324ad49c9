"""What a phone puts right: whole dice or the whole board, about the game as the phone showed it and no other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.referee.inputs import BoardCorrection, DiceCorrection
from device.referee.states import Busting, Choosing, GameOver, Situation, Thinking, Waiting
from device.referee.transition_table import step
from device.screens.views import screen
from engine import COLUMNS, TOP, Corrected, Play, Rolled, SetTo
from tests.device.helpers import HOLD_A, A, C, Story, dice, rolls, two_players
from tests.every import every
from tools.docs.screens import situations


def told(story: Story, *values: int) -> DiceCorrection:
    return DiceCorrection(values, story.now.number, len(story.now.played.steps))


def board(story: Story, **changes) -> BoardCorrection:
    position = story.now.played.position
    given = {"markers": position.markers, "runners": position.runners, "turn": position.turn} | changes
    return BoardCorrection(**given, game=story.now.number, steps=len(story.now.played.steps))


def test_a_misread_roll_is_corrected_in_one_input_during_a_choice():
    story = two_players().do(dice(2, 3, 4, 5))
    story.do(told(story, 6, 5, 3, 2))
    assert story.now.played.steps[-1] == Corrected((2, 3, 5, 6))
    assert isinstance(story.state, Choosing)


@pytest.mark.parametrize("begun", [(HOLD_A,), (HOLD_A, A)])
def test_it_can_be_corrected_while_somebody_does_the_same_on_the_box(begun):
    story = two_players().do(dice(2, 3, 4, 5), *begun)
    story.do(told(story, 1, 1, 1, 1))
    assert story.now.played.position.roll == (1, 1, 1, 1)


def test_a_misread_bust_is_corrected():
    story = Story(situations()["busting"])
    assert isinstance(story.state, Busting)
    story.do(told(story, 1, 1, 6, 6))
    assert isinstance(story.state, Choosing)


def test_unreadable_dice_can_be_entered_as_the_next_roll():
    story = two_players()
    story.do(told(story, 2, 2, 3, 3))
    assert story.now.played.steps[-1] == Rolled((2, 2, 3, 3))


def test_dice_that_an_opponent_has_used_are_corrected_and_it_decides_again():
    story = Story(situations()["moving"])
    before = story.now.played
    assert isinstance(before.steps[-1], Play)
    story.do(told(story, 1, 1, 6, 6))
    assert story.now.played.steps == (*before.steps[:-1], Corrected((1, 1, 6, 6)))
    assert [line.text for line in screen(story.now).lines] == ["Runner 8 to 3", "Runner 9 off", "Done"]
    assert isinstance(story.do(C).state, Thinking)


def test_no_dice_can_be_entered_while_an_opponent_may_be_about_to_stop():
    now = situations()["thinking"]
    story = Story(replace(now, game=situations()["moving"].game))
    assert story.now.played.position.roll is None
    assert story.refuses(told(story, 1, 2, 3, 4))


def test_an_outdated_correction_changes_nothing():
    story = two_players().do(dice(2, 3, 4, 5))
    early = told(story, 1, 1, 1, 1)
    early_board = board(story, turn=1)
    other = replace(early, game=early.game + 1)
    story.do(A, C)
    assert story.refuses(early)
    assert story.refuses(early_board)
    assert story.refuses(other)


def test_the_same_dice_or_board_and_more_or_fewer_than_four_dice_are_not_a_correction():
    story = two_players().do(dice(2, 3, 4, 5))
    assert story.refuses(told(story, 5, 4, 3, 2))
    assert story.refuses(board(story))
    for values in ((), (1,), (1, 2, 3), (1, 2, 3, 4, 5)):
        assert two_players().refuses(told(two_players(), *values))


def test_the_board_is_corrected_in_one_input_and_the_roll_stays_with_its_player():
    story = two_players().do(dice(2, 3, 4, 5))
    raised = tuple(3 if column == 8 else 0 for column in range(13))
    story.do(board(story, markers=(raised, (0,) * 13)))
    assert isinstance(story.now.played.steps[-1], SetTo)
    assert story.now.played.position.roll == (2, 3, 4, 5)
    assert isinstance(story.state, Choosing)
    for turn in (1, 0):
        story.do(board(story, turn=turn))
        assert story.now.played.position.roll is None
        assert isinstance(story.state, Waiting)
        story.do(dice(2, 3, 4, 5))


def test_a_won_game_continues_after_its_board_is_corrected():
    story = Story(situations()["game-over"])
    assert isinstance(story.state, GameOver)
    story.do(board(story, markers=((0,) * 13,) * 2))
    assert story.now.played.winner is None
    assert isinstance(story.state, Waiting)


spaces = st.tuples(*[st.integers(0, TOP[column]) if column in COLUMNS else st.just(0) for column in range(13)])


@given(markers=st.tuples(spaces, spaces), runners=st.one_of(st.just((0,) * 13), spaces), turn=st.integers(0, 1))
def test_any_board_is_accepted_unchanged_or_rejected(markers, runners, turn):
    story = two_players()
    outcome = step(story.now, board(story, markers=markers, runners=runners, turn=turn))
    if outcome is None:
        return
    position = outcome.situation.played.position
    assert (position.markers, position.runners, position.turn) == (markers, runners, turn)
    assert position.problems() == ()


@every(name=situations())
@settings(max_examples=5)
@given(roll=rolls)
def test_in_every_state_dice_from_a_phone_become_the_roll_or_change_nothing(name, roll):
    now: Situation = situations()[name]
    if now.game is None:
        assert step(now, DiceCorrection(roll, now.number, 0)) is None
        return
    outcome = step(now, DiceCorrection(roll, now.number, len(now.game.steps)))
    if outcome is not None:
        assert outcome.situation.played.position.roll == roll
