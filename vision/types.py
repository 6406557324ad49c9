"""What a look at the tray gives: each die, or the reason why there is no reading."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.stages.pose import Pose

Frame = NDArray[np.uint8]
"""A picture: uint8, shape (H, W, 3), channels in BGR order, as OpenCV has them."""

Grey = NDArray[np.uint8]
"""A small grey picture as a camera gives it, shape (h, w)."""

Box = tuple[float, float, float, float]
"""An upright rectangle in pixels: (x0, y0, x1, y1), x to the right, y down."""


Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

PATTERN: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Where each value's pips lie: columns and rows, in steps from the middle of the face to the outer pips."""


LIKELY = 0.5
"""What has a higher probability than this is taken to be so, where nothing asks for more."""


class Reason(StrEnum):
    """Why a frame gives no reading. The value is what `cantstop read --json` prints."""

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
    """One die as read.

    Attributes:
        value: The number of pips on its top face, 1 to 6.
        box: Where the top face is, in pixels of the frame that was read.
        confidence: How sure the value is, 0 to 1.
        runner_up: The likeliest other value, offered first when players correct a die.
        colour: The body's colour; None where it was not looked for.
    """

    value: int
    box: Box
    confidence: float
    runner_up: int
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one frame: either `reason` is None and the dice hold, or it says why not.

    Attributes:
        dice: Every die found, in reading order (top to bottom, then left to right), also when refused; none if the
            picture is too dark or covered, as then no die is read.
        reason: None where the dice can be relied on.
        detail: The reason in figures, for the debug picture and bug reports; "" where there is none.
        pose: The camera's pose by these dice; None where they do not hold.
    """

    dice: tuple[Die, ...]
    reason: Reason | None = None
    detail: str = ""
    pose: Pose | None = None

    @property
    def ok(self) -> bool:
        """Whether the dice can be relied on."""
        return self.reason is None

    @property
    def values(self) -> tuple[int, ...]:
        """The dice's values, sorted; empty where the reading was refused."""
        return tuple(sorted(die.value for die in self.dice)) if self.ok else ()
