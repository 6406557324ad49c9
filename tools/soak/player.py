"""One life of a box at a simulated table with faults: `python -m tools.soak.player FOLDER ALBUM PIPE SEED`.

It plays game after game until it is killed. It writes to the pipe the fingerprints of what is shown
(`tools.soak.fingerprints`), and lines of JSON beginning with "#": finished games, faults, memory, and the parts of each
reading's time.
"""

from __future__ import annotations

import json
import logging
import os
import random
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from device import box as box_module
from device.camera import worker
from device.hardware.display import ReconnectingDisplay
from device.referee.inputs import DiceRead, Input
from device.referee.transition_table import step
from device.sim import robot
from device.sim.table import SimulatedTable
from device.sim.tally import Tally
from device.storage.journal import Journal
from engine import transcript
from tools.soak.album import AlbumTray
from tools.soak.fingerprints import INTENDS, SHOWN, FingerprintWriter, fingerprint
from tools.soak.world import FailingCamera, Faults

BITS_A_BYTE = 9
"""The clock cycles per byte on an I2C bus: eight bits and the acknowledgement."""
BUS_HZ = 400_000

TELL_S = 2.0
"""The interval of the messages on memory and counts, in seconds."""

Of = ParamSpec("Of")
Result = TypeVar("Result")


class ReadingTimer:
    """Measures the parts of a reading in seconds of processor time, which excludes other programs."""

    def __init__(self) -> None:
        """Start without measurements."""
        self.spent: dict[str, float] = {}

    def timed(self, part: str, do: Callable[Of, Result]) -> Callable[Of, Result]:
        """Return a wrapper of a function that adds its time to a part."""

        def timed(*of: Of.args, **how: Of.kwargs) -> Result:
            began = time.thread_time()
            try:
                return do(*of, **how)
            finally:
                self.spent[part] = self.spent.get(part, 0.0) + time.thread_time() - began

        return timed


def resident_mb() -> float:
    """Return the resident memory of this process in MB."""
    with Path("/proc/self/status").open() as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS:"))


class Player:
    """A box, its table, and the messages about both."""

    def __init__(self, folder: Path, album: Path, pipe: int, seed: int) -> None:
        """Assemble them.

        Args:
            folder: The journal's folder.
            album: The album's folder.
            pipe: The pipe for messages.
            seed: The random seed of rolls and faults.
        """
        self._pipe = pipe
        self._clock = _measured()
        journal = Journal(folder / "journal.txt")
        self._teller = FingerprintWriter(pipe, journal)
        self._tray = AlbumTray(album, seed)
        self._camera_s = 0.0
        camera = FailingCamera(self._tray)
        self._tally = Tally(self._tray)
        self._table = SimulatedTable(journal, camera, observe=self._observe)
        self._handle = self._table.box._handle
        self._table.box._handle = self._handled  # type: ignore[method-assign]
        self._faults = Faults(
            camera, self._table.bus, folder, random.Random(seed), lambda name: self._tell(failing=name)
        )
        self._told_s = 0.0
        self._number = self._table.box.situation.number

    def play(self) -> None:
        """Play forever."""
        with self._table as table:
            self._faults.begin()
            player = robot.Robot(table.box, table.buttons, self._tally, self._watch)
            while True:
                player.play(2)

    def _tell(self, **what: object) -> None:
        os.write(self._pipe, f"#{json.dumps(what)}\n".encode())

    def _observe(self, event: Input) -> None:
        self._tally.see(event)
        if isinstance(event, DiceRead):
            self._camera_s = self._tray.still_s

    def _handled(self, event: Input) -> None:
        """Run the box's handling of an input, with messages before and after it."""
        box, spent = self._table.box, self._clock.spent
        outcome = step(box.situation, event)
        wins = False
        if outcome is not None:
            self._teller.tell(INTENDS, fingerprint(outcome.situation))
            before, after = box.situation.game, outcome.situation.game
            wins = after is not None and after.winner is not None and (before is None or before.winner is None)
        if wins:
            self._tell(ending=box.situation.number)
        reading_s = spent.get("reading", 0.0)
        spent.clear()
        sent = self._table.bus.bytes_written
        self._handle(event)
        self._teller.tell(SHOWN, fingerprint(box.situation))
        if box.situation.number > self._number:
            self._number = box.situation.number
            self._tell(begun=self._number)
        if wins and box.situation.game is not None:
            self._tell(game=box.situation.number, transcript=transcript(box.situation.game))
        if isinstance(event, DiceRead) and outcome is not None:
            bus_s = (self._table.bus.bytes_written - sent) * BITS_A_BYTE / BUS_HZ
            parts = {**spent, "reading": reading_s, "camera": self._camera_s, "bus": bus_s}
            self._tell(roll=parts, fault=self._faults.lately)

    def _watch(self) -> None:
        self._table.check()
        if time.monotonic() - self._told_s > TELL_S:
            self._told_s = time.monotonic()
            tally = self._tally
            self._tell(memory=resident_mb(), wrong=len(tally.wrong), throws=tally.throws)


def _measured() -> ReadingTimer:
    """Return a stopwatch that measures the program's parts."""
    clock = ReadingTimer()
    worker.read = clock.timed("reading", worker.read)  # type: ignore[attr-defined]
    box_module.draw = clock.timed("drawing", box_module.draw)  # type: ignore[attr-defined]
    ReconnectingDisplay.show = clock.timed("display", ReconnectingDisplay.show)  # type: ignore[method-assign]
    Journal.record = clock.timed("journal", Journal.record)  # type: ignore[method-assign]
    return clock


def main(folder: str, album: str, pipe: str, seed: str) -> None:
    """Play until killed."""
    warnings.filterwarnings("ignore", category=DeprecationWarning)  # luma's own drivers
    logging.disable(logging.ERROR)
    robot.PATIENCE_S = 300.0  # a camera that fails for a while is part of the test
    Player(Path(folder), Path(album), int(pipe), int(seed)).play()


if __name__ == "__main__":
    main(*sys.argv[1:])
