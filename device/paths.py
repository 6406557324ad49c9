"""The paths of the box's files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class NoStateFolder(OSError):
    """Neither the environment nor the user database says where the files are; the text names the remedy."""


def state_folder() -> Path:
    """Return the folder for persistent files: systemd's for the service, the user's own otherwise.

    Raises:
        NoStateFolder: If the user has no home folder.
    """
    if folder := os.environ.get("STATE_DIRECTORY"):
        return Path(folder)
    base = os.environ.get("XDG_STATE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".local" / "state") / "cantstop"
    except RuntimeError:
        raise NoStateFolder(
            "this user has no home folder to keep the games in; set HOME, or STATE_DIRECTORY to a folder for them"
        ) from None


def writable(file: Path) -> Path:
    """Return a file, or one of its name in the folder for temporary files, if its own may not be written.

    The installed command runs as the box's own user, who may not write to other users' folders.
    """
    try:
        file.parent.stat()
    except PermissionError:
        return Path(tempfile.gettempdir()) / file.name
    except OSError:
        return file  # who writes it reports that the folder is missing
    return file if os.access(file.parent, os.W_OK | os.X_OK) else Path(tempfile.gettempdir()) / file.name


CALIBRATION, FOCUS, PHONES, MISREAD = "calibration.json", "focus.json", "phones.json", "misread"
"""Names for `state_file`: the calibration of the tray, the focus that a camera with autofocus found, the paired phones,
and the folder for pictures of misread rolls."""

DISPLAY, PREFERENCES, GAMES = "display.json", "preferences.json", "games"
"""Names for `beside`: the display's working controller and rotation, the players' preferences, and the folder of past
games."""


def state_file(name: str, *, simulated: bool = False) -> Path:
    """Return a file or folder of the box; the simulated box has one of its own."""
    return state_folder() / (f"simulated-{name}" if simulated else name)


def journal_file(*, simulated: bool) -> Path:
    """Return the journal's file; the simulated box has one of its own."""
    return state_folder() / ("simulated.txt" if simulated else "journal.txt")


def beside(journal: Path, name: str) -> Path:
    """Return a file or folder beside a journal, named after it."""
    return journal.with_name(name if journal.stem == "journal" else f"{journal.stem}-{name}")


def lock_file(journal: Path) -> Path:
    """Return the file that a box locks while it plays with a journal."""
    return journal.with_name(journal.name + ".lock")
