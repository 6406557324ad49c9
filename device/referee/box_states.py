"""The states in which the box is about itself: first start, its menu, rules in short, its own check, switching off.

Each holds in `before` where it leads when it is over, skipped or left. The first start is a chain of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.referee.state import State

Values = tuple[tuple[str, str | int | float], ...]
"""What goes into the places of a text, by name."""


@dataclass(frozen=True, slots=True)
class ChoosingLanguage(State):
    """Which language? The screen speaks the one that the cursor is on."""

    before: State
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class TryingButtons(State):
    """Asks for one button after another; holding any of them skips the rest.

    Attributes:
        before: Where it leads.
        pressed: How many were pressed when they were asked for.
        other: The button that came instead of the one asked for, if that was the last press.
    """

    before: State
    pressed: int = 0
    other: str = ""


@dataclass(frozen=True, slots=True)
class OfferingPage(State):
    """Is the table's page wanted, for phones in the network? Until somebody says so there is none."""

    before: State


@dataclass(frozen=True, slots=True)
class CalibratingTray(State):
    """Learns the empty tray, and says what to change about camera and lamp.

    Attributes:
        before: Where it leads.
        asked: Whether the camera was asked to look.
        problem: Why nothing could be learnt: a key of `texts.TRAY_PROBLEMS`; "" where something was.
        advice: What to change, as `vision.tray.advice.Change` names it, and whether it hinders; None before the look.
        page: Which advice is shown, counted from 0.
    """

    before: State
    asked: bool = False
    problem: str = ""
    advice: tuple[tuple[str, bool], ...] | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class TrialThrow(State):
    """A throw that counts for nothing, to see that dice are read."""

    before: State
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoxMenu(State):
    """The menu of the box itself: sound, light, language, check and so on."""

    before: State
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Rules(State):
    """The rules in short, for the variant being played; a topic a page."""

    before: State
    page: int = 0


@dataclass(frozen=True, slots=True)
class About(State):
    """What this is, and whose."""

    before: State


@dataclass(frozen=True, slots=True)
class Network(State):
    """Under which addresses the box is reached; None until that is known."""

    before: State
    addresses: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Checking(State):
    """The box checks itself.

    Attributes:
        before: Where it leads.
        findings: What was found so far: probe, level, what and values, as in `inputs.Finding`.
        cursor: Which probe the cursor is on.
        opened: Whether that one's finding is shown in full.
    """

    before: State
    findings: tuple[tuple[str, str, str, Values], ...] = ()
    cursor: int = 0
    opened: bool = False


@dataclass(frozen=True, slots=True)
class ShuttingDown(State):
    """Asks for a held button before the box is switched off."""

    before: State


@dataclass(frozen=True, slots=True)
class SwitchingOff(State):
    """The box is being switched off; after that the game goes on from `before`.

    Attributes:
        before: Where the box is when it is on again.
        failed: Whether the system refused.
    """

    before: State
    failed: bool = False


@dataclass(frozen=True, slots=True)
class CheckingFrame(State):
    """Is the frame along the display's border whole? If not, the display is driven in another way."""

    before: State
