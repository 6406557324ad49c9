"""The snapshot of the table for the page: one JSON object, built from values that the loop has handed over."""

from __future__ import annotations

import base64
from dataclasses import asdict, dataclass, replace
from typing import Any

from PIL import Image

from device.page.board import board, colours_of
from device.page.wire import Data
from device.referee import states
from device.referee.coaching import can_coach
from device.referee.inputs import BoardCorrection, DiceCorrection, LineTapped, TrayView
from device.referee.players import LONGEST
from device.referee.playing import TELL_LAST_STEP, choices, dice_wanted, unusable_pairings
from device.referee.questions import MARKERS, is_before_a_game
from device.referee.setup import repeated
from device.referee.states import Situation
from device.referee.transition_table import TRANSITIONS, step
from device.screens import texts
from device.screens.button_labels import labels
from device.screens.language import LANGUAGES, say, speaking
from device.screens.screen import Screen
from device.screens.seat_views import story_lines
from device.screens.spoken import board_aloud, spoken
from device.screens.views import screen
from engine import (
    COLUMNS,
    FEWEST_COLUMNS_TO_WIN,
    MOST_COLUMNS_TO_WIN,
    FastStart,
    Game,
    Play,
    Position,
    marker_moves,
    may_stop,
    runner_moves,
    stop_wins,
)
from engine.odds import at_stake, bust_chance
from engine.opponents import OPPONENTS

MOST_LIKELY = 3
"""The number of likely other rolls that are offered for a misread one."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The data that the loop hands over each time it has shown something.

    Attributes:
        situation: The box's state.
        screen: The screen as text.
        oled: The screen as pixels: 128x64, mode "1"; must not be changed.
    """

    situation: Situation
    screen: Screen
    oled: Image.Image


def snapshot(shown: Shown, serial: int) -> Data:
    """Return all that a page shows, as plain data for JSON; `serial` numbers the snapshots of this run of the box."""
    situation = shown.situation
    state = situation.state
    reading = state.seen if isinstance(state, states.WatchingTray) else None
    inner = situation.beneath
    data: Data = {
        "serial": serial,
        "state": type(inner).__name__,
        "tray": {"view": reading.view.value, "why": reading.why, "dice": reading.dice} if reading else None,
        "language": situation.preferences.language,
        "camera": reading is None or reading.view is not TrayView.NO_CAMERA,
        "wants_dice": dice_wanted(state),
        "corrects": corrects(situation),
        "likely": situation.likely[:MOST_LIKELY],
        "words": {language: _words(shown, language) for language in LANGUAGES},
        "oled": _oled(shown),
        "game": None,
        "choices": [],
        "moves": [],
        "roll_off": None,
        "odds": None,
        "coach": may_coach(situation),
        "seats": _seats(situation),
        "list": states.list_mark(state) if (type(state), LineTapped) in TRANSITIONS else "",
    }
    if isinstance(inner, states.RollingOff):
        data["roll_off"] = {
            "names": inner.settings.names,
            "colours": inner.settings.colours,
            "dice": inner.dice,
            "contenders": inner.contenders,
        }
    if situation.game is not None:
        data["game"] = {**_game(situation.game, situation.number), "wins": situation.wins if situation.score else ()}
        data["moves"] = _moves(situation)
        data["choices"] = _choices(Situation(inner, situation.game, situation.number))
        if situation.preferences.odds == "on" and isinstance(inner, states.Deciding | states.Telling):
            now = situation.game.position
            data["odds"] = {"bust": bust_chance(now), "stake": at_stake(now), "win": None}
        if isinstance(inner, states.Thinking | states.Moving | states.RollingOn):
            data["opponent"] = _opponent(situation.game, inner)
        if isinstance(inner, states.Moving):
            data["dice"] = situation.game.positions[-2].roll or ()
        if isinstance(inner, states.Stopped | states.Busted):
            data["game"]["actor"] = situation.game.positions[-2].turn
    if isinstance(inner, states.EnteringDice | states.CorrectingDice):
        roll = situation.game.position.roll if situation.game is not None else None
        data["dice"] = (inner.dice if isinstance(inner, states.EnteringDice) else ()) or roll or ()
    return data


def may_coach(situation: Situation) -> bool:
    """Whether a person decides now who may ask what the strongest opponent would do: if the players want the odds."""
    if situation.game is None or situation.preferences.odds != "on":
        return False
    return can_coach(situation.beneath)


def _seats(situation: Situation) -> Data | None:
    """Return what a phone's form for a new game offers; None where it is not shown, as in a game: its menu leads there.

    It has the names used before and the longest length of one, the settings of the last game or None, the
    opponents' levels, the most columns to win by the number of players, and the variants that exclude each other.
    """
    if not is_before_a_game(situation.beneath):
        return None
    return {
        "names": situation.preferences.names,
        "longest": LONGEST,
        "last": None if situation.game is None else asdict(repeated(situation.game)),
        "levels": OPPONENTS,
        "fewest_columns": FEWEST_COLUMNS_TO_WIN,
        "most_columns": MOST_COLUMNS_TO_WIN,
        "starts": [kind.value for kind in FastStart],
        "markers": MARKERS,
    }


def _opponent(game: Game, state: states.Thinking | states.Moving | states.RollingOn) -> Data:
    """Return an opponent's level and, once it has decided, its pairing, whether it stops, and why."""
    if isinstance(state, states.Thinking):
        return {"level": game.level}
    stops = isinstance(state, states.Moving) and state.stops
    data = {"level": game.level, "stops": stops, "why": state.why, "loss": state.loss, "stake": state.at_stake}
    if isinstance(state, states.Moving) and isinstance(game.steps[-1], Play):
        data["pairing"] = game.steps[-1].pairing
    return data


