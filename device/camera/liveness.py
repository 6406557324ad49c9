"""When a camera counts as dead: it sends no frames, or black or frozen ones without any error from its driver."""

from __future__ import annotations

import numpy as np

from device.camera.port import CameraError
from device.referee.inputs import CameraTrouble
from vision.types import Grey

FRAME_TIMEOUT_S = 2.0
"""The longest wait for one frame, in seconds, after which the camera counts as dead; thirty are overdue by then."""

FROZEN_S = 5.0
"""The time with an identical picture, which sensor noise rules out, after which the camera is frozen, in seconds."""

BLACK_S = 2.0
"""The time with a black picture after which the camera counts as broken, in seconds: longer than a camera needs to find
its exposure after a start."""

BLACK_LEVEL = 16
"""The grey level, of 255, that the brightest values must reach; otherwise the picture counts as black. 16 is black in
video. A tray in a room at dusk has parts at 40 and more, which the reader reports as too dark."""

_BRIGHTEST = 99.9
"""The percentile used as the brightest value, because old sensors have a few hot pixels."""


class LivenessCheck:
    """Checks each frame of one camera before it is read."""

    def __init__(self) -> None:
        """Start with a camera that has just been opened."""
        self._last: Grey | None = None
        self._changed_s: float | None = None
        self._lit_s: float | None = None

    def is_live(self, time_s: float, now: Grey) -> bool:
        """Whether a small picture differs from the one before, even if only by noise.

        Args:
            time_s: When it was taken, in seconds of the camera's clock.
            now: uint8 grey, shape (h, w); must not be changed later.

        Raises:
            CameraError: If there was no such frame for `FROZEN_S` or `BLACK_S`.
        """
        is_lit = float(np.percentile(now, _BRIGHTEST)) >= BLACK_LEVEL
        is_new = self._last is None or not np.array_equal(now, self._last)
        self._last = now
        if is_lit or self._lit_s is None:
            self._lit_s = time_s
        if is_new or self._changed_s is None:
            self._changed_s = time_s
        if time_s - self._lit_s >= BLACK_S:
            raise CameraError("the camera's picture is black: is the lamp on, is the lens free?", CameraTrouble.BLACK)
        if time_s - self._changed_s >= FROZEN_S:
            raise CameraError("the camera's picture is frozen: restarting the camera", CameraTrouble.FROZEN)
        return is_lit and is_new
