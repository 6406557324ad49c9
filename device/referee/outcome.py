"""What an accepted input leads to, beside the new state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from device.referee.inputs import DiceRead
from device.referee.states import Situation


class Effect(Enum):
    """What the box is to do beside showing the new state."""

    READ_AGAIN = auto()
    """Read the dice that lie in the tray, even though nobody threw them since the last reading."""
    TRAY_CHECKED = auto()
    """The players know that the camera was moved."""
    KEEP_PREFERENCES = auto()
    """The players chose something: the situation's preferences are to outlive a restart."""
    MEASURE_TRAY = auto()
    """Look at the tray and say what to change about camera and lamp; `TrayMeasured` is the answer."""
    LEARN_TRAY = auto()
    """The same, and keep what was learnt of it."""
    EXAMINE = auto()
    """Check all parts of the box; a `Finding` for each is the answer."""
    ASK_NETWORK = auto()
    """Ask under which addresses the box is reached; `NetworkSeen` is the answer."""
    ASK_PAGE = auto()
    """Find out where the table's page is; `PageReady` is the answer."""
    ASK_FEWEST = auto()
    """Look up who needed the fewest turns alone; `FewestKnown` is the answer."""
    TRY_DISPLAY = auto()
    """Drive the display in the next way: as another controller, or the other way up."""
    KEEP_DISPLAY = auto()
    """The way in which the display is driven works: keep it for the next start."""
    SWITCH_OFF = auto()
    """Switch the whole box off; `StaysOn` is the answer where that is refused."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an accepted input leads to.

    Attributes:
        situation: The new situation.
        effects: What else is to be done.
        missed: Dice that were thrown while another screen lay over the game, and count now: the next input.
    """

    situation: Situation
    effects: tuple[Effect, ...] = ()
    missed: DiceRead | None = None
