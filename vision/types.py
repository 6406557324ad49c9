"""The result of reading a frame: the dice, or the reason why there is no reading."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Frame = NDArray[np.uint8]
"""A picture: (H, W, 3) uint8, BGR as in OpenCV."""

Grey = NDArray[np.uint8]
"""A small grey picture from a camera, shape (h, w)."""

Box = tuple[float, float, float, float]
"""An upright rectangle in pixels: (x0, y0, x1, y1), x to the right, y down."""


PATTERN: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""The pips of each value: column and row, in steps from the centre of the face to the outer pips."""


LIKELY = 0.5  # default probability threshold: above it, something is taken to be true


class Reason(StrEnum):
    """The reason why there is no reading. `cantstop read` prints its value."""

    NO_DICE = "no dice"
    COUNT = "count"
    COCKED = "cocked"
    HAND = "hand"
    DARK = "dark"
    NEAR = "too near"
    BLURRED = "blurred"
    MOVING = "moving"
    OUT_OF_TRAY = "out of tray"
    GLARE = "glare"
    EMBLEM = "emblem"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Die:
    """A die that was read.

    Attributes:
        value: The number of pips on its top face, 1 to 6.
        box: Bounding box of the top face, in pixels of the frame.
        confidence: Probability of the value, 0 to 1.
        runner_up: Second most likely value, offered first when players correct the die.
    """

    value: int
    box: Box
    confidence: float
    runner_up: int


@dataclass(frozen=True, slots=True)
class Pose:
    """A pinhole camera's pose, in the picture's axes (x to the right, y down).

    Attributes:
        up: Component in the picture plane, (x, y), of the unit vector that points up from the tray's floor. Its length
            is sin(tilt): (0, 0) if the camera looks straight down.
        middle: Intersection of the optical axis with the picture, (x, y) in pixels.
        per_px: Reciprocal of the focal length in pixels.
    """

    up: tuple[float, float]
    middle: tuple[float, float]
    per_px: float

    @classmethod
    def centred(cls, up: tuple[float, float], per_px: float, size: tuple[int, int]) -> Pose:
        """Return the pose of a camera whose optical axis meets the centre of its picture, of `size` in pixels."""
        return cls(up, ((size[0] - 1) / 2, (size[1] - 1) / 2), per_px)

    def off_axis(self, place: tuple[float, float]) -> tuple[float, float]:
        """Return the angles between a place of the picture, in pixels, and the optical axis, as tangents (x, y)."""
        return (place[0] - self.middle[0]) * self.per_px, (place[1] - self.middle[1]) * self.per_px


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one frame. If `reason` is None, the dice hold.

    Attributes:
        dice: The dice found, from top to bottom, then left to right, even if the reading is refused. Empty if the
            picture is too dark or covered.
        reason: The reason for a refusal; None if the dice hold.
        detail: The reason with place and figures, for the debug picture and bug reports; "" for a valid reading.
        pose: The camera's pose as estimated from these dice; None if they do not hold.
    """

    dice: tuple[Die, ...]
    reason: Reason | None = None
    detail: str = ""
    pose: Pose | None = None

    @property
    def certain_pose(self) -> Pose | None:
        """The camera's pose if three or more dice show it, as one or two might lean; otherwise None."""
        return self.pose if len(self.dice) > 2 else None

    @property
    def ok(self) -> bool:
        """Whether the dice hold: the reading was not refused."""
        return self.reason is None

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the dice, sorted; empty if the reading was refused."""
        return tuple(sorted(die.value for die in self.dice)) if self.ok else ()
