"""The current game's two files, which have the same content.

Each write overwrites first one file, then the other, and waits for the disk each time. So a power cut can spoil only
the file that is being written, and the other one has what was shown last; and either file may be damaged or deleted.
They are overwritten in place, in room that they already have, which works on a full disk too. A digest shows whether a
file is whole; of two whole files, the one with the higher count is newer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from pathlib import Path
from typing import Any

from vision.files import MissingFile, UnreadableFile, WrongContent, read_bytes, sync_folder

LAYOUT = 2
"""The layout of the content; 1 was that of version 1.0.0, an SQLite file."""

MOST_BYTES = 8_000_000
"""The largest file that is read, in bytes."""

ROOM = 64 * 1024
"""Files grow in steps of this number of bytes: for a long game, and for games that end while the disk is full."""

BLOCK = 4096
"""Disks and file systems write blocks of this many bytes; half a block would be read first."""

Content = dict[str, Any]
"""The content: a JSON object."""

_MAGIC = b"cantstop-journal "
_SQLITE = b"SQLite format 3\0"

_log = logging.getLogger(__name__)


class OtherVersion(Exception):
    """The files were written by another version of the box."""


class NotAJournal(Exception):
    """The file is not a journal, but something else."""


class Damaged(Exception):
    """The file is a journal, but not whole."""


def keep_aside(path: Path) -> Path:
    """Rename a file to the first free name like `FILE.damaged-1`, and return its new path.

    Raises:
        OSError: If it cannot be renamed.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside


class Copies:
    """The two files."""

    def __init__(self, journal: Path) -> None:
        """Set the files, which may be missing: the journal's own, and a second one beside it."""
        self.files = (journal, journal.with_name(f"{journal.name}.copy"))
        self.is_damaged = False
        """Whether `read` found files, but none that is whole."""
        self._is_newest = [False, False]
        self._to_keep: list[Path] = []

    @property
    def are_equal(self) -> bool:
        """Whether both files have the content that was last read or written."""
        return all(self._is_newest)

    def read(self, *, is_known: bool) -> tuple[int, Content] | None:
        """Return the newest count and content; None if both files are missing or damaged.

        Args:
            is_known: Whether a box has played with these files before; then a file that is not a journal is a damaged
                one.

        Raises:
            OtherVersion, NotAJournal: If no file is whole, and one is something else.
            UnreadableFile: If no file is whole, and one cannot be read now, which says nothing about its content.
        """
        found: list[tuple[int, Content] | None] = [None, None]
        problems: dict[Path, Exception] = {}
        for index, file in enumerate(self.files):
            try:
                found[index] = _read(file)
            except (UnreadableFile, OtherVersion, NotAJournal, Damaged) as error:
                problems[file] = error
                _log.warning("%s: %s", file, error)
        newest = max(filter(None, found), key=lambda one: one[0], default=None)
        self._is_newest = [one is not None and one[0] == newest[0] for one in found] if newest else [False, False]
        self.is_damaged = newest is None and bool(problems)
        harmless: tuple[type[Exception], ...] = (UnreadableFile, Damaged)
        if newest is None:
            harmless = (NotAJournal, Damaged) if is_known else (Damaged,)
            for problem in problems.values():
                if not isinstance(problem, harmless):
                    raise problem
            harmless = (UnreadableFile,)
        self._to_keep = [file for file, error in problems.items() if not isinstance(error, harmless)]
        return newest

    def write(self, count: int, content: Content) -> list[OSError]:
        """Store a content with its count, which is higher than any before; it is on disk when this returns.

        Returns:
            The problem with one of the files, if any.

        Raises:
            OSError: If neither file could be written.
        """
        body = json.dumps(content, ensure_ascii=False).encode()
        data = _MAGIC + f"{LAYOUT} {count} {len(body)} {_digest(count, body)}\n".encode() + body
        data += b"\n" * (-len(data) % BLOCK)
        problems = []
        for index in sorted((0, 1), key=self._is_newest.__getitem__):  # never first over the only whole one
            self._is_newest[index] = False
            try:
                self._write(self.files[index], data)
            except OSError as error:
                problems.append(error)
            else:
                self._is_newest[index] = True
        if len(problems) == len(self.files):
            raise problems[0]
        return problems

    def _write(self, file: Path, data: bytes) -> None:
        if file in self._to_keep:
            with contextlib.suppress(FileNotFoundError):
                _log.error("%s was renamed to %s", file, keep_aside(file))
            self._to_keep.remove(file)
        is_new = not file.exists()
        # Without the modification time, which would cost about 8 KB per input in the file system's journal.
        force = getattr(os, "fdatasync", os.fsync)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        try:
            # First of all, or a full disk would leave half of the new content over half of the old.
            _make_room(handle, len(data))
            _overwrite(handle, 0, data)
            force(handle)
        finally:
            os.close(handle)
        if is_new:
            sync_folder(file.parent)


def _make_room(handle: int, length: int) -> None:
    """Make a file at least this long; more, so that this is rarely needed, if there is space for more."""
    size = os.fstat(handle).st_size
    if size < length:
        with contextlib.suppress(OSError):
            _overwrite(handle, size, b"\n" * (-(-length // ROOM) * ROOM - size))
            return
        size = os.fstat(handle).st_size
        _overwrite(handle, size, b"\n" * (length - size))


def _overwrite(handle: int, at: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        written += os.pwrite(handle, data[written:], at + written)


def _digest(count: int, body: bytes) -> str:
    return hashlib.sha256(b"%d %s" % (count, body)).hexdigest()


def _read(file: Path) -> tuple[int, Content] | None:
    """Return the count and content of a file; None if it is missing or empty.

    Raises:
        UnreadableFile, OtherVersion, NotAJournal, Damaged: If the file has no valid content.
    """
    if file.exists() and not file.is_file():
        raise NotAJournal("it is a folder, a pipe or a device")
    try:
        data = read_bytes(file, MOST_BYTES)
    except MissingFile:
        return None
    except WrongContent as error:
        raise NotAJournal(str(error)) from error
    if not data.strip(b"\0\n"):  # a power cut while the file was created
        return None
    if data.startswith(_SQLITE):
        raise OtherVersion("it is an SQLite file, as version 1.0.0 wrote them")
    if not data.startswith(_MAGIC):
        raise NotAJournal("it is not a journal")
    head, _, rest = data.removeprefix(_MAGIC).partition(b"\n")
    try:
        layout, count, length, digest = head.decode("ascii").split(" ")
        if int(layout) != LAYOUT:
            raise OtherVersion(f"its layout is {layout}, not {LAYOUT}")
        body = rest[: int(length)]
        if digest == _digest(int(count), body):
            return int(count), json.loads(body)
    except ValueError:
        pass
    raise Damaged("it is damaged")
