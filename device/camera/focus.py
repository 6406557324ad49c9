"""The stored focus of a camera with autofocus: over a blank tray it could not focus at the next start."""

from __future__ import annotations

import contextlib
import json
import logging
from pathlib import Path

from files.read import MissingFile, read_text
from files.write import write_whole

FARTHEST, NEAREST = 0.0, 32.0
"""The range of lens positions in dioptres (1 / distance in metres), as in libcamera's LensPosition."""

MOST_BYTES = 10_000
"""The largest file that is read, in bytes; the usual size is about 30."""

_log = logging.getLogger(__name__)


def load(file: Path) -> float | None:
    """Return the stored focus in dioptres; None if it is missing or unusable."""
    try:
        kept = json.loads(read_text(file, MOST_BYTES))["dioptres"]
    except MissingFile:
        return None
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        _log.warning("%s cannot be used, so the camera focuses again: %s", file, error)
        return None
    if type(kept) in (int, float) and FARTHEST <= kept <= NEAREST:
        return float(kept)
    _log.warning("%s cannot be used, so the camera focuses again: %r is not a lens position", file, kept)
    return None


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
