"""A player's turn: roll, choice of a pairing, moves on the board, roll again or stop, bust."""

from __future__ import annotations

from dataclasses import replace

from device.referee import states
from device.referee.inputs import Button, DiceRead, Press, TraySeen, TrayStill, TrayView
from device.referee.states import Situation, State, leave
from engine import (
    Action,
    Bust,
    Corrected,
    Game,
    Pairing,
    Play,
    Position,
    Roll,
    Rolled,
    Stop,
    is_bust,
    marker_moves,
    may_roll,
    may_stop,
    pairings,
    plays,
    roll_of,
    stop_wins,
)

LINES = 3
"""The number of lines of the screen, each with a button."""

ROWS = 2
"""The number of lines for moves on the board; the third line shows what C does."""

WANTS_FOUR_DICE = (
    states.Begins,
    states.Waiting,
    states.Telling,
    states.Deciding,
    states.Busted,
    states.Stopped,
    states.Moving,
    states.RollingOn,
    states.PutBack,
    states.TrialThrow,
)
"""The states that wait for a roll of four dice; an opponent's decision only if it rolls again, and an undo only if the
game waits for a roll."""


TELL_LAST_STEP = (states.Telling, states.Busted, states.Stopped, states.Moving)
"""States that say what the last step moves on the board."""

BOARD_INSTRUCTIONS = (*TELL_LAST_STEP, states.PutBack)
"""States that say what to do on the board; they stay visible whatever happens in the tray."""


def dice_wanted(state: State) -> int:
    """Return the number of dice that the state waits for; 0 if it waits for none."""
    if isinstance(state, states.WatchingTray | states.StopPending | states.PutBack):
        return dice_wanted(state.before)
    if isinstance(state, states.RollingOff):
        return 1
    if isinstance(state, states.Moving) and state.stops:
        return 0
    return 4 if isinstance(state, WANTS_FOUR_DICE) else 0


def state_of(game: Game) -> State:
    """Return the state that belongs to a game's position, without the messages that lead to it."""
    position = game.position
    if position.winner is not None:
        return states.GameOver()
    if position.roll is not None:
        if is_bust(position):
            return states.Busting()
        return states.Thinking() if game.level else states.Choosing()
    if not any(position.runners):
        return states.Waiting()
    return states.Thinking() if game.level else states.Deciding()


def done(situation: Situation, action: Action, state: State | None = None) -> Situation:
    """Perform an action in the game; go to `state`, by default that of the new position."""
    game = situation.played.do(action)
    return replace(situation, game=game, state=state or state_of(game), likely=(), undone=())


def dice_used(game: Game | None) -> tuple[Roll, ...]:
    """Return the values of the game's last roll, as read and as corrected."""
    used: list[Roll] = []
    for step in reversed(game.steps if game is not None else ()):
        if isinstance(step, Rolled | Corrected):
            used.append(step.dice)
        if isinstance(step, Rolled):
            break
    return tuple(used)


def turns(game: Game) -> int:
    """Return the number of turns that have ended, by a stop or a bust."""
    return sum(isinstance(step, Stop | Bust) for step in game.steps)


def take_roll(situation: Situation, state: State, read: DiceRead) -> Situation | None:
    """Accept a roll; unless it has four dice, and none that were used already, it is no roll."""
    if len(read.dice) != 4:
        return None
    if not dice_wanted(state) or not may_roll(situation.played.position):
        return too_early(situation, state, read)
    if read.asked and roll_of(read.dice) in dice_used(situation.played):
        return None
    game = situation.played.do(Rolled(roll_of(read.dice)))
    likely = tuple(roll_of(dice) for dice in read.likely)
    return replace(situation, game=game, state=state_of(game), likely=likely, undone=())


def too_early(situation: Situation, state: State, read: DiceRead) -> Situation | None:
    """Say that something else comes first: no state waits for this roll."""
    if isinstance(state, states.CorrectingDice | states.EnteringDice):
        state = state.before  # dice entered by hand may have been abandoned for this roll
    return None if read.asked or dice_wanted(state) else replace(situation, state=states.TooEarly(situation.state))


def see_tray(situation: Situation, _: State, seen: TraySeen) -> Situation:
    """Show the tray's contents until it is empty again or the dice are read."""
    before = situation.beneath
    if seen.view in (TrayView.EMPTY, TrayView.USED) or (
        seen.view is TrayView.MISSED and not _may_be_missed(before, situation, seen)
    ):
        return replace(situation, state=before)
    return replace(situation, state=states.WatchingTray(before, seen))


