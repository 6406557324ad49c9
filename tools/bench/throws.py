"""Shows a still picture to settling frame by frame, as a camera would, and times each frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import thread_time

from vision.reader import read
from vision.settling.movement import grey_of
from vision.settling.settle import Settle
from vision.types import Frame, Reading

FRAMES = 8
"""The number of frames, at 15 a second: the dice appear, rest, are read twice, and need no more reading."""

FRAMES_PER_S = 15


@dataclass(frozen=True, slots=True)
class Step:
    """One frame through settling.

    Attributes:
        kind: "moving", "still" (nothing to read) or "read".
        ms: The time for the frame, reading included.
        reading: The reading; None if there was none.
    """

    kind: str
    ms: float
    reading: Reading | None


def show(frame: Frame, dice: int | None = 4) -> Iterator[Step]:
    """Show a picture to a new `Settle` for half a second.

    Args:
        frame: (H, W, 3) uint8, BGR.
        dice: The number of dice that the reader expects; None for any number.
    """
    readings: list[Reading] = []

    def noted(shown: Frame, before: Reading | None) -> Reading:
        readings.append(read(shown, dice=dice, before=before))
        return readings[-1]

    settle = Settle(noted)
    grey = grey_of(frame)  # a camera delivers it at no cost
    for number in range(FRAMES):
        before = len(readings)
        start = thread_time()
        settle.step(number / FRAMES_PER_S, grey, lambda: frame)
        ms = (thread_time() - start) * 1000
        if len(readings) > before:
            yield Step("read", ms, readings[-1])
        else:
            yield Step("still" if number else "moving", ms, None)
