"""Damages one file of a box that is off, like a torn write, a worn card or a curious person."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

from tools.soak.disk import FILLER


def flip(file: Path, chance: random.Random) -> None:
    """Change one byte, in place: a power cut or a worn cell leaves the rest as it is."""
    with file.open("r+b", buffering=0) as opened:
        at = chance.randrange(file.stat().st_size)
        opened.seek(at)
        (byte,) = opened.read(1)
        opened.seek(at)
        opened.write(bytes([byte ^ chance.randint(1, 255)]))


def tear(file: Path, chance: random.Random) -> None:
    """Replace up to a page at the end by other data."""
    size = file.stat().st_size
    at = max(0, size - chance.randint(1, 4096))
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(chance.randbytes(size - at))


def cut(file: Path, chance: random.Random) -> None:
    """Truncate it."""
    os.truncate(file, chance.randrange(file.stat().st_size))


def lose(file: Path, _: random.Random) -> None:
    """Delete it."""
    file.unlink()


DAMAGES: dict[str, Callable[[Path, random.Random], None]] = {
    "byte flipped": flip,
    "last page torn": tear,
    "file cut off": cut,
    "file deleted": lose,
}


def damage(folder: Path, chance: random.Random) -> tuple[str, Path] | None:
    """Damage one file below a folder, as a power cut does not damage two.

    Returns:
        The kind of damage and the file; None without a file.
    """
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != FILLER and file.stat().st_size]
    if not files:
        return None
    kind = chance.choice(list(DAMAGES))
    file = chance.choice(sorted(files))
    DAMAGES[kind](file, chance)
    return kind, file
