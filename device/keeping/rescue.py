"""A journal's file looked at before it is trusted: sound, or damaged and then read back row by row and kept aside.

It is opened for reading only: SQLite then neither changes the file nor carries its write-ahead log into it, so what is
kept aside is what was found.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from device.keeping.rows import Broken, Header, Row, Told, tell
from device.keeping.tables import VERSION, Batch, Seen
from device.referee.states import Situation, Welcome

_AS_IT_IS = "mode=ro&immutable=1"
"""How to open a file on a disk that takes no writing at all: SQLite then cannot read the write-ahead log."""

SIDE_FILES = ("-wal", "-shm")
"""What SQLite keeps beside a file; the first belongs to its content."""

_MISSES = 10_000
"""After so many rows in a row that are not there, or cannot be read, no more are looked for: a damaged inner page of
the tree takes some eight thousand with it."""

_PATIENCE_S = 5.0
"""Nor for longer than this: players wait for the game under way, which the spare copy has as well."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_ERROR)
"""What SQLite answers about a damaged file; the last where a table is missing."""

_UNREADABLE = (sqlite3.Error, ValueError, TypeError)
"""What reading a damaged file may raise; the latter two where names or values are none."""

_ROWS = {
    Header: "SELECT number, begun, header, {check} FROM game",
    Row: "SELECT id, game, at, input, undone, done, state, {check} FROM input",
}
_KEYS = {Header: "number", Row: "id"}

Kind = TypeVar("Kind", Header, Row)


@dataclass(frozen=True, slots=True)
class Found:
    """What a file holds.

    Attributes:
        name: The journal's name, 0 where it has none or that cannot be read.
        layout: The layout of its tables, 0 where it has none.
        headers: The games that are sound, by number; only the last one where nothing is damaged.
        told: What is told of each game, and under 0 before the first; only the last where nothing is damaged.
        count: The last sound row's id.
        damage: What is wrong; "" where nothing is.
        seen: What the camera saw; only where the file is damaged.
        is_all: Whether the write-ahead log could be read as well: not where a disk takes no writing at all.
    """

    name: int = 0
    layout: int = 0
    headers: dict[int, Header] | None = None
    told: dict[int, Told] | None = None
    count: int = 0
    damage: str = ""
    is_all: bool = True
    seen: tuple[Seen, ...] = ()

    @property
    def last(self) -> Told | None:
        """What is told by the last sound rows; None where there are none."""
        return max((self.told or {}).values(), key=lambda told: told.rows[-1].id, default=None)

    @property
    def situation(self) -> Situation:
        """The last sound situation."""
        return self.last.situation if self.last is not None else Situation(Welcome())

    def batches(self) -> Iterator[Batch]:
        """Give all that is sound, for a new file."""
        for number, told in (self.told or {}).items():
            ids = {row.id for row in told.rows}
            game = told.situation.game
            header, winner = (self.headers or {}).get(number), game.winner if game is not None else None
            yield Batch(told.rows, header, winner, [seen for seen in self.seen if seen[0] in ids])


def look(path: Path) -> Found:
    """Look at a journal's file, which is there.

    Raises:
        OSError, sqlite3.Error: If it cannot be looked at, which says nothing about its content.
    """
    for how in ("mode=ro", _AS_IT_IS):
        try:
            with _opened(path, how) as db:
                return replace(_whole(db), is_all=how == "mode=ro")
        except sqlite3.Error as error:
            # Python's own errors, as of a text that is none, have no code.
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _DAMAGED:
                return salvage(path, str(error))
            if code not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or how != "mode=ro":
                raise
        except (Broken, ValueError, TypeError) as error:  # the latter: values of other types than were ever written
            return salvage(path, str(error))
    raise AssertionError("one of the ways to open it returns or raises")


def is_ours(path: Path) -> bool:
    """Tell whether a file begins as SQLite's do, or is empty."""
    with path.open("rb") as file:
        return file.read(15) in (b"", b"SQLite format 3")


def is_blank(path: Path) -> bool:
    """Tell whether there is no file, or one that was begun and got no tables; its write-ahead log is not looked at."""
    try:
        if not path.exists() or not path.stat().st_size:
            return True
        with _opened(path, _AS_IT_IS) as db:
            return db.execute("SELECT 1 FROM sqlite_master").fetchone() is None
    except (OSError, sqlite3.Error):
        return False


def keep_aside(path: Path) -> Path | None:
    """Rename a damaged file, and what SQLite keeps beside it, to the first name that is free.

    Returns:
        The new name; None where there was nothing.

    Raises:
        OSError: If it cannot be renamed.
    """
    number = 1
    while any(_aside(path, number).with_name(_aside(path, number).name + end).exists() for end in ("", *SIDE_FILES)):
        number += 1
    aside = _aside(path, number)
    is_any = False
    for end in (*SIDE_FILES, ""):  # the file itself last: until then it is found damaged again
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
            is_any = True
    return aside if is_any else None


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")


@contextlib.contextmanager
def _opened(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None, timeout=5)
    try:
        yield db
    finally:
        db.close()


