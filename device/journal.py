"""The journal: every accepted input is on disk before the screen shows its effect, and no game is ever lost.

One SQLite file. SQLite because its commits survive a power cut by design and are tested for that more than anything
written here could be; with `synchronous=FULL` a commit has reached the disk when it returns.

Each row tells one accepted input: what was put in, how many steps of the game it took back, which steps it added, and
the box's state after it. A game is its header and the fold of its rows; nothing is ever changed or deleted.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from device.records.readings import Row, seen_text
from device.referee.inputs import DiceRead
from device.referee.playing import state_of
from device.referee.states import NewGame, Resume, RollingOff, Situation, State, Welcome, from_data, to_data
from engine import (
    BadPosition,
    BadText,
    Game,
    IllegalAction,
    action_text,
    parse_action,
    parse_transcript,
    plays,
    transcript,
)

VERSION = 1
"""The layout of the tables, kept as the file's `user_version`."""

_TABLES = """
CREATE TABLE game (
    number INTEGER PRIMARY KEY,  -- games count from 1
    begun TEXT NOT NULL,         -- UTC; for people only, a Pi's clock may be wrong
    header TEXT NOT NULL,        -- the game's transcript before its first step
    winner TEXT                  -- NULL while it goes on, or was left
);
CREATE TABLE input (
    id INTEGER PRIMARY KEY,
    game INTEGER REFERENCES game,  -- NULL before the first game
    at TEXT NOT NULL,              -- UTC
    input TEXT NOT NULL,           -- what was put in, as "hold C" or "dice 1-3-5-6"
    undone INTEGER NOT NULL,       -- how many steps of the game it took back
    done TEXT NOT NULL,            -- the steps that it added, a line each
    state TEXT NOT NULL            -- the box's state after it, JSON
);
"""

_READINGS = """
CREATE TABLE IF NOT EXISTS reading (  -- came later; a box that does not know it leaves it alone
    input INTEGER PRIMARY KEY REFERENCES input,
    dice TEXT NOT NULL,               -- what the camera saw, die by die: JSON, see device.records.readings
    asked INTEGER NOT NULL            -- whether dice that lay there were to be read: perhaps no new throw
);
"""


class JournalError(Exception):
    """The journal cannot be read or written; the message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the journal's list."""

    number: int
    begun: str
    names: tuple[str, ...]
    winner: str | None
    steps: int


