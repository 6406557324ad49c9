"""What an accepted input leads to, beside the new state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from device.referee.states import Situation


class Effect(Enum):
    """What the box is to do beside showing the new state."""

    READ_AGAIN = auto()
    """Read the dice that lie in the tray, even though nobody threw them since the last reading."""
    TRAY_CHECKED = auto()
    """The players know that the camera was moved."""
    KEEP_PREFERENCES = auto()
    """The players chose something: the situation's preferences are to outlive a restart."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an accepted input leads to."""

    situation: Situation
    effects: tuple[Effect, ...] = ()
