"""Waiting in tests: with a deadline, on a machine that may be busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE_S = 300.0
"""The one deadline of all tests: far longer than anything takes, even if other programs load the machine. Waits end
when the thing has come, so it costs time only if that never happens."""


def until(is_so: Callable[[], Any], what: str = "it", patience_s: float = PATIENCE_S, pause_s: float = 0.01) -> Any:
    """Wait until something is so, checking every `pause_s` seconds, and return it."""
    deadline = time.monotonic() + patience_s
    while not (found := is_so()):
        assert time.monotonic() < deadline, f"{what} has not come"
        time.sleep(pause_s)
    return found
