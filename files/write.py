"""Writes small files whole: a power cut leaves the old content or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

BESIDE = ".new"
"""The end of the name under which a file is written before it takes the old one's place."""


def write_whole(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Replace a file, or create it with its folder; the content is on the disk when this returns.

    Args:
        path: The file.
        data: Its whole content.
        mode: Who may read and write it, before the umask.

    Raises:
        OSError: If it cannot be written; the file is as before.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + BESIDE)
    beside.unlink(missing_ok=True)  # what a power cut left
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with open(handle, "wb") as file:  # noqa: PTH123 - of a handle
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force a folder's own content, its list of names, out to the disk.

    Raises:
        OSError: If that fails.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
