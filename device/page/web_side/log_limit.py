"""A log that cannot be filled from the network: each place in the program writes a limited number of lines a minute."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

LINES = 5
EVERY_S = 60.0


class LogLimit(logging.Filter):
    """Passes `LINES` lines a minute from each place in the program, and counts the dropped ones in the next line."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start counting.

        Args:
            clock: Returns the time in seconds.
        """
        super().__init__()
        self._clock = clock
        self._counts: dict[tuple[str, int], list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written; the line then says how many were dropped before it."""
        now = self._clock()
        since, written, left_out = self._counts.get((record.pathname, record.lineno), [now, 0, 0])
        if now - since >= EVERY_S:
            since, written = now, 0
        is_written = written < LINES
        if is_written and left_out:
            record.msg, record.args = f"{record.getMessage()} ({left_out:.0f} more like this were left out)", None
            left_out = 0
        counts = [since, written + 1, left_out] if is_written else [since, written, left_out + 1]
        self._counts[record.pathname, record.lineno] = counts
        return is_written
