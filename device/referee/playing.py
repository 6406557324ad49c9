"""The turn: dice come, a pairing is chosen, moves are told, roll on or stop, bust."""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.referee.box_states import TrialThrow
from device.referee.inputs import Button, DiceRead, Input, Press, TraySeen, View
from device.referee.seat_states import Moving, RollingOn, Thinking
from device.referee.state import State
from device.referee.states import (
    Begins,
    Busted,
    Busting,
    Choosing,
    ChoosingColumn,
    Deciding,
    GameOver,
    Reading,
    RollingOff,
    Situation,
    Stopped,
    Telling,
    Waiting,
)
from engine import (
    Action,
    Bust,
    Game,
    Play,
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
)

LINES = 3
"""How many lines, and buttons beside them, the screen has."""

ODDS_LINES = 2
"""How many more lines there are after a stop where the players want to know what was risked."""

WANTS_FOUR_DICE = (Begins, Waiting, Telling, Deciding, Busted, Stopped, Moving, RollingOn, TrialThrow)
"""The states in which a roll of four dice is looked for; of an opponent that has decided, only where it rolls on."""


def dice_wanted(state: State) -> int:
    """Tell how many dice the state waits for; 0 where dice are not looked at."""
    if isinstance(state, Reading):
        return dice_wanted(state.before)
    if isinstance(state, RollingOff):
        return 1
    if isinstance(state, Moving) and state.stops:
        return 0
    return 4 if isinstance(state, WANTS_FOUR_DICE) else 0


def state_of(game: Game, likely: tuple[Roll, ...] = ()) -> State:
    """Tell what the box does in a game's position, apart from telling how it came about."""
    position = game.position
    if position.winner is not None:
        return GameOver()
    if position.roll is not None:
        if is_bust(position):
            return Busting(likely)
        return Thinking(likely) if game.level else Choosing(likely)
    if not any(position.runners):
        return Waiting()
    return Thinking() if game.level else Deciding()


def done(situation: Situation, action: Action, state: State | None = None) -> Situation:
    """Do an action in the game; go to `state`, by default to the one of the new position."""
    game = situation.played.do(action)
    return replace(situation, game=game, state=state or state_of(game))


def turns(game: Game) -> int:
    """Count the turns that were ended, by a stop or a bust."""
    return sum(isinstance(step, Stop | Bust) for step in game.steps)


def take_roll(situation: Situation, read: Input) -> Situation | None:
    """Take the dice that were thrown; other than four of them are no roll."""
    if not isinstance(read, DiceRead) or len(read.dice) != 4 or not may_roll(situation.played.position):
        return None
    if not dice_wanted(situation.state):
        return None  # an opponent that stops
    game = situation.played.do(Rolled(roll_of(read.dice)))
    likely = tuple(roll_of(dice) for dice in read.likely)
    return replace(situation, game=game, state=state_of(game, likely))


def see_tray(situation: Situation, seen: Input) -> Situation:
    """Show what is in the tray, until it is empty again or the dice are read."""
    assert isinstance(seen, TraySeen)
    before = situation.beneath
    if seen.view in (View.EMPTY, View.USED):
        return replace(situation, state=before)
    return replace(situation, state=Reading(before, seen.view, seen.why, seen.dice))


def tray_checked(situation: Situation, _: Input) -> Situation:
    """Go on once the players know that the camera was moved."""
    state = situation.state
    assert isinstance(state, Reading)
    return replace(situation, state=state.before)


def choices(situation: Situation) -> tuple[tuple[Play, ...], ...]:
    """Give the legal plays for each pairing of the waiting roll, in the order of the screen's lines."""
    position = situation.played.position
    assert position.roll is not None
    legal = plays(position)
    return tuple(tuple(play for play in legal if play.pairing == pairing) for pairing in pairings(position.roll))


def choose(situation: Situation, press: Input) -> Situation | None:
    """Choose the pairing on the line beside the button."""
    assert isinstance(press, Press)
    assert isinstance(situation.state, Choosing)
    line = (Button.A, Button.B, Button.C).index(press.button)
    offered = choices(situation)
    if line >= len(offered) or not offered[line]:
        return None
    if len(offered[line]) > 1:
        return replace(situation, state=ChoosingColumn(offered[line][0].pairing, situation.state.likely))
    return done(situation, offered[line][0], Telling())


def choose_column(situation: Situation, press: Input) -> Situation:
    """Choose which of the two columns the last free runner enters."""
    assert isinstance(press, Press)
    state = situation.state
    assert isinstance(state, ChoosingColumn)
    column = state.pairing[(Button.A, Button.B).index(press.button)]
    return done(situation, Play(state.pairing, (column,)), Telling())


def back_to_pairings(situation: Situation, _: Input) -> Situation:
    """Leave the choice between two columns for the pairings."""
    state = situation.state
    assert isinstance(state, ChoosingColumn)
    return replace(situation, state=Choosing(state.likely))


def told(situation: Situation, _: Input) -> Situation:
    """Go on once something was told."""
    return replace(situation, state=state_of(situation.played))


def stop(situation: Situation, _: Input) -> Situation | None:
    """Stop, where that is allowed."""
    if not may_stop(situation.played.position):
        return None
    return done(situation, Stop(), Stopped())


def bust(situation: Situation, _: Input) -> Situation:
    """Say yes to the bust."""
    return done(situation, Bust(), Busted())


def odds_after_turn(situation: Situation) -> bool:
    """Tell whether the players want to know, after a turn, what was risked."""
    return situation.preferences.odds != "off"


def next_page(situation: Situation, _: Input) -> Situation:
    """Show the next screenful of what stopping does, or go on after the last."""
    state = situation.state
    assert isinstance(state, Stopped)
    lines = len(stop_lines(situation.played)) + (ODDS_LINES if odds_after_turn(situation) else 0)
    if (state.page + 1) * LINES < lines:
        return replace(situation, state=Stopped(state.page + 1))
    return told(situation, _)


@dataclass(frozen=True, slots=True)
class StopLine:
    """One thing to do on the real board after stopping.

    Attributes:
        column: In which column; 0: the runners come off, in all of them.
        space: To which space the stopping player's marker goes; 0 where another's comes off.
        leaves: The player whose marker comes off because the column is won.
    """

    column: int = 0
    space: int = 0
    leaves: int | None = None


def stop_lines(game: Game) -> list[StopLine]:
    """List what the stop just made does on the board, a line each."""
    lines = []
    for move in marker_moves(game.positions[-2]):
        lines.append(StopLine(move.column, move.space))
        lines += [StopLine(move.column, leaves=player) for player in move.sent_back]
    return [*lines, StopLine()]
