"""Looks up past solo games outside the box's loop, which must not wait for the games of several years."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from device.referee.inputs import FewestKnown, Input
from device.statistics.solo import fewest_turns
from device.storage.journal import Journal

_log = logging.getLogger(__name__)


def ask_fewest(path: Path, put: Callable[[Input], None]) -> None:
    """Look up the solo games with the fewest turns in a journal, in a thread; `FewestKnown` is always the answer."""
    threading.Thread(target=lambda: put(_fewest(path)), name="archive", daemon=True).start()


def _fewest(path: Path) -> FewestKnown:
    try:
        with closing(Journal(path, to_write=False)) as journal:
            return FewestKnown(fewest_turns(journal.games()))
    except Exception:  # after any error: the players wait for an answer
        _log.exception("past games cannot be read")
        return FewestKnown(is_readable=False)
