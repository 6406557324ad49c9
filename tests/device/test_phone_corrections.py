"""What a phone puts right: whole dice or the whole board, about the game as the phone showed it and no other."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from device.referee.inputs import BoardCorrection, DiceCorrection
from device.referee.states import Choosing, GameOver, Situation, Thinking, Waiting
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


CORRECTED = {
    "during a choice": lambda: two_players().do(dice(2, 3, 4, 5)),
    "while somebody corrects it on the box": lambda: two_players().do(dice(2, 3, 4, 5), HOLD_A),
    "while somebody enters it on the box": lambda: two_players().do(dice(2, 3, 4, 5), HOLD_A, A),
    "a misread bust": lambda: Story(situations()["busting"]),
    "dice that cannot be read": two_players,
}


@every(name=CORRECTED)
def test_dice_are_corrected_or_entered_in_one_input(name):
    story = CORRECTED[name]()
    is_new = story.now.played.position.roll is None
    story.do(told(story, 6, 6, 3, 2))
    assert story.now.played.steps[-1] == (Rolled if is_new else Corrected)((2, 3, 6, 6))
    assert isinstance(story.state, Choosing)


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


def test_an_outdated_correction_the_same_dice_or_board_and_not_four_dice_change_nothing():
    story = two_players().do(dice(2, 3, 4, 5))
    early, early_board = told(story, 1, 1, 1, 1), board(story, turn=1)
    same = told(story, 5, 4, 3, 2), board(story)
    assert [story.refuses(each) for each in same] == [True] * 2
    story.do(A, C)
    late = early, early_board, replace(early, game=early.game + 1)
    assert [story.refuses(each) for each in late] == [True] * 3
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
