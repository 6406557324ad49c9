"""Corrections: undo, misread dice, dice and board by hand, and the menu; from a phone, all dice or the whole board.

A phone names the game that it showed and its number of steps. If the game has gone on since, the correction is not
accepted.
"""

from __future__ import annotations

from dataclasses import replace

from device.referee import coaching, opponents, putting_back, setup, states
from device.referee.inputs import BoardCorrection, Button, DiceCorrection, DiceRead, Press
from device.referee.outcome import Outcome
from device.referee.playing import done, state_of
from device.referee.states import Situation, State, leave
from engine import COLUMNS, TOP, BadPosition, Corrected, Joins, Play, Position, Rolled, SetTo, may_roll, roll_of

MENU = (
    "go on", "take back", "dice by hand", "set the board", "where", "coach", "seats", "rules", "the box", "new game",
)  # fmt: skip
"""The menu's items, from top to bottom."""

FACES = {"A": 1, "B": 2, "C": 3, "hold A": 4, "hold B": 5, "hold C": 6}
"""The die value that each press enters."""


def take_back(situation: Situation, *_: object) -> Situation | None:
    """Undo the last step of the game: a roll, a choice, a stop, a bust or a correction."""
    if not situation.played.steps:
        return None
    if isinstance(situation.played.steps[-1], Joins) and isinstance(situation.state, states.PutBack):
        return None  # a piece of theirs may still be on the board
    game = situation.played.undo()
    # An opponent would decide the same again: its choices are undone together with the roll.
    while game.steps and game.position.roll is not None and isinstance(state_of(game), states.Thinking):
        game = game.undo()
    state, last = state_of(game), situation.played.steps[-1]
    undone = last.dice if isinstance(last, Rolled) else situation.undone
    if not isinstance(state, states.Choosing | states.Deciding):
        undone = ()
    return putting_back.then(replace(situation, game=game, state=state, likely=(), undone=undone), situation)


def dice_wrong(situation: Situation, state: State, *_: object) -> Situation | None:
    """Offer likely other readings of the dice; if there are none, or no roll, let the players enter the dice."""
    if isinstance(state, states.Undecided):
        state = state.before
    if situation.likely:
        return replace(situation, state=states.CorrectingDice(state))
    return by_hand(situation, state)


def by_hand(situation: Situation, state: State, *_: object) -> Situation | None:
    """Let the players enter the dice; not after the game is won."""
    if situation.played.position.winner is not None:
        return None
    if isinstance(state, states.Moving):
        return opponents.misread(situation, state)  # its next roll comes once its runners were moved
    comes = state.before if isinstance(state, states.PutBack | states.Undecided) else state
    if isinstance(comes, states.Thinking) and situation.played.position.roll is None:
        return None  # it may be about to stop
    before = state.before if isinstance(state, states.CorrectingDice) else state
    return replace(situation, state=states.EnteringDice(before))


def take_likely(situation: Situation, _: State, press: Press) -> Situation | None:
    """Correct the dice to the roll beside the button."""
    line = (Button.A, Button.B).index(press.button)
    return done(situation, Corrected(situation.likely[line])) if line < len(situation.likely) else None


def dice_to_enter(state: states.EnteringDice) -> int:
    """Return the number of dice to enter."""
    return 1 if isinstance(state.before, states.RollingOff) else 4


def enter_die(situation: Situation, state: states.EnteringDice, press: Press) -> Situation | None:
    """Enter the next die; after the last one C confirms."""
    if len(state.dice) < dice_to_enter(state):
        return replace(situation, state=replace(state, dice=(*state.dice, FACES[str(press)])))
    return take_dice(situation, state) if press == Press(Button.C) else None


def drop_die(situation: Situation, state: states.EnteringDice, *_: object) -> Situation:
    """Delete the last die entered; without one, leave."""
    return replace(situation, state=replace(state, dice=state.dice[:-1])) if state.dice else leave(situation, state)


def take_dice(situation: Situation, state: states.EnteringDice, *_: object) -> Situation | None:
    """Accept the entered dice: as a roll, as a correction, or as the die that decides who begins."""
    if isinstance(state.before, states.RollingOff):
        return setup.roll_off(situation, state.before, DiceRead(state.dice))
    roll = roll_of(state.dice)
    if situation.played.position.roll is None:
        return done(situation, Rolled(roll))
    if roll == situation.played.position.roll:
        return replace(situation, state=state.before)
    return done(situation, Corrected(roll))


