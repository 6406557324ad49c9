"""Prints the composition of a running box's memory: `python -m tools.memory PID`.

It adds up the resident size of all mappings (proc(5), /proc/PID/smaps) by kind. The camera's buffers are listed
separately; pages shared with other processes, such as the C library's, count in full, as on a machine with only the
box.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

BUFFERS = "camera's buffers"

_KINDS = (
    (BUFFERS, r"/memfd:|/dmabuf|dma_heap|udmabuf|anon_inode"),
    ("OpenCV", r"cv2|opencv"),
    ("numpy, its algebra included", r"numpy|openblas|scipy|libblas|liblapack|libgfortran"),
    ("libcamera, its proxies and tuning", r"libcamera|ipa_|picamera2|libpisp|libyaml"),
    ("Pillow, fonts", r"PIL/|pillow|libjpeg|libtiff|libfreetype|\.ttf"),
    ("Python and its modules", r"python|\.cpython|lib-dynload"),
    ("other libraries", r"\.so"),
    ("heap", r"^\[heap\]$|^$|^\[anon"),
    ("stacks", r"^\[stack"),
)
"""The kind of a mapping by its name; the first match counts. Threads' stacks have no name and count as heap."""

OTHER = "other files"


def parts(smaps: Iterable[str]) -> dict[str, float]:
    """Return resident memory by kind.

    Args:
        smaps: The lines of /proc/PID/smaps.

    Returns:
        MB by kind, the largest first.
    """
    found: dict[str, float] = {}
    for name, resident_kb in _mappings(smaps):
        kind = next((kind for kind, names in _KINDS if re.search(names, name)), OTHER)
        found[kind] = found.get(kind, 0.0) + resident_kb / 1024
    return dict(sorted(found.items(), key=lambda part: -part[1]))


def _mappings(smaps: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the mappings' names and resident sizes in kB."""
    name = ""
    for line in smaps:
        if begins := re.match(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+ *(.*)", line):
            name = begins[1].strip()
        elif line.startswith("Rss:"):
            yield name, int(line.split()[1])


def of(process: int) -> dict[str, float]:
    """Return a process's resident memory by kind, in MB.

    Raises:
        OSError: If the process does not exist, or belongs to another user.
    """
    with Path(f"/proc/{process}/smaps").open() as smaps:
        return parts(smaps)


def less_buffers(found: dict[str, float]) -> float:
    """Return the total in MB, without the camera's buffers."""
    return sum(found.values()) - found.get(BUFFERS, 0.0)


def table(found: dict[str, float]) -> Table:
    """Return the parts as a table."""
    shown = Table(box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
    shown.add_column("resident memory of")
    shown.add_column("MB", justify="right")
    for kind, resident in found.items():
        shown.add_row(kind, f"{resident:.1f}")
    shown.add_row("all", f"{sum(found.values()):.1f}")
    shown.add_row(f"all less the {BUFFERS}", f"{less_buffers(found):.1f}")
    return shown


def main() -> int:
    """Print the table."""
    words = argparse.ArgumentParser(prog="python -m tools.memory", description="What a process's memory consists of.")
    words.add_argument("pid", type=int, help="the process, as from systemctl show -p MainPID cantstop")
    args = words.parse_args()
    try:
        Console(highlight=False).print(table(of(args.pid)))
    except OSError as error:
        print(f"python -m tools.memory: {error.strerror}: {error.filename}; is it yours? (sudo)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
