"""Rolls that are rendered once and shown many times: rendering takes ten times as long as all the rest.

Each roll of an album is a file with its pictures as JPEG, from the empty tray to several of the dice at rest, which
differ by the sensor's noise. The box settles on them, reads them and counts them like those of any camera.
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
"""The number of rolls in an album; the first of every ten has one die, for roll-offs."""

STILL = 4
"""The number of pictures of dice at rest, shown in turn: one that never changed would be a frozen camera's."""

QUALITY = 95
"""The quality of the JPEGs, of 100, which preserves the noise."""


def draw(folder: Path, seed: int, jobs: int) -> bool:
    """Render an album, with a progress bar on stderr.

    Args:
        folder: The output folder.
        seed: The random seed of the rolls.
        jobs: The number of processes.

    Returns:
        Whether it is complete; False if Ctrl-C ended it.
    """
    try:
        _, status = work_through("throws", partial(draw_one, folder, seed), range(THROWS), jobs)
    except KeyboardInterrupt:
        return False
    return status == 0


def draw_one(folder: Path, seed: int, number: int) -> None:
    """Render one of an album's rolls."""
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
    """A tray that shows an album's rolls and knows their values; implements the port `Camera`."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Open an album; the tray is empty until the first roll.

        Args:
            folder: The album's folder.
            seed: The random seed of the order of rolls.
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
        """The seconds since the dice came to rest, by the camera's clock; negative while they roll."""
        return (self._shown - (len(self._pictures) - STILL) - 1) / FRAMES_PER_S

    def throw(self, dice: int = 4) -> tuple[int, ...]:
        """Show another roll of the given number of dice than the last one; return its values.

        The box would take the same dice at the same places for the ones that it has read.
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
        """Return the next picture; see `Camera.shot`. Without delay until the dice have been at rest for a while."""
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
        # No two are the same, as with a sensor's noise: an empty tray would otherwise look like a frozen picture.
        noisy = small ^ self._chance.integers(0, 2, small.shape, np.uint8)
        return Shot(time_s, noisy, lambda: _unpacked(packed))

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _load(file: Path) -> tuple[tuple[int, ...], list[NDArray[np.uint8]]]:
    head, _, packed = file.read_bytes().partition(b"\n")
    told = json.loads(head)
    ends = np.cumsum(told["lengths"])
    parts = np.split(np.frombuffer(packed, np.uint8), ends[:-1])
    return tuple(told["values"]), parts


def _unpacked(packed: NDArray[np.uint8]) -> Frame:
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
