"""Corrections from the page: all dice, or the whole board, in one input, whereas the buttons change one at a time.

A phone names the game that it showed and its number of steps. If the game has gone on since, the correction is not
accepted.
"""

from __future__ import annotations

from dataclasses import replace

from device.referee import putting_back, states
from device.referee.inputs import BoardCorrection, DiceCorrection
from device.referee.playing import done
from device.referee.states import Situation, State, leave
from engine import Corrected, Play, Position, Rolled, SetTo, may_roll, roll_of


def is_about(situation: Situation, told: DiceCorrection | BoardCorrection) -> bool:
    """Whether a correction refers to the game as it is now."""
    steps = -1 if situation.game is None else len(situation.game.steps)
    return (told.game, told.steps) == (situation.number, steps)


def correct_dice(situation: Situation, state: State, told: DiceCorrection) -> Situation | None:
    """Accept four dice: as a correction of the current roll, or else as the next roll."""
    if not is_about(situation, told) or len(told.dice) != 4:
        return None
    game = situation.played
    if isinstance(
        state, states.CorrectingDice | states.EnteringDice | states.Undecided
    ):  # the same may have been begun on the box
        state = state.before
    if isinstance(state, states.Moving):  # the opponent has moved on these dice: it decides again
        if not game.steps or not isinstance(game.steps[-1], Play):
            return None
        game = game.undo()
    roll, before = roll_of(told.dice), game.position.roll
    if before is not None:
        if roll == before:
            return None
        return putting_back.then(done(replace(situation, game=game), Corrected(roll)), situation)
    if isinstance(state, states.Thinking) or not may_roll(game.position):
        return None  # an opponent may be about to stop, or the game is over
    return done(situation, Rolled(roll))


def board_of(situation: Situation, told: BoardCorrection) -> Position:
    """Return the corrected position; it keeps the current roll if it is still the same player's turn."""
    now = situation.played.position
    roll = now.roll if told.turn == now.turn else None
    return Position(now.variants, told.markers, told.turn, told.runners, roll, now.out)


def correct_board(situation: Situation, state: State, told: BoardCorrection) -> Situation | None:
    """Accept the whole board, if it is possible under the rules."""
    if not is_about(situation, told):
        return None
    position = board_of(situation, told)
    if position == situation.played.position or position.problems():
        return None
    if isinstance(state, states.SettingBoard):
        situation = leave(situation, state)
    return done(situation, SetTo(position))
