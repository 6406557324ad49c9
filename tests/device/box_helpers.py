"""A box in a test: its screens are appended to a list, and there is no watcher."""

from __future__ import annotations

from unittest.mock import Mock

from PIL import Image

from device.box import Box
from device.camera.watcher import Watcher
from device.hardware.dimming import Brightness
from device.hardware.display import DisplayError
from device.referee.states import Situation, Waiting
from engine import Game

WAITING = Situation(Waiting(), Game.new(["yellow", "green"]), 1)


def fake_watcher() -> Mock:
    """A watcher without a camera that stores the requests it receives."""
    return Mock(spec=Watcher)


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


def run(box: Box, *events, watcher: Mock | None = fake_watcher()) -> None:  # noqa: B008 - one is as good as another
    for event in events:
        box.put(event)
    box.stop()
    box.run(watcher)
