"""From a situation to its screen: one function a state."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from device.referee.box_states import TrialThrow
from device.referee.correcting import MENU
from device.referee.inputs import View
from device.referee.playing import LINES, StopLine, choices, dice_wanted, stop_lines, turns
from device.referee.seat_states import Moving
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
    GivingUp,
    Menu,
    Reading,
    Resume,
    RollingOff,
    SettingBoard,
    ShowingPage,
    Situation,
    Stopped,
    Telling,
    Waiting,
    Welcome,
)
from device.screens import box_views, odds_views, seat_views, texts
from device.screens.box_views import language_of
from device.screens.draw import SMALL_CHARACTERS
from device.screens.language import say, speaking
from device.screens.page_view import page
from device.screens.parts import (
    called,
    listed,
    message,
    runner_lines,
    runners,
    space_text,
    standing,
    steps,
    titled,
    wrapped,
)
from device.screens.screen import Line, Screen
from engine import TOP, Game, Play, may_stop, pairings, roll_text, runner_moves, stop_wins

TELLS = (Telling, Busted, Stopped, Moving)
"""States that say what to do on the board: that must stay to be read when the camera is lost."""


def screen(situation: Situation) -> Screen:
    """Give the screen that shows this situation, in the language that the players chose."""
    with speaking(language_of(situation)):
        return _VIEWS[type(situation.state)](situation)


def starting() -> Screen:
    """Give the screen of a box that has just got its power and is not ready yet."""
    return Screen(say(texts.PRODUCT), (Line(""), Line(say(texts.STARTING))))


def failure(why: str) -> Screen:
    """Give the screen of a box that cannot start: as much of the reason as it holds."""
    return message(say(texts.CANNOT_START), why)


def _player(now: Situation) -> str:
    """Give the name of whoever has to throw: in the roll-off there is no game yet."""
    state = now.state.before if isinstance(now.state, EnteringDice) else now.state
    if isinstance(state, RollingOff):
        return titled(state.names[state.contenders[len(state.dice)]])
    return titled(now.played.player)


def _welcome(_: Situation) -> Screen:
    return Screen(
        say(texts.PRODUCT), (Line(""), Line(""), Line(say(texts.NEW_GAME), button="C")), say(texts.HOLD_STOP_MENU)
    )


def _resume(now: Situation) -> Screen:
    game = now.played
    names = wrapped(" ".join(map(called, game.names)), 2)
    turn = say(texts.WHOSE_TURN, player=titled(game.player))
    lines = (*(Line("", text) for text in names), Line(say(texts.GO_ON), button="C"))
    return Screen(say(texts.GOES_ON), lines, turn)


def _rolling_off(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, RollingOff)
    rolled = " ".join(map(str, state.dice))
    so_far = say(texts.ROLLED_SO_FAR, dice=rolled) if rolled else (say(texts.TIE) if state.tie else "")
    lines = (Line(say(texts.ONE_DIE)), Line("", say(texts.HIGHEST_BEGINS)), Line("", so_far))
    return Screen(_player(now), lines, say(texts.HOLD_A_HAND))


def _begins(now: Situation) -> Screen:
    title = say(texts.BEGINS, player=titled(now.played.player))
    return Screen(title, (Line(say(texts.THROW)),), say(texts.THROW_FOUR))


def _waiting(now: Situation) -> Screen:
    lines = (
        Line(say(seat_views.throw(now.played))),
        Line("", say(texts.READ_AGAIN), "B"),
        Line("", standing(now.played)),
    )
    return Screen(seat_views.who(now.played), lines, say(texts.HOLD_STOP_MENU))


def _reading(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, Reading)
    below = screen(replace(now, state=state.before))
    by_hand = below.footer if isinstance(state.before, TrialThrow) else say(texts.HOLD_A_HAND)
    if state.view is View.NO_CAMERA and isinstance(state.before, Stopped):
        return below  # its footer is all that says what C does; the next screen tells of the camera
    if state.view is View.NO_CAMERA and isinstance(state.before, TELLS):
        return replace(below, footer=say(texts.CAMERA[state.why]))
    if state.view is View.NO_CAMERA:
        lines = (Line(say(texts.CAMERA[state.why])), Line("", say(texts.CAMERA_REMEDIES[state.why])), *below.lines[2:])
        return Screen(below.title, lines, by_hand)
    if state.view is View.MOVED:
        lines = (Line(say(texts.MOVED)), Line("", say(texts.CHECK_TRAY)), Line("", say(texts.CHECKED), "C"))
        return Screen(below.title, lines, below.footer)
    if state.view is View.UNREADABLE:
        why = say(texts.REASONS[state.why], dice=state.dice)
        remedy = say(texts.REMEDIES[state.why], wanted=dice_wanted(state))
        lines = (Line("", say(texts.CANNOT_READ)), Line(why), Line("", remedy))
        return Screen(below.title, lines, by_hand)
    seen = say(texts.HAND) if state.view is View.HAND else say(texts.ROLLING)
    return Screen(below.title, below.lines, seen, below.dice)


def _choosing(now: Situation) -> Screen:
    position = now.played.position
    assert position.roll is not None
    lines = []
    for button, pairing, plays in zip("ABC", pairings(position.roll), choices(now), strict=False):
        sums = f"{pairing[0]}+{pairing[1]}"
        if not plays:
            lines.append(Line(sums, say(texts.NOT_POSSIBLE)))
        elif len(plays) == 1:
            lines.append(Line(sums, steps(position, plays[0]), button))
        else:
            lines.append(Line(sums, say(texts.OR, low=pairing[0], high=pairing[1]), button))
    return Screen(titled(now.played.player), tuple(lines), say(texts.HOLD_A_WRONG), position.roll)


def _choosing_column(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, ChoosingColumn)
    position = now.played.position
    lines = []
    for button, column in zip("AB", state.pairing, strict=True):
        (move,) = runner_moves(position, Play(state.pairing, (column,)))
        lines.append(Line(str(column), say(texts.TO_TOP) if move.top else say(texts.TO, space=move.space), button))
    lines.append(Line("", say(texts.WHICH_COLUMN)))
    return Screen(titled(now.played.player), tuple(lines), say(texts.STOP_BACK), position.roll or ())


def _telling(now: Situation) -> Screen:
    game = now.played
    play = game.steps[-1]
    assert isinstance(play, Play)
    footer = say(texts.THROW_OR_STOP)
    if not may_stop(game.position):
        footer = say(texts.OR_THROW)
    elif stop_wins(game.position):
        footer = say(texts.THROW_OR_WIN)
    moves = [*runner_lines(game.positions[-2], play), Line("")][:2]
    return Screen(titled(game.player), (*moves, Line(say(texts.DONE), button="C")), footer)


def _deciding(now: Situation) -> Screen:
    position = now.played.position
    if not may_stop(position):
        head, footer = Line(say(texts.ROLL_ON)), say(texts.NO_STOP)
    elif stop_wins(position):
        head, footer = Line(say(texts.STOP_WINS)), say(texts.THROW_OR_STOP)
    else:
        head, footer = Line(say(texts.ROLL_OR_STOP)), say(texts.THROW_OR_STOP)
    lines = (head, Line("", say(texts.READ_AGAIN), "B"), Line("", runners(position)))
    return odds_views.deciding(now, Screen(titled(now.played.player), lines, footer))


def _busting(now: Situation) -> Screen:
    position = now.played.position
    lines = (
        Line(say(texts.DICE_WRONG), button="A"),
        Line(say(texts.BUST), say(texts.NOTHING_FITS)),
        Line(say(texts.YES_BUST), button="C"),
    )
    return Screen(titled(now.played.player), lines, say(texts.HOLD_STOP_MENU), position.roll or ())


def _busted(now: Situation) -> Screen:
    game = now.played
    player = game.names[game.positions[-2].turn]
    after = Line("", say(texts.NEXT, player=called(game.player)))
    lines = (Line("", say(texts.RUNNERS_OFF)), after, Line(say(texts.DONE), button="C"))
    return odds_views.busted(now, Screen(say(texts.BUSTED, player=titled(player)), lines, say(texts.OR_THROW)))


def _stopped(now: Situation) -> Screen:
    state, game = now.state, now.played
    assert isinstance(state, Stopped)
    lines = [_stop_line(game, line) for line in stop_lines(game)] + odds_views.stopped(now)
    shown = lines[state.page * LINES : (state.page + 1) * LINES]
    last = (state.page + 1) * LINES >= len(lines)
    after = say(texts.AFTER_WIN if game.winner else texts.AFTER_STOP, player=titled(game.player))
    player = game.names[game.positions[-2].turn]
    return Screen(say(texts.STOPS, player=titled(player)), tuple(shown), after if last else say(texts.MORE))


def _stop_line(game: Game, line: StopLine) -> Line:
    if not line.column:
        return Line("", say(texts.RUNNERS_OFF))
    if line.leaves is not None:
        return Line(str(line.column), say(texts.OFF, player=called(game.names[line.leaves])))
    if line.space == TOP[line.column]:
        return Line(str(line.column), say(texts.MARKER_WINS))
    return Line(str(line.column), say(texts.MARKER_TO, space=line.space))


def _game_over(now: Situation) -> Screen:
    game = now.played
    winner = game.position.turn
    standings = []
    for player in sorted(range(len(game.names)), key=lambda player: player != winner):
        if won := game.position.won(player):
            columns = " ".join(map(str, won))
            standings += textwrap.wrap(
                say(texts.PLAYER_COLUMNS, player=called(game.names[player]), columns=columns), SMALL_CHARACTERS
            )
    if len(game.names) == 1:
        standings.append(say(texts.IN_TURNS, turns=turns(game)))
    after = texts.FEWEST_LOOK if len(game.names) == 1 else texts.NEW_GAME
    lines = (*(Line("", text) for text in [*standings, ""][:2]), Line(say(after), button="C"))
    return Screen(say(texts.WINS, player=titled(game.player)), lines, say(texts.HOLD_STOP_MENU))


def _correcting_dice(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, CorrectingDice)
    lines = [Line(roll_text(roll), button=button) for button, roll in zip("AB", state.likely, strict=False)]
    lines.append(Line(say(texts.BY_HAND), button="C"))
    return Screen(titled(now.played.player), tuple(lines), say(texts.REALLY), now.played.position.roll or ())


def _entering_dice(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, EnteringDice)
    lines = (
        Line(say(texts.TURN_DIE), button="A"),
        Line(say(texts.NEXT_DIE), button="B"),
        Line(say(texts.TAKE), button="C"),
    )
    return Screen(_player(now), lines, say(texts.STOP_BACK), state.dice, state.cursor)


def _menu(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, Menu)
    title = say(texts.MENU, player=titled(now.played.player))
    return listed(title, [say(texts.MENU_ITEMS[item]) for item in MENU], state.cursor, say(texts.MENU_KEYS))


def _giving_up(_: Situation) -> Screen:
    lines = (Line(say(texts.LEAVE), button="A"), Line(""), Line(say(texts.STAY), button="C"))
    return Screen(say(texts.LEAVE_GAME), lines, say(texts.STOP_BACK))


def _setting_board(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, SettingBoard)
    names = now.played.names
    if state.problem:
        return message(say(texts.NONSENSE), say(state.problem, **dict(state.values)))
    titles = [say(texts.MARKERS_OF, player=titled(name)) for name in names] + [say(texts.RUNNERS), say(texts.WHOSE)]
    if state.row == len(names) + 1:
        lines = (Line(called(names[state.turn]), button="A"), Line(""), Line(say(texts.TAKE), button="C"))
        return Screen(titles[state.row], lines, say(texts.STOP_BACK))
    spaces = (*state.markers, state.runners)[state.row]
    space = spaces[state.column]
    piece = say(texts.SPACE, space=space_text(state.column, space)) if space else say(texts.NO_PIECE)
    lines = (
        Line(say(texts.COLUMN, column=state.column), button="A"),
        Line(piece, button="B"),
        Line("", titles[state.row + 1], button="C"),
    )
    return Screen(titles[state.row], lines, say(texts.STOP_BACK))


_VIEWS: dict[type[Any], Callable[[Situation], Screen]] = {
    **box_views.VIEWS,
    Welcome: _welcome,
    Resume: _resume,
    RollingOff: _rolling_off,
    Begins: _begins,
    Waiting: _waiting,
    Reading: _reading,
    Choosing: _choosing,
    ChoosingColumn: _choosing_column,
    Telling: _telling,
    Deciding: _deciding,
    Busting: _busting,
    Busted: _busted,
    Stopped: _stopped,
    GameOver: _game_over,
    CorrectingDice: _correcting_dice,
    EnteringDice: _entering_dice,
    Menu: _menu,
    GivingUp: _giving_up,
    SettingBoard: _setting_board,
    **seat_views.VIEWS,
    ShowingPage: page,
}
