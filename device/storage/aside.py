"""Keeps damaged files under another name."""

from __future__ import annotations

from pathlib import Path


def keep_aside(path: Path) -> Path:
    """Rename a file to the first free name like `FILE.damaged-1`, and return its new path.

    Raises:
        OSError: If it cannot be renamed.
    """
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside
