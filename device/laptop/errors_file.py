"""Warnings during a game in the terminal: they go to a file, as they would overwrite the board."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

_STDERR = 2


@contextlib.contextmanager
def errors_into(file: Path) -> Iterator[None]:
    """Write standard error to a file, also that of native libraries and child processes; the file starts empty.

    Raises:
        OSError: If the file cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    sys.stderr.flush()
    before = os.dup(_STDERR)
    try:
        with file.open("w", encoding="utf-8") as errors:
            os.dup2(errors.fileno(), _STDERR)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(before, _STDERR)
    finally:
        os.close(before)
