"""The journal: each accepted input is on disk before the screen shows its effect, so no game is ever lost.

It has two parts. The situation, with the current game, is in two small files with the same content (`copies`). A game
that is over is a text file in a folder (`past_game_file`). Until that is written, because the disk is full or the power
was cut, the two files have the game too.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from device.paths import GAMES, beside, lock_file
from device.referee.inputs import DiceRead
from device.referee.states import NewGame, Resume, RollingOff, Situation, Welcome
from device.storage.copies import Content, Copies, NotAJournal, OtherVersion
from device.storage.past_game_file import (
    Reading,
    StoredGame,
    game_files,
    game_path,
    game_text,
    parse_game,
    parse_readings,
    past_games,
    readings_text,
)
from device.storage.state_text import read_state, to_data
from engine import BadText, Game, Rolled, parse_transcript, transcript
from vision.files import UnreadableFile, sync_folder, write_whole

READS, READ_AGAIN_S = 5, 0.02
"""How often files that seem damaged are read, and the pause before each time, in seconds: a box may be writing them."""

_log = logging.getLogger(__name__)


class JournalError(Exception):
    """The journal cannot be read or written; the message names the file and the remedy."""


class JournalWarning(StrEnum):
    """The warnings about the journal for the players."""

    DAMAGED = "damaged"
    """Both files of the current game were damaged; they were kept under other names."""
    SPARE = "spare"
    """The situation is stored, but in one file only, or a past game is not in a file of its own: the disk is full."""


class Journal:
    """The journal of one box; its files are created if they are missing.

    `situation`, `games` and `game` raise `JournalError` if the files cannot be read.
    """

    def __init__(self, path: Path, *, to_write: bool = True) -> None:
        """Open the journal. An unwritable disk is no error: the game goes on, and `record` and `retry` try again.

        Args:
            path: The file; its folder is created if it is missing.
            to_write: Whether to lock it for playing, so that no other box uses it at the same time.

        Raises:
            JournalError: If it is not a journal, or has another version, or is in use, or cannot be read.
        """
        self.path = path
        """The file."""
        self.folder = beside(path, GAMES)
        """The folder of past games."""
        self.warning: JournalWarning | None = None
        """The warning for the players, until the next input is recorded."""
        self.is_new = False
        """Whether nothing was ever recorded."""
        self._to_write = to_write
        self._opened = contextlib.ExitStack()
        self._copies = Copies(path)
        self._count = 0
        self._now = Situation(Welcome())
        self._begun = ""
        self._readings: tuple[Reading, ...] = ()
        self._early_readings: tuple[Reading, ...] = ()  # of the roll-off for the next game
        self._last_seen: tuple[int, ...] = ()
        self._unfiled: dict[int, str] = {}
        self._filed = (0, "")
        self._said: list[str] = []
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        """Lock and load the files, and make them equal."""
        is_known = any(file.exists() for file in (lock_file(self.path), self._copies.files[1]))
        found = self._read(is_known=is_known)  # before a lock is put beside what is not a journal
        if self._to_write:
            self._lock()
            found = self._read(is_known=is_known)  # nobody else writes from now on
        with self._readable():
            numbers = [number for number, _ in game_files(self.folder)]
        self.is_new = found is None and not self._copies.is_damaged and not numbers
        if found is not None:
            self._count, content = found
            self._load(content)
        if self._now.game is None:  # the next game must not get the number of a past one
            self._now = replace(self._now, number=max([self._now.number, *numbers]))
        if self._copies.is_damaged:
            self.warning = JournalWarning.DAMAGED
        if self._to_write and self.waits:
            try:
                self._save()
            except JournalError as error:
                _log.warning("%s", error)
                self.warning = JournalWarning.SPARE

    def _read(self, *, is_known: bool) -> tuple[int, Content] | None:
        """Return what the two files hold; a box may be writing them now."""
        with self._readable():
            for _ in range(READS):
                found = self._copies.read(is_known=is_known)
                if not self._copies.is_damaged:
                    break
                time.sleep(READ_AGAIN_S)
        return found

    def _load(self, content: Content) -> None:
        try:
            game = parse_transcript(content["game"]) if content["game"] else None
            self._now = Situation(
                read_state(content["state"], game),
                game,
                content["number"],
                score=tuple(content.get("score", ())),
                likely=tuple(map(tuple, content.get("likely", ()))),
                undone=tuple(content.get("undone", ())),
            )
            self._begun = content["begun"]
            self._readings = parse_readings(content["readings"])
            self._early_readings = parse_readings(content["early_readings"])
            self._unfiled = {int(number): text for number, text in content["unfiled"].items()}
        except (BadText, KeyError, TypeError, ValueError, AttributeError) as error:
            raise self._other_version() from error

    def _lock(self) -> None:
        """Lock the journal against other boxes, or raise `JournalError`."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = self._opened.enter_context(lock_file(self.path).open("a"))
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # released if this program is killed
        except BlockingIOError as error:
            raise JournalError(
                f"{self.path} is in use by another box; stop that one, or give another --journal"
            ) from error
        except (NotADirectoryError, FileExistsError) as error:
            raise JournalError(f"{self.path}: {error}; give another --journal") from error
        except OSError as error:
            _log.warning("%s cannot be locked: %s", self.path, error)

    @contextlib.contextmanager
    def _readable(self) -> Iterator[None]:
        """Turn errors of reading into `JournalError`."""
        try:
            yield
        except OtherVersion as error:
            raise self._other_version() from error
        except NotAJournal as error:
            raise JournalError(f"{self.path} is not a journal; move the file away or give another --journal") from error
        except (OSError, UnreadableFile) as error:
            raise JournalError(f"{self.path} cannot be read now: {error}; check the disk, then try again") from error

    def _other_version(self) -> JournalError:
        return JournalError(f"{self.path} was written by another version of the box; give another --journal")

    def close(self) -> None:
        """Unlock the files; everything has been written."""
        self._opened.close()

    def situation(self) -> Situation:
        """Return the situation when the box was last switched off; a game in progress is announced first.

        Raises:
            JournalError: If it is damaged, and the journal was opened for reading.
        """
        if self._copies.is_damaged and not self._to_write:
            raise JournalError(f"{self.path} is damaged: start the box, which keeps the damaged file")
        last = self._now
        state = last.state
        goes_on = last.game is not None and last.game.winner is None
        if goes_on and not isinstance(state, NewGame | RollingOff | Resume):
            state = Resume(state)
        return replace(last, state=state)

    def record(self, event: object, now: Situation) -> None:
        """Store the situation after an accepted input; it is on disk when this returns.

        Raises:
            JournalError: If it could not be written; the game goes on, and the next call tries again.
        """
        self.warning = None
        self._take(event, now)
        self._save()

    @property
    def waits(self) -> bool:
        """Whether something is not where it should be, because the disk is full or cannot be written."""
        return self._count > 0 and (not self._copies.are_equal or bool(self._unfiled))

    def retry(self) -> None:
        """Write what could not be written, or raise `JournalError`; on success `warning` becomes None."""
        self.warning = None
        self._save()

    def _take(self, event: object, now: Situation) -> None:
        """Take over the situation after an input, and what the camera saw."""
        before = self._now
        self.is_new = False
        if now.number != before.number:
            if before.game is not None:
                self._ended(before.number, before.game)
            self._readings, self._early_readings = self._early_readings, ()
            self._begun = datetime.now(UTC).isoformat(timespec="seconds")
        elif now.game is not None and before.game is not None:
            same = _same_steps(before.game, now.game)
            self._readings = tuple(
                replace(one, step=None) if one.step is not None and one.step >= same else one for one in self._readings
            )
        if isinstance(event, DiceRead) and event.by_camera:
            if event.asked and event.dice == self._last_seen:
                pass  # they were not rolled again
            elif len(event.dice) == 1 or now.game is None:
                self._early_readings += (Reading(None, event.dice),)
            else:
                self._readings += (Reading(_new_roll(before, now), event.dice),)
            self._last_seen = event.dice
        self._now = now
        was_won = before.number == now.number and before.game is not None and before.game.winner is not None
        if now.game is not None and (now.game.winner is not None or was_won):  # the file of an undone win is wrong
            self._ended(now.number, now.game)

    def _ended(self, number: int, game: Game) -> None:
        """Let the current game have a file of its own, unless it has that already."""
        text = self._text(game)
        if self._filed == (number, text):
            self._unfiled.pop(number, None)
        else:
            self._unfiled[number] = text

    def _save(self) -> None:
        self._count += 1
        try:
            problems = [*self._write(), *self._file_games()]
        except OSError as error:
            raise JournalError(f"{self.path}: {error}; free some space or check the card") from error
        if problems:
            self.warning = JournalWarning.SPARE
        said, self._said = self._said, [str(problem) for problem in problems]
        for problem in self._said:
            if problem not in said:  # otherwise a full disk would be logged every few seconds, on that disk
                _log.warning("%s: %s; free some space or check the card", self.path, problem)

    def _write(self) -> list[OSError]:
        """Write the two files, without the games that wait for a file of their own if there is no room for them."""
        now = self._now
        content: Content = {
            "state": to_data(now.state),
            "number": now.number,
            "score": now.score,
            "likely": now.likely,
            "undone": now.undone,
            "begun": self._begun,
            "game": transcript(now.game) if now.game is not None else "",
            "readings": readings_text(self._readings),
            "early_readings": readings_text(self._early_readings),
            "unfiled": self._unfiled,
        }
        try:
            return self._copies.write(self._count, content)
        except OSError:
            if not self._unfiled:
                raise
            return self._copies.write(self._count, {**content, "unfiled": {}})

    def _file_games(self) -> list[OSError]:
        """Write the games that are over into files of their own."""
        is_new = not self.folder.exists()
        try:
            for number, text in list(self._unfiled.items()):
                write_whole(game_path(self.folder, number), text.encode())
                if is_new:
                    sync_folder(self.path.parent)
                self._filed = number, text
                del self._unfiled[number]
        except OSError as error:
            return [error]
        return []

    def _text(self, game: Game) -> str:
        return game_text(game, self._begun, self._readings)

    def add(self, games: Iterable[tuple[int, str]]) -> None:
        """Add past games by number and text, for a backup that is taken over; after an OSError do it again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for number, text in games:
            write_whole(game_path(self.folder, number), text.encode())

    def games(self) -> list[StoredGame]:
        """Return all games by number, the current one included; a file that is not a game is left out."""
        with self._readable():
            found = {game.number: game for game in past_games(self.folder)}
        texts = dict(self._unfiled)
        if self._now.game is not None:
            texts[self._now.number] = self._text(self._now.game)
        found |= {number: parse_game(number, text) for number, text in texts.items()}
        return [found[number] for number in sorted(found)]

    def game(self, number: int) -> Game:
        """Return a game.

        Raises:
            KeyError: If there is no game with this number.
        """
        game = {game.number: game for game in self.games()}[number]
        try:
            return game.replay()
        except BadText as error:
            raise JournalError(f"{game_path(self.folder, number)}: {error}; correct the file") from error


def games_in(path: Path) -> list[StoredGame]:
    """Return the games in a journal, which a box may be using.

    Raises:
        JournalError: If it cannot be read.
    """
    with contextlib.closing(Journal(path, to_write=False)) as journal:
        return journal.games()


def _same_steps(before: Game, now: Game) -> int:
    """Return how many steps at the start are the same in both games."""
    same = 0
    while same < min(len(before.steps), len(now.steps)) and before.steps[same] == now.steps[same]:
        same += 1
    return same


def _new_roll(before: Situation, now: Situation) -> int | None:
    """Return the index of the roll that was added to the game; None without a new roll."""
    if now.game is None:
        return None
    last = len(now.game.steps) - 1
    old = before.game.steps if before.game is not None and before.number == now.number else ()
    is_new = last >= len(old) and isinstance(now.game.steps[last], Rolled)
    return last if is_new else None
