"""The rows of a journal: games' headers and accepted inputs, each with a checksum.

A row's checksum is the CRC-32 of its values, continued from the row before in its game, or from the header for the
first row: a flipped byte, a missing row and rows in another order all break the chain. SQLite itself checks only the
pages in its write-ahead log.

The box's state is stored in each row as one JSON object with the state's name and its fields.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from device.referee.playing import state_of
from device.referee.state import State
from device.referee.states import STATES, TRANSIENT_STATES, Situation, Welcome
from engine import (
    Action,
    BadPosition,
    BadText,
    Game,
    IllegalAction,
    action_text,
    parse_action,
    parse_transcript,
    plays,
)


class Broken(Exception):
    """The rows are not a valid game; the message says what is wrong."""


@dataclass(frozen=True, slots=True)
class GameHeader:
    """The header of a game.

    Attributes:
        number: The game's number, from 1.
        begun: The start time in UTC; for information only, as a Pi's clock may be wrong.
        header: Its transcript before the first step.
        check: The checksum of the values above; 0 before it is sealed.
    """

    number: int
    begun: str
    header: str
    check: int = 0

    def sealed(self) -> GameHeader:
        """Return a copy with its checksum."""
        return replace(self, check=zlib.crc32(repr((self.number, self.begun, self.header)).encode()))

    @property
    def is_sound(self) -> bool:
        """Return whether the checksum matches."""
        return self == self.sealed()


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One accepted input.

    Attributes:
        id: The row's number, from 1.
        game: The game's number; None before the first.
        at: The time in UTC; for information only.
        input: The input, as "hold C" or "dice 1-3-5-6".
        undone: The number of steps of the game that it undid.
        done: The steps that it added, one per line.
        state: The box's state after it, as JSON.
        check: The checksum of the values above and the rows before; 0 before it is sealed.
    """

    id: int
    game: int | None
    at: str
    input: str
    undone: int
    done: str
    state: str
    check: int = 0

    def sealed(self, before: int) -> JournalRow:
        """Return a copy with its checksum, continued from the row before."""
        values = (self.id, self.game, self.at, self.input, self.undone, self.done, self.state)
        return replace(self, check=zlib.crc32(repr(values).encode(), before))


@dataclass(frozen=True, slots=True)
class ReplayedRows:
    """The result of the rows of one game, or of those before the first.

    Attributes:
        rows: The intact rows.
        situation: The situation after the last of them.
        check: The checksum of the last one, from which the next one continues.
        broken: What is wrong with the row after them; "" if nothing is.
    """

    rows: tuple[JournalRow, ...]
    situation: Situation
    check: int
    broken: str = ""


def replay_rows(header: GameHeader | None, rows: Iterable[JournalRow]) -> ReplayedRows:
    """Return the result of the rows of one game, as far as they are intact.

    Args:
        header: The game's header; None for the rows before the first game.
        rows: Its rows, first to last.

    Raises:
        Broken: If the header is damaged.
    """
    game, check, number = None, 0, 0
    if header is not None:
        if not header.is_sound:
            raise Broken(f"the header of game {header.number} was changed")
        game, check, number = begun(header.number, header.header), header.check, header.number
    state: State | None = None
    sound: list[JournalRow] = []
    for row in rows:
        problem = "" if row == row.sealed(check) else f"row {row.id} was changed, or one before it is missing"
        if not problem:
            try:
                game = game if game is None else after(game, row.undone, row.done)
                state = read_state(row.state, game)
            except Broken as error:
                problem = str(error)
        if problem:
            return ReplayedRows(tuple(sound), _situation(state, game, number), check, problem)
        check = row.check
        sound.append(row)
    return ReplayedRows(tuple(sound), _situation(state, game, number), check)


def _situation(state: State | None, game: Game | None, number: int) -> Situation:
    resting = Welcome() if game is None else state_of(game)
    return Situation(state or resting, game, number)


def begun(number: int, header: str) -> Game:
    """Return a game before its first step, or raise `Broken` if the header is invalid."""
    try:
        return parse_transcript(header)
    except (BadText, IllegalAction, BadPosition) as error:
        raise Broken(f"the header of game {number} is invalid: {error}") from error


def after(game: Game, undone: int, done: str) -> Game:
    """Return a game after a row, or raise `Broken` if the row does not fit it."""
    try:
        game = game.undo(undone)
        for line in done.splitlines():
            game = game.do(parse_action(line, plays(game.position)))
    except (BadText, IllegalAction, BadPosition) as error:
        raise Broken(f"a step is invalid: {error}") from error
    return game


def row_of(number: int, at: str, event: object, before: Situation, now: Situation) -> JournalRow:
    """Return the row with this number of an input, and of the situations before and after it; not yet sealed."""
    old = before.game.steps if before.game is not None and before.number == now.number else ()
    new = now.game.steps if now.game is not None else ()
    common = 0
    while common < min(len(old), len(new)) and old[common] == new[common]:
        common += 1
    undone, done = len(old) - common, steps_text(new[common:])
    return JournalRow(number, now.number or None, at, str(event), undone, done, state_text(now.state))


def steps_text(steps: Iterable[Action]) -> str:
    """Return steps of a game, one per line."""
    return "\n".join(map(action_text, steps))


_BY_NAME: dict[str, Any] = {state.__name__: state for state in STATES}


def state_text(state: State) -> str:
    """Return a state as text."""
    return json.dumps(to_data(state), separators=(",", ":"))


def read_state(text: str, game: Game | None) -> State:
    """Return the state in a text; a state of another version is replaced by the one of the game's position."""
    try:
        return from_data(json.loads(text))
    except ValueError:
        return Welcome() if game is None else state_of(game)


def to_data(state: State) -> dict[str, Any]:
    """Return a state as plain data for JSON; a passing state is replaced by the one that it covers."""
    if isinstance(state, TRANSIENT_STATES):
        return to_data(state.before)
    data: dict[str, Any] = {"state": type(state).__name__}
    for each in fields(state):
        value = getattr(state, each.name)
        data[each.name] = to_data(value) if each.name == "before" else value
    return data


def from_data(data: dict[str, Any]) -> State:
    """Return the state in plain data, the inverse of `to_data`; raise ValueError for one of another version."""
    try:
        values = {key: _frozen(value) for key, value in data.items() if key != "state"}
        if "before" in values:
            values["before"] = from_data(data["before"])
        state: State = _BY_NAME[data["state"]](**values)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a state of this version: {data!r}") from error
    return state


def _frozen(value: object) -> object:
    """Return data with JSON's lists replaced by tuples, at any depth."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
