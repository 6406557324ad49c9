"""Is this picture of a living camera? A black one and one that stands still are not, whatever the driver says."""

from __future__ import annotations

import numpy as np

from device.camera.port import CameraError
from device.referee.inputs import CameraTrouble
from vision.types import Grey

FROZEN_S = 5.0
"""For so long not one value of the picture has changed: the camera, or its driver, shows its last frame for ever.

A sensor's noise always changes something: of the 76,800 values of the small picture, some flip at any exposure that
shows a tray, from one frame to the next. Five seconds are 75 frames.
"""

BLACK_S = 2.0
"""For so long the picture was black: longer than a camera takes to find its exposure after it was started."""

BLACK_LEVEL = 16
"""Where not even the brightest values reach this grey level of 255 the camera sees nothing: 16 is what video calls
black. A tray in a room at dusk has parts at 40 and more; for that the reader says that it is too dark."""

_BRIGHTEST = 99.9
"""The percentile that counts as the brightest values: single hot pixels, which old sensors have, are no light."""


class Pulse:
    """Looks at each frame of one camera before it is read."""

    def __init__(self) -> None:
        """Begin with a camera just opened."""
        self._last: Grey | None = None
        self._changed_s: float | None = None
        self._lit_s: float | None = None

    def lives(self, time_s: float, now: Grey) -> bool:
        """Return whether a small picture shows something new, even if only noise.

        Args:
            time_s: When it was taken, in seconds of the camera's clock.
            now: uint8 grey, shape (h, w); nobody changes it later.

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
            raise CameraError("the camera's picture stands still: it is started anew", CameraTrouble.FROZEN)
        return is_lit and is_new
