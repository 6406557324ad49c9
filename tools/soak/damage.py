"""Damages one file of a box that is off, like a torn write, a worn card or a curious person."""

from __future__ import annotations

import os
import random
from pathlib import Path


def damage(folder: Path, chance: random.Random) -> tuple[str, Path]:
    """Damage one file below a folder, as a power cut does not damage two.

    Returns:
        The kind of damage and the file.
    """
    file = chance.choice(sorted(file for file in folder.rglob("*") if file.is_file() and file.stat().st_size))
    kind = chance.choice(("byte flipped", "last page torn", "file cut off", "file deleted"))
    at = chance.randrange(size := file.stat().st_size)
    if kind == "byte flipped":  # the rest stays as it is, as after a power cut or with a worn cell
        content = file.read_bytes()
        _write(file, at, bytes([content[at] ^ chance.randint(1, 255)]))
    elif kind == "last page torn":  # other data in up to a page at the end
        length = min(size, chance.randint(1, 4096))
        _write(file, size - length, chance.randbytes(length))
    elif kind == "file cut off":
        os.truncate(file, at)
    else:
        file.unlink()
    return kind, file


def _write(file: Path, at: int, data: bytes) -> None:
    """Write over a part of a file, in place."""
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(data)
