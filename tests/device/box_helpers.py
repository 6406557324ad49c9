"""A box in a test: its screens are appended to a list, and there is no watcher."""

from __future__ import annotations

from PIL import Image

from device.box import Box
from device.hardware.display import Brightness, DisplayError
from device.referee.states import Situation, Waiting
from engine import Game

WAITING = Situation(Waiting(), Game.new(["yellow", "green"]), 1)


class FakeWatcher:
    """A watcher without a camera that stores the requests it receives."""

    def __init__(self) -> None:
        self.wanted: list[int] = []
        self.asked = 0
        self.checked = 0
        self.awaited = 0
        self.tended = 0
        self.measured: list[bool] = []
        self.misread: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def watch_for(self, dice: int) -> None:
        self.wanted.append(dice)

    def read_again(self) -> None:
        self.asked += 1

    def corrected(self, read, right) -> None:
        self.misread.append((read, right))

    def tray_checked(self) -> None:
        self.checked += 1

    def await_still(self) -> None:
        self.awaited += 1

    def tend(self, alone_s: float) -> None:
        self.tended += 1
        self.alone_s = alone_s

    def measure(self, *, learn: bool) -> None:
        self.measured.append(learn)


class Shown:
    """A display that stores its pictures and can be unplugged."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []
        self.lights: list[Brightness] = []
        self.unplugged = False
        self.opened = 0

    def open(self):
        if self.unplugged:
            raise DisplayError("the OLED does not answer")
        self.opened += 1
        return self

    def show(self, image: Image.Image) -> None:
        if self.unplugged:
            raise DisplayError("the OLED does not answer")
        self.pictures.append(image.tobytes())

    def light(self, light: Brightness) -> None:
        self.lights.append(light)

    def check(self) -> None:
        if self.unplugged:
            raise DisplayError("the OLED does not answer")

    def close(self) -> None:
        pass


def run(box: Box, *events, watcher: FakeWatcher | None = FakeWatcher()) -> None:  # noqa: B008 - one is as good as another
    for event in events:
        box.put(event)
    box.stop()
    box.run(watcher)
