"""The journal: each accepted input is on disk before the screen shows its effect, so no game is ever lost.

It is one SQLite file, because SQLite's commits are designed and tested to survive a power cut; with `synchronous=FULL`
a commit is on disk when it returns. A spare copy of the last situation (`spare`) beside it is used if the disk is full
or the file was damaged or deleted. The intact part of a damaged file is copied to a new one, the damaged one is set
aside (`rescue`), and the game goes on.

The box opens the file exclusively, in SQLite's exclusive mode, which keeps the index of the write-ahead log in memory
instead of in a shared-memory file that may not fit on a full disk. All other programs read a `snapshot`.

Each row is one accepted input: the input, the number of steps of the game that it undid, the steps that it added, and
the box's state after it. A game is its header and the fold of its rows (`rows`). No row is ever changed or deleted.
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

from device.paths import lock_file
from device.referee.inputs import DiceRead
from device.referee.playing import state_of
from device.referee.states import NewGame, Resume, RollingOff, Situation, Welcome
from device.statistics import readings
from device.storage import journal_snapshot, rescue, rows, sql_tables
from device.storage.rescue import Rescued
from device.storage.rows import Broken, read_state, state_text
from device.storage.spare import LastSituation, Spare
from device.storage.sql_tables import VERSION, Batch, Entry
from engine import Game, transcript

_log = logging.getLogger(__name__)

BUSY_S = 0.2
"""The longest wait for another program that has the file open, in seconds; after that it is retried later."""

LOG_PAGES = 100
"""The number of pages after which SQLite copies its log into the file and reuses the log from its start (by default
1000). Overwriting blocks of the log wears a card less than making the log longer."""


class JournalError(Exception):
    """The journal cannot be read or written; the message names the file and the remedy."""


class JournalWarning(StrEnum):
    """The warnings about the journal for the players."""

    RESTORED = "restored"
    """The file was damaged or deleted; the game goes on from the intact data."""
    DAMAGED = "damaged"
    """The file was damaged without any intact data; it was set aside."""
    SPARE = "spare"
    """The last situation is stored, but the journal cannot be written, usually because the disk is full."""


class Journal:
    """The journal in one file, which is created if it is missing.

    `games` and all after it raise `JournalError` if the file cannot be read or is damaged.
    """

    def __init__(self, path: Path, *, to_write: bool = True) -> None:
        """Open the journal.

        A damaged file is set aside, and the game goes on with its intact data, see `warning`. An unwritable disk is no
        error either: the file stays as it is, the game goes on, and `record` and `retry` try again.

        Args:
            path: The file; its folder is created if it is missing.
            to_write: Whether to lock it for playing, so that no other box uses it at the same time.

        Raises:
            JournalError: If it is not a journal, or has another version, or is in use, or cannot be read and there is
                no spare copy.
        """
        self.path = path
        """The file."""
        self._to_write = to_write
        self._db: sqlite3.Connection | None = None
        self._node: tuple[int, int] | None = None
        self._left: object = None
        self._said: list[str] = []
        self._opened = contextlib.ExitStack()
        self._spare = Spare(path)
        self._name = 0
        self._count = 0
        self._written = 0
        self._check = 0
        self._pending: list[Batch] = []
        self._ended: list[tuple[int, Game]] = []
        self._salvaged: Rescued | None = None
        self._saved = Situation(Welcome())
        self.warning: JournalWarning | None = None
        """The warning for the players, until the next input is recorded."""
        try:
            if to_write:
                self._lock()
                self._start()
            else:
                self._open_to_read()
        except OSError as error:
            self.close()
            raise self._unreadable(error) from error
        except sqlite3.Error as error:
            self.close()
            raise JournalError(
                f"{path}: {error}; if a box uses it, start that box to restore it; otherwise give another --journal"
            ) from error
        except BaseException:
            self.close()
            raise

    def _open_to_read(self) -> None:
        self._db = self._snapshot()
        if self._db.execute("PRAGMA user_version").fetchone()[0] not in (0, VERSION):
            raise self._other_version()

    def _lock(self) -> None:
        """Lock the journal against other boxes, or raise `JournalError`."""
        lock_path = lock_file(self.path)
        # If a box has played here before, a file that is not SQLite's is its journal with a damaged header.
        is_known = any(file.exists() for file in (lock_path, *self._spare.files))
        if not is_known and not rescue.is_ours(self.path):
            raise JournalError(f"{self.path} is not a journal; move the file away or give another --journal")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = self._opened.enter_context(lock_path.open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the lock of a killed box is released by the system
        except BlockingIOError as error:
            raise JournalError(
                f"{self.path} is in use by another box; stop that one, or give another --journal"
            ) from error
        except (NotADirectoryError, FileExistsError) as error:
            raise JournalError(f"{self.path}: {error}; give another --journal") from error
        except OSError as error:
            _log.warning("%s cannot be locked: %s", self.path, error)

    def _other_version(self) -> JournalError:
        return JournalError(f"{self.path} was written by another version of the box; give another --journal")

    def _snapshot(self) -> sqlite3.Connection:
        """Return a connection to all committed data, for reading, or raise OSError."""
        db = journal_snapshot.opened(self.path)
        db.text_factory = rescue.text  # one damaged byte in one game must not hide all others
        return db

    def _look(self) -> tuple[bool, Rescued]:
        """Return whether the file exists, and its contents, or raise OSError."""
        try:
            is_there = self.path.stat().st_size > 0
        except FileNotFoundError:
            is_there = False
        return is_there, rescue.look(self.path) if is_there else Rescued()

    def _start(self) -> None:
        """Load the file, or the spare copy if the file cannot be read at present; raise OSError if neither can."""
        last = self._spare.read()
        aside = None
        try:
            if (aside := rescue.finish_replacing(self.path)) is not None:
                _log.error("%s was damaged and was renamed to %s", self.path, aside)
        except OSError as error:
            _log.warning("%s cannot be restored: %s", self.path, error)
        try:
            is_there, found = self._look()
        except OSError as error:
            if last is None:
                raise
            _log.warning("%s cannot be read now: %s", self.path, error)
            self._name, self._written = last.journal, last.written
            self._restore(last)
            self.warning = JournalWarning.SPARE
        else:
            self._take_up(last, is_there=is_there, found=found)
            if aside is not None:
                self.warning = self.warning or JournalWarning.RESTORED

    def _take_up(
        self,
        last: LastSituation | None,
        *,
        is_there: bool,
        found: Rescued,
        is_running: bool = False,
        held: Rescued | None = None,
    ) -> None:
        """Determine the last situation, repair any damage, and open the file.

        Args:
            last: The contents of the spare copy; None if it is empty.
            is_there: Whether the file exists.
            found: The contents of the file.
            is_running: Whether `last` is the state of a running box, which then wins over the file.
            held: The contents of a file that was deleted while it was open.

        Raises:
            JournalError: If the file does not belong to this box.
        """
        damage = found.damage
        if found.layout not in (0, VERSION):
            if last is None or last.layout != VERSION:
                raise self._other_version()
            damage = "its layout number was changed"
            found = rescue.salvage(self.path, damage)
        is_foreign = last is not None and found.count > 0 and found.name not in (0, last.journal)
        if is_running and last is not None and (is_foreign or found.is_beyond(last.number, last.header)):
            damage, found = "it is another journal", Rescued()
        elif is_foreign:
            last = None  # this journal has replaced the one that the spare copy belongs to
        if not damage and last is not None and last.written > found.count:
            damage = "rows are missing"
            found = rescue.salvage(self.path, damage) if is_there else found
        if held is not None and held.count > found.count:
            damage, found = damage or held.damage, held
        self._name = found.name or (last.journal if last else 0) or secrets.randbelow(2**31 - 1) + 1
        self._saved = found.situation
        self._count = self._written = found.count
        self._check = found.last.check if found.last is not None else 0
        if last is not None and (is_running or last.count > found.count):
            self._restore(last)
        if damage:
            _log.error("%s is damaged or missing: %s", self.path, damage)
            self.warning = JournalWarning.RESTORED if self._count else JournalWarning.DAMAGED
        self._salvaged = found if damage or not is_there else None
        try:
            self._open()
            is_late = last is None or last.count != self._count  # the power was cut between journal and spare copy
            if self._count and (is_late or not self._spare.is_whole):
                self._spare.write(self._last())  # or the next damage would find no spare copy
        except (OSError, sqlite3.Error) as error:
            _log.warning("%s cannot be written: %s", self.path, error)
            self.warning = self.warning or JournalWarning.SPARE

    def _restore(self, last: LastSituation) -> None:
        """Restore the spare copy's situation and the earlier games that waited; the journal gets one row for each."""
        try:
            ended = [(number, _game_of(number, header, steps)) for number, header, steps in last.ended]
            game = _game_of(last.number, last.header, last.steps) if last.number else None
            now = Situation(read_state(last.state, game), game, last.number)
        except (Broken, ValueError, TypeError):
            _log.exception("the spare copy of %s is invalid", self.path)
            return
        self._count = max(self._count, last.count - 1 - len(ended))
        for number, game in ended:
            self._append("restored", Situation(state_of(game), game, number))
        self._append("restored", now)

    def _open(self) -> None:
        """Open the file for writing, after replacing a damaged one, and write the waiting rows.

        If that fails, the next call tries again.
        """
        try:
            if self._salvaged is not None:
                batches = [*self._salvaged.batches(), *self._pending]
                if (aside := rescue.replace_damaged(self.path, self._name, batches)) is not None:
                    _log.error("%s was renamed to %s", self.path, aside)
                self._salvaged = None
                self._clear_waiting()
            self._connect()
        finally:
            self._left = self._marks()

    def _connect(self) -> None:
        """Open the file, which exists and is intact, and write the waiting rows."""
        uri = f"{self.path.absolute().as_uri()}?mode=rw"
        db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_S)
        try:
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
            with db:
                db.execute("BEGIN IMMEDIATE")
                sql_tables.prepare(db, self._name)
                sql_tables.write(db, self._pending)
            status = self.path.stat()
        except BaseException:
            db.close()
            raise
        self._db = db
        self._node = (status.st_dev, status.st_ino)
        self._clear_waiting()
        with contextlib.suppress(OSError):
            self.path.with_name(self.path.name + "-shm").unlink()  # left by an earlier release or after a kill

    def _clear_waiting(self) -> None:
        """Clear the waiting rows."""
        self._pending.clear()
        self._ended.clear()
        self._written = self._count

    def _marks(self) -> object:
        """Return a value that changes with the file or its log; None if they cannot be read."""
        marks: list[tuple[int, int, int] | None] = []
        for end in ("", journal_snapshot.LOG):
            try:
                status = self.path.with_name(self.path.name + end).stat()
                marks.append((status.st_ino, status.st_size, status.st_mtime_ns))
            except FileNotFoundError:
                marks.append(None)
            except OSError:
                return None
        return marks

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        self._opened.close()

    def situation(self) -> Situation:
        """Return the situation when the box was last switched off; a game in progress is announced first.

        Raises:
            JournalError: If the file cannot be read at present.
        """
        # Reading past games does not need the file to be checked.
        try:
            last = self._saved if self._to_write else rescue.look(self.path).situation
        except OSError as error:
            raise self._unreadable(error) from error
        state = last.state
        goes_on = last.game is not None and last.game.winner is None
        if goes_on and not isinstance(state, NewGame | RollingOff | Resume):
            state = Resume(state)
        return Situation(state, last.game, last.number)

    def _unreadable(self, error: OSError) -> JournalError:
        return JournalError(f"{self.path} cannot be read now: {error}; check the disk, then try again")

    def record(self, event: object, now: Situation) -> None:
        """Write an accepted input, as text, and the situation after it; it is on disk when this returns.

        Rows that could not be written earlier (full disk) are written along with it.

        Raises:
            JournalError: If it could not be written; the game goes on, and the next call tries again.
        """
        self.warning = None
        self._append(event, now)
        self._save()

    @property
    def waits(self) -> bool:
        """Whether rows are waiting because the file cannot be written."""
        return self._to_write and (self._db is None or bool(self._pending))

    def retry(self) -> None:
        """Write the waiting rows, or raise `JournalError`; on success `warning` becomes None."""
        self.warning = None
        self._save()

    def _save(self) -> None:
        problems: list[Exception] = []
        try:
            self._write()
        except (sqlite3.Error, OSError) as error:
            problems.append(error)
        try:
            self._spare.write(self._last())
        except OSError as error:
            problems.append(error)
        if self.waits:
            self.warning = JournalWarning.SPARE
        if self._pending and len(problems) > 1:
            raise JournalError(f"{self.path}: {problems[0]}; free some space or check the card") from problems[0]
        said, self._said = self._said, [str(problem) for problem in problems]
        for problem in self._said:
            if problem not in said:  # otherwise a full disk would be logged every few seconds, on that disk
                _log.warning("%s: %s; free some space or check the card", self.path, problem)

    def _append(self, event: object, now: Situation) -> None:
        """Add the row of an input to the waiting rows."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        header = None
        if self._pending and self._saved.game is not None and now.number != self._saved.number:
            self._ended.append((self._saved.number, self._saved.game))
        if now.game is not None and now.number != self._saved.number:
            header = rows.GameHeader(now.number, at, _texts(now.game)[0]).sealed()
            self._check = header.check
        self._count += 1
        row = rows.row_of(self._count, at, event, self._saved, now).sealed(self._check)
        self._check = row.check
        seen = (
            [(row.id, readings.seen_text(event.seen), event.asked)]
            if isinstance(event, DiceRead) and event.seen
            else []
        )
        self._pending.append(Batch([row], header, now.game.winner if now.game is not None else None, seen))
        self._saved = now

    def _write(self) -> None:
        """Write the waiting rows, or raise the disk's error."""
        if self._db is None and self._left is not None and self._left == self._marks():
            self._open()  # nothing has changed since the file was checked
        elif self._db is None or not self._is_still_there():
            self._reload()
        else:
            try:
                with self._db:
                    self._db.execute("BEGIN IMMEDIATE")
                    sql_tables.write(self._db, self._pending)
            except sqlite3.DatabaseError as error:
                if not rescue.is_damage(error):
                    raise
                _log.exception("%s is damaged", self.path)
                self._reload()
            else:
                self._clear_waiting()

    def _is_still_there(self) -> bool:
        """Return whether the open file still has its name: SQLite would go on writing to a deleted file."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return False
        is_same = (status.st_dev, status.st_ino) == self._node
        return is_same and self.path.with_name(self.path.name + "-wal").exists()

    def _reload(self) -> None:
        """Load the file again as after a start, keeping the waiting rows, or raise OSError."""
        last = self._last()
        held = None
        self._left = None
        if self._db is not None:
            if not self._is_still_there():
                held = rescue.read_back(self._db, "it was deleted")  # until it is closed its data is complete
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        is_there, found = self._look()
        self._pending.clear()
        self._ended.clear()
        self._take_up(last, is_there=is_there, found=found, is_running=True, held=held)
        if self._db is None:
            raise OSError(f"{self.path} cannot be written")

    def _last(self) -> LastSituation:
        """Return the situation for the spare copy."""
        now = self._saved
        header, steps = _texts(now.game) if now.game is not None else ("", "")
        ended = tuple((number, *_texts(game)) for number, game in self._ended)
        state = state_text(now.state)
        return LastSituation(self._name, self._count, self._written, VERSION, now.number, header, steps, state, ended)

    def games(self) -> list[Entry]:
        """Return the games from first to last, except those with a damaged header."""
        with self._database() as db:
            return sql_tables.games(db)

    def game(self, number: int) -> Game:
        """Return a game.

        Raises:
            KeyError: If there is no game with this number.
        """
        with self._database() as db:
            return sql_tables.game(db, number)

    def played_alone(self) -> list[tuple[int, str, Game]]:
        """Return the intact finished solo games: number, start time and game."""
        with self._database() as db:
            return sql_tables.played_alone(db)

    def rows(self) -> list[readings.RecordedInput]:
        """Return all inputs with what the camera saw, from first to last, for `device.statistics`."""
        with self._database() as db:
            return sql_tables.seen(db)

    @contextlib.contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading; errors name the file."""
        try:
            db = self._db or self._snapshot()
        except OSError as error:
            raise self._unreadable(error) from error
        try:
            yield db
        except (Broken, sqlite3.Error) as error:
            raise JournalError(f"{self.path} is damaged: {error}") from error
        finally:
            if db is not self._db:
                db.close()


def _texts(game: Game) -> tuple[str, str]:
    """Return a game's header and its steps, one per line."""
    return transcript(game.undo(len(game.steps))), rows.steps_text(game.steps)


def _game_of(number: int, header: str, steps: str) -> Game:
    """Return the game with this header and these steps, or raise `Broken`."""
    return rows.after(rows.begun(number, header), 0, steps)
