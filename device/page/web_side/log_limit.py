"""A log that cannot be filled from the network: each place in the program writes some lines a minute, no more."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

LINES = 5
EVERY_S = 60.0


class LogLimit(logging.Filter):
    """Lets `LINES` lines a minute of each place in the program through, and counts the others in the next one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to count.

        Args:
            clock: Seconds.
        """
        super().__init__()
        self._clock = clock
        self._counts: dict[tuple[str, int], list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written; it then says how many were left out before it."""
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
