"""From a situation to its screen: one function a state."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

from device.referee.correcting import MENU
from device.referee.inputs import View
from device.referee.playing import LINES, StopLine, choices, dice_wanted, stop_lines
from device.referee.setup import Topic, ask
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
    NewGame,
    Reading,
    Resume,
    RollingOff,
    SettingBoard,
    Situation,
    Stopped,
    Telling,
    Waiting,
    Welcome,
)
from device.screens import texts
from device.screens.draw import SMALL_CHARACTERS
from device.screens.screen import Line, Screen
from engine import TOP, Game, Play, Position, may_stop, pairings, roll_text, runner_moves, stop_wins


def screen(situation: Situation) -> Screen:
    """Give the screen that shows this situation."""
    return _VIEWS[type(situation.state)](situation)


def failure(message: str) -> Screen:
    """Give the screen of a box that cannot start: as much of the message as it holds."""
    return _message(texts.CANNOT_START, message)


def _message(title: str, message: str) -> Screen:
    """Give a screen full of running text."""
    *lines, footer = _wrapped(message, LINES + 1)
    return Screen(title, tuple(Line("", text) for text in lines), footer)


def _wrapped(text: str, count: int) -> list[str]:
    """Break a text into so many lines of the small type: empty ones fill up, what is too much is left out."""
    lines = textwrap.wrap(text, SMALL_CHARACTERS)[:count]
    return lines + [""] * (count - len(lines))


def _name(name: str) -> str:
    return name[:1].upper() + name[1:]


def _player(now: Situation) -> str:
    """Give the name of whoever has to throw: in the roll-off there is no game yet."""
    state = now.state.before if isinstance(now.state, EnteringDice) else now.state
    if isinstance(state, RollingOff):
        return _name(state.names[state.contenders[len(state.dice)]])
    return _name(now.played.player)


def _window(options: list[str], cursor: int) -> tuple[Line, ...]:
    """Show three of the options, the one under the cursor in the middle where there are others on both sides."""
    first = max(0, min(cursor - 1, len(options) - LINES))
    return tuple(
        Line(text, chosen=first + index == cursor) for index, text in enumerate(options[first : first + LINES])
    )


def _space(column: int, space: int) -> str:
    return texts.TOP if space == TOP[column] else str(space)


def _steps(position: Position, play: Play) -> str:
    moves = runner_moves(position, play)
    return " ".join(texts.STEP.format(column=move.column, space=_space(move.column, move.space)) for move in moves)


def _runner_lines(position: Position, play: Play) -> tuple[Line, ...]:
    return tuple(
        Line(str(move.column), texts.RUNNER_TO_TOP if move.top else texts.RUNNER_TO.format(space=move.space))
        for move in runner_moves(position, play)
    )


def _welcome(_: Situation) -> Screen:
    return Screen(texts.PRODUCT, (Line(""), Line(""), Line(texts.NEW_GAME, button="C")))


def _resume(now: Situation) -> Screen:
    game = now.played
    names = _wrapped(" ".join(game.names), 2)
    turn = texts.WHOSE_TURN.format(player=_name(game.player))
    lines = (*(Line("", text) for text in names), Line(texts.GO_ON, button="C"))
    return Screen(texts.GOES_ON, lines, turn)


def _new_game(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, NewGame)
    agreed, question = ask(state.answers)
    assert question is not None
    title = texts.QUESTIONS[question.topic].format(number=len(agreed.names) + 1)
    plain = question.topic in (Topic.PLAYERS, Topic.COLUMNS)
    options = [option if plain else texts.ANSWERS.get(option, option) for option in question.options]
    return Screen(title, _window(options, state.cursor), texts.MENU_KEYS)


def _rolling_off(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, RollingOff)
    rolled = " ".join(map(str, state.dice))
    so_far = texts.ROLLED_SO_FAR.format(dice=rolled) if rolled else (texts.TIE if state.tie else "")
    lines = (Line(texts.ONE_DIE), Line("", texts.HIGHEST_BEGINS), Line("", so_far))
    return Screen(_player(now), lines, texts.HOLD_A_HAND)


def _begins(now: Situation) -> Screen:
    title = texts.BEGINS.format(player=_name(now.played.player))
    return Screen(title, (Line(texts.THROW),), texts.THROW_FOUR)


def _waiting(now: Situation) -> Screen:
    position = now.played.position
    won = position.won(position.turn)
    standing = texts.WON.format(columns=len(won), all=position.variants.columns_to_win)
    return Screen(
        _name(now.played.player),
        (Line(texts.THROW), Line("", texts.READ_AGAIN, "B"), Line("", standing)),
        texts.HOLD_STOP_MENU,
    )


def _reading(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, Reading)
    below = screen(Situation(state.before, now.game, now.number))
    if state.view is View.NO_CAMERA:
        return Screen(below.title, (Line(texts.NO_CAMERA), Line(""), *below.lines[2:]), texts.HOLD_A_HAND)
    if state.view is View.MOVED:
        lines = (Line(texts.MOVED), Line("", texts.CHECK_TRAY), Line("", texts.CHECKED, "C"))
        return Screen(below.title, lines, below.footer)
    if state.view is View.UNREADABLE:
        why = texts.REASONS[state.why].format(dice=state.dice)
        remedy = texts.REMEDIES[state.why].format(wanted=dice_wanted(state))
        lines = (Line("", texts.CANNOT_READ), Line(why), Line("", remedy))
        return Screen(below.title, lines, texts.HOLD_A_HAND)
    seen = texts.HAND if state.view is View.HAND else texts.ROLLING
    return Screen(below.title, below.lines, seen, below.dice)


def _choosing(now: Situation) -> Screen:
    position = now.played.position
    assert position.roll is not None
    lines = []
    for button, pairing, plays in zip("ABC", pairings(position.roll), choices(now), strict=False):
        sums = f"{pairing[0]}+{pairing[1]}"
        if not plays:
            lines.append(Line(sums, texts.NOT_POSSIBLE))
        elif len(plays) == 1:
            lines.append(Line(sums, _steps(position, plays[0]), button))
        else:
            lines.append(Line(sums, texts.OR.format(low=pairing[0], high=pairing[1]), button))
    return Screen(_name(now.played.player), tuple(lines), texts.HOLD_A_WRONG, position.roll)


def _choosing_column(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, ChoosingColumn)
    position = now.played.position
    lines = []
    for button, column in zip("AB", state.pairing, strict=True):
        (move,) = runner_moves(position, Play(state.pairing, (column,)))
        lines.append(Line(str(column), texts.TO_TOP if move.top else texts.TO.format(space=move.space), button))
    lines.append(Line("", texts.WHICH_COLUMN))
    return Screen(_name(now.played.player), tuple(lines), texts.STOP_BACK, position.roll or ())


def _telling(now: Situation) -> Screen:
    game = now.played
    play = game.steps[-1]
    assert isinstance(play, Play)
    footer = texts.THROW_OR_STOP
    if not may_stop(game.position):
        footer = texts.OR_THROW
    elif stop_wins(game.position):
        footer = texts.THROW_OR_WIN
    moves = [*_runner_lines(game.positions[-2], play), Line("")][:2]
    return Screen(_name(game.player), (*moves, Line(texts.DONE, button="C")), footer)


def _deciding(now: Situation) -> Screen:
    position = now.played.position
    runners = " ".join(
        texts.STEP.format(column=column, space=_space(column, space)) for column, space in position.runners_out()
    )
    if not may_stop(position):
        head, footer = Line(texts.ROLL_ON), texts.NO_STOP
    elif stop_wins(position):
        head, footer = Line(texts.STOP_WINS), texts.THROW_OR_STOP
    else:
        head, footer = Line(texts.ROLL_OR_STOP), texts.THROW_OR_STOP
    return Screen(_name(now.played.player), (head, Line("", texts.READ_AGAIN, "B"), Line("", runners)), footer)


def _busting(now: Situation) -> Screen:
    position = now.played.position
    lines = (
        Line(texts.DICE_WRONG, button="A"),
        Line(texts.BUST, texts.NOTHING_FITS),
        Line(texts.YES_BUST, button="C"),
    )
    return Screen(_name(now.played.player), lines, texts.HOLD_STOP_MENU, position.roll or ())


def _busted(now: Situation) -> Screen:
    game = now.played
    player = game.names[game.positions[-2].turn]
    after = Line("", texts.NEXT.format(player=game.player))
    lines = (Line("", texts.RUNNERS_OFF), after, Line(texts.DONE, button="C"))
    return Screen(texts.BUSTED.format(player=_name(player)), lines, texts.OR_THROW)


def _stopped(now: Situation) -> Screen:
    state, game = now.state, now.played
    assert isinstance(state, Stopped)
    lines = [_stop_line(game, line) for line in stop_lines(game)]
    shown = lines[state.page * LINES : (state.page + 1) * LINES]
    last = (state.page + 1) * LINES >= len(lines)
    after = (texts.AFTER_WIN if game.winner else texts.AFTER_STOP).format(player=_name(game.player))
    player = game.names[game.positions[-2].turn]
    return Screen(texts.STOPS.format(player=_name(player)), tuple(shown), after if last else texts.MORE)


def _stop_line(game: Game, line: StopLine) -> Line:
    if not line.column:
        return Line("", texts.RUNNERS_OFF)
    if line.leaves is not None:
        return Line(str(line.column), texts.OFF.format(player=game.names[line.leaves]))
    if line.space == TOP[line.column]:
        return Line(str(line.column), texts.MARKER_WINS)
    return Line(str(line.column), texts.MARKER_TO.format(space=line.space))


def _game_over(now: Situation) -> Screen:
    game = now.played
    winner = game.position.turn
    standings = []
    for player in sorted(range(len(game.names)), key=lambda player: player != winner):
        if won := game.position.won(player):
            columns = " ".join(map(str, won))
            standings += textwrap.wrap(
                texts.PLAYER_COLUMNS.format(player=game.names[player], columns=columns), SMALL_CHARACTERS
            )
    lines = (*(Line("", text) for text in [*standings, ""][:2]), Line(texts.NEW_GAME, button="C"))
    return Screen(texts.WINS.format(player=_name(game.player)), lines, texts.HOLD_STOP_MENU)


def _correcting_dice(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, CorrectingDice)
    lines = [Line(roll_text(roll), button=button) for button, roll in zip("AB", state.likely, strict=False)]
    lines.append(Line(texts.BY_HAND, button="C"))
    return Screen(_name(now.played.player), tuple(lines), texts.REALLY, now.played.position.roll or ())


def _entering_dice(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, EnteringDice)
    lines = (Line(texts.TURN_DIE, button="A"), Line(texts.NEXT_DIE, button="B"), Line(texts.TAKE, button="C"))
    return Screen(_player(now), lines, texts.STOP_BACK, state.dice, state.cursor)


def _menu(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, Menu)
    title = texts.MENU.format(player=_name(now.played.player))
    return Screen(title, _window([texts.MENU_ITEMS[item] for item in MENU], state.cursor), texts.MENU_KEYS)


def _giving_up(_: Situation) -> Screen:
    lines = (Line(texts.LEAVE, button="A"), Line(""), Line(texts.STAY, button="C"))
    return Screen(texts.LEAVE_GAME, lines, texts.STOP_BACK)


def _setting_board(now: Situation) -> Screen:
    state = now.state
    assert isinstance(state, SettingBoard)
    names = now.played.names
    if state.problem:
        return _message(texts.NONSENSE, state.problem)
    titles = [texts.MARKERS_OF.format(player=_name(name)) for name in names] + [texts.RUNNERS, texts.WHOSE]
    if state.row == len(names) + 1:
        lines = (Line(names[state.turn], button="A"), Line(""), Line(texts.TAKE, button="C"))
        return Screen(titles[state.row], lines, texts.STOP_BACK)
    spaces = (*state.markers, state.runners)[state.row]
    space = spaces[state.column]
    piece = texts.SPACE.format(space=_space(state.column, space)) if space else texts.NO_PIECE
    lines = (
        Line(texts.COLUMN.format(column=state.column), button="A"),
        Line(piece, button="B"),
        Line("", titles[state.row + 1], button="C"),
    )
    return Screen(titles[state.row], lines, texts.STOP_BACK)


_VIEWS: dict[type[Any], Callable[[Situation], Screen]] = {
    Welcome: _welcome,
    Resume: _resume,
    NewGame: _new_game,
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
}