def take_item(situation: Situation, state: states.Menu, *_: object) -> Situation | Outcome | None:
    """Perform the menu item under the cursor."""
    situation = replace(situation, state=state.before)
    match MENU[state.cursor]:
        case "take back":
            return take_back(situation)
        case "dice by hand":
            return by_hand(situation, state.before)
        case "set the board":
            now = situation.played.position
            return replace(situation, state=states.SettingBoard(state.before, now.markers, now.runners, now.turn))
        case "where":
            return replace(situation, state=states.Whereabouts(state.before))
        case "coach":
            return coaching.open_coach(situation)
        case "seats":
            return setup.change_seats(situation)
        case "rules":
            return replace(situation, state=states.Rules(state))
        case "the box":
            return replace(situation, state=states.BoxMenu(state))
        case "new game":
            over = situation.played.position.winner is not None
            return setup.new_game(situation) if over else replace(situation, state=states.GivingUp(state.before))
    return situation


def give_up(situation: Situation, state: states.GivingUp, *_: object) -> Situation:
    """Leave the current game for a new one; it stays in the journal."""
    return setup.new_game(leave(situation, state))


def _is_turn_row(state: states.SettingBoard) -> bool:
    return state.row == len(state.markers) + 1


def next_column(situation: Situation, state: states.SettingBoard, *_: object) -> Situation:
    """Go to the next column; in the last row, to the next player."""
    if _is_turn_row(state):
        here = [player for player in range(len(state.markers)) if player not in situation.played.position.out]
        turn = here[(here.index(state.turn) + 1) % len(here)]
        return replace(situation, state=replace(state, turn=turn, problem=""))
    column = state.column + 1 if state.column + 1 in COLUMNS else COLUMNS[0]
    return replace(situation, state=replace(state, column=column, problem=""))


def next_space(situation: Situation, state: states.SettingBoard, *_: object) -> Situation:
    """Move the piece one space up, from the top to off the board; in the last row, select the next player."""
    if _is_turn_row(state):
        return next_column(situation, state)

    def raised(spaces: tuple[int, ...]) -> tuple[int, ...]:
        space = (spaces[state.column] + 1) % (TOP[state.column] + 1)
        return (*spaces[: state.column], space, *spaces[state.column + 1 :])

    if state.row == len(state.markers):
        return replace(situation, state=replace(state, runners=raised(state.runners), problem=""))
    markers = tuple(raised(own) if row == state.row else own for row, own in enumerate(state.markers))
    return replace(situation, state=replace(state, markers=markers, problem=""))


def take_row(situation: Situation, state: states.SettingBoard, *_: object) -> Situation:
    """Go to the next row; after the last one, accept the board, if it is possible under the rules."""
    if not _is_turn_row(state):
        return replace(situation, state=replace(state, row=state.row + 1, column=COLUMNS[0], problem=""))
    position = board_of(situation, state)
    if position == situation.played.position:
        return replace(situation, state=state.before)
    try:
        return done(situation, SetTo(position))
    except BadPosition:
        first = position.problems()[0]
        return replace(situation, state=replace(state, row=0, problem=first.text, values=first.values))


def board_of(situation: Situation, told: states.SettingBoard | BoardCorrection) -> Position:
    """Return the corrected position, or raise `BadPosition` if it has spaces or players that do not exist."""
    now = situation.played.position
    # The roll belongs to the player who made it; it is lost if the turn passes to another.
    roll = now.roll if told.turn == now.turn else None
    return Position(now.variants, told.markers, told.turn, told.runners, roll, now.out)


def is_about(situation: Situation, told: DiceCorrection | BoardCorrection) -> bool:
    """Whether a phone's correction refers to the game as it is now."""
    steps = -1 if situation.game is None else len(situation.game.steps)
    return (told.game, told.steps) == (situation.number, steps)


def correct_dice(situation: Situation, state: State, told: DiceCorrection) -> Situation | None:
    """Accept four dice: as a correction of the current roll, or else as the next roll."""
    if not is_about(situation, told) or len(told.dice) != 4:
        return None
    game = situation.played
    if isinstance(state, states.CorrectingDice | states.EnteringDice | states.Undecided):
        state = state.before  # the same may have been begun on the box
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
