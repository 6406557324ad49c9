"""A stream with real dice from a table that is filmed: red dice are thrown onto a sheet of paper on a wooden table.

`FilmedTable` returns the pictures, which `tools.hardware.mjpeg_server` serves to `cantstop play
--camera URL`. `Browser` plays on that program's page: it reads the answers and presses the buttons.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from device.referee.inputs import Button
from tests.waiting import until
from tools.hardware.boot.phone import Phone
from vision.render.draw import draw
from vision.render.scene import Scene, Surface, colour
from vision.render.surfaces import WOOD
from vision.render.table import IVORY, table_scene
from vision.render.throw import plan_throw
from vision.types import Frame

FRAMES_PER_S = 15.0
RED = replace(IVORY, body=colour("#b3202c"), pip=colour("#f4f1ea"))
PRESS_S = 0.8
"""The time from seeing a screen to pressing a button, in seconds; a STOP right after a change is ignored."""
Table = dict[str, Any]


def paper_scene() -> Scene:
    """Return a sheet of A4 paper on a wooden table, seen by a webcam from 33 cm, tilted by 9 degrees."""
    scene = table_scene((640, 360))
    paper = Surface(colour("#efece4"), None, 0.02, seed=2)
    sheet = replace(
        scene.tray, width_mm=297.0, depth_mm=210.0, wall_mm=0.5, rim_mm=0.5, floor=paper, wall=paper,
        table=Surface(colour("#8a6a45"), WOOD, 0.12, seed=5),
    )  # fmt: skip
    return replace(scene, tray=sheet, camera=replace(scene.camera, height_mm=330.0, tilt_deg=9.0))


class FilmedTable:
    """Dice that are thrown onto the paper. A throw is rendered before it is shown, so that it moves smoothly."""

    def __init__(self, seed: int, rolls: Iterable[tuple[int, ...]] = ()) -> None:
        """Start with an empty sheet of paper; the dice show `rolls`, and random values after them."""
        self._rolls = iter(rolls)
        self._chance = np.random.default_rng(seed)
        self._noise = np.random.default_rng((seed, 1))
        self._grain = np.random.default_rng((seed, 2))
        self._scene = paper_scene()
        self._lock = threading.Lock()
        self._moving: deque[Frame] = deque()
        self._still = draw(self._scene, self._noise)

    def throw(self, dice: int) -> tuple[int, ...]:
        """Take away the dice that lie there and throw some; return their values, sorted."""
        values = next(self._rolls, ()) or tuple(map(int, self._chance.integers(1, 7, dice)))
        throw = plan_throw(self._scene, values, self._chance, bodies=[RED] * len(values))
        times = np.arange(0.0, throw.still_s, 1 / FRAMES_PER_S)
        moving = deque(draw(throw.scene_at(float(time_s)), self._noise) for time_s in times)
        still = draw(throw.scene_at(throw.still_s), self._noise)
        with self._lock:
            self._moving, self._still = moving, still
        return tuple(sorted(values))

    def frame(self, _: int) -> Frame:
        """Return the next picture; a scene at rest gets new noise each time."""
        with self._lock:
            if self._moving:
                return self._moving.popleft()
            still = self._still
        grain = self._grain.integers(-2, 3, (*still.shape[:2], 1), dtype=np.int16)
        return np.asarray(np.clip(still + grain, 0, 255), np.uint8)


class Browser(Phone):
    """The page's API, as a browser on this computer uses it."""

    def __init__(self, link: str) -> None:
        """Pair by the link that the program prints."""
        address, _, code = link.partition("/P/")
        super().__init__(address)
        until(self.is_served, f"a page at {address}", pause_s=0.2)
        self.pair(code)

    def table(self) -> Table:
        """Return the table as it is now."""
        return self.ask("/api/events")

    def press_from(self, button: str, before: Table) -> Table:
        """Press a button as fast as a person does; return the table once it has changed."""
        time.sleep(PRESS_S)
        self.press(Button(button))
        return until(
            lambda: now if (now := self.table())["serial"] != before["serial"] else None,
            f"a change by {button}",
            pause_s=0.1,
        )