def _whole(db: sqlite3.Connection) -> Found:
    """Read what the box goes on with: the last game.

    Raises:
        sqlite3.Error, Broken, ValueError, TypeError: If anything is damaged.
    """
    (layout,) = db.execute("PRAGMA user_version").fetchone()
    (name,) = db.execute("PRAGMA application_id").fetchone()
    problems = [text for (text,) in db.execute("PRAGMA quick_check(1)")]
    if problems != ["ok"]:
        raise Broken(problems[0])
    if layout != VERSION:
        return Found(name, layout)
    last = db.execute("SELECT id, game FROM input ORDER BY id DESC LIMIT 1").fetchone()
    if last is None:
        return Found(name, layout)
    count, number = last
    check = "check_sum" if _has_checks(db) else "NULL"
    where = "WHERE game IS ?" if number is None else "WHERE game = ?"
    rows = [Row(*row) for row in db.execute(f"{_ROWS[Row].format(check=check)} {where} ORDER BY id", (number,))]
    headers = {}
    if number is not None:
        values = db.execute(f"{_ROWS[Header].format(check=check)} WHERE number = ?", (number,)).fetchone()
        if values is None:
            raise Broken(f"the header of game {number} is missing")
        headers[number] = Header(*values)
    told = tell(headers.get(number), rows)
    if told.broken:
        raise Broken(told.broken)
    return Found(name, layout, headers, {number or 0: told}, count)


def _has_checks(db: sqlite3.Connection) -> bool:
    return any(column[1] == "check_sum" for column in db.execute("PRAGMA table_info(input)"))


def salvage(path: Path, damage: str) -> Found:
    """Read back from a damaged file what is sound in it.

    Args:
        path: The file.
        damage: What is wrong with it.
    """
    found = _salvage(path, damage, "mode=ro")
    return found if found.told else _salvage(path, damage, _AS_IT_IS)


def _salvage(path: Path, damage: str, how: str) -> Found:
    with contextlib.suppress(*_UNREADABLE), _opened(path, how) as db:
        return read_back(db, damage)
    return Found(layout=VERSION, damage=damage)


def read_back(db: sqlite3.Connection, damage: str) -> Found:
    """Read what is sound through a connection, past what is not; the file may have been deleted since it was opened.

    Args:
        db: The connection.
        damage: What is wrong.
    """
    name, headers, rows, seen = 0, dict[int, Header](), list[Row](), list[Seen]()
    db.text_factory = text
    with contextlib.suppress(*_UNREADABLE):
        (name,) = db.execute("PRAGMA application_id").fetchone()
    with contextlib.suppress(*_UNREADABLE):
        headers = {header.number: header for header in _one_by_one(db, Header) if header.is_sound}
        rows = _one_by_one(db, Row)
        for number, dice, asked in db.execute("SELECT input, dice, asked FROM reading"):
            if isinstance(number, int) and isinstance(dice, str) and asked in (0, 1):
                seen.append((number, dice, bool(asked)))
    told = {}
    for number in (0, *headers):
        with contextlib.suppress(Broken, *_UNREADABLE):
            told[number] = tell(headers.get(number), [row for row in rows if (row.game or 0) == number])
    told = {number: one for number, one in told.items() if one.rows}
    headers = {number: header for number, header in headers.items() if number in told}
    return Found(
        name,
        VERSION,
        headers,
        told,
        max((one.rows[-1].id for one in told.values()), default=0),
        damage,
        seen=tuple(seen),
    )


def _one_by_one(db: sqlite3.Connection, kind: type[Kind]) -> list[Kind]:
    """Read all rows of a table that can be read, past those that cannot."""
    found: list[Kind] = []
    key = _KEYS[kind]
    query = ""
    for check in ("check_sum", "NULL"):
        query = _ROWS[kind].format(check=check)
        with contextlib.suppress(*_UNREADABLE):
            db.execute(f"{query} LIMIT 0")
            break
    last = 0
    with contextlib.suppress(*_UNREADABLE):
        for values in db.execute(f"{query} ORDER BY {key}"):
            last = int(values[0])
            found += _made(kind, values)
        return found
    number, misses, deadline = last, 0, time.monotonic() + _PATIENCE_S
    while misses < _MISSES and time.monotonic() < deadline:
        number += 1
        misses += 1
        with contextlib.suppress(*_UNREADABLE):
            for values in db.execute(f"{query} WHERE {key} = ?", (number,)):
                found += _made(kind, values)
                misses = 0
    return found


def _made(kind: type[Kind], values: tuple[Any, ...]) -> list[Kind]:
    """Make a row of values as they were written; none of others."""
    text_at = (1, 2) if kind is Header else (2, 3, 5, 6)
    is_sound = all(isinstance(values[at], str) for at in text_at) and isinstance(values[-1], int | None)
    if kind is Row:
        is_sound = is_sound and isinstance(values[1], int | None) and isinstance(values[4], int)
    return [kind(*values)] if is_sound else []


def text(value: bytes) -> str:
    """Read a text that may have been changed; its row's check tells that it was."""
    return value.decode(errors="replace")
