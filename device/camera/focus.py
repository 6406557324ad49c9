"""The stored focus of a camera with autofocus: over a blank tray it could not focus at the next start."""

from __future__ import annotations

import contextlib
import json
import logging
from pathlib import Path

from vision.files import read_parsed, write_whole

MOST_BYTES = 10_000
"""The largest file that is read, in bytes; the usual size is about 30."""

_log = logging.getLogger(__name__)


def load(file: Path) -> float | None:
    """Return the stored focus in dioptres; None if it is missing or unusable."""
    return read_parsed(file, MOST_BYTES, lambda data: float(data["dioptres"]), "the camera focuses again")


def save(file: Path, dioptres: float) -> None:
    """Store a focus. If that fails, the camera only has to focus again at the next start."""
    try:
        write_whole(file, json.dumps({"dioptres": dioptres}).encode() + b"\n")
    except OSError as error:
        _log.warning("the focus cannot be saved in %s: %s", file, error)


def forget(file: Path) -> None:
    """Delete the stored focus, so that the camera focuses again at its next start."""
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)
