"""Writes small files whole: a power cut leaves the old content or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

BESIDE = ".new"
"""The suffix of the temporary file that replaces the old one once it is complete."""


def write_whole(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Replace a file, or create it with its folder; the content is on the disk when this returns.

    Args:
        path: The file.
        data: Its whole content.
        mode: The permission bits, before the umask.

    Raises:
        OSError: If it cannot be written; the file is unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + BESIDE)
    beside.unlink(missing_ok=True)  # left by a power cut
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
    """Write a folder's own content, its list of names, to the disk.

    Raises:
        OSError: If that fails.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
