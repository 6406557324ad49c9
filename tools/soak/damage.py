"""Damages the files of a box that is off, like a torn write, a worn card or a curious person."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

from device.storage.copies import Copies


def _content(file: Path, chance: random.Random) -> Path | None:
    """Return a random non-empty file of the journal's."""
    there = [one for one in Copies(file).files if one.exists() and one.stat().st_size]
    return chance.choice(there) if there else None


def flip(file: Path, chance: random.Random) -> bool:
    """Change one byte."""
    one = _content(file, chance)
    if one is None:
        return False
    # In place: the kernel counts up to 2 MB per later changed byte for a file written in one piece.
    with one.open("r+b", buffering=0) as opened:
        at = chance.randrange(one.stat().st_size)
        opened.seek(at)
        (byte,) = opened.read(1)
        opened.seek(at)
        opened.write(bytes([byte ^ chance.randint(1, 255)]))
    return True


def tear(file: Path, chance: random.Random) -> bool:
    """Replace half of the last page of one file by other data."""
    one = _content(file, chance)
    if one is None:
        return False
    with one.open("r+b") as opened:
        opened.seek(max(0, one.stat().st_size - chance.randint(1, 4096)))
        opened.write(chance.randbytes(max(0, one.stat().st_size - opened.tell())))
    return True


def cut(file: Path, chance: random.Random) -> bool:
    """Truncate one file."""
    one = _content(file, chance)
    if one is None:
        return False
    os.truncate(one, chance.randrange(one.stat().st_size))
    return True


def lose(file: Path, chance: random.Random) -> bool:
    """Delete one file."""
    one = _content(file, chance)
    if one is None:
        return False
    one.unlink()
    return True


DAMAGES: dict[str, Callable[[Path, random.Random], bool]] = {
    "a byte flipped": flip,
    "the last page torn": tear,
    "a file cut off": cut,
    "a file gone": lose,
}
"""The kinds of damage; only one file at a time, as a power cut does not damage two."""
