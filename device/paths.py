"""Where the box keeps its files."""

from __future__ import annotations

import os
from pathlib import Path


class NoStateFolder(OSError):
    """Neither the environment nor the user's entry says where the files are; the text names the remedy."""


def state_folder() -> Path:
    """Return the folder of what outlives a restart: systemd's for the service, the user's own otherwise.

    Raises:
        NoStateFolder: If the user has no home.
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


def journal_file(*, simulated: bool) -> Path:
    """Return the journal's file; the simulated box has one of its own."""
    return state_folder() / ("simulated.sqlite3" if simulated else "journal.sqlite3")


def calibration_file(*, simulated: bool) -> Path:
    """Return the file of what `cantstop calibrate` learnt; the simulated tray has one of its own."""
    return state_folder() / ("simulated-calibration.json" if simulated else "calibration.json")


def focus_file() -> Path:
    """Return the file of the focus that a camera with a motor found."""
    return state_folder() / "focus.json"


def display_file(journal: Path) -> Path:
    """Return the file of the display's controller and rotation that were found to work, beside the journal."""
    return journal.with_name("display.json" if journal.stem == "journal" else f"{journal.stem}-display.json")


def preferences_file(journal: Path) -> Path:
    """Return the file of the players' preferences, beside the journal that the box plays with and named after it."""
    return journal.with_name("preferences.json" if journal.stem == "journal" else f"{journal.stem}-preferences.json")


def phones_file(*, simulated: bool) -> Path:
    """Return the file of the phones that may press the buttons; the simulated box has one of its own."""
    return state_folder() / ("simulated-phones.json" if simulated else "phones.json")


def misread_folder(*, simulated: bool) -> Path:
    """Return the folder for pictures of misread throws; the simulated box has one of its own."""
    return state_folder() / ("simulated-misread" if simulated else "misread")


def lock_file(journal: Path) -> Path:
    """Return the file that a box holds locked as long as it plays with a journal."""
    return journal.with_name(journal.name + ".lock")