def _may_be_missed(before: State, situation: Situation, seen: TraySeen) -> bool:
    """Return whether the dice in the tray may be a roll: the number that is needed, and not those of the last one."""
    if len(seen.values) != dice_wanted(before) or isinstance(before, BOARD_INSTRUCTIONS):
        return False
    if isinstance(before, states.RollingOff):
        return seen.values != before.dice[-1:]
    return isinstance(before, states.TrialThrow) or roll_of(seen.values) not in dice_used(situation.game)


def choices(situation: Situation) -> tuple[tuple[Play, ...], ...]:
    """Return the plays that the buttons A, B and C choose.

    Returns:
        One legal play each, if there are no more than buttons; else the plays of each usable pairing: if it has two,
        the column is chosen next.
    """
    position = situation.played.position
    assert position.roll is not None
    legal = plays(position)
    of_pairings = [tuple(play for play in legal if play.pairing == pairing) for pairing in pairings(position.roll)]
    if len(legal) <= LINES:
        return tuple((play,) for of_one in of_pairings for play in of_one)
    return tuple(filter(None, of_pairings))


def unusable_pairings(position: Position) -> list[Pairing]:
    """Return the pairings of the current roll that no legal play uses."""
    assert position.roll is not None
    used = {play.pairing for play in plays(position)}
    return [pairing for pairing in pairings(position.roll) if pairing not in used]


def choose(situation: Situation, _: State, press: Press) -> Situation | None:
    """Choose what the button's line offers."""
    line = (Button.A, Button.B, Button.C).index(press.button)
    offered = choices(situation)
    if line >= len(offered):
        return None
    if len(offered[line]) > 1:
        return replace(situation, state=states.ChoosingColumn(offered[line][0].pairing))
    return replace(done(situation, offered[line][0], states.Telling()), undone=situation.undone)


def choose_column(situation: Situation, state: states.ChoosingColumn, press: Press) -> Situation:
    """Choose the column that the last free runner enters."""
    column = state.pairing[(Button.A, Button.B).index(press.button)]
    play = Play(state.pairing, (column,))
    return replace(done(situation, play, states.Telling()), undone=situation.undone)


def back_to_pairings(situation: Situation, *_: object) -> Situation:
    """Return from the choice of a column to the pairings."""
    return replace(situation, state=states.Choosing())


def told(situation: Situation, *_: object) -> Situation:
    """Continue after a message."""
    return replace(situation, state=state_of(situation.played))


def same_dice(situation: Situation, *_: object) -> Situation | None:
    """Take the roll again that was taken back: only the choice before it was wrong."""
    return done(situation, Rolled(roll_of(situation.undone))) if situation.undone else None


def stop(situation: Situation, *_: object) -> Situation | None:
    """Stop, if that is allowed."""
    if not may_stop(situation.played.position):
        return None
    return stopped(situation)


def stop_once_still(situation: Situation, state: states.Telling | states.Deciding, *_: object) -> Situation | None:
    """Let STOP wait while dice may be in the air: they belong to the player who rolled them."""
    return replace(situation, state=states.StopPending(state)) if may_stop(situation.played.position) else None


def stop_if_still(situation: Situation, state: states.StopPending, still: TrayStill) -> Situation | None:
    """Stop once nothing has moved for a second since STOP was pressed, and no roll was read."""
    return stop(leave(situation, state)) if still.asked else None


def stop_unseen(situation: Situation, state: states.StopPending, seen: TraySeen) -> Situation | None:
    """Stop if the camera was lost: no roll can be read."""
    return stop(leave(situation, state)) if seen.view is TrayView.NO_CAMERA else None


def stopped(situation: Situation) -> Situation:
    """Stop: shows where the markers go; a stop that wins says so at once."""
    after = done(situation, Stop())
    return after if isinstance(after.state, states.GameOver) else replace(after, state=states.Stopped())


def stop_wins_now(situation: Situation) -> bool:
    """Whether a stop is allowed now and wins the game."""
    position = situation.played.position
    return may_stop(position) and stop_wins(position)


def bust(situation: Situation, *_: object) -> Situation:
    """Confirm the bust."""
    return done(situation, Bust(), states.Busted())


def odds_after_turn(situation: Situation) -> bool:
    """Return whether the players want to see the odds after a turn."""
    return situation.preferences.odds != "off"


def next_page(situation: Situation, state: states.Stopped, *_: object) -> Situation:
    """Show the next page of the moves after a stop, or continue after the last one."""
    pages = stop_pages(situation.played) + odds_after_turn(situation)
    if state.page + 1 < pages:
        return replace(situation, state=states.Stopped(state.page + 1))
    return told(situation)


def stop_pages(game: Game) -> int:
    """Return the number of pages after a stop: two markers to move a line, and a line for each to remove."""
    moves = marker_moves(game.positions[-2])
    return -(-(-(-len(moves) // 2) + sum(len(move.sent_back) for move in moves)) // ROWS)
