"""The screen of every situation: one function per state."""

from __future__ import annotations

from dataclasses import replace

from device.referee import playing, states
from device.referee.correcting import FACES, MENU, dice_to_enter
from device.referee.inputs import TrayView
from device.referee.putting_back import PieceToMove, changes
from device.referee.states import Situation, State
from device.screens import box_views, fault_texts, seat_views, texts, widgets
from device.screens.box_views import language_of
from device.screens.language import say, speaking
from device.screens.screen import Line, Screen
from device.screens.widgets import ScreenOf, called, titled
from engine import (
    TOP,
    Bust,
    Game,
    Play,
    Position,
    Rolled,
    SetTo,
    Stop,
    marker_moves,
    may_stop,
    roll_text,
    stop_wins,
)
from engine.odds import at_stake, bust_chance, loss_chance


def screen(situation: Situation) -> Screen:
    """Return the screen of a situation, in the players' language."""
    with speaking(language_of(situation)):
        return _VIEWS[type(situation.state)](situation, situation.state)


def starting() -> Screen:
    """Return the screen of a box that was just switched on and is not ready yet."""
    return Screen(say(texts.PRODUCT), (Line(), Line(say("Starting…"))))


def failure(why: str) -> Screen:
    """Return the screen of a box that cannot start, with as much of the reason as fits."""
    return widgets.message(say(fault_texts.CANNOT_START), why)


def _player(now: Situation) -> str:
    """Return the name of the player who has to roll: in the roll-off there is no game yet."""
    state = now.state.before if isinstance(now.state, states.EnteringDice) else now.state
    if isinstance(state, states.RollingOff):
        return titled(state.roller)
    return titled(now.played.player)


def _welcome(*_: object) -> Screen:
    lines = (Line(), Line(), Line(say(texts.NEW_GAME), button="C"))
    return Screen(say(texts.PRODUCT), lines, text=(say(texts.HOLD_STOP_MENU),))


def _resume(now: Situation, *_: object) -> Screen:
    game = now.played
    lines = (Line(), Line(), Line(say(texts.GO_ON), button="C"))
    names = widgets.wrapped(" ".join(map(called, game.names)), playing.ROWS)
    return Screen(say("{player}'s turn", player=titled(game.player)), lines, text=names, running=True)


def _rolling_off(now: Situation, state: states.RollingOff) -> Screen:
    rolled = " ".join(map(str, state.dice))
    begins = say("Tie: roll again" if state.tie else texts.HOLD_A_HAND)
    so_far = say("So far: {dice}", dice=rolled) if rolled else begins
    return Screen(_player(now), (Line(say("Roll one die")),), text=(say("Highest begins"), so_far))


def _begins(now: Situation, *_: object) -> Screen:
    title = say("{player} begins", player=titled(now.played.player))
    return Screen(title, (Line(say(texts.THROW)),), text=(say(texts.HOLD_STOP_MENU),))


def _waiting(now: Situation, *_: object) -> Screen:
    text = (widgets.standing(now.played), say(texts.HOLD_STOP_MENU))
    return Screen(seat_views.who(now.played), (Line(say(seat_views.throw(now.played))),), text=text)


def _reading(now: Situation, state: states.WatchingTray) -> Screen:
    below, tray = screen(replace(now, state=state.before)), state.seen
    if tray.view is TrayView.MOVED:
        lines = (Line(say(fault_texts.MOVED)), Line("", say("Check the tray")), Line(say("OK, continue"), button="C"))
        return Screen(below.title, lines)
    seen = {
        TrayView.HAND: texts.HAND,
        TrayView.ROLLING: texts.ROLLING,
        TrayView.NO_CAMERA: fault_texts.CAMERA.get(tray.why, ("",))[0],
    }
    if isinstance(state.before, playing.BOARD_INSTRUCTIONS) and tray.view in seen:
        return replace(below, title=say(seen[tray.view]), hint="")
    if tray.view is TrayView.MISSED:
        ask = Line("", say(fault_texts.MAYBE_THROWN)), Line(say(texts.YES), button="B")
        return Screen(below.title, (*ask, Line("", say("If not, roll again"))))
    by_hand = "" if isinstance(state.before, states.TrialThrow) else say(texts.HOLD_A_HAND)
    if tray.view is TrayView.NO_CAMERA:
        trouble = tuple(map(say, fault_texts.CAMERA[tray.why]))
        if not by_hand:
            return replace(below, lines=(Line(trouble[0]), Line(trouble[1]), *below.lines[2:]), text=())
        return Screen(below.title, (Line(say(texts.ENTER_DICE), button="A"),), text=trouble)
    if tray.view is TrayView.UNREADABLE:
        why, remedy = fault_texts.REASONS[tray.why]
        told = Line(say(why, dice=tray.dice)), Line(say(remedy, wanted=playing.dice_wanted(state)))
        return Screen(below.title, (*told, Line("", by_hand)))
    return replace(below, lines=(Line(say(seen[tray.view])), *below.lines[1:]))


