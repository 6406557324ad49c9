"""What the memory of a running box consists of: `python -m tools.memory PID`.

The kernel tells for each mapping of a process how much of it is resident (proc(5), /proc/PID/smaps). Here that is
summed up by what the mapping is of. The camera's buffers stand by themselves; pages that other processes have too (the
C library's, say) are counted in full, as a box alone would have them.
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
"""What a mapping's name tells; the first that fits. Threads' stacks have no name and count as heap."""

OTHER = "other files"


def parts(smaps: Iterable[str]) -> dict[str, float]:
    """Sum up resident memory by what it is for.

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
    """List the mappings by name, with their resident kB."""
    name = ""
    for line in smaps:
        if begins := re.match(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+ *(.*)", line):
            name = begins[1].strip()
        elif line.startswith("Rss:"):
            yield name, int(line.split()[1])


def of(process: int) -> dict[str, float]:
    """Return a process's resident memory by what it is for, in MB.

    Raises:
        OSError: If there is no such process, or it is another user's.
    """
    with Path(f"/proc/{process}/smaps").open() as smaps:
        return parts(smaps)


def less_buffers(found: dict[str, float]) -> float:
    """Return the whole in MB, less the camera's own buffers."""
    return sum(found.values()) - found.get(BUFFERS, 0.0)


def table(found: dict[str, float]) -> Table:
    """Return the parts for people."""
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
