"""A small disk for one box, which can be filled to its last byte and freed again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = 16 << 20
"""The size in bytes: enough for the journals that are set aside during a soak test."""

FILLER = "filler"


@contextmanager
def small_disk(folder: Path, image: Path) -> Iterator[bool]:
    """Mount a small disk, ext4 as on a memory card, on a folder, and unmount it at the end.

    Args:
        folder: An existing empty folder.
        image: A new file for the disk's content.

    Returns:
        Whether that was possible: only root may mount, and it needs e2fsprogs.
    """
    image.touch()
    os.truncate(image, SIZE)
    # With blocks of 4 KB as on a memory card, and none reserved for root.
    is_made = _runs("mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", str(image))
    is_mounted = is_made and _runs("mount", "-o", "loop", str(image), str(folder))
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)
        image.unlink()


def _runs(*command: str) -> bool:
    try:
        return subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def fill(folder: Path) -> None:
    """Fill a small disk to its last byte."""
    with (folder / FILLER).open("ab", buffering=0) as file:
        for size in (1 << 16, 512, 1):
            with suppress(OSError):
                while file.write(bytes(size)) == size:
                    pass
        with suppress(OSError):
            os.fsync(file.fileno())


def free(folder: Path) -> None:
    """Free a disk's space again."""
    (folder / FILLER).unlink(missing_ok=True)
