"""The journal's tables: creation, writing, and reading for lists and statistics."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from device.statistics import readings
from device.storage import rows
from device.storage.rows import GameHeader, JournalRow
from engine import Game

_log = logging.getLogger(__name__)

VERSION = 1
"""The layout of the tables, stored as the file's `user_version`. Additions that an earlier release can ignore do not
change it, so that an update can be reverted."""

_TABLES = """
CREATE TABLE IF NOT EXISTS game (
    number INTEGER PRIMARY KEY,  -- games count from 1
    begun TEXT NOT NULL,         -- UTC; for people only, a Pi's clock may be wrong
    header TEXT NOT NULL,        -- the game's transcript before its first step
    winner TEXT,                 -- NULL while it goes on, or was left
    check_sum INTEGER            -- of number, begun and header
);
CREATE TABLE IF NOT EXISTS input (
    id INTEGER PRIMARY KEY,
    game INTEGER REFERENCES game,  -- NULL before the first game
    at TEXT NOT NULL,              -- UTC
    input TEXT NOT NULL,           -- what was put in, as "hold C" or "dice 1-3-5-6"
    undone INTEGER NOT NULL,       -- how many steps of the game it took back
    done TEXT NOT NULL,            -- the steps that it added, a line each
    state TEXT NOT NULL,           -- the box's state after it, JSON
    check_sum INTEGER              -- of the values above and the rows before, see device/storage/rows.py
);
CREATE TABLE IF NOT EXISTS reading (
    input INTEGER PRIMARY KEY REFERENCES input,
    dice TEXT NOT NULL,               -- what the camera saw, die by die: JSON, see device.statistics.readings
    asked INTEGER NOT NULL            -- whether dice that lay there were to be read: perhaps no new throw
);
"""

_KEYS = (("game", "number"), ("input", "id"), ("reading", "input"))

ReadingRow = tuple[int, str, bool]
"""A camera's reading: a row of the table "reading"."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the journal's list."""

    number: int
    begun: str
    names: tuple[str, ...]
    winner: str | None
    steps: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one game that are written together.

    Attributes:
        rows: The rows, from first to last; at least one.
        header: The game's header, if it is new.
        winner: The player who has won after them, if any.
        seen: What the camera saw with them.
    """

    rows: Sequence[JournalRow]
    header: GameHeader | None = None
    winner: str | None = None
    seen: Sequence[ReadingRow] = ()


def prepare(db: sqlite3.Connection, name: int) -> None:
    """Create missing tables, in a transaction, and store the journal's name, see `device.storage.rescue.Rescued`."""
    for statement in _TABLES.split(";\n")[:-1]:
        db.execute(statement)
    db.execute(f"PRAGMA user_version={VERSION}")
    db.execute(f"PRAGMA application_id={name}")


def write(db: sqlite3.Connection, batches: Iterable[Batch]) -> None:
    """Write rows in order, with their games, in a transaction."""
    columns = "id, game, at, input, undone, done, state, check_sum"
    for batch in batches:
        if batch.header is not None:
            db.execute("INSERT INTO game (number, begun, header, check_sum) VALUES (?, ?, ?, ?)", astuple(batch.header))
        db.executemany(f"INSERT INTO input ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(astuple, batch.rows))
        db.executemany("INSERT INTO reading (input, dice, asked) VALUES (?, ?, ?)", batch.seen)
        won = (batch.winner, batch.rows[-1].game, batch.winner)
        db.execute("UPDATE game SET winner = ? WHERE number = ? AND winner IS NOT ?", won)


def try_out(db: sqlite3.Connection) -> None:
    """Write an input of a new game, and roll it back.

    Raises:
        sqlite3.Error: If the tables reject it: even one changed letter in a column's name is damage.
    """
    db.execute("BEGIN")
    try:
        prepare(db, 0)
        number = 1 + max(
            db.execute(f"SELECT coalesce(max({key}), 0) FROM {table}").fetchone()[0] for table, key in _KEYS
        )
        row = JournalRow(number, number, "", "", 0, "", "", 0)
        write(db, [Batch([row], GameHeader(number, "", "", 0), "", [(number, "", False)])])
    finally:
        db.execute("ROLLBACK")


def games(db: sqlite3.Connection) -> list[Entry]:
    """Return the games from first to last; their steps are counted, not replayed.

    Games with a damaged header are left out.
    """
    found = db.execute(
        "SELECT game.number, begun, header, winner, COALESCE(SUM("
        "  length(done) - length(replace(done, char(10), '')) + (done <> '') - undone), 0)"
        " FROM game LEFT JOIN input ON input.game = game.number GROUP BY game.number ORDER BY game.number"
    )
    entries = []
    for number, begun, header, winner, steps in found:
        try:
            names = rows.begun(number, header).names
        except rows.Broken as error:
            _log.warning("game %s is skipped: %s", number, error)
        else:
            entries.append(Entry(number, begun, names, winner, steps))
    return entries


def played_alone(db: sqlite3.Connection) -> list[tuple[int, str, Game]]:
    """Return the finished solo games: number, start time and game. Other games are not replayed.

    Damaged games are left out.
    """
    found = db.execute("SELECT number, begun, header FROM game WHERE winner IS NOT NULL ORDER BY number").fetchall()
    played = []
    for number, begun, header in found:
        try:
            if len(rows.begun(number, header).names) == 1:
                played.append((number, begun, game(db, number)))
        except rows.Broken as error:
            _log.warning("game %s is skipped: %s", number, error)
    return played


def game(db: sqlite3.Connection, number: int) -> Game:
    """Return a game, or raise KeyError; raise `device.storage.rows.Broken` if its rows are not a valid game."""
    row = db.execute("SELECT header FROM game WHERE number = ?", (number,)).fetchone()
    if row is None:
        raise KeyError(number)
    played = rows.begun(number, row[0])
    for undone, done in db.execute("SELECT undone, done FROM input WHERE game = ? ORDER BY id", (number,)):
        played = rows.after(played, undone, done)
    return played


def seen(db: sqlite3.Connection) -> list[readings.RecordedInput]:
    """Return all inputs with what the camera saw, from first to last, for `device.statistics`."""
    found = db.execute(
        "SELECT input.game, at, undone, done, dice, asked FROM input"
        " LEFT JOIN reading ON reading.input = input.id ORDER BY input.id"
    )
    return [readings.RecordedInput(*row) for row in found]
