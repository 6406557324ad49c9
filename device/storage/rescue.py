"""Check of a journal's file: if it is damaged, its intact rows are recovered and the file is set aside.

What counts as damage is decided here (`look`, `is_damage`). A disk that is full, or cannot be read or written at
present, does not: the caller waits and retries. A damaged file is renamed only once all its intact data is complete on
disk in the file that replaces it (`replace_damaged`).
"""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from device.referee.states import Situation, Welcome
from device.storage import journal_snapshot, sql_tables
from device.storage.rows import Broken, GameHeader, JournalRow, ReplayedRows, replay_rows
from device.storage.sql_tables import VERSION, Batch, ReadingRow
from vision.files import sync_folder, write_whole

SIDE_FILES = (journal_snapshot.LOG, "-shm")
"""The files that SQLite keeps beside the database; the second one is left by earlier releases."""

_MISSES = 10_000
"""The number of consecutive missing or unreadable rows after which the search ends: a damaged inner page of the tree
affects about eight thousand."""

_PATIENCE_S = 5.0
"""The longest search in seconds: players wait for the current game, which the spare copy has too."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The SQLite errors that are only about a file's contents, never about the disk."""

MOST_VERSIONS = 1000
"""The highest layout number of any release; a higher number is damage."""

_UNREADABLE = (sqlite3.Error, ValueError, TypeError)
"""The exceptions when reading a damaged file; the latter two for invalid names or values."""

_ROWS = {
    GameHeader: "SELECT number, begun, header, check_sum FROM game",
    JournalRow: "SELECT id, game, at, input, undone, done, state, check_sum FROM input",
}
_KEYS = {GameHeader: "number", JournalRow: "id"}

Kind = TypeVar("Kind", GameHeader, JournalRow)


@dataclass(frozen=True, slots=True)
class Rescued:
    """The contents of a file.

    Attributes:
        name: The journal's name; 0 if it has none or it is unreadable.
        layout: The layout of its tables; 0 if it has none.
        headers: The intact games by number; only the last one if the file is not damaged.
        replayed: The rows of each game, with 0 for those before the first; only the last if the file is not damaged.
        count: The last intact row's id.
        damage: The damage in words; "" for a sound file.
        seen: What the camera saw; only if the file is damaged.
    """

    name: int = 0
    layout: int = 0
    headers: dict[int, GameHeader] = field(default_factory=dict)
    replayed: dict[int, ReplayedRows] = field(default_factory=dict)
    count: int = 0
    damage: str = ""
    seen: tuple[ReadingRow, ...] = ()

    @property
    def last(self) -> ReplayedRows | None:
        """The result of the last intact rows; None if there are none."""
        return max(self.replayed.values(), key=lambda replayed: replayed.rows[-1].id, default=None)

    @property
    def situation(self) -> Situation:
        """The last intact situation."""
        return self.last.situation if self.last is not None else Situation(Welcome())

    def is_beyond(self, number: int, header: str) -> bool:
        """Return whether its last game can be neither the one with this number and header, nor an earlier one."""
        last = self.situation.number
        known = self.headers.get(last)
        return last > number or (last == number and known is not None and known.header != header)

    def batches(self) -> Iterator[Batch]:
        """Return all intact data, for a new file."""
        for number, replayed in self.replayed.items():
            ids = {row.id for row in replayed.rows}
            game = replayed.situation.game
            header, winner = self.headers.get(number), game.winner if game is not None else None
            yield Batch(replayed.rows, header, winner, [seen for seen in self.seen if seen[0] in ids])


def look(path: Path) -> Rescued:
    """Return the contents of an existing file; damage is whatever fails SQLite's check, a row's check or the rules.

    Raises:
        OSError: If it cannot be read at present, which says nothing about its contents.
    """
    try:
        is_header_sound = journal_snapshot.is_header_sound(path)
        with contextlib.closing(journal_snapshot.opened(path)) as db:
            found = _whole(db) if is_header_sound else salvage(path, "its header was changed")
            if not found.damage and found.layout in (0, VERSION):
                sql_tables.try_out(db)  # in memory
            return found
    # The last two: values of types that are never written.
    except (sqlite3.Error, Broken, ValueError, TypeError) as error:
        return salvage(path, str(error))


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether a write error proves that the file is damaged; all others come from the disk, and may pass."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED


def is_ours(path: Path) -> bool:
    """Whether a file has SQLite's header, is empty, or is missing; raises OSError if it cannot be read at present."""
    return not path.exists() or not path.stat().st_size or journal_snapshot.is_header_sound(path)


