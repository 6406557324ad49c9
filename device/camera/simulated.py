"""A simulated tray: dice roll and come to rest, and the camera's frames are rendered."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np

from device.camera.port import FRAMES_PER_S, Shot
from vision.render.draw import draw
from vision.render.table import IVORY, table_scene
from vision.render.throw import Throw, plan_throw
from vision.settling.movement import grey_of
from vision.types import Frame

REST_S = 1.5
"""The time with the full frame rate after the dice came to rest, in seconds; a reading needs 0.4 s."""

RESTING_FRAME_S = 0.5
"""The time between frames after that, in seconds. Nothing changes until the next roll, and rendering is most of the
work of an idle simulated box."""


class SimulatedTray:
    """The tray, the dice and the camera above it; implements the port `Camera`."""

    def __init__(self, seed: int | None = None, *, hurried: bool = False) -> None:
        """Start with an empty tray.

        Args:
            seed: The random seed of all rolls: values, places and paths. None for a random one.
            hurried: Whether frames come as fast as they can be rendered; the frames and their times are the same either
                way.
        """
        self._seed = int(np.random.default_rng(seed).integers(2**32))
        # Separate generators for values and places: the same seed rolls the same values, wherever dice come to rest.
        self._values = np.random.default_rng(self._seed)
        self._places = np.random.default_rng((self._seed, 1))
        self._hurried = hurried
        self._lock = threading.Condition()
        self._setting = table_scene()
        self._throw: Throw | None = None
        self._throws = 0
        self.time_s = 0.0
        """The time of the newest frame, by this camera's own clock, which is slow if frames are rendered slowly."""
        self._since_s = 0.0
        self._frame: Frame | None = None
        self._next_frame = time.monotonic()

    def throw(self, dice: int = 4, values: Sequence[int] | None = None) -> tuple[int, ...]:
        """Roll that many dice, or these values, after removing those that lie there; return the values, sorted."""
        with self._lock:
            chosen = [int(value) for value in (values or self._values.integers(1, 7, size=dice))]
            self._throw = plan_throw(self._setting, chosen, self._places, bodies=[IVORY] * len(chosen))
            self._throws += 1
            self._since_s = 0.0
            self._lock.notify_all()
        return tuple(sorted(chosen))

    def shot(self, timeout_s: float) -> Shot:
        """Return the next shot; see `Camera.shot`. Never fails."""
        time_s, frame = self.frame(timeout_s)
        return Shot(time_s, grey_of(frame), lambda: frame, field_deg=self._setting.camera.field_of_view_deg)

    def frame(self, timeout_s: float) -> tuple[float, Frame]:
        """Return the next full picture and its time."""
        pause = 1 / FRAMES_PER_S
        with self._lock:
            if self._throw is None or self.still_s > REST_S:
                rests = pause if self._hurried else RESTING_FRAME_S
                if not self._lock.wait(min(rests, timeout_s)):  # a roll ends the pause at once
                    pause = rests
            self.time_s += pause
            self._since_s += pause  # a difference of times would depend, in its last digits, on how long the box waited
            throw, since_s = self._throw, self._since_s
            # Noise differs in each frame, but is the same again if the same rolls are repeated.
            noise = np.random.default_rng((self._seed, self._throws, round(since_s * FRAMES_PER_S)))
        if not self._hurried:
            self._next_frame = max(self._next_frame + pause, time.monotonic())
            time.sleep(max(0.0, self._next_frame - time.monotonic()))
        scene = self._setting if throw is None else throw.scene_at(min(since_s, throw.still_s))
        self._frame = draw(scene, noise)
        return self.time_s, self._frame

    @property
    def still_s(self) -> float:
        """The seconds since the dice came to rest; negative while they roll, 0 before the first roll."""
        return 0.0 if self._throw is None else self._since_s - self._throw.still_s

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def picture(self) -> Frame | None:
        """Return the newest frame; None before the first."""
        return self._frame
