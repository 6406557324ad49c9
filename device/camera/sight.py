"""What the camera saw, for whoever wants to look at it: a picture as it is now, and the one that a roll was read in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from vision.reading import Frame, Reading


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A frame and what was read in it. Nobody changes either.

    Attributes:
        frame: (H, W, 3) uint8, BGR.
        reading: The dice; None while nothing was read.
        time_s: When it was taken, in seconds of the camera's own clock.
    """

    frame: Frame
    reading: Reading | None
    time_s: float


class Sights:
    """Where one thread asks for a picture, and the one that has the camera serves it: none is fetched for nobody."""

    def __init__(self) -> None:
        """Begin with nobody asking."""
        self._is_served = threading.Condition()
        self._asking = 0
        self._served = 0
        self._last: Sight | None = None

    def ask(self, timeout_s: float) -> Sight | None:
        """Wait for a picture taken from now on; None where none came within so many seconds."""
        with self._is_served:
            before = self._served
            self._asking += 1
            try:
                came = self._is_served.wait_for(lambda: self._served > before, timeout_s)
            finally:
                self._asking -= 1
            return self._last if came else None

    def serve(self, look: Callable[[], Sight]) -> None:
        """Give a picture to all that ask for one, if any does."""
        if not self._asking:
            return
        sight = look()
        with self._is_served:
            self._last = sight
            self._served += 1
            self._is_served.notify_all()
