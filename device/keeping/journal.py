"""The journal: every accepted input is on disk before the screen shows its effect, and no game is ever lost.

One SQLite file. SQLite because its commits survive a power cut by design and are tested for that more than anything
written here could be; with `synchronous=FULL` a commit has reached the disk when it returns. Beside it lies a spare
copy of the last situation (`spare`), for a disk that is full and for a file that was damaged or is gone: a
damaged one is kept aside, what is sound in it goes over into a new one (`rescue`), and the game goes on.

Each row tells one accepted input: what was put in, how many steps of the game it took back, which steps it added, and
the box's state after it. A game is its header and the fold of its rows (`rows`); nothing is ever changed or
deleted.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import secrets
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from device.keeping import rescue, rows, tables
from device.keeping.rescue import Found
from device.keeping.rows import Broken, Header
from device.keeping.spare import Last, Spare
from device.keeping.tables import VERSION, Batch, Entry
from device.paths import lock_file
from device.records import readings
from device.referee.inputs import DiceRead
from device.referee.states import NewGame, Resume, RollingOff, Situation, Welcome
from engine import Game, transcript

_log = logging.getLogger(__name__)

LOG_PAGES = 100
"""After so many pages SQLite carries its log over into the file and begins the log again from its start (1000 unless
told). What it writes over lies in blocks that the log has; to make the log longer costs a card three times as much."""


class JournalError(Exception):
    """The journal cannot be read or written; the message names the file and the remedy."""


class Sign(StrEnum):
    """What players should know of the journal."""

    RESTORED = "restored"
    """The file was damaged or gone; the game goes on from what was sound."""
    DAMAGED = "damaged"
    """The file was damaged, and nothing in it was sound; it was kept aside."""
    SPARE = "spare"
    """The last situation is kept, but the journal takes no more: the disk is full, as a rule."""


class Journal:
    """The journal in one file; made where there is none."""

    def __init__(self, path: Path, *, to_write: bool = True) -> None:
        """Open the journal.

        A damaged file is kept aside and what is sound is gone on with, see `sign`. A disk that cannot be written is
        no error either: the game goes on, and `record` tells.

        Args:
            path: The file; its folder is made where it is missing.
            to_write: Whether a game will be played with it: then no other box may use it at the same time.

        Raises:
            JournalError: If it is no journal, or of another version, or in use.
        """
        self._path = path
        self._to_write = to_write
        self._db: sqlite3.Connection | None = None
        self._node: tuple[int, int] | None = None
        self._opened = contextlib.ExitStack()
        self._spare = Spare(path)
        self._name = 0
        self._count = 0
        self._check = 0
        self._pending: list[Batch] = []
        self._salvaged: Found | None = None
        self._saved = Situation(Welcome())
        self.sign: Sign | None = None
        """What players should know of it, until the next input is recorded."""
        try:
            if to_write:
                self._lock()
                self._take_up(self._spare.read())
            else:
                self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
                self._opened.callback(self._db.close)
                self._db.text_factory = rescue.text  # a byte that was changed in one game is no reason to read none
                if self._db.execute("PRAGMA user_version").fetchone()[0] not in (0, VERSION):
                    raise self._other_version()
        except sqlite3.Error as error:
            self.close()
            raise JournalError(f"{path}: {error}; move the file away or give another --journal") from error
        except JournalError:
            self.close()
            raise

    def _lock(self) -> None:
        """Keep other boxes away.

        Raises:
            JournalError: If there is another one, or the path can be none.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lock = self._opened.enter_context(lock_file(self._path).open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a killed box lets it go by itself
        except BlockingIOError as error:
            raise JournalError(
                f"{self._path} is in use by another box; stop that one, or give another --journal"
            ) from error
        except (NotADirectoryError, FileExistsError) as error:
            raise JournalError(f"{self._path}: {error}; give another --journal") from error
        except OSError as error:
            _log.warning("%s cannot be locked: %s", self._path, error)

    def _other_version(self) -> JournalError:
        return JournalError(f"{self._path} was written by another version of the box; give another --journal")

    def _look(self) -> tuple[bool, Found]:
        """Tell whether the file is there, and what it holds."""
        is_there = False
        try:
            is_there = self._path.exists() and self._path.stat().st_size > 0
            return is_there, rescue.look(self._path) if is_there else Found()
        except (OSError, sqlite3.Error) as error:
            _log.warning("%s cannot be looked at: %s", self._path, error)
            return is_there, Found(is_all=False)

    def _take_up(self, last: Last | None, *, is_running: bool = False, held: Found | None = None) -> None:
        """Open the file, find the last situation, and put right what is damaged.

        Args:
            last: What the spare copy holds; None where it holds nothing.
            is_running: Whether `last` is what a running box knows: then it is gone on with, whatever the file holds.
            held: What a file held that was deleted while it was open.

        Raises:
            JournalError: If the file is not for this box.
        """
        is_there, found = self._look()
        damage = found.damage
        if damage and last is None and not rescue.is_ours(self._path):
            raise JournalError(f"{self._path}: {damage}; move the file away or give another --journal")
        if found.layout not in (0, VERSION):
            if last is None or last.layout != VERSION:
                raise self._other_version()
            damage = "its version was changed"
        is_foreign = last is not None and found.count > 0 and found.name not in (0, last.journal)
        if is_running and last is not None and (is_foreign or found.count >= last.count):
            damage, found = "it is another journal", Found()
        elif is_foreign:
            last = None  # this journal was put in place of the one that the spare copy belongs to
        if not damage and found.is_all and last is not None and last.written > found.count:
            damage = "rows are missing"
            found = rescue.salvage(self._path, damage) if is_there else found
        if held is not None and held.count > found.count:
            damage, found = damage or held.damage, held
        self._name = found.name or (last.journal if last else 0) or secrets.randbelow(2**31 - 1) + 1
        self._go_on_from(found)
        if last is not None and last.count > found.count:
            self._restore(last)
        if damage:
            _log.error("%s is damaged or gone: %s", self._path, damage)
            self.sign = Sign.RESTORED if self._count else Sign.DAMAGED
        try:
            self._salvaged = found if damage else None
            if damage and (aside := rescue.keep_aside(self._path)):
                _log.error("%s is kept as %s", self._path, aside)
            self._open()
            is_late = last is None or last.count != self._count  # a power cut came between journal and spare copy
            if self._count and (is_late or not self._spare.is_whole):
                self._spare.write(self._last())  # or the next damage would find nothing beside it
        except (OSError, sqlite3.Error) as error:
            _log.warning("%s cannot be written: %s", self._path, error)

    def _go_on_from(self, found: Found) -> None:
        told = found.last
        self._saved = found.situation
        self._count = found.count
        self._check = told.check if told is not None else 0

    def _restore(self, last: Last) -> None:
        """Take the spare copy's situation; the journal gets it in one row."""
        try:
            game = None
            if last.number:
                game = rows.after(rows.begun(Header(last.number, "", last.header)), 0, last.steps)
            now = Situation(rows.read_state(last.state, game), game, last.number)
        except Broken:
            _log.exception("the spare copy of %s makes no sense", self._path)
            return
        self._count = last.count - 1
        self._append("restored", now)

    def _open(self) -> None:
        """Open the file for writing, make the tables where there are none, and write what was salvaged and what waits.

        Raises:
            OSError, sqlite3.Error: If that is impossible.
        """
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=5)
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
            with db:
                db.execute("BEGIN IMMEDIATE")
                tables.prepare(db, self._name)
                tables.write(db, [*(self._salvaged.batches() if self._salvaged else ()), *self._pending])
            self._db = db
            status = self._path.stat()
            self._node = (status.st_dev, status.st_ino)
        except BaseException:
            db.close()
            raise
        self._salvaged = None
        self._pending.clear()

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        self._opened.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def situation(self) -> Situation:
        """Give what the box knew when it was last switched off; a game under way is announced first."""
        # Whoever only looks at games of old need not have the file looked over.
        last = self._saved if self._to_write else rescue.look(self._path).situation
        state = last.state
        goes_on = last.game is not None and last.game.winner is None
        if goes_on and not isinstance(state, NewGame | RollingOff | Resume):
            state = Resume(state)
        return Situation(state, last.game, last.number)

    def record(self, event: object, now: Situation) -> None:
        """Write an accepted input and what it led to; it is on disk when this returns.

        What could not be written earlier (a full disk) is written along with it.

        Args:
            event: What was put in; its `str` is kept.
            now: The situation that it led to.

        Raises:
            JournalError: If it could not be written; the game goes on, and the next call tries again.
        """
        self.sign = None
        self._append(event, now)
        problems: list[Exception] = []
        try:
            self._write()
        except (sqlite3.Error, OSError) as error:
            problems.append(error)
        try:
            self._spare.write(self._last())
        except OSError as error:
            problems.append(error)
        if self._pending:
            self.sign = Sign.SPARE
        if self._pending and len(problems) > 1:
            raise JournalError(f"{self._path}: {problems[0]}; free some space or check the card") from problems[0]
        for problem in problems:
            _log.warning("%s: %s; free some space or check the card", self._path, problem)

    def _append(self, event: object, now: Situation) -> None:
        """Make the row of an input, to be written as soon as that is possible."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        header = None
        if now.game is not None and now.number != self._saved.number:
            header = rows.header_of(now.number, at, now.game)
            self._check = header.check or 0
        self._count += 1
        row = rows.row_of(self._count, at, event, self._saved, now).sealed(self._check)
        self._check = row.check or 0
        seen = (
            [(row.id, readings.seen_text(event.seen), event.asked)]
            if isinstance(event, DiceRead) and event.seen
            else []
        )
        self._pending.append(Batch([row], header, now.game.winner if now.game is not None else None, seen))
        self._saved = now

    def _write(self) -> None:
        """Write what waits.

        Raises:
            OSError, sqlite3.Error: If that is impossible.
        """
        if self._salvaged is not None and rescue.is_blank(self._path):
            self._open()  # the damaged file is kept aside, and there was no room for a new one
        elif self._db is None or not self._is_still_there():
            self._begin_anew()
        else:
            try:
                with self._db:
                    self._db.execute("BEGIN IMMEDIATE")
                    tables.write(self._db, self._pending)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                    raise
                _log.exception("%s is damaged", self._path)
                self._begin_anew()
            else:
                self._pending.clear()

    def _is_still_there(self) -> bool:
        """Tell whether the open file still has its name: SQLite would write on into one that was deleted."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return False
        is_same = (status.st_dev, status.st_ino) == self._node
        return is_same and self._path.with_name(self._path.name + "-wal").exists()

    def _begin_anew(self) -> None:
        """Take the file up again, as after a start, with what waits to be written."""
        last = self._last()
        held = None
        if self._db is not None:
            if not self._is_still_there():
                held = rescue.read_back(self._db, "it was deleted")  # until it is closed it is all there
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        waiting = self._pending
        self._pending = []
        self._take_up(last, is_running=True, held=held)
        if self._db is None:
            if self._salvaged is None:
                self._pending = waiting
            raise OSError(f"{self._path} cannot be made anew")

    def _last(self) -> Last:
        """Give the situation for the spare copy."""
        now = self._saved
        header = steps = ""
        if now.game is not None:
            header = transcript(now.game.undo(len(now.game.steps)))
            steps = "\n".join(rows.steps(now.game.steps))
        written = self._count - len(self._pending)
        state = rows.state_text(now.state)
        return Last(self._name, self._count, written, VERSION, now.number, header, steps, state)

    def games(self) -> list[Entry]:
        """List the games, first to last; one whose header is damaged is left out.

        Raises:
            JournalError: If the file cannot be read.
        """
        with self._told():
            return tables.games(self._db) if self._db is not None else []

    def game(self, number: int) -> Game:
        """Give a game as it stands.

        Raises:
            KeyError: If there is no game of this number.
            JournalError: If it is damaged.
        """
        if self._db is None:
            raise KeyError(number)
        with self._told():
            return tables.game(self._db, number)

    def played_alone(self) -> list[tuple[int, str, Game]]:
        """List the games that one played alone to the end: number, when it was begun, and the game.

        One that is damaged is left out.

        Raises:
            JournalError: If the file cannot be read.
        """
        with self._told():
            return tables.played_alone(self._db) if self._db is not None else []

    def rows(self) -> list[readings.Row]:
        """List every input with what the camera saw, first to last; `device.records` makes figures of them."""
        with self._told():
            return tables.seen(self._db) if self._db is not None else []

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Tell of damage with the file's name."""
        try:
            yield
        except (Broken, sqlite3.Error) as error:
            raise JournalError(f"{self._path} is damaged: {error}") from error