class Journal:
    """The journal in one file; made where there is none."""

    def __init__(self, path: Path, *, to_write: bool = True) -> None:
        """Open the journal.

        Args:
            path: The file; its folder is made where it is missing.
            to_write: Whether a game will be played with it: then no other box may use it at the same time.

        Raises:
            JournalError: If it is no journal, or of another version, in use, or cannot be opened.
        """
        self._path = path
        with contextlib.ExitStack() as opened:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                if to_write:
                    lock = opened.enter_context(path.with_name(path.name + ".lock").open("a"))
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a killed box lets it go by itself
                # The box's loop alone uses it, but it is opened before that thread starts.
                self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
                opened.callback(self._db.close)
                self._prepare(to_write=to_write)
            except BlockingIOError as error:
                raise JournalError(
                    f"{path} is in use by another box; stop that one, or give another --journal"
                ) from error
            except (sqlite3.Error, OSError) as error:
                raise JournalError(f"{path}: {error}; move the file away or give another --journal") from error
            self._saved = self._last()
            self._opened = opened.pop_all()

    def _prepare(self, *, to_write: bool) -> None:
        """Make the tables where there are none."""
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            self._db.executescript(f"BEGIN;{_TABLES}PRAGMA user_version={VERSION};COMMIT;")
        elif version != VERSION:
            raise JournalError(f"{self._path} was written by another version of the box; give another --journal")
        if to_write:
            self._db.executescript(_READINGS)

    def close(self) -> None:
        """Close the file."""
        self._opened.close()

    def situation(self) -> Situation:
        """Give what the box knew when it was last switched off; a game under way is announced first."""
        last = self._saved
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
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        undone, done = _change(self._saved, now)
        game = now.game
        state = json.dumps(to_data(now.state), separators=(",", ":"))
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                if game is not None and now.number != self._saved.number:
                    header = transcript(game.undo(len(game.steps)))
                    self._db.execute(
                        "INSERT INTO game (number, begun, header) VALUES (?, ?, ?)", (now.number, at, header)
                    )
                row = self._db.execute(
                    "INSERT INTO input (game, at, input, undone, done, state) VALUES (?, ?, ?, ?, ?, ?)",
                    (now.number or None, at, str(event), undone, done, state),
                )
                if isinstance(event, DiceRead) and event.seen:
                    self._db.execute(
                        "INSERT INTO reading (input, dice, asked) VALUES (?, ?, ?)",
                        (row.lastrowid, seen_text(event.seen), event.asked),
                    )
                if game is not None and (undone or done):
                    self._db.execute("UPDATE game SET winner = ? WHERE number = ?", (game.winner, now.number))
        except sqlite3.Error as error:
            raise JournalError(f"{self._path}: {error}; free some space or check the card") from error
        self._saved = now

    def games(self) -> list[Entry]:
        """List the games, first to last."""
        rows = self._db.execute("SELECT number, begun, header, winner FROM game ORDER BY number")
        return [
            Entry(number, begun, parse_transcript(header).names, winner, len(self.game(number).steps))
            for number, begun, header, winner in rows.fetchall()
        ]

    def game(self, number: int) -> Game:
        """Give a game as it stands.

        Raises:
            KeyError: If there is no game of this number.
            JournalError: If its rows do not make a game, which a whole file cannot show.
        """
        row = self._db.execute("SELECT header FROM game WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise KeyError(number)
        try:
            game = parse_transcript(row[0])
            rows = self._db.execute("SELECT undone, done FROM input WHERE game = ? ORDER BY id", (number,))
            for undone, done in rows:
                game = game.undo(undone)
                for line in done.splitlines():
                    game = game.do(parse_action(line, plays(game.position)))
        except (BadText, IllegalAction, BadPosition) as error:
            raise JournalError(f"{self._path}: game {number} is damaged: {error}") from error
        return game

    def rows(self) -> list[Row]:
        """List every input with what the camera saw, first to last; `device.records` makes figures of them."""
        kept = self._db.execute("SELECT 1 FROM sqlite_master WHERE name = 'reading'").fetchone()
        if kept is None:
            return []  # written by a box that did not keep them
        rows = self._db.execute(
            "SELECT input.game, at, undone, done, dice, asked FROM input"
            " LEFT JOIN reading ON reading.input = input.id ORDER BY input.id"
        )
        return [Row(*row) for row in rows]

    def _last(self) -> Situation:
        """Give the situation after the last recorded input."""
        row = self._db.execute("SELECT game, state FROM input ORDER BY id DESC LIMIT 1").fetchone()
        if row is None:
            return Situation(Welcome())
        number, state = row
        game = self.game(number) if number else None
        return Situation(_state(state, game), game, number or 0)


def _state(text: str, game: Game | None) -> State:
    """Read a state; one of another version of the box is replaced by what the game's position asks for."""
    try:
        return from_data(json.loads(text))
    except ValueError:
        return Welcome() if game is None else state_of(game)


def _change(before: Situation, after: Situation) -> tuple[int, str]:
    """Tell how a game changed: how many steps were taken back, and the steps added since, a line each."""
    old = before.game.steps if before.game is not None and before.number == after.number else ()
    new = after.game.steps if after.game is not None else ()
    common = 0
    while common < min(len(old), len(new)) and old[common] == new[common]:
        common += 1
    return len(old) - common, "\n".join(map(action_text, new[common:]))
