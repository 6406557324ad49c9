"""The focus that a camera with a motor found, kept from one start to the next: over a blank tray it would find none."""

from __future__ import annotations

import contextlib
import json
import logging
from pathlib import Path

from files.read import MissingFile, read_text
from files.write import write_whole

FARTHEST, NEAREST = 0.0, 32.0
"""What a lens position can be, in dioptres (one by the distance in metres), as libcamera's LensPosition."""

MOST_BYTES = 10_000
"""The largest file that is read; one has about 30 bytes."""

_log = logging.getLogger(__name__)


def load(file: Path) -> float | None:
    """Return the focus that was kept, in dioptres; None where there is none that can be used."""
    try:
        kept = json.loads(read_text(file, MOST_BYTES))["dioptres"]
    except MissingFile:
        return None
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        _log.warning("%s cannot be used, the camera focuses anew: %s", file, error)
        return None
    if type(kept) in (int, float) and FARTHEST <= kept <= NEAREST:
        return float(kept)
    _log.warning("%s cannot be used, the camera focuses anew: %r is no lens position", file, kept)
    return None


def save(file: Path, dioptres: float) -> None:
    """Keep a focus; a disk that does not take it costs a search at the next start and nothing else."""
    try:
        write_whole(file, json.dumps({"dioptres": dioptres}).encode() + b"\n")
    except OSError as error:
        _log.warning("the focus cannot be kept in %s: %s", file, error)


def forget(file: Path) -> None:
    """Have the camera focus anew at its next start."""
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)
