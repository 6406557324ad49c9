"""Locks a file against other programs; the system releases the lock of a program that was killed."""

from __future__ import annotations

import sys
from typing import IO


def lock(file: IO[str]) -> None:
    """Lock an open file until it is closed.

    Raises:
        BlockingIOError: If another program has locked it.
        OSError: If its file system has no locks.
    """
    if sys.platform == "win32":  # untested
        import msvcrt  # noqa: PLC0415 - only Windows has it

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
    else:
        import fcntl  # noqa: PLC0415 - Windows has none

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