def replace_damaged(path: Path, name: int, batches: Iterable[Batch]) -> Path | None:
    """Replace a damaged file by a new one; the damaged one is renamed to the first free name.

    The new file is complete on disk, under a name of its own, before anything is renamed. If a power cut interrupts the
    renaming, `finish_replacing` completes it.

    Args:
        path: The damaged file, which may be missing.
        name: The journal's name, see `Rescued`.
        batches: The contents of the new file.

    Returns:
        The damaged file's new name; None if there was no file.

    Raises:
        OSError: If the disk cannot be written; the damaged file is then unchanged.
    """
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute("BEGIN")
        sql_tables.prepare(db, name)
        sql_tables.write(db, batches)
        db.execute("COMMIT")
        content = journal_snapshot.image_of(db)
    write_whole(_ready(path), content)
    return finish_replacing(path)


def finish_replacing(path: Path) -> Path | None:
    """Move a new file into its place if one is ready, or raise OSError; return the old file's new name, or None."""
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
    """Return the data that the box goes on with, the last game, or raise an error of `look` if any is damaged."""
    (layout,) = db.execute("PRAGMA user_version").fetchone()
    (name,) = db.execute("PRAGMA application_id").fetchone()
    problems = [text for (text,) in db.execute("PRAGMA quick_check(1)")]
    if problems != ["ok"]:
        raise Broken(problems[0])
    if not layout and db.execute("SELECT 1 FROM sqlite_master").fetchone() is not None:
        raise Broken("its layout number was changed")
    if not 0 <= layout <= MOST_VERSIONS:
        raise Broken("its layout number is invalid")
    if layout != VERSION:
        return Rescued(name, layout)
    last = db.execute("SELECT id, game FROM input ORDER BY id DESC LIMIT 1").fetchone()
    if last is None:
        return Rescued(name, layout)
    count, number = last
    found = db.execute(f"{_ROWS[JournalRow]} WHERE game IS ? ORDER BY id", (number,))
    rows = [JournalRow(*row) for row in found]
    headers = {}
    if number is not None:
        values = db.execute(f"{_ROWS[GameHeader]} WHERE number = ?", (number,)).fetchone()
        if values is None:
            raise Broken(f"the header of game {number} is missing")
        headers[number] = GameHeader(*values)
    replayed = replay_rows(headers.get(number), rows)
    if replayed.broken:
        raise Broken(replayed.broken)
    return Rescued(name, layout, headers, {number or 0: replayed}, count)


def salvage(path: Path, damage: str) -> Rescued:
    """Return the intact data of a file with this damage; if none is, without its log, then with another header.

    Raises OSError if the file cannot be read at present.
    """
    found = Rescued()
    for with_header, with_log in itertools.product((True, False), repeat=2):
        with contextlib.closing(journal_snapshot.opened(path, with_log=with_log, with_header=with_header)) as db:
            found = read_back(db, damage)
        if found.replayed:
            break
    return found


def read_back(db: sqlite3.Connection, damage: str) -> Rescued:
    """Return the intact data of a file with this damage through a connection; it may have been deleted while open."""
    name, headers, rows, seen = 0, dict[int, GameHeader](), list[JournalRow](), list[ReadingRow]()
    db.text_factory = text
    with contextlib.suppress(*_UNREADABLE):
        (name,) = db.execute("PRAGMA application_id").fetchone()
    with contextlib.suppress(*_UNREADABLE):
        headers = {header.number: header for header in _one_by_one(db, GameHeader) if header.is_sound}
        rows = _one_by_one(db, JournalRow)
        for number, dice, asked in db.execute("SELECT input, dice, asked FROM reading"):
            if isinstance(number, int) and isinstance(dice, str) and asked in (0, 1):
                seen.append((number, dice, bool(asked)))
    replayed = {}
    for number in (0, *headers):
        with contextlib.suppress(Broken, *_UNREADABLE):
            replayed[number] = replay_rows(headers.get(number), [row for row in rows if (row.game or 0) == number])
    replayed = {number: one for number, one in replayed.items() if one.rows}
    headers = {number: header for number, header in headers.items() if number in replayed}
    count = max((one.rows[-1].id for one in replayed.values()), default=0)
    return Rescued(name, VERSION, headers, replayed, count, damage, tuple(seen))


def _one_by_one(db: sqlite3.Connection, kind: type[Kind]) -> list[Kind]:
    """Return all readable rows of a table."""
    found: list[Kind] = []
    key, query = _KEYS[kind], _ROWS[kind]
    try:
        db.execute(f"{query} LIMIT 0")
    except _UNREADABLE:
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
    """Return a row made of values of the expected types; empty for others."""
    text_at = (1, 2) if kind is GameHeader else (2, 3, 5, 6)
    is_sound = all(isinstance(values[at], str) for at in text_at) and isinstance(values[-1], int)
    if kind is JournalRow:
        is_sound = is_sound and isinstance(values[1], int | None) and isinstance(values[4], int)
    return [kind(*values)] if is_sound else []


def text(value: bytes) -> str:
    """Return a text that may be damaged; its row's check detects that."""
    return value.decode(errors="replace")
