"""Measures the data written to a memory card: `python -m tools.wear FOLDER`, a folder on the card, otherwise unused.

A robot plays without hardware, with a power cut after every 400 inputs. The file system's own journal adds to what the
box writes; only the disk's own counter includes both.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

from device.referee.transition_table import step
from device.sim.robot import next_input
from device.storage.journal import Journal
from tools.soak.games import written

LIVES = 4
INPUTS = 400
SECTOR = 512
"""The bytes in which Linux counts a disk's work, whatever its real sectors."""


def live(journal_file: Path, seed: int) -> Journal:
    """Record `INPUTS` inputs of a robot's games; return the journal, still open."""
    chance = random.Random(seed)
    journal = Journal(journal_file)
    now = journal.situation()
    for _ in range(INPUTS):
        event = next_input(now, 2, chance)
        outcome = step(now, event)
        assert outcome is not None, f"a robot's {event} is accepted"
        now = outcome.situation
        journal.record(event, now)
    return journal


def sent(folder: Path) -> int:
    """Return the number of bytes written to the disk of a folder.

    Raises:
        OSError: If that is not a disk of its own, such as one in memory.
    """
    os.sync()
    device = folder.stat().st_dev
    counts = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat").read_text().split()
    return int(counts[6]) * SECTOR


def main() -> int:
    """Play, and print the result; return 1 if the box failed, 2 if the disk has no counter."""
    words = argparse.ArgumentParser(prog="python -m tools.wear", description="Tells what reaches a memory card.")
    words.add_argument("folder", type=Path, help="on the card")
    folder = words.parse_args().folder
    try:
        with tempfile.TemporaryDirectory(dir=folder) as place:
            before = sent(folder)
            for number in range(1, LIVES + 1):
                box = os.fork()
                if not box:
                    _still_open = live(Path(place) / "journal.sqlite3", number)
                    counted = 1024 * written(os.getpid()) / INPUTS
                    print(f"life {number}: {counted:.1f} KB an input by the box", end="", flush=True)
                    os._exit(0)  # like a power cut: nothing is closed
                _, failed = os.waitpid(box, 0)
                if failed:
                    return 1
                after = sent(folder)
                print(f", {(after - before) / 1024 / INPUTS:.1f} KB at the disk", flush=True)
                before = after
    except OSError as error:
        print(f"python -m tools.wear: {error}; give a folder on a disk", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
