"""The time from a still roll to the screen, at 1280x720: `python -m tools.bench.screen_delay`.

A second process streams rendered rolls by HTTP, 15 frames a second. The whole box runs on it, except for buttons and
the display's bus: OpenCV, settling, reader, referee, journal and drawing.
"""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from PIL import Image

from device.camera.opencv import OpenCvCamera
from device.camera.port import Camera, Shot
from device.config import Config
from device.hardware.buttons import Buttons
from device.hardware.display import Brightness
from device.referee.inputs import DiceRead, Input
from device.referee.states import Situation, Waiting
from device.session import Session
from device.storage.journal import Journal
from engine import Game
from tools.bench.webcam import FIRST_SEED, Film, film
from tools.hardware.mjpeg_server import MjpegServer
from vision.types import Frame

RATE = 15.0
ROLLS = 8
PATIENCE_S = 60.0


class Screen:
    """A display that notes when each picture was shown."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def show(self, _: Image.Image) -> None:
        self.times.append(time.monotonic())

    def light(self, _: Brightness) -> None: ...

    def check(self) -> None: ...

    def close(self) -> None: ...

    def leave(self) -> None: ...


class Noted:
    """A camera that notes the time of its last frame."""

    def __init__(self, url: str) -> None:
        self._camera = OpenCvCamera(url)
        self.time_s = 0.0

    def shot(self, timeout_s: float) -> Shot:
        """Return the next shot; see `Camera.shot`."""
        shot = self._camera.shot(timeout_s)
        self.time_s = shot.time_s
        return shot

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()


def _serve(planned: Film, pipe: Connection) -> None:
    """Serve the roll; then send the time at which its first still picture was sent."""
    frames = list(planned.frames())
    still = next(number for number in range(len(frames)) if number / RATE >= planned.still_s)
    sent: dict[int, float] = {}

    def frame(number: int) -> Frame:
        sent[number] = time.monotonic()
        return frames[min(number, len(frames) - 1)]

    with MjpegServer(frame, RATE) as server:
        pipe.send(server.url)
        pipe.recv()
        pipe.send(sent[still])


def _delays(planned: Film, folder: Path) -> tuple[float, float] | None:
    """Return the seconds from rest, and from the frame that decided, to the screen; None if the roll was not read."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(planned, there), daemon=True)
    process.start()
    url = here.recv()
    screen = Screen()
    opened: list[Noted] = []
    read: list[tuple[float, float]] = []

    def open_camera() -> Camera:
        opened.append(Noted(url))
        return opened[-1]

    def observe(event: Input) -> None:
        if isinstance(event, DiceRead):
            read.append((opened[-1].time_s, time.monotonic()))

    buttons = SimpleNamespace(stuck=lambda: (), close=lambda: None)
    with Session(
        Journal(folder / "journal.txt"),
        lambda: screen,
        lambda _: cast("Buttons", buttons),
        open_camera,
        config=Config(),
        start=Situation(Waiting(), Game.new(["yellow", "green"]), 1),
        observe=observe,
    ):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not (read and screen.times[-1] > read[0][1]):
            time.sleep(0.01)
    here.send(None)
    rested_s = here.recv()
    process.join()
    if not read:
        return None
    decided_s, read_s = read[0]
    shown_s = next(shown_s for shown_s in screen.times if shown_s > read_s)
    return shown_s - rested_s, shown_s - decided_s


def main() -> None:
    """Print both times."""
    found: list[tuple[float, float]] = []
    seed = FIRST_SEED
    while len(found) < ROLLS:
        planned = film(seed)
        seed += 1
        if planned.throw.setting.camera.size[0] < 1280 or planned.rate != RATE or planned.throw.before:
            continue
        with tempfile.TemporaryDirectory() as folder:
            delays = _delays(planned, Path(folder))
        print(planned.seed, planned.kind[0], "not read" if delays is None else "{:.2f} s, {:.2f} s".format(*delays))
        if delays is not None:
            found.append(delays)
    for name, times in zip(("from rest", "from the frame that decided"), zip(*found, strict=True), strict=True):
        print(f"{name} to the screen: median {statistics.median(times):.2f} s, longest {max(times):.2f} s")


if __name__ == "__main__":
    main()
