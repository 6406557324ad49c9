"""The turn: dice come, a pairing is chosen, moves are told, roll on or stop, bust."""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.referee.box_states import TrialThrow
from device.referee.inputs import Button, DiceRead, Press, TraySeen, TrayView
from device.referee.seat_states import Moving, RollingOn, Thinking
from device.referee.state import State
from device.referee.states import (
    Begins,
    Busted,
    Busting,
    Choosing,
    ChoosingColumn,
    CorrectingDice,
    Deciding,
    EnteringDice,
    GameOver,
    PutBack,
    RollingOff,
    Situation,
    Stopped,
    Telling,
    TooEarly,
    Waiting,
    WatchingTray,
)
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
"""How many lines, and buttons beside them, the screen has."""

ROWS = 2
"""How many lines of a screen tell what to do on the board; beside the third is what C does."""

WANTS_FOUR_DICE = (Begins, Waiting, Telling, Deciding, Busted, Stopped, Moving, RollingOn, PutBack, TrialThrow)
"""The states in which a roll of four dice is looked for; of an opponent that has decided, only where it rolls on, and
after a step was taken back, only where the game waits for one."""


TELLS = (Telling, Busted, Stopped, Moving, PutBack)
"""States that say what to do on the board: that must stay to be read, whatever is to be seen in the tray."""


def dice_wanted(state: State) -> int:
    """Tell how many dice the state waits for; 0 where dice are not looked at."""
    if isinstance(state, WatchingTray):
        return dice_wanted(state.before)
    if isinstance(state, RollingOff):
        return 1
    if isinstance(state, Moving) and state.stops:
        return 0
    if isinstance(state, PutBack):
        return dice_wanted(state.before)
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


def dice_used(game: Game | None) -> tuple[Roll, ...]:
    """Return what the dice of the game's last roll show: as they were read, and as they were corrected."""
    used: list[Roll] = []
    for step in reversed(game.steps if game is not None else ()):
        if isinstance(step, Rolled | Corrected):
            used.append(step.dice)
        if isinstance(step, Rolled):
            break
    return tuple(used)


def turns(game: Game) -> int:
    """Count the turns that were ended, by a stop or a bust."""
    return sum(isinstance(step, Stop | Bust) for step in game.steps)


def take_roll(situation: Situation, state: State, read: DiceRead) -> Situation | None:
    """Take the dice that were thrown; other than four of them, and dice that were used already, are no roll."""
    if len(read.dice) != 4:
        return None
    if not dice_wanted(state) or not may_roll(situation.played.position):
        return too_early(situation, state, read)
    if read.asked and roll_of(read.dice) in dice_used(situation.played):
        return None
    game = situation.played.do(Rolled(roll_of(read.dice)))
    likely = tuple(roll_of(dice) for dice in read.likely)
    return replace(situation, game=game, state=state_of(game, likely))


def too_early(situation: Situation, state: State, read: DiceRead) -> Situation | None:
    """Say that something else comes first: nobody waits for this throw."""
    if isinstance(state, CorrectingDice | EnteringDice):
        state = state.before  # what was left for entering dice by hand may wait for this throw
    return None if read.asked or dice_wanted(state) else replace(situation, state=TooEarly(situation.state))


def see_tray(situation: Situation, _: State, seen: TraySeen) -> Situation:
    """Show what is in the tray, until it is empty again or the dice are read."""
    before = situation.beneath
    if seen.view in (TrayView.EMPTY, TrayView.USED) or (
        seen.view is TrayView.MISSED and not _may_be_missed(before, situation, seen)
    ):
        return replace(situation, state=before)
    return replace(situation, state=WatchingTray(before, seen.view, seen.why, seen.dice, seen.values))


def _may_be_missed(before: State, situation: Situation, seen: TraySeen) -> bool:
    """Whether the dice that lie there may be a throw: as many as are wanted, and not those of the last roll."""
    if len(seen.values) != dice_wanted(before) or isinstance(before, TELLS):
        return False
    if isinstance(before, RollingOff):
        return seen.values != before.dice[-1:]
    return isinstance(before, TrialThrow) or roll_of(seen.values) not in dice_used(situation.game)


