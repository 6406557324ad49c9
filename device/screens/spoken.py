"""The spoken text of a screen, for the box's voice and for the page: only words, without visual signs."""

from __future__ import annotations

from device.referee.inputs import TrayView
from device.referee.states import Situation, WatchingTray, Whereabouts
from device.screens import texts, widgets
from device.screens.box_views import language_of
from device.screens.language import aloud, say, speaking
from device.screens.screen import LIST_KEYS, Line, Screen
from device.screens.views import screen
from engine import Game

_PASSING = (TrayView.EMPTY, TrayView.HAND, TrayView.ROLLING, TrayView.USED)
"""Views of the tray that are too brief to announce."""


def spoken(situation: Situation, *, with_stick: bool = False, page: tuple[str, int] | None = None) -> str:
    """Return the spoken text of a situation, in the players' language; "" for silence.

    Args:
        situation: The situation.
        with_stick: Whether A, B and C are a joystick's up, press and down, which matters in lists.
        page: The page's host name and port, to say them first; None to leave them out.
    """
    if page is not None:
        name, port = page
        with speaking(language_of(situation)):
            where = say("On your phone, open {name}, colon, {port}.", name=name, port=port)
            return f"{where} {spoken(situation, with_stick=with_stick)}"
    if isinstance(situation.state, WatchingTray) and situation.state.seen.view in _PASSING:
        return ""
    with speaking(language_of(situation)), aloud():
        if isinstance(situation.state, Whereabouts):
            return f"{everybody(situation.played)}. {say(texts.STOP_BACK)}"
        return _sentences(screen(situation), texts.SPOKEN_STICK if with_stick else texts.SPOKEN_LIST)


def board_aloud(situation: Situation) -> str:
    """Return where everybody is, in the players' language; "" without a game."""
    with speaking(language_of(situation)), aloud():
        return "" if situation.game is None else f"{everybody(situation.game)}."


def everybody(game: Game) -> str:
    """Return the whole board as sentences: of each player, and of the runners."""
    return ". ".join(f"{name}: {', '.join(told)}" for name, *told in widgets.everybody(game))


def _sentences(shown: Screen, list_keys: str) -> str:
    parts = [shown.title]
    if shown.dice:
        parts.append(say("Dice: {dice}", dice=", ".join(map(str, shown.dice))))
    # In a list only the option under the cursor is spoken; each move of the cursor speaks the next one.
    chosen = [line for line in shown.lines if line.chosen]
    parts += map(_line, chosen or shown.lines)
    if chosen:  # what explains it
        parts.append(" ".join(line.more for line in shown.lines if not line.text))
    parts += [" ".join(shown.text)] if shown.running else shown.text
    if shown.keys == LIST_KEYS:
        parts.append(say(list_keys))
    parts.append(say(texts.STOP_BACK) if shown.hint == say(texts.STOP_BACK_SHORT) else shown.hint)
    said = ""
    for part in filter(None, parts):
        pause = "" if not said else " " if said[-1] in ".?!:" else ". "
        said += pause + part[0].upper() + part[1:].replace("…", "")
    return said


def _line(line: Line) -> str:
    words = ", ".join(filter(None, (line.text, line.more)))
    return f"{line.button}: {words}" if line.button and words else words
