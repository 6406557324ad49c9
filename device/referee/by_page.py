"""Putting right by the page: whole dice, or the whole board, in one input, where the buttons take one at a time.

What a phone sends is about the game as that phone showed it: it names the game and how many steps it had, and a game
that has gone on since takes nothing.
"""

from __future__ import annotations

from dataclasses import replace

from device.referee import putting_back
from device.referee.inputs import BoardTold, DiceTold
from device.referee.playing import done
from device.referee.seat_states import Moving, Thinking
from device.referee.state import State
from device.referee.states import CorrectingDice, EnteringDice, SettingBoard, Situation, leave
from engine import Corrected, Play, Position, Rolled, SetTo, may_roll, roll_of


def is_about(situation: Situation, told: DiceTold | BoardTold) -> bool:
    """Return whether what was told is about the game as it stands."""
    steps = -1 if situation.game is None else len(situation.game.steps)
    return (told.game, told.steps) == (situation.number, steps)


def dice_told(situation: Situation, state: State, told: DiceTold) -> Situation | None:
    """Take four dice: as a correction of the roll that waits, or else as the next roll."""
    if not is_about(situation, told) or len(told.dice) != 4:
        return None
    game = situation.played
    if isinstance(state, CorrectingDice | EnteringDice):  # somebody has begun the same on the box
        state = state.before
    if isinstance(state, Moving):  # the opponent has moved on these dice: it decides anew
        if not game.steps or not isinstance(game.steps[-1], Play):
            return None
        game = game.undo()
    roll, before = roll_of(told.dice), game.position.roll
    if before is not None:
        if roll == before:
            return None
        return putting_back.then(done(replace(situation, game=game), Corrected(roll)), situation)
    if isinstance(state, Thinking) or not may_roll(game.position):
        return None  # an opponent that may be about to stop; or nobody rolls any more
    return done(situation, Rolled(roll))


def board_of(situation: Situation, told: BoardTold) -> Position:
    """Return the position that was told, with the roll that waits if it is still the same player's turn."""
    now = situation.played.position
    return Position(now.variants, told.markers, told.turn, told.runners, now.roll if told.turn == now.turn else None)


def board_told(situation: Situation, state: State, told: BoardTold) -> Situation | None:
    """Take the whole board, if it makes sense."""
    if not is_about(situation, told):
        return None
    position = board_of(situation, told)
    if position == situation.played.position or position.problems():
        return None
    if isinstance(state, SettingBoard):
        situation = leave(situation, state)
    return done(situation, SetTo(position))
