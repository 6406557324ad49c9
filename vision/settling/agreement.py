"""Do readings of different frames of the same still dice agree?"""

from __future__ import annotations

import math
from collections import deque
from itertools import takewhile

from vision.settling.new_throw import kept
from vision.types import Reading, Reason

AGREEING = 2  # number of consecutive readings that must agree; 2 to 4
PATIENCE = 4  # number of readings after which a tray counts as unreadable; `AGREEING` to 8
RETRY_S = 0.5  # time after which an unreadable tray is read again, in seconds; 0.2 to 2
SAME_PLACE = 0.2  # largest distance between the places of a die in two readings, in sizes of the die; 0.1 to 0.5


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
    def has_just_decided(self) -> bool:
        """Whether the last reading was the first one that agreed, or that used up the patience."""
        return self._has_agreed or self._count == PATIENCE

    def add(self, time_s: float, reading: Reading) -> Reading | None:
        """Add a reading; return the tray's.

        Returns:
            The dice on which the readings agree, or "no dice" if the tray is empty. After `PATIENCE` readings, another
            reason why the tray is unreadable. None if more readings are needed.
        """
        self._readings.append(reading)
        self._count += 1
        alike = list(takewhile(lambda one: _agree(one, reading), reversed(self._readings)))
        if len(alike) >= AGREEING:
            self._has_agreed = True
            return reading
        if self._count < PATIENCE:
            return None
        # The cause may be only noise or a flickering lamp, so read again, but not at every frame, unless it has
        # just become readable.
        refused = next((one for one in reversed(self._readings) if one.reason not in (None, Reason.NO_DICE)), None)
        if not alike or refused is None:
            self._next_s = time_s + RETRY_S
        return refused or Reading(reading.dice, Reason.UNSURE, "readings of the same still dice do not agree")


def _agree(one: Reading, other: Reading) -> bool:
    """Whether two readings agree on the dice, or on an empty tray."""
    if not (one.ok and other.ok):
        return one.reason is Reason.NO_DICE and other.reason is Reason.NO_DICE
    return len(one.dice) == len(other.dice) == kept(one.dice, other.dice, SAME_PLACE)
