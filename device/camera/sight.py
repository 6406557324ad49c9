"""What the camera saw, kept for whoever wants to look at it: the newest frame, and the one that a roll was read in."""

from __future__ import annotations

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
