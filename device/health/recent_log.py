"""The newest lines of the log, kept in memory: the page can give them to a paired phone."""

from __future__ import annotations

import logging
from collections import deque

LINES = 500
"""The number of lines that are kept."""


class RecentLog(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        """Start with no lines."""
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line; called by the logging system."""
        self._lines.append(self.format(record))

    def text(self) -> str:
        """Return the lines, oldest first."""
        return "".join(f"{line}\n" for line in self._lines)