def _choosing(now: Situation, *_: object) -> Screen:
    position = now.played.position
    lines = []
    for button, plays in zip("ABC", playing.choices(now), strict=False):
        low, high = plays[0].pairing
        text = widgets.pick(position, plays[0]) if len(plays) == 1 else say(texts.OR, low=low, high=high)
        lines.append(Line(text, button=button))
    for low, high in playing.unusable_pairings(position):
        lines.append(Line("", say("{low}+{high}: not possible", low=low, high=high)))
    lines.append(Line("", say(texts.HOLD_A_WRONG)))
    return Screen(titled(now.played.player), tuple(lines[: playing.LINES]), dice=position.roll or ())


def _choosing_column(now: Situation, state: states.ChoosingColumn) -> Screen:
    position = now.played.position
    lines = []
    for button, column in zip("AB", state.pairing, strict=True):
        (line,) = widgets.runner_lines(position, Play(state.pairing, (column,)))
        lines.append(replace(line, button=button))
    lines.append(Line("", say("Which? STOP: back")))
    return Screen(titled(now.played.player), tuple(lines), dice=position.roll or ())


def _same_dice(now: Situation) -> Line:
    """Return the offer of a roll that was taken back."""
    return Line(say("Same: {dice}?", dice="-".join(map(str, now.undone))), button="B")


def _telling(now: Situation, state: states.Telling) -> Screen:
    game = now.played
    play = game.steps[-1]
    assert isinstance(play, Play)
    then = texts.OR_STOP_WINS if playing.stop_wins_now(now) else texts.OR_THROW
    moves = widgets.filled(widgets.runner_lines(game.positions[-2], play))
    after = _same_dice(now) if now.undone else Line(say(texts.DONE), say(then), "C")
    return Screen(titled(game.player), (*moves, after))


def _deciding(now: Situation, *_: object) -> Screen:
    position, title = now.played.position, titled(now.played.player)
    if may_stop(position):
        head = say(texts.STOP_WINS if stop_wins(position) else "Roll or STOP?")
        text = widgets.runners(position), say("Hold C: undo")
    else:
        head, text = say("Roll again!"), (say("On another's marker"), widgets.runners(position))
    if now.undone:
        return Screen(title, (Line(head), _same_dice(now)), text=text[:1])
    if now.preferences.odds != "on":
        return Screen(title, (Line(head),), text=text)
    loss, below = widgets.percent(loss_chance(position)), text[1]
    if not may_stop(position):
        head, below = say("Bust first: {loss}%", loss=loss), text[0]
    elif not stop_wins(position):
        head, below = say("Bust: {loss}%", loss=loss), head
    stake = say("Could lose {spaces}", spaces=at_stake(position))
    return Screen(title, (Line(head), Line(stake)), text=(below,))


def _stop_pending(now: Situation, *_: object) -> Screen:
    text = say("Checking the tray…"), say("If rolled, it counts")
    return Screen(titled(now.played.player), (Line(say("STOP noted")),), text=text)


def _busting(now: Situation, *_: object) -> Screen:
    lines = (
        Line(say("No, misread"), button="A"),
        Line("", say("{player}: no move", player=titled(now.played.player))),
        Line(say("Yes, bust"), button="C"),
    )
    return Screen(say("Bust?"), lines, dice=now.played.position.roll or ())


def _busted(now: Situation, *_: object) -> Screen:
    game = now.played
    title = say("{player} is bust", player=titled(game.names[game.positions[-2].turn]))
    after = say("Next: {player}", player=called(game.player))
    rolled = _last_roll(game) if playing.odds_after_turn(now) else None
    if rolled is not None and any(rolled.runners):  # the player could have stopped before
        after = say(texts.RISKS, loss=widgets.percent(loss_chance(rolled)), spaces=at_stake(rolled))
    done = Line(say(texts.DONE), say(texts.OR_THROW), "C")
    return Screen(title, (Line(say(texts.RUNNERS_OFF)), Line(after), done))


