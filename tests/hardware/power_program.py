"""A box that plays on a watched disk, without its wires: `python -m tests.hardware.power_program JOURNAL SHOWN INPUTS`.

After each input it writes the fingerprint of what is shown now into the file SHOWN, on the same disk.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from device.referee.transition_table import step
from device.storage.journal import Journal
from tools.soak.lives import fingerprint, next_input


def main(file: str, shown: str, inputs: str) -> None:
    chance = random.Random(1)
    journal = Journal(Path(file))
    now = journal.situation()
    with Path(shown).open("w", buffering=1) as told:
        told.write(f"{fingerprint(now)}\n")
        for _ in range(int(inputs)):
            event = next_input(now, chance)
            outcome = step(now, event)
            assert outcome is not None
            now = outcome.situation
            journal.record(event, now)
            told.write(f"{fingerprint(now)}\n")
        os._exit(0)  # as a power cut: nothing is closed


if __name__ == "__main__":
    main(*sys.argv[1:])
