"""Whether a box runs on this machine, which then uses camera, buttons and display, and locks its journal."""

from __future__ import annotations

import fcntl
from pathlib import Path

from device.paths import lock_file


def box_is_running(journal: Path) -> bool:
    """Return whether a box is playing with this journal now.

    Args:
        journal: The journal's file.
    """
    try:
        with lock_file(journal).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
