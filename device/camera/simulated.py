"""A simulated tray: dice are thrown, roll and lie still, and the camera's frames are drawn."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from device.camera.port import FRAMES_PER_S, Shot
from vision.render.draw import light_of
from vision.render.scene import PlacedDie, Scene
from vision.render.sensor import noisy, shown
from vision.render.table import IVORY, table_scene
from vision.render.throw import Throw, plan_throw
from vision.settling.movement import grey_of
from vision.types import Frame

REST_S = 1.5
"""How long after the dice came to rest frames still come as usual; a reading needs 0.4 s."""

RESTING_FRAME_S = 0.5
"""After that nothing happens until the next throw, so a frame is drawn only this often: drawing is most of what an idle
simulated box costs."""


class SimulatedTray:
    """The tray, the dice and the camera above it; fits the port `Camera`."""

    def __init__(self, seed: int | None = None, *, hurried: bool = False) -> None:
        """Put an empty tray under the camera.

        Args:
            seed: Decides every throw: values, places and paths. None: new chance each time.
            hurried: Whether frames come as fast as they can be drawn while dice roll; the frames and their times
                are the same as in a tray that takes its time.
        """
        self._seed = int(np.random.default_rng(seed).integers(2**32))
        # Values and places have a generator each: the same seed throws the same values, wherever dice come to lie.
        self._values = np.random.default_rng(self._seed)
        self._places = np.random.default_rng((self._seed, 1))
        self._hurried = hurried
        self._lock = threading.Condition()
        self._setting = table_scene()
        self._throw: Throw | None = None
        self._throws = 0
        self._time_s = 0.0
        self._thrown_s = 0.0
        self._lying: tuple[PlacedDie, ...] = ()
        self._drawn: tuple[Scene, NDArray[np.float32]] | None = None
        self._frame: Frame | None = None
        self._next_frame = time.monotonic()

    def throw(self, dice: int = 4, values: Sequence[int] | None = None) -> tuple[int, ...]:
        """Throw dice into the tray; those that lie there are taken out first.

        Args:
            dice: How many.
            values: What they are to show; by chance where None.

        Returns:
            What they show in the end, sorted.
        """
        with self._lock:
            chosen = [int(value) for value in (values or self._values.integers(1, 7, size=dice))]
            self._throw = plan_throw(
                self._setting, chosen, self._places, bodies=[IVORY] * len(chosen), before=self._lying
            )
            self._throws += 1
            self._lying = self._throw.dice
            self._thrown_s = self._time_s
            self._lock.notify_all()
        return tuple(sorted(chosen))

    def shot(self, timeout_s: float) -> Shot:
        """Draw the next shot; see `Camera.shot`. It never fails."""
        time_s, frame = self.frame(timeout_s)
        return Shot(time_s, grey_of(frame), lambda: frame, field_deg=self._setting.camera.field_of_view_deg)

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        """Draw the next whole picture, and give it with its time; for whoever wants nothing else."""
        pause = 1 / FRAMES_PER_S
        with self._lock:
            if self._throw is None or self.still_s > REST_S:
                rests = pause if self._hurried else RESTING_FRAME_S
                if not self._lock.wait(min(rests, timeout_s)):  # a throw ends the pause at once
                    pause = rests
            self._time_s += pause
            throw, since = self._throw, self._time_s - self._thrown_s
        if not self._hurried:
            self._next_frame = max(self._next_frame + pause, time.monotonic())
            time.sleep(max(0.0, self._next_frame - time.monotonic()))
        return self._time_s, self._draw(throw, since)

    @property
    def still_s(self) -> float:
        """How long the dice lie still, by the camera's clock; less than 0 while they roll, 0 before the first throw."""
        return 0.0 if self._throw is None else self._time_s - self._thrown_s - self._throw.still_s

    def close(self) -> None:
        """Nothing needs to be let go."""

    @property
    def time_s(self) -> float:
        """When the newest frame was taken, by this camera's own clock: slow where frames are drawn slowly."""
        return self._time_s

    def picture(self) -> Frame | None:
        """Return the frame drawn last; None before the first."""
        return self._frame

    def _draw(self, throw: Throw | None, since_s: float) -> Frame:
        scene = self._setting if throw is None else throw.scene_at(min(since_s, throw.still_s))
        if self._drawn is None or self._drawn[0] != scene:
            self._drawn = (scene, shown(light_of(scene), scene.sensor))
        # The noise is new in each frame, and yet the same whenever the same throws are made again.
        noise = np.random.default_rng((self._seed, self._throws, round(since_s * FRAMES_PER_S)))
        self._frame = noisy(self._drawn[1], scene.sensor, noise)
        return self._frame