def _moves(situation: Situation) -> list[Data]:
    """Return the pieces to move on the real board after the last step, or after one was undone.

    Each has its column, the player whose marker it is (None for a runner), and `from` and `to`: spaces, 0 for off the
    board.
    """
    game, state = situation.game, situation.beneath
    before: Position | states.PutBack
    if game is None:
        return []
    if isinstance(state, states.PutBack):
        before, now = state, game.position
    elif isinstance(state, TELL_LAST_STEP) and game.steps:
        before, now = game.positions[-2:]
    else:
        return []
    pieces = [(None, before.runners, now.runners), *zip(range(now.players), before.markers, now.markers, strict=False)]
    return [
        {"column": column, "player": player, "from": was[column], "to": goes[column]}
        for player, was, goes in pieces
        for column in COLUMNS
        if was[column] != goes[column]
    ]


def corrects(situation: Situation) -> list[str]:
    """Return what a phone may correct right now: "dice", "board"."""
    game = situation.game
    if game is None:
        return []
    now = situation.number, len(game.steps)
    another = (1, 1, 1, 1) if game.position.roll != (1, 1, 1, 1) else (1, 1, 1, 2)
    found = ["dice"] if step(situation, DiceCorrection(another, *now)) is not None else []
    return [*found, "board"] if (type(situation.beneath), BoardCorrection) in TRANSITIONS else found


def _is_secret(situation: Situation) -> bool:
    """Whether the OLED shows a code or password, which only people beside the box may see."""
    return isinstance(situation.beneath, states.ShowingPage | states.Hotspot)


def _oled(shown: Shown) -> str:
    """Return the OLED's pixels."""
    pixels = shown.oled.tobytes()
    return base64.b64encode(bytes(len(pixels)) if _is_secret(shown.situation) else pixels).decode()


def _words(shown: Shown, language: str) -> Data:
    """Return in a phone's language what the buttons do, what the OLED says, and the same to be read aloud."""
    own = shown.situation
    told = replace(own, preferences=replace(own.preferences, language=language))
    if _is_secret(own):
        with speaking(language):
            rest: Data = {"spoken": "", "board": board_aloud(told), "oled": [say(texts.PAGE)], "list": []}
            return {"labels": labels(told), **rest}
    oled = shown.screen if language == own.preferences.language else screen(told)
    data: Data = {
        "labels": labels(told),
        "spoken": spoken(told),
        "board": board_aloud(told),
        "oled": words(oled),
        "list": _options(told, oled),
    }
    if isinstance(own.state, states.GameStory):
        with speaking(language):
            data["story"] = story_lines(own.state.moments or ())
    return data


def _options(now: Situation, shown: Screen) -> list[str]:
    """Return all options of the list that the box shows a part of; empty unless a phone may tap them."""
    if (type(now.state), LineTapped) not in TRANSITIONS:
        return []
    count = shown.scroll[1] if shown.scroll else sum(bool(line.text) for line in shown.lines)
    state: Any = now.state
    lists = [screen(replace(now, state=replace(state, cursor=number))).lines for number in range(count)]
    return [" ".join(filter(None, (line.text, line.more))) for lines in lists for line in lines if line.chosen]


def words(screen: Screen) -> list[str]:
    """Return a screen as lines of text, each with its button in front."""
    lines = [screen.title + (" " + "-".join(map(str, screen.dice)) if screen.dice else "")]
    for line in screen.lines:
        text = " ".join(part for part in (line.text, line.more) if part)
        if text:
            lines.append(f"{line.button}: {text}" if line.button else ("> " if line.chosen else "") + text)
    return [*lines, *filter(None, (*screen.text, screen.hint))]


def _game(game: Game, number: int) -> Data:
    position = game.position
    out = any(position.runners)
    return {
        "number": number,
        "names": game.names,
        "colours": colours_of(game),
        "levels": game.levels,
        "columns_to_win": position.variants.columns_to_win,
        "position": board(position),
        "steps": len(game.steps),
        "actor": position.turn,
        "winner": position.winner,
        "may_stop": may_stop(position),
        "stop_wins": out and stop_wins(position),
        "stop_moves": [
            {"column": move.column, "space": move.space} for move in (marker_moves(position) if out else ())
        ],
    }


def _choices(situation: Situation) -> list[Data]:
    """Return each button's choice and its effect on the board; a line that cannot be chosen has no plays."""
    state, position = situation.state, situation.played.position
    if isinstance(state, states.Choosing):
        assert position.roll is not None
        offered = [
            {"button": button, "pairing": plays[0].pairing, "plays": [_play(position, play) for play in plays]}
            for button, plays in zip("ABC", choices(situation), strict=False)
        ]
        unusable = [{"button": "", "pairing": pairing, "plays": []} for pairing in unusable_pairings(position)]
        return offered + unusable
    if isinstance(state, states.ChoosingColumn):
        return [
            {"button": button, "pairing": state.pairing, "plays": [_play(position, Play(state.pairing, (column,)))]}
            for button, column in zip("AB", state.pairing, strict=True)
        ]
    return []


def _play(position: Position, play: Play) -> list[Data]:
    return [{"column": move.column, "space": move.space} for move in runner_moves(position, play)]
