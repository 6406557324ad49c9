"""Do readings of different frames of the same still dice agree?"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from itertools import takewhile

from vision.settling.new_throw import moved
from vision.types import Reading, Reason


@dataclass(frozen=True, slots=True)
class AgreementParams:
    """The parameters for agreement between readings.

    Attributes:
        agreeing: Number of consecutive readings that must agree; 2 to 4.
        patience: Number of readings after which a tray counts as unreadable; `agreeing` to 8.
        retry_s: Time after which an unreadable tray is read again, seconds; 0.2 to 2.
        same_place: Largest distance between the places of a die in two readings, as a part of its size; 0.1 to 0.5.
    """

    agreeing: int = 2
    patience: int = 4
    retry_s: float = 0.5
    same_place: float = 0.2


class Outcome(Enum):
    """The result of the readings of a still tray."""

    OPEN = auto()
    """More readings are needed."""
    AGREED = auto()
    """The readings agree on the dice, or that there are none."""
    UNREADABLE = auto()
    """After `patience` readings, they were refused or do not agree."""


class Agreement:
    """Collects the readings of a still tray."""

    def __init__(self, params: AgreementParams) -> None:
        self._params = params
        self.restart()

    def restart(self) -> None:
        """Start again, because something has moved."""
        self._readings: deque[Reading] = deque(maxlen=self._params.patience)
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
        return self._count == self._params.patience

    def add(self, time_s: float, reading: Reading) -> tuple[Outcome, Reading]:
        """Add a reading; return the result so far and the reading that represents it."""
        self._readings.append(reading)
        self._count += 1
        alike = list(takewhile(lambda one: self._agree(one, reading), reversed(self._readings)))
        if len(alike) >= self._params.agreeing:
            self._has_agreed = True
            return Outcome.AGREED, reading
        if self._count < self._params.patience:
            return Outcome.OPEN, reading
        # The cause may be only noise or a flickering lamp, so read again, but not at every frame, unless it has
        # just become readable.
        refused = next((one for one in reversed(self._readings) if not one.ok), None)
        if not alike or refused is None:
            self._next_s = time_s + self._params.retry_s
        differ = Reading(reading.dice, Reason.UNSURE, "readings of the same still dice do not agree")
        return Outcome.UNREADABLE, refused or differ

    def _agree(self, one: Reading, other: Reading) -> bool:
        """Whether two readings agree on the dice, or on an empty tray."""
        if not (one.ok and other.ok):
            return one.reason is Reason.NO_DICE and other.reason is Reason.NO_DICE
        same_count = len(one.dice) == len(other.dice)
        return same_count and moved(one.dice, other.dice, self._params.same_place) == 0
