"""A journal's file looked at before it is trusted: sound, or damaged and then read back row by row and kept aside.

What counts as damage is decided here (`look`, `is_damage`). A disk that is full, or that cannot be read or written now,
is none: whoever meets one waits and tries again. A damaged file is only ever renamed once everything that is sound in
it lies complete on the disk, in the file that takes its place (`replace_damaged`).
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from device.referee.states import Situation, Welcome
from device.storage import journal_snapshot, tables
from device.storage.rows import Broken, GameHeader, JournalRow, Told, tell
from device.storage.tables import VERSION, Batch, Seen
from files.write import sync_folder, write_whole

SIDE_FILES = (journal_snapshot.LOG, "-shm")
"""What SQLite keeps beside a file; the first belongs to its content, the second is left by earlier releases."""

_MISSES = 10_000
"""After so many rows in a row that are not there, or cannot be read, no more are looked for: a damaged inner page of
the tree takes some eight thousand with it."""

_PATIENCE_S = 5.0
"""Nor for longer than this: players wait for the game under way, which the spare copy has as well."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""What SQLite answers only about what a file holds, never about the disk that it is on."""

MOST_VERSIONS = 1000
"""A higher number of the tables' layout is no other release's, but damage."""

_UNREADABLE = (sqlite3.Error, ValueError, TypeError)
"""What reading a damaged file may raise; the latter two where names or values are none."""

_ROWS = {
    GameHeader: "SELECT number, begun, header, {check} FROM game",
    JournalRow: "SELECT id, game, at, input, undone, done, state, {check} FROM input",
}
_KEYS = {GameHeader: "number", JournalRow: "id"}

Kind = TypeVar("Kind", GameHeader, JournalRow)


@dataclass(frozen=True, slots=True)
class Rescued:
    """What a file holds.

    Attributes:
        name: The journal's name, 0 where it has none or that cannot be read.
        layout: The layout of its tables, 0 where it has none.
        headers: The games that are sound, by number; only the last one where nothing is damaged.
        told: What is told of each game, and under 0 before the first; only the last where nothing is damaged.
        count: The last sound row's id.
        damage: What is wrong; "" where nothing is.
        seen: What the camera saw; only where the file is damaged.
    """

    name: int = 0
    layout: int = 0
    headers: dict[int, GameHeader] | None = None
    told: dict[int, Told] | None = None
    count: int = 0
    damage: str = ""
    seen: tuple[Seen, ...] = ()

    @property
    def last(self) -> Told | None:
        """What is told by the last sound rows; None where there are none."""
        return max((self.told or {}).values(), key=lambda told: told.rows[-1].id, default=None)

    @property
    def situation(self) -> Situation:
        """The last sound situation."""
        return self.last.situation if self.last is not None else Situation(Welcome())

    def is_beyond(self, number: int, header: str) -> bool:
        """Whether its last game cannot be the one of this number and header, nor one before it."""
        last = self.situation.number
        known = (self.headers or {}).get(last)
        return last > number or (last == number and known is not None and known.header != header)

    def batches(self) -> Iterator[Batch]:
        """Return all that is sound, for a new file."""
        for number, told in (self.told or {}).items():
            ids = {row.id for row in told.rows}
            game = told.situation.game
            header, winner = (self.headers or {}).get(number), game.winner if game is not None else None
            yield Batch(told.rows, header, winner, [seen for seen in self.seen if seen[0] in ids])


def look(path: Path) -> Rescued:
    """Return what a journal's file holds; damage is what SQLite's own check, a row's check or the rules prove.

    Args:
        path: The file, which is there.

    Raises:
        OSError: If it cannot be read now, which says nothing about what it holds.
    """
    try:
        is_header_sound = journal_snapshot.is_header_sound(path)
        with contextlib.closing(journal_snapshot.opened(path)) as db:
            found = _whole(db) if is_header_sound else salvage(path, "its header was changed")
            if not found.damage and found.layout in (0, VERSION):
                tables.try_out(db)  # in memory
            return found
    # The last two: values of other types than were ever written.
    except (sqlite3.Error, Broken, ValueError, TypeError) as error:
        return salvage(path, str(error))


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error while writing proves that the file is damaged; any other is one of the disk, and may pass."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def is_ours(path: Path) -> bool:
    """Whether a file is there that begins as SQLite's do, or none, or an empty one.

    Raises:
        OSError: If it cannot be read now.
    """
    return not path.exists() or not path.stat().st_size or journal_snapshot.is_header_sound(path)


def replace_damaged(path: Path, name: int, batches: Iterable[Batch]) -> Path | None:
    """Put a new file in a damaged one's place; the damaged one is renamed to the first name that is free.

    The new file is complete on the disk, under a name of its own, before anything is renamed. `finish_replacing` ends
    what a power cut interrupts from then on.

    Args:
        path: The damaged file; it may be gone.
        name: The journal's name, see `Rescued`.
        batches: What the new file is to hold.

    Returns:
        The damaged file's new name; None where there was nothing.

    Raises:
        OSError: If the disk does not take it; the damaged file is then as it was.
    """
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute("BEGIN")
        tables.prepare(db, name)
        tables.write(db, batches)
        db.execute("COMMIT")
        content = journal_snapshot.image_of(db)
    write_whole(_ready(path), content)
    return finish_replacing(path)


