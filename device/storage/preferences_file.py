"""The file of the players' preferences: a small JSON file that is replaced as a whole."""

from __future__ import annotations

import contextlib
import json
import logging
from dataclasses import asdict
from pathlib import Path

from device.referee.preferences import Preferences, from_data
from device.storage.copies import keep_aside
from vision.files import MissingFile, UnreadableFile, WrongContent, read_text, write_whole

MOST_BYTES = 100_000
"""The largest file that is read, in bytes."""

_log = logging.getLogger(__name__)


class PreferencesFile:
    """The preferences in one file. No error in it can keep the box from starting."""

    def __init__(self, path: Path) -> None:
        """Set the file, which may be missing."""
        self.path = path

    def load(self) -> Preferences:
        """Return the stored preferences; the defaults if there are none. A damaged file is set aside."""
        try:
            preferences, wrong = from_data(json.loads(read_text(self.path, MOST_BYTES)))
        except MissingFile:
            return Preferences()
        except WrongContent as error:
            preferences, wrong = Preferences(), (str(error),)
        except UnreadableFile as error:  # the file may be intact all the same
            _log.warning("%s: %s; the default preferences are used", self.path, error)
            return Preferences()
        except (ValueError, RecursionError) as error:
            preferences, wrong = Preferences(), (f"it cannot be read: {error}",)
        if wrong:
            _log.warning("%s: %s; the default preferences are used", self.path, "; ".join(wrong))
            with contextlib.suppress(OSError):  # the disk cannot be written; the defaults do without it
                keep_aside(self.path)
        return preferences

    def save(self, preferences: Preferences) -> None:
        """Replace the file atomically; it is on disk when this returns. After an OSError the file is unchanged."""
        write_whole(self.path, json.dumps(asdict(preferences), indent=2).encode() + b"\n")