def _last_roll(game: Game) -> Position | None:
    """Return the position of the last roll; None if that roll was entered by hand."""
    for before, step in zip(reversed(game.positions[:-1]), reversed(game.steps), strict=True):
        if isinstance(step, Rolled):
            return before
        if isinstance(step, SetTo):
            break
    return None


def _stopped(now: Situation, state: states.Stopped) -> Screen:
    game = now.played
    title = say(texts.STOPS, player=titled(game.names[game.positions[-2].turn]))
    if state.page >= playing.stop_pages(game):
        risk, loss = _risked(game), loss_chance(game.positions[-2])
        text = (
            say("Risk taken: {risk}%", risk=widgets.percent(risk)),
            say("One more: {loss}% bust", loss=widgets.percent(loss)),
        )
        return Screen(title, (Line(), Line(), Line(say(texts.DONE), say(texts.OR_THROW), "C")), text=text)
    moves = marker_moves(game.positions[-2])
    placed = [
        say(texts.MARKER_WINS if move.won else texts.PICK_TO, column=move.column, space=move.space) for move in moves
    ]
    rows = [Line(", ".join(placed[at : at + 2])) for at in range(0, len(placed), 2)]
    rows += [
        Line(say(texts.OFF, column=move.column, player=called(game.names[player])))
        for move in moves
        for player in move.sent_back
    ]
    shown = widgets.filled(rows[state.page * playing.ROWS :])
    after = texts.RUNNERS_OFF if state.page + 1 == playing.stop_pages(game) else texts.MORE
    return Screen(title, (*shown, Line(say(after), button="C")))


def _risked(game: Game) -> float:
    """Return the chance of a bust, 0 to 1, taken in the last turn by rolling when a stop was allowed."""
    safe = 1.0
    for before, step in list(zip(reversed(game.positions[:-1]), reversed(game.steps), strict=True))[1:]:
        if isinstance(step, Stop | Bust | SetTo):
            break
        if isinstance(step, Rolled) and any(before.runners):
            safe *= 1 - bust_chance(before)
    return 1 - safe


def _put_back(now: Situation, state: states.PutBack) -> Screen:
    lines = [Line(_change(now, change)) for change in changes(now, state)]
    shown = widgets.filled(lines[state.page * playing.ROWS :])
    is_last = (state.page + 1) * playing.ROWS >= len(lines)
    return Screen(say("Restore the board"), (*shown, Line(say(texts.DONE if is_last else texts.MORE), button="C")))


def _change(now: Situation, change: PieceToMove) -> str:
    if not change.column:
        return say(texts.RUNNERS_OFF)
    if change.player is None:
        text = texts.RUNNER_BACK if change.space else texts.RUNNER_OFF
        return say(text, column=change.column, space=change.space)
    text = texts.MARKER_BACK if change.space else texts.MARKER_OFF
    player = titled(now.played.names[change.player])
    return say(text, player=player, column=change.column, space=change.space)


_FIRST: dict[type[State], str] = {
    states.Busting: texts.ANSWER_FIRST,
    states.Thinking: texts.WAIT_FIRST,
    states.Undecided: texts.ANSWER_FIRST,
    states.Moving: texts.MOVE_FIRST,
    states.PutBack: texts.MOVE_FIRST,
}


def _too_early(now: Situation, state: states.TooEarly) -> Screen:
    title = titled(now.played.player)
    head = _FIRST.get(type(state.before), texts.CHOOSE_FIRST)
    return Screen(title, (Line(say(head)), Line(say(fault_texts.THROW_AGAIN)), Line(say(texts.OK), button="C")))


def _game_over(now: Situation, *_: object) -> Screen:
    game = now.played
    columns = say("Columns {columns}", columns=" ".join(map(str, game.position.won(game.position.turn))))
    text = say("Turns: {turns}", turns=playing.turns(game)) if len(game.names) == 1 else columns
    after = Line(say(texts.FEWEST if len(game.names) == 1 else texts.NEW_GAME), button="C")
    wins = say("{player} wins!", player=titled(game.player))
    if len(now.score) > 1:  # the games that they won, from the second on
        # A name and its number stay in one line.
        score = ", ".join(f"{titled(name)}\xa0{won}" for name, won in zip(game.names, now.wins, strict=True))
        if len(widgets.wrapped(score, playing.LINES)) > playing.ROWS:
            score = score.replace(",", "")
        rows = widgets.wrapped(score, playing.ROWS)
        if len(rows) > 1:
            return Screen(wins, (Line(), Line(), after), widgets.hint(wins, say(texts.STORY_HINT)), text=rows)
        text = rows[0]
    title = say("Game over")
    hint = widgets.hint(title, say(texts.STORY_HINT)) if len(game.names) > 1 else ""
    return Screen(title, (Line(wins), Line("", text), after), hint)


