"""A small disk for one box, which can be filled to its last byte and freed again.

Only root may mount one; for other users a limit on the length of files replaces it (`tools.soak.world`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = 16 << 20
"""The size in bytes: enough for the journals that are set aside during a soak test."""

FILLER = "filler"


@contextmanager
def small_disk(folder: Path, image: Path) -> Iterator[str]:
    """Mount a small disk on a folder, and unmount it at the end.

    Args:
        folder: An existing empty folder.
        image: A new file for the disk's content.

    Returns:
        The kind of file system: ext4 as on a memory card, tmpfs if that cannot be created, "" if mounting is not
        allowed.
    """
    kind = next((kind for kind in ("ext4", "tmpfs") if mount(kind, folder, image)), "")
    try:
        yield kind
    finally:
        if kind:
            subprocess.run(["umount", "--lazy", str(folder)], check=False)
        image.unlink(missing_ok=True)


def mount(kind: str, folder: Path, image: Path, size: int = SIZE) -> bool:
    """Mount a file system of a kind; return whether that was possible. The size is in bytes."""
    how = ["-t", "tmpfs", "-o", f"size={size}", "none"]
    if kind == "ext4":
        if shutil.which("mkfs.ext4") is None:
            return False
        image.touch()
        os.truncate(image, size)
        # With blocks of 4 KB as on a memory card, and none reserved for root.
        if not _runs("mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", str(image)):
            return False
        how = ["-o", "loop", str(image)]
    return _runs("mount", *how, str(folder))


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


def is_full(folder: Path) -> bool:
    """Whether a disk is filled."""
    return (folder / FILLER).exists()
