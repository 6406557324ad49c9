"""What may happen to the files of a box that is off: what a torn write, a worn card or a curious person does."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

from device.storage.spare import Spare


def _content(file: Path, chance: random.Random) -> Path | None:
    """Choose one of the journal's files that holds anything."""
    files = [file, file.with_name(f"{file.name}-wal"), *Spare(file).files]
    there = [one for one in files if one.exists() and one.stat().st_size]
    return chance.choice(there) if there else None


def flip(file: Path, chance: random.Random) -> bool:
    """Change one byte."""
    one = _content(file, chance)
    if one is None:
        return False
    # Where it lies: of a file written anew in one piece the kernel counts up to 2 MB for each byte changed later.
    with one.open("r+b", buffering=0) as opened:
        at = chance.randrange(one.stat().st_size)
        opened.seek(at)
        (byte,) = opened.read(1)
        opened.seek(at)
        opened.write(bytes([byte ^ chance.randint(1, 255)]))
    return True


def tear(file: Path, chance: random.Random) -> bool:
    """Let the last page of one file be half what was to be written and half something else."""
    one = _content(file, chance)
    if one is None:
        return False
    with one.open("r+b") as opened:
        opened.seek(max(0, one.stat().st_size - chance.randint(1, 4096)))
        opened.write(chance.randbytes(max(0, one.stat().st_size - opened.tell())))
    return True


def cut(file: Path, chance: random.Random) -> bool:
    """Cut one file off."""
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
"""One of these happens to one file; two files at once is more than a power cut does."""