def _correcting_dice(now: Situation, state: states.CorrectingDice) -> Screen:
    lines = [Line(roll_text(roll), button=button) for button, roll in zip("AB", now.likely, strict=False)]
    title = say("What is it?")
    return Screen(title, (*widgets.filled(lines), Line(say("Enter them"), button="C")), widgets.back_hint(title))


def _entering_dice(now: Situation, state: states.EnteringDice) -> Screen:
    count, entered = dice_to_enter(state), len(state.dice)
    if entered == count:
        shown = Line("-".join(map(str, state.dice)), say(texts.DICE_RIGHT))
        take = Line(say(texts.DONE), button="C")
        return Screen(_player(now), (shown, Line("", say("STOP: delete last")), take))
    title = say("Die {number} of {all}", number=entered + 1, all=count)
    faces = tuple(
        Line(str(FACES[button]), say("hold: {value}", value=FACES[f"hold {button}"]), button) for button in "ABC"
    )
    return Screen(title, faces, "" if state.dice else widgets.back_hint(title), dice=state.dice)


def _menu(now: Situation, state: states.Menu) -> Screen:
    title = say("{player}: menu", player=titled(now.played.player))
    return widgets.listed(title, [say(texts.MENU_ITEMS[item]) for item in MENU], state.cursor)


def _whereabouts(now: Situation, state: states.Whereabouts) -> Screen:
    title, *told = widgets.everybody(now.played)[state.page]
    rows = tuple(row for text in told for row in widgets.wrapped(text, playing.LINES))
    return Screen(title, (), say(texts.C_MORE), rows, running=True)


def _giving_up(*_: object) -> Screen:
    lines = (Line(say("End this game"), button="A"), Line(), Line(say("No, continue"), button="C"))
    return Screen(say("New game?"), lines)


def _setting_board(now: Situation, state: states.SettingBoard) -> Screen:
    names = now.played.names
    if state.problem:
        why = say(state.problem, **dict(state.values))
        return widgets.message(say(fault_texts.NONSENSE), why, say("C: fix"))
    titles = [say("{player}'s markers", player=titled(name)) for name in names] + [say(texts.RUNNERS), say(texts.WHOSE)]
    title = titles[state.row]
    if state.row == len(names) + 1:
        lines = (Line(titled(names[state.turn]), button="A"), Line(), Line(say(texts.DONE), button="C"))
        return Screen(title, lines)
    spaces = (*state.markers, state.runners)[state.row]
    space = spaces[state.column]
    height = say(texts.TOP) if space == TOP[state.column] else space
    piece = say(texts.SPACE, space=height) if space else say(texts.NO_PIECE)
    after = titled(names[state.row + 1]) if state.row + 1 < len(names) else titles[state.row + 1]
    lines = (
        Line(say(texts.COLUMN, column=state.column), button="A"),
        Line(piece, button="B"),
        Line(say("Next"), after, "C"),
    )
    return Screen(title, lines)


_VIEWS: dict[type[State], ScreenOf] = {
    **box_views.VIEWS,
    states.Welcome: _welcome,
    states.Resume: _resume,
    states.RollingOff: _rolling_off,
    states.Begins: _begins,
    states.Waiting: _waiting,
    states.WatchingTray: _reading,
    states.Choosing: _choosing,
    states.ChoosingColumn: _choosing_column,
    states.Telling: _telling,
    states.Deciding: _deciding,
    states.Busting: _busting,
    states.Busted: _busted,
    states.StopPending: _stop_pending,
    states.Stopped: _stopped,
    states.GameOver: _game_over,
    states.CorrectingDice: _correcting_dice,
    states.EnteringDice: _entering_dice,
    states.PutBack: _put_back,
    states.TooEarly: _too_early,
    states.Menu: _menu,
    states.Whereabouts: _whereabouts,
    states.GivingUp: _giving_up,
    states.SettingBoard: _setting_board,
    **seat_views.VIEWS,
}
