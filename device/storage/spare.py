"""The spare copy of the last situation, beside the journal: two small files, written in turn.

The journal is large, so much of it can be damaged; these files hold only the last situation. Each input overwrites the
older of the two, so a power cut in the middle spoils a copy that was out of date anyway. They are overwritten in place,
in blocks that they already own, which works even on a full disk. A digest shows whether a file is complete; of two
complete ones the one with the higher count is newer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from vision.files import sync_folder

LAYOUT = 1
"""The layout of the files' content."""

_ROOM = 64 * 1024
"""The number of bytes reserved on the disk, for a long game and for games that end on a full disk."""


@dataclass(frozen=True, slots=True)
class LastSituation:
    """The last situation, as plain values.

    Attributes:
        journal: The name of the journal that it belongs to.
        count: The number of inputs recorded so far.
        written: The number of them that the journal has stored.
        layout: The journal's layout.
        number: The game's number; 0 before the first.
        header: The game's header; "" if there is no game.
        steps: Its steps, one per line.
        state: The box's state, as JSON.
        ended: Finished games that the journal has not stored yet: number, header and steps of each.
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
        """Set the files, which may be missing, beside the journal's."""
        self.files = tuple(journal.with_name(f"{journal.name}.spare-{number}") for number in (1, 2))
        self._next = 0
        self.is_whole = False
        """Whether both files could be read."""

    def read(self) -> LastSituation | None:
        """Return the last situation; None if neither file is complete."""
        found = [(last.count, index, last) for index, file in enumerate(self.files) if (last := _read(file))]
        self.is_whole = len(found) == len(self.files)
        if not found:
            return None
        _, index, last = max(found)
        self._next = 1 - index
        return last

    def write(self, last: LastSituation) -> None:
        """Store a situation; it is on disk when this returns. Finished games are left out if they do not fit.

        Raises:
            OSError: If the disk cannot be written; the other file is unchanged.
        """
        try:
            self._write(last)
        except OSError:
            if not last.ended:
                raise
            self._write(replace(last, ended=()))

    def _write(self, last: LastSituation) -> None:
        file = self.files[self._next]
        content = json.dumps(asdict(last), ensure_ascii=False).encode()
        content = f"cantstop-spare {LAYOUT} {len(content)} {hashlib.sha256(content).hexdigest()}\n".encode() + content
        is_new = not file.exists()
        # Without the modification time, which would cost about 8 KB per input in the file system's journal.
        force = getattr(os, "fdatasync", os.fsync)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        try:
            if os.fstat(handle).st_size < len(content) and hasattr(os, "posix_fallocate"):
                with contextlib.suppress(OSError):  # without reserved space it may still be written
                    os.posix_fallocate(handle, 0, -(-len(content) // _ROOM) * _ROOM)
            written = 0
            while written < len(content):
                written += os.pwrite(handle, content[written:], written)
            force(handle)
        finally:
            os.close(handle)
        if is_new:
            sync_folder(file.parent)
        self._next = 1 - self._next  # never over the only complete one


def _read(file: Path) -> LastSituation | None:
    """Return the contents of one file; None if it is not complete, for any reason."""
    try:
        head, _, rest = file.read_bytes().partition(b"\n")
        name, layout, length, digest = head.decode("ascii").split(" ")
        content = rest[: int(length)]
        if name != "cantstop-spare" or int(layout) != LAYOUT or hashlib.sha256(content).hexdigest() != digest:
            return None
        return LastSituation(**json.loads(content))
    except (OSError, ValueError, TypeError):
        return None