def finish_replacing(path: Path) -> Path | None:
    """Put a new file in its place where one is ready; return the new name of what was there, None for nothing.

    Raises:
        OSError: If it cannot be renamed.
    """
    ready = _ready(path)
    if not ready.exists():
        return None
    aside = _keep_aside(path)
    ready.rename(path)
    sync_folder(path.parent)
    return aside


def _ready(path: Path) -> Path:
    return path.with_name(path.name + ".new")


def _keep_aside(path: Path) -> Path | None:
    number = 1
    while any(_aside(path, number).with_name(_aside(path, number).name + end).exists() for end in ("", *SIDE_FILES)):
        number += 1
    aside = _aside(path, number)
    is_any = False
    for end in (*SIDE_FILES, ""):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
            is_any = True
    return aside if is_any else None


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")


def _whole(db: sqlite3.Connection) -> Rescued:
    """Read what the box goes on with: the last game.

    Raises:
        sqlite3.Error, Broken, ValueError, TypeError: If anything is damaged.
    """
    (layout,) = db.execute("PRAGMA user_version").fetchone()
    (name,) = db.execute("PRAGMA application_id").fetchone()
    problems = [text for (text,) in db.execute("PRAGMA quick_check(1)")]
    if problems != ["ok"]:
        raise Broken(problems[0])
    if not layout and db.execute("SELECT 1 FROM sqlite_master").fetchone() is not None:
        raise Broken("the number of its layout was changed")
    if not 0 <= layout <= MOST_VERSIONS:
        raise Broken("the number of its layout makes no sense")
    if layout != VERSION:
        return Rescued(name, layout)
    last = db.execute("SELECT id, game FROM input ORDER BY id DESC LIMIT 1").fetchone()
    if last is None:
        return Rescued(name, layout)
    count, number = last
    check = "check_sum" if _has_checks(db) else "NULL"
    where = "WHERE game IS ?" if number is None else "WHERE game = ?"
    rows = [
        JournalRow(*row)
        for row in db.execute(f"{_ROWS[JournalRow].format(check=check)} {where} ORDER BY id", (number,))
    ]
    headers = {}
    if number is not None:
        values = db.execute(f"{_ROWS[GameHeader].format(check=check)} WHERE number = ?", (number,)).fetchone()
        if values is None:
            raise Broken(f"the header of game {number} is missing")
        headers[number] = GameHeader(*values)
    told = tell(headers.get(number), rows)
    if told.broken:
        raise Broken(told.broken)
    return Rescued(name, layout, headers, {number or 0: told}, count)


def _has_checks(db: sqlite3.Connection) -> bool:
    return any(column[1] == "check_sum" for column in db.execute("PRAGMA table_info(input)"))


def salvage(path: Path, damage: str) -> Rescued:
    """Return what is sound in a damaged file; where nothing is, without its write-ahead log, then with another header.

    Args:
        path: The file.
        damage: What is wrong with it.

    Raises:
        OSError: If it cannot be read now.
    """
    found = Rescued()
    for with_header, with_log in itertools.product((True, False), repeat=2):
        with contextlib.closing(journal_snapshot.opened(path, with_log=with_log, with_header=with_header)) as db:
            found = read_back(db, damage)
        if found.told:
            break
    return found


def read_back(db: sqlite3.Connection, damage: str) -> Rescued:
    """Read what is sound through a connection, past what is not; the file may have been deleted since it was opened.

    Args:
        db: The connection.
        damage: What is wrong.
    """
    name, headers, rows, seen = 0, dict[int, GameHeader](), list[JournalRow](), list[Seen]()
    db.text_factory = text
    with contextlib.suppress(*_UNREADABLE):
        (name,) = db.execute("PRAGMA application_id").fetchone()
    with contextlib.suppress(*_UNREADABLE):
        headers = {header.number: header for header in _one_by_one(db, GameHeader) if header.is_sound}
        rows = _one_by_one(db, JournalRow)
        for number, dice, asked in db.execute("SELECT input, dice, asked FROM reading"):
            if isinstance(number, int) and isinstance(dice, str) and asked in (0, 1):
                seen.append((number, dice, bool(asked)))
    told = {}
    for number in (0, *headers):
        with contextlib.suppress(Broken, *_UNREADABLE):
            told[number] = tell(headers.get(number), [row for row in rows if (row.game or 0) == number])
    told = {number: one for number, one in told.items() if one.rows}
    headers = {number: header for number, header in headers.items() if number in told}
    return Rescued(
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
    for query in (_ROWS[kind].format(check=check) for check in ("check_sum", "NULL")):
        with contextlib.suppress(*_UNREADABLE):
            db.execute(f"{query} LIMIT 0")
            break
    else:
        return found  # SQLite does not find the table itself: asking for one row after another would only take seconds
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
    text_at = (1, 2) if kind is GameHeader else (2, 3, 5, 6)
    is_sound = all(isinstance(values[at], str) for at in text_at) and isinstance(values[-1], int | None)
    if kind is JournalRow:
        is_sound = is_sound and isinstance(values[1], int | None) and isinstance(values[4], int)
    return [kind(*values)] if is_sound else []


def text(value: bytes) -> str:
    """Read a text that may have been changed; its row's check tells that it was."""
    return value.decode(errors="replace")