def choices(situation: Situation) -> tuple[tuple[Play, ...], ...]:
    """Return what the buttons A, B and C choose.

    Returns:
        Each legal play for itself, where they are no more than there are buttons; else the plays of each pairing that
        can be used: where one has two, the column is chosen next.
    """
    position = situation.played.position
    assert position.roll is not None
    legal = plays(position)
    of_pairings = [tuple(play for play in legal if play.pairing == pairing) for pairing in pairings(position.roll)]
    if len(legal) <= LINES:
        return tuple((play,) for of_one in of_pairings for play in of_one)
    return tuple(filter(None, of_pairings))


def unusable_pairings(position: Position) -> list[Pairing]:
    """Return the pairings of the waiting roll that no legal play uses."""
    assert position.roll is not None
    used = {play.pairing for play in plays(position)}
    return [pairing for pairing in pairings(position.roll) if pairing not in used]


def choose(situation: Situation, state: Choosing, press: Press) -> Situation | None:
    """Choose what the line beside the button offers."""
    line = (Button.A, Button.B, Button.C).index(press.button)
    offered = choices(situation)
    if line >= len(offered):
        return None
    if len(offered[line]) > 1:
        return replace(situation, state=ChoosingColumn(offered[line][0].pairing, state.likely))
    return done(situation, offered[line][0], Telling())


def choose_column(situation: Situation, state: ChoosingColumn, press: Press) -> Situation:
    """Choose which of the two columns the last free runner enters."""
    column = state.pairing[(Button.A, Button.B).index(press.button)]
    return done(situation, Play(state.pairing, (column,)), Telling())


def back_to_pairings(situation: Situation, state: ChoosingColumn, *_: object) -> Situation:
    """Leave the choice between two columns for the pairings."""
    return replace(situation, state=Choosing(state.likely))


def told(situation: Situation, *_: object) -> Situation:
    """Go on once something was told."""
    return replace(situation, state=state_of(situation.played))


def stop(situation: Situation, *_: object) -> Situation | None:
    """Stop, where that is allowed."""
    if not may_stop(situation.played.position):
        return None
    return stopped(situation)


def stopped(situation: Situation) -> Situation:
    """Stop: says which markers go where; a stop that wins says so at once."""
    after = done(situation, Stop())
    return after if isinstance(after.state, GameOver) else replace(after, state=Stopped())


def stop_wins_now(situation: Situation) -> bool:
    """Whether a stop is allowed now and wins the game."""
    position = situation.played.position
    return may_stop(position) and stop_wins(position)


def bust(situation: Situation, *_: object) -> Situation:
    """Say yes to the bust."""
    return done(situation, Bust(), Busted())


def odds_after_turn(situation: Situation) -> bool:
    """Return whether the players want to know, after a turn, what was risked."""
    return situation.preferences.odds != "off"


def next_page(situation: Situation, state: Stopped, *_: object) -> Situation:
    """Show the next screenful of what stopping does, or go on after the last."""
    pages = stop_pages(situation.played) + odds_after_turn(situation)
    if state.page + 1 < pages:
        return replace(situation, state=Stopped(state.page + 1))
    return told(situation)


@dataclass(frozen=True, slots=True)
class StopMove:
    """One thing to do on the real board after stopping.

    Attributes:
        column: In which column.
        space: To which space the stopping player's marker goes; 0 where another's comes off.
        leaves: The player whose marker comes off because the column is won.
    """

    column: int
    space: int = 0
    leaves: int | None = None


def stop_rows(game: Game) -> list[tuple[StopMove, ...]]:
    """List what the stop just made does on the board: two markers a line, and a line for each that comes off."""
    moves = marker_moves(game.positions[-2])
    placed = [StopMove(move.column, move.space) for move in moves]
    leaves = [(StopMove(move.column, leaves=player),) for move in moves for player in move.sent_back]
    return [*(tuple(placed[at : at + 2]) for at in range(0, len(placed), 2)), *leaves]


def stop_pages(game: Game) -> int:
    """Return how many screenfuls tell what the stop does on the board."""
    return -(-len(stop_rows(game)) // ROWS)
