"""The states of the box's own screens: first start, menu, rules summary, self-check and switching off.

Each has in `before` the state that follows when it is finished, skipped or left. The first start is a chain of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.referee.inputs import Finding
from device.referee.state import Overlay


@dataclass(frozen=True, slots=True)
class ChoosingLanguage(Overlay):
    """Asks for the language. The screen is in the language under the cursor."""

    cursor: int = 0


@dataclass(frozen=True, slots=True)
class TryingButtons(Overlay):
    """Asks for one button after another; holding any of them skips the rest.

    Attributes:
        pressed: The number of buttons pressed correctly so far.
        other: The button that was pressed instead of the requested one; None if the last press was right.
    """

    pressed: int = 0
    other: str = ""


@dataclass(frozen=True, slots=True)
class TryingSignal(Overlay):
    """Asks whether the lamp ("light") or the buzzer ("sound") worked, after it was tried."""

    signal: str = "light"


@dataclass(frozen=True, slots=True)
class OfferingPage(Overlay):
    """Asks whether the players want the page for phones in the network; until they say so there is none."""


@dataclass(frozen=True, slots=True)
class CalibratingTray(Overlay):
    """Calibrates the empty tray, and shows advice about camera and lamp.

    Attributes:
        asked: Whether the camera was asked to look.
        problem: Why calibration failed: a key of `texts.TRAY_PROBLEMS`; "" if it succeeded.
        advice: Pairs of a `vision.tray.advice.Change` and whether it prevents reading; None before the look.
        page: The number of the advice that is shown, from 0.
    """

    asked: bool = False
    problem: str = ""
    advice: tuple[tuple[str, bool], ...] | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class TrialThrow(Overlay):
    """A roll outside of any game, to see that dice are read."""

    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoxMenu(Overlay):
    """The menu of the box itself: sound, light, language, self-check and so on."""

    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Rules(Overlay):
    """The rules summary for the variants being played, one topic per page."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class About(Overlay):
    """The version and licence."""


@dataclass(frozen=True, slots=True)
class Network(Overlay):
    """The addresses at which the box can be reached; None until they are known."""

    addresses: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Checking(Overlay):
    """The self-check.

    Attributes:
        findings: The results so far.
        cursor: The probe under the cursor.
        opened: Whether its finding is shown in full.
    """

    findings: tuple[Finding, ...] = ()
    cursor: int = 0
    opened: bool = False


@dataclass(frozen=True, slots=True)
class ShuttingDown(Overlay):
    """Asks to hold a button before the box is switched off."""


@dataclass(frozen=True, slots=True)
class SwitchingOff(Overlay):
    """The box is being switched off; after the next start the game continues from `before`.

    Attributes:
        before: The state after the next start.
        failed: Whether the system refused.
    """

    failed: bool = False


@dataclass(frozen=True, slots=True)
class CheckingFrame(Overlay):
    """Asks whether the border of the display is complete. If not, the display is driven in another way."""


BOX_STATES: tuple[type[Overlay], ...] = (
    CheckingFrame, ChoosingLanguage, TryingButtons, TryingSignal, OfferingPage, CalibratingTray, TrialThrow, BoxMenu,
    Rules, About, Network, Checking, ShuttingDown, SwitchingOff,
)  # fmt: skip
"""All states in this module."""
