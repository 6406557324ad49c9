"""A simulated table whose parts fail: the tray's camera, the display's connection, the disk."""

from __future__ import annotations

import math
import random
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np

from device.camera.port import CameraError, Shot
from device.sim.oled_bus import OledBus
from tools.soak import disk
from tools.soak.album import AlbumTray

PAUSE_S = (5.0, 25.0)
"""The shortest and longest random pause between two faults, in seconds."""

AFTER_S = 35.0
"""The time after its end in which a fault may have an effect, in seconds: the pause for a lost camera grows to half a
minute."""

HANG_S = 6.0
"""The duration of a camera's hang in seconds: longer than the box waits for it."""


class FailingCamera:
    """A tray whose camera fails on request; implements the port `Camera`."""

    def __init__(self, tray: AlbumTray) -> None:
        """Start with a working camera."""
        self._tray = tray
        self._last: Shot | None = None
        self.fault: str | None = None

    def shot(self, timeout_s: float) -> Shot:
        """Return a shot, or fail as requested."""
        if self.fault == "silent":
            raise CameraError("the camera sends no picture")
        if self.fault == "hangs":
            time.sleep(HANG_S)
        shot = self._tray.shot(timeout_s)
        if self.fault == "black":
            return Shot(shot.time_s, np.zeros_like(shot.small), lambda: np.zeros_like(shot.picture()))
        if self.fault == "frozen" and self._last is not None:
            return Shot(shot.time_s, self._last.small, self._last.picture)
        self._last = shot
        return shot

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class Faults:
    """Causes random faults, one at a time, each for a while."""

    def __init__(
        self, camera: FailingCamera, bus: OledBus, folder: Path, chance: random.Random, tell: Callable[[str], None]
    ) -> None:
        """Set the parts.

        Args:
            camera: The camera.
            bus: The display's bus.
            folder: The journal's folder.
            chance: The random numbers.
            tell: Called with each fault before it happens.
        """
        self._camera = camera
        self._bus = bus
        self._folder = folder
        self._chance = chance
        self._tell = tell
        self._last: tuple[str, float] | None = None

    @property
    def lately(self) -> str:
        """Return the current fault, or one that ended less than `AFTER_S` ago; "" without a fault."""
        last = self._last
        return "" if last is None or time.monotonic() > last[1] else last[0]

    def begin(self) -> None:
        """Start, in a thread that ends with the program."""
        threading.Thread(target=self._run, name="faults", daemon=True).start()

    def _run(self) -> None:
        faults: dict[str, Callable[[], None]] = {
            "display unplugged": self._unplug,
            "disk full": self._fill,
            "journal deleted": self._delete,
        }
        for name in ("silent", "hangs", "black", "frozen"):
            faults[f"camera {name}"] = partial(self._fail, name)
        while True:
            time.sleep(self._chance.uniform(*PAUSE_S))
            name = self._chance.choice(list(faults))
            self._tell(name)
            self._last = (name, math.inf)
            faults[name]()
            self._last = (name, time.monotonic() + AFTER_S)

    def _fail(self, name: str) -> None:
        self._camera.fault = name
        time.sleep(self._chance.uniform(3, 9))
        self._camera.fault = None

    def _unplug(self) -> None:
        self._bus.unplugged = True
        time.sleep(self._chance.uniform(0.1, 5))
        self._bus.unplugged = False

    def _fill(self) -> None:
        fills = filled if self._folder.is_mount() else full_disk
        with fills(self._folder):
            time.sleep(self._chance.uniform(2, 10))

    def _delete(self) -> None:
        with suppress(FileNotFoundError):
            self._chance.choice(sorted(self._folder.glob("journal.txt*[!k]"))).unlink()


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Fill a small disk; after a kill meanwhile it stays full."""
    disk.fill(folder)
    try:
        yield
    finally:
        disk.free(folder)


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Limit this process's files to the size of the largest in a folder, which acts like a full disk."""
    largest = max((file.stat().st_size for file in folder.iterdir()), default=0)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
