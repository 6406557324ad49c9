"""The spare copy of the last situation, beside the journal: two small files, written in turn.

The journal keeps everything, and so has much that can be damaged; these keep the last situation alone. Each input is
written over the older of the two, so that a power cut in the middle spoils a copy that was out of date anyhow. They
are written in place, into blocks that they already have: it also works on a disk that is full. A digest tells whether
a file is whole; of two whole ones the one with the higher count is the last.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from files.write import sync_folder

LAYOUT = 1
"""The layout of the files' content."""

_ROOM = 64 * 1024
"""The number of bytes taken from the disk at first: a long game has about four thousand, and games that end on a full
disk wait here."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last situation, as plain values.

    Attributes:
        journal: The name of the journal that it belongs to.
        count: How many inputs were recorded with it.
        written: How many of them the journal has taken.
        layout: The journal's layout.
        number: The game's number, 0 before the first.
        header: The game's header; "" where there is no game.
        steps: Its steps, a line each.
        state: The box's state, JSON.
        ended: The games before it that the journal has not taken yet: number, header and steps of each.
    """

    journal: int
    count: int
    written: int
    layout: int
    number: int
    header: str
    steps: str
    state: str
    ended: tuple[tuple[int, str, str], ...] = ()


class Spare:
    """The two files."""

    def __init__(self, journal: Path) -> None:
        """Name them; neither needs to be there.

        Args:
            journal: The journal's file, beside which they lie.
        """
        self.files = tuple(journal.with_name(f"{journal.name}.spare-{number}") for number in (1, 2))
        self._next = 0
        self.is_whole = False
        """Whether both files could be read."""

    def read(self) -> Last | None:
        """Return the last situation; None where no file is whole."""
        found = [(last.count, index, last) for index, file in enumerate(self.files) if (last := _read(file))]
        self.is_whole = len(found) == len(self.files)
        if not found:
            return None
        _, index, last = max(found)
        self._next = 1 - index
        return last

    def write(self, last: Last) -> None:
        """Keep a situation; it is on disk when this returns. Games that have ended are left out where they do not fit.

        Raises:
            OSError: If the disk does not take it; the other file is as it was.
        """
        try:
            self._write(last)
        except OSError:
            if not last.ended:
                raise
            self._write(replace(last, ended=()))

    def _write(self, last: Last) -> None:
        file = self.files[self._next]
        values = asdict(last)
        if not last.ended:
            del values["ended"]  # the release before does not know it
        content = json.dumps(values, ensure_ascii=False).encode()
        content = f"cantstop-spare {LAYOUT} {len(content)} {hashlib.sha256(content).hexdigest()}\n".encode() + content
        is_new = not file.exists()
        # Without the time of the change, which nobody needs and which the file system would write down in its own
        # journal: some 8 KB an input.
        force = getattr(os, "fdatasync", os.fsync)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        try:
            if os.fstat(handle).st_size < len(content) and hasattr(os, "posix_fallocate"):
                with contextlib.suppress(OSError):  # without room in reserve it may still be written
                    os.posix_fallocate(handle, 0, -(-len(content) // _ROOM) * _ROOM)
            written = 0
            while written < len(content):
                written += os.pwrite(handle, content[written:], written)
            force(handle)
        finally:
            os.close(handle)
        if is_new:
            sync_folder(file.parent)
        self._next = 1 - self._next  # never over the only whole one


def _read(file: Path) -> Last | None:
    """Read one file; None where it is not whole, whatever is wrong with it."""
    try:
        head, _, rest = file.read_bytes().partition(b"\n")
        name, layout, length, digest = head.decode("ascii").split(" ")
        content = rest[: int(length)]
        if name != "cantstop-spare" or int(layout) != LAYOUT or hashlib.sha256(content).hexdigest() != digest:
            return None
        return Last(**json.loads(content))
    except (OSError, ValueError, TypeError):
        return None
