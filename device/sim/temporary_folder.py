"""A temporary folder that does not outlive its program for long, even if that is killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = "cantstop-"
"""Short, as the path of a Unix socket in the folder may have 107 bytes."""
_LOCK = "lock"
"""The file that a program locks as long as it uses its folder; the system releases the lock of a killed one."""


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a new folder that is removed at the end; first remove those of this user's programs that were killed."""
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            _remove_unused(left)
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name, (Path(name) / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(name)


def _remove_unused(folder: Path) -> None:
    """Remove a folder of this user that no program uses.

    Raises:
        OSError: If a program uses it, or it is not such a folder.
    """
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        return
    with (folder / _LOCK).open("r") as lock:  # without this file, the program may just be starting
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
