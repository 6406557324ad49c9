"""The states in which the box is about itself: first start, its menu, rules in short, its own check, switching off.

Each holds in `before` where it leads when it is over, skipped or left. The first start is a chain of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.referee.state import Over

Values = tuple[tuple[str, str | int | float], ...]
"""What goes into the places of a text, by name."""


@dataclass(frozen=True, slots=True)
class ChoosingLanguage(Over):
    """Which language? The screen speaks the one that the cursor is on."""

    cursor: int = 0


@dataclass(frozen=True, slots=True)
class TryingButtons(Over):
    """Asks for one button after another; holding any of them skips the rest.

    Attributes:
        pressed: How many were pressed when they were asked for.
        other: The button that came instead of the one asked for, if that was the last press.
    """

    pressed: int = 0
    other: str = ""


@dataclass(frozen=True, slots=True)
class TryingSignal(Over):
    """Lamp or buzzer has just been tried: did it work?

    Attributes:
        signal: Which of the two, by its preference: "light" or "sound".
    """

    signal: str = "light"


@dataclass(frozen=True, slots=True)
class OfferingPage(Over):
    """Is the table's page wanted, for phones in the network? Until somebody says so there is none."""


@dataclass(frozen=True, slots=True)
class CalibratingTray(Over):
    """Learns the empty tray, and says what to change about camera and lamp.

    Attributes:
        asked: Whether the camera was asked to look.
        problem: Why nothing could be learnt: a key of `texts.TRAY_PROBLEMS`; "" where something was.
        advice: What to change, as `vision.tray.advice.Change` names it, and whether it hinders; None before the look.
        page: Which advice is shown, counted from 0.
    """

    asked: bool = False
    problem: str = ""
    advice: tuple[tuple[str, bool], ...] | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class TrialThrow(Over):
    """A throw that counts for nothing, to see that dice are read."""

    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoxMenu(Over):
    """The menu of the box itself: sound, light, language, check and so on."""

    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Rules(Over):
    """The rules in short, for the variant being played; a topic a page."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class About(Over):
    """What this is, and whose."""


@dataclass(frozen=True, slots=True)
class Network(Over):
    """Under which addresses the box is reached; None until that is known."""

    addresses: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Checking(Over):
    """The box checks itself.

    Attributes:
        findings: What was found so far: probe, level, what and values, as in `inputs.Finding`.
        cursor: Which probe the cursor is on.
        opened: Whether that one's finding is shown in full.
    """

    findings: tuple[tuple[str, str, str, Values], ...] = ()
    cursor: int = 0
    opened: bool = False


@dataclass(frozen=True, slots=True)
class ShuttingDown(Over):
    """Asks for a held button before the box is switched off."""


@dataclass(frozen=True, slots=True)
class SwitchingOff(Over):
    """The box is being switched off; after that the game goes on from `before`.

    Attributes:
        before: Where the box is when it is on again.
        failed: Whether the system refused.
    """

    failed: bool = False


@dataclass(frozen=True, slots=True)
class CheckingFrame(Over):
    """Is the frame along the display's border whole? If not, the display is driven in another way."""


BOX_STATES: tuple[type[Over], ...] = (
    CheckingFrame, ChoosingLanguage, TryingButtons, TryingSignal, OfferingPage, CalibratingTray, TrialThrow, BoxMenu,
    Rules, About, Network, Checking, ShuttingDown, SwitchingOff,
)  # fmt: skip
"""All of these."""
