"""Throws drawn once and shown many times: drawing one takes ten times as long as all that the box does with it.

Each throw of an album is a file with its pictures as JPEG, from the empty tray to some of the dice lying still, which
differ by the sensor's noise. The box settles on them, reads them and counts them as it would those of any camera.
"""

from __future__ import annotations

import json
import threading
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.port import FRAMES_PER_S, Shot
from device.camera.simulated import REST_S, SimulatedTray
from device.cli.batch import work_through
from vision.settling.movement import GREY_PX
from vision.types import Frame

THROWS = 120
"""How many throws an album has; the first of every ten is of one die, for rolling who begins."""

STILL = 4
"""So many pictures of dice that lie still are shown in turn: to the box one that stands still is a frozen camera's."""

QUALITY = 95
"""Of the JPEGs, of 100: the noise stays."""


def draw(folder: Path, seed: int, jobs: int) -> bool:
    """Draw an album, with a progress bar on stderr.

    Args:
        folder: Where it goes.
        seed: Decides the throws.
        jobs: Processes to use.

    Returns:
        Whether it is whole; False where Ctrl-C ended it.
    """
    _, interrupted = work_through("drawing throws", partial(draw_one, folder, seed), range(THROWS), jobs)
    return not interrupted


def draw_one(folder: Path, seed: int, number: int) -> None:
    """Draw one of an album's throws."""
    tray = SimulatedTray(seed * THROWS + number, hurried=True)
    values = tray.throw(1 if number % 10 == 0 else 4)
    pictures = [tray.frame(0.0)[1]]
    while tray.still_s < (STILL - 1) / FRAMES_PER_S:
        pictures.append(tray.frame(0.0)[1])
    packed = [cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1] for one in pictures]
    head = json.dumps({"values": values, "lengths": [len(one) for one in packed]}).encode()
    with (folder / f"{len(values)}-{number:04}.throw").open("wb") as file:
        file.write(head + b"\n" + b"".join(one.tobytes() for one in packed))


class AlbumTray:
    """A tray that shows an album's throws; fits the port `Camera`, and knows what was thrown."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Open an album; the tray is empty until the first throw.

        Args:
            folder: Where it was drawn.
            seed: Decides which throws are shown.
        """
        self._files = {dice: sorted(folder.glob(f"{dice}-*.throw")) for dice in (1, 4)}
        self._chance = np.random.default_rng(seed)
        self._lock = threading.Condition()
        self._throws = 0
        self._last: Path | None = None
        self._time_s = 0.0
        self._shown = 0
        _, first = _load(self._files[4][0])
        self._pictures = [first[0]] * STILL

    @property
    def still_s(self) -> float:
        """How long the dice lie still, by the camera's clock; less than 0 while they roll."""
        return (self._shown - (len(self._pictures) - STILL) - 1) / FRAMES_PER_S

    def throw(self, dice: int = 4) -> tuple[int, ...]:
        """Show a throw of so many dice, any but the last of the album; give what it shows in the end.

        The same dice at the same places once more would be to the box what they are: those that it has read.
        """
        others = [file for file in self._files[dice] if file != self._last]
        self._last = others[int(self._chance.integers(len(others)))]
        values, pictures = _load(self._last)
        with self._lock:
            self._pictures, self._shown = pictures, 0
            self._throws += 1
            self._lock.notify_all()
        return values

    def shot(self, timeout_s: float) -> Shot:
        """Return the next picture; see `Camera.shot`. It comes at once until the dice have lain still for a while."""
        with self._lock:
            if not self._throws or self.still_s > REST_S:
                self._lock.wait(min(1 / FRAMES_PER_S, timeout_s))
            self._time_s += 1 / FRAMES_PER_S
            still = len(self._pictures) - STILL
            at = self._shown if self._shown < still else still + (self._shown - still) % STILL
            self._shown += 1
            packed, time_s = self._pictures[at], self._time_s
        small = np.asarray(cv2.imdecode(packed, cv2.IMREAD_REDUCED_GRAYSCALE_2), np.uint8)
        assert small.shape == GREY_PX[::-1]
        # No two are quite alike, as with a sensor's noise: an empty tray would be shown as the same picture for ever.
        noisy = small ^ self._chance.integers(0, 2, small.shape, np.uint8)
        return Shot(time_s, noisy, lambda: _unpacked(packed))

    def close(self) -> None:
        """Nothing needs to be let go."""


def _load(file: Path) -> tuple[tuple[int, ...], list[NDArray[np.uint8]]]:
    head, _, packed = file.read_bytes().partition(b"\n")
    told = json.loads(head)
    ends = np.cumsum(told["lengths"])
    parts = np.split(np.frombuffer(packed, np.uint8), ends[:-1])
    return tuple(told["values"]), parts


def _unpacked(packed: NDArray[np.uint8]) -> Frame:
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
