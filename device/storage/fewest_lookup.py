"""Looks up past games outside the box's loop, which must not wait for a journal of several years."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from device.referee.inputs import FewestKnown, Input, PlayedAlone
from device.statistics.solitaire import alone
from device.storage.journal import Journal

_log = logging.getLogger(__name__)


class FewestLookup:
    """Answers questions about the games in a journal; each question has a thread and a connection of its own."""

    def __init__(self, path: Path) -> None:
        """Set the journal to read.

        Args:
            path: The file, which may be missing.
        """
        self._path = path

    def ask_fewest(self, put: Callable[[Input], None]) -> None:
        """Request the solitaire games with the fewest turns; `FewestKnown` is always the answer."""
        threading.Thread(target=lambda: put(self._fewest()), name="archive", daemon=True).start()

    def _fewest(self) -> FewestKnown:
        try:
            journal = Journal(self._path, to_write=False)
            try:
                found = alone(journal.played_alone())
            finally:
                journal.close()
        except Exception:  # after any error: the players wait for an answer
            _log.exception("the games of old cannot be read")
            return FewestKnown(is_readable=False)
        return FewestKnown(
            tuple(
                PlayedAlone(place, one.name, one.level, one.turns, one.game) for place, one in enumerate(found, start=1)
            )
        )
