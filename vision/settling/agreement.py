"""Do readings of different frames of the same still dice agree?"""

from __future__ import annotations

import math
from collections import deque
from enum import Enum, auto
from itertools import takewhile

from vision.settling.new_throw import kept
from vision.types import Reading, Reason

AGREEING = 2
"""The number of consecutive readings that must agree; 2 to 4."""

PATIENCE = 4
"""The number of readings after which a tray counts as unreadable; `AGREEING` to 8."""

RETRY_S = 0.5
"""The time after which an unreadable tray is read again, in seconds; 0.2 to 2."""

SAME_PLACE = 0.2
"""The largest distance between the places of a die in two readings, in sizes of the die; 0.1 to 0.5."""


class Outcome(Enum):
    """The result of the readings of a still tray."""

    OPEN = auto()
    """More readings are needed."""
    AGREED = auto()
    """The readings agree on the dice, or that there are none."""
    UNREADABLE = auto()
    """After `PATIENCE` readings, they were refused or do not agree."""


class Agreement:
    """Collects the readings of a still tray."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Start again, because something has moved."""
        self._readings: deque[Reading] = deque(maxlen=PATIENCE)
        self._count = 0
        self._has_agreed = False
        self._next_s = -math.inf

    def wants_reading(self, time_s: float) -> bool:
        """Whether the tray should be read now."""
        return not self._has_agreed and time_s >= self._next_s

    @property
    def last(self) -> Reading | None:
        """The last reading; None before the first one."""
        return self._readings[-1] if self._readings else None

    @property
    def has_just_failed(self) -> bool:
        """Whether the last reading was the one that used up the patience."""
        return self._count == PATIENCE

    def add(self, time_s: float, reading: Reading) -> tuple[Outcome, Reading]:
        """Add a reading; return the result so far and the reading that represents it."""
        self._readings.append(reading)
        self._count += 1
        alike = list(takewhile(lambda one: _agree(one, reading), reversed(self._readings)))
        if len(alike) >= AGREEING:
            self._has_agreed = True
            return Outcome.AGREED, reading
        if self._count < PATIENCE:
            return Outcome.OPEN, reading
        # The cause may be only noise or a flickering lamp, so read again, but not at every frame, unless it has
        # just become readable.
        refused = next((one for one in reversed(self._readings) if not one.ok), None)
        if not alike or refused is None:
            self._next_s = time_s + RETRY_S
        differ = Reading(reading.dice, Reason.UNSURE, "readings of the same still dice do not agree")
        return Outcome.UNREADABLE, refused or differ


def _agree(one: Reading, other: Reading) -> bool:
    """Whether two readings agree on the dice, or on an empty tray."""
    if not (one.ok and other.ok):
        return one.reason is Reason.NO_DICE and other.reason is Reason.NO_DICE
    return len(one.dice) == len(other.dice) == kept(one.dice, other.dice, SAME_PLACE)
