"""The result of an accepted input."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from device.referee.inputs import DiceRead
from device.referee.states import Situation


class Effect(Enum):
    """The actions of the box besides showing the new state."""

    READ_AGAIN = auto()
    """Read the dice in the tray, even if they were not rolled since the last reading."""
    TRAY_CHECKED = auto()
    """The players know that the camera was moved."""
    KEEP_PREFERENCES = auto()
    """The preferences have changed and are to be stored."""
    AWAIT_STILL = auto()
    """Report when nothing has moved in the tray for a second from now, or on and on; answered by `TrayStill`."""
    MEASURE_TRAY = auto()
    """Look at the tray and suggest changes to camera and lamp; answered by `TrayMeasured`."""
    LEARN_TRAY = auto()
    """The same, and store the calibration."""
    CHECK_PARTS = auto()
    """Check all parts of the box; answered by a `Finding` for each."""
    ASK_NETWORK = auto()
    """Find the addresses of the box; answered by `NetworkSeen`."""
    JOIN_NETWORK = auto()
    """Join the network that the state names; answered by `NetworkSeen`, as are the next two."""
    OPEN_HOTSPOT = auto()
    """Become a hotspot."""
    CLOSE_HOTSPOT = auto()
    """Return from it to the network before."""
    ASK_PAGE = auto()
    """Find the page's address; answered by `PageReady`."""
    ASK_FEWEST = auto()
    """Look up the solo games with the fewest turns; answered by `FewestKnown`."""
    ASK_STORY = auto()
    """Compute the story of the game that is over; answered by `StoryKnown`."""
    ASK_COACH = auto()
    """Ask the strongest opponent about the decision that is due; answered by `Advised`."""
    RESTORE = auto()
    """Store the games of the backup that was agreed to; the preferences are those of the new situation."""
    TRY_DISPLAY = auto()
    """Switch to the next way of driving the display: the other controller, or the other rotation."""
    KEEP_DISPLAY = auto()
    """The display works: store its controller and rotation for the next start."""
    ASK_VERSION = auto()
    """Observe the change of the version that the state names; answered by `VersionSeen`, again and again."""
    CHANGE_VERSION = auto()
    """Begin it, then observe it."""
    SWITCH_OFF = auto()
    """Switch the whole box off; answered by `StaysOn` if that is refused."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an accepted input.

    Attributes:
        situation: The new situation.
        effects: What else the box has to do.
        then: The next input: dice rolled while another screen covered the game, which count now.
    """

    situation: Situation
    effects: tuple[Effect, ...] = ()
    then: DiceRead | None = None
