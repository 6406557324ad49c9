"""The players' preferences on disk: one small JSON file, replaced as a whole."""

from __future__ import annotations

import contextlib
import json
import logging
from dataclasses import asdict
from pathlib import Path

from device.referee.preferences import Preferences, from_data
from files.read import MissingFile, UnreadableFile, WrongContent, read_text
from files.write import write_whole

MOST_BYTES = 100_000
"""A file larger than this is none of ours, and is not read into memory."""

_log = logging.getLogger(__name__)


class PreferencesFile:
    """The preferences in one file. Nothing about it can keep the box from starting."""

    def __init__(self, path: Path) -> None:
        """Name the file; it need not exist."""
        self.path = path

    def exists(self) -> bool:
        """Return whether anything was ever chosen: without the file, the box is started for the first time."""
        return self.path.exists()

    def load(self) -> Preferences:
        """Return what is kept; defaults where nothing is, or where it is damaged: such a file is kept aside."""
        try:
            preferences, wrong = from_data(json.loads(read_text(self.path, MOST_BYTES)))
        except MissingFile:
            return Preferences()
        except WrongContent as error:
            preferences, wrong = Preferences(), (str(error),)
        except UnreadableFile as error:  # the file may be sound all the same
            _log.warning("%s: %s; the usual preferences are used", self.path, error)
            return Preferences()
        except (ValueError, RecursionError) as error:
            preferences, wrong = Preferences(), (f"it cannot be read: {error}",)
        if wrong:
            self._keep_aside(wrong)
        return preferences

    def save(self, preferences: Preferences) -> None:
        """Replace the file; it is on disk when this returns, and at no instant is there half of it.

        Raises:
            OSError: If it cannot be written; the file is as before.
        """
        write_whole(self.path, json.dumps(asdict(preferences), indent=2).encode() + b"\n")

    def _keep_aside(self, wrong: tuple[str, ...]) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        _log.warning("%s: %s; kept aside as %s", self.path, "; ".join(wrong), aside.name)
        with contextlib.suppress(OSError):  # a disk that takes nothing; the defaults do without it
            self.path.rename(aside)
