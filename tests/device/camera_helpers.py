"""A camera with frames chosen by the test, films of numbered pictures, and what cameras have delivered."""

from __future__ import annotations

import contextlib
import queue
import time
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from device.camera.port import Shot
from device.camera.seen_frame import SeenFrame
from device.camera.simulated import SimulatedTray
from tests.waiting import PATIENCE_S
from vision.reader import read
from vision.settling.movement import grey_of
from vision.types import Frame


class WholeCamera:
    """Implements the port `Camera` with the frames of a subclass's `frame`."""

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        raise NotImplementedError

    def shot(self, timeout_s: float) -> Shot:
        time_s, frame = self.frame(timeout_s)
        return Shot(time_s, grey_of(frame), lambda: frame)

    def close(self) -> None:
        pass


class Inbox:
    """What was put in, waited for with a deadline."""

    def __init__(self) -> None:
        self.inputs: queue.Queue = queue.Queue()
        self.put = self.inputs.put

    def until(self, wanted, tend=lambda: None) -> list:
        """What came up to the wanted input; a watcher is tended while it is awaited."""
        seen = []
        deadline = time.monotonic() + PATIENCE_S
        while not seen or not wanted(seen[-1]):
            assert time.monotonic() < deadline, seen
            tend()
            with contextlib.suppress(queue.Empty):
                seen.append(self.inputs.get(timeout=0.02))
        return seen

    def until_a(self, kind: type, tend=lambda: None):
        return self.until(lambda seen: isinstance(seen, kind), tend)[-1]


@lru_cache
def simulated_frame(values: tuple[int, ...]) -> Frame:
    """Return a picture of dice with these values at rest in a tray."""
    tray = SimulatedTray(7, hurried=True)
    tray.throw(len(values), values)
    for _ in range(40):
        _, frame = tray.frame(1.0)
    return frame


@lru_cache
def sight_of_a_throw() -> SeenFrame:
    """A throw that was read: 2, 3, 4 and 5."""
    frame = simulated_frame((2, 3, 4, 5))
    return SeenFrame(frame, read(frame))


SIZE = (320, 240)
_STEP = 4


def numbered(number: int) -> np.ndarray:
    """A grey picture whose level is its number, and the same at the top as at the bottom."""
    return np.full((SIZE[1], SIZE[0], 3), 16 + _STEP * (number % 56), np.uint8)


def number_of(frame) -> int:
    """The number of a picture, also after JPEG; up to 55."""
    return round((float(frame.mean()) - 16) / _STEP)


def written_film(file: Path, frames, frames_per_s: float = 15.0) -> Path:
    """Write a film of JPEGs."""
    writer = None
    for frame in frames:
        if writer is None:
            size = (frame.shape[1], frame.shape[0])
            writer = cv2.VideoWriter(str(file), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), frames_per_s, size)
        writer.write(frame)
    writer.release()
    return file
