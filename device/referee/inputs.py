"""The referee's inputs: button presses, camera readings, decisions of opponents, and requests of the page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine import Play, Position, play_text


class Button(StrEnum):
    """The four buttons: A, B and C beside the three lines of the screen, and STOP."""

    A = "A"
    B = "B"
    C = "C"
    STOP = "STOP"


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed, or held for a long press."""

    button: Button
    long: bool = False

    def __str__(self) -> str:
        return f"hold {self.button}" if self.long else str(self.button)

    @property
    def direction(self) -> int:
        """The direction in which it moves a cursor or turns a page: -1 for A, 1 for all others."""
        return -1 if self.button is Button.A else +1


class TrayView(StrEnum):
    """The contents of the tray, as shown to the players."""

    EMPTY = "empty"
    HAND = "hand"
    ROLLING = "rolling"
    UNREADABLE = "unreadable"
    USED = "used"
    """Dice at rest that were already read."""
    MISSED = "missed"
    """Dice at rest that may be a missed roll: some have moved since they were read."""
    MOVED = "camera moved"
    """The view of the tray has changed: camera or tray was pushed. Reading goes on."""
    NO_CAMERA = "no camera"


class CameraTrouble(StrEnum):
    """Camera problems, as shown to the players."""

    MISSING = "missing"
    """There is no camera, or it does not start."""
    SILENT = "silent"
    """It has stopped delivering pictures."""
    FROZEN = "frozen"
    """It delivers the same picture again and again."""
    BLACK = "black"
    """Its pictures are black."""
    HANGS = "hangs"
    """It, or the reader, does not respond."""


@dataclass(frozen=True, slots=True)
class TraySeen:
    """The contents of the tray have changed.

    Attributes:
        view: The contents.
        why: The `vision.types.Reason` if the tray is unreadable, the `CameraTrouble` if there is no camera; else "".
        dice: The number of dice seen, if that is the reason.
        values: The values of dice that may be a missed roll; else empty.
    """

    view: TrayView
    why: str = ""
    dice: int = 0
    values: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"tray {self.view}"


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die of a roll as the camera saw it, stored for statistics.

    Attributes:
        value: The value read, 1 to 6.
        confidence: The confidence of the reading, 0 to 1.
        colour: Red, green and blue of its body, 0 to 255 each; None if it was not measured.
    """

    value: int
    confidence: float
    colour: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class DiceRead:
    """Dice were rolled, came to rest and were read: one input for each roll.

    Attributes:
        dice: Their values, sorted.
        likely: Other possible readings, likeliest first, for a correction by two presses.
        seen: The individual dice in the order of their places; empty if no camera read them.
        asked: Whether the players requested the reading, so that it may not be a new roll.
    """

    dice: tuple[int, ...]
    likely: tuple[tuple[int, ...], ...] = ()
    seen: tuple[DieSeen, ...] = ()
    asked: bool = False

    def __str__(self) -> str:
        return f"dice {'-'.join(map(str, self.dice))}"


class Grade(StrEnum):
    """The grade of a finding."""

    FINE = "fine"
    ADVICE = "advice"
    """It works, but could be better."""
    BAD = "bad"
    """It does not work, or loses data."""
    ABSENT = "absent"
    """It is absent, and optional."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A result of the self-check.

    Attributes:
        probe: The part, one of `box_care.PROBES`.
        level: The grade.
        what: A key of `device.screens.texts.FINDINGS`.
        values: The values for the placeholders of that text.
    """

    probe: str
    level: Grade
    what: str
    values: tuple[tuple[str, str | int | float], ...] = ()

    def __str__(self) -> str:
        return f"finding {self.probe}"


@dataclass(frozen=True, slots=True)
class TrayMeasured:
    """The result of a requested look at the tray.

    Attributes:
        problem: Why it failed: "no camera" or "no tray"; "" if it succeeded.
        advice: Pairs of a `vision.tray.advice.Change` and whether it prevents reading.
    """

    problem: str = ""
    advice: tuple[tuple[str, bool], ...] = ()

    def __str__(self) -> str:
        return "tray measured"


@dataclass(frozen=True, slots=True)
class NetworkSeen:
    """The names and addresses at which the box can be reached; empty without a network."""

    addresses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "network seen"


@dataclass(frozen=True, slots=True)
class StaysOn:
    """The system refused to switch the box off."""

    def __str__(self) -> str:
        return "stays on"


@dataclass(frozen=True, slots=True)
class Decided:
    """An opponent has decided.

    Attributes:
        position: The position it decided about; a decision about another one is outdated.
        play: The chosen play of the current roll; None if there is no roll.
        stops: Whether it stops afterwards; otherwise it rolls again.
        why: The reason, as `engine.opponents.Why` names it.
        loss: The chance of losing the turn by rolling again, 0 to 1.
        at_stake: The number of spaces that would be lost.
        stand_in: Whether a simple strategy decided in its place.
    """

    position: Position
    play: Play | None
    stops: bool
    why: str
    loss: float
    at_stake: int
    stand_in: bool = False

    def __str__(self) -> str:
        chosen = f"play {play_text(self.play)}, " if self.play else ""
        return f"decided {chosen}{'stop' if self.stops else 'roll on'}{' (stand-in)' if self.stand_in else ''}"


@dataclass(frozen=True, slots=True)
class PageReady:
    """The page's address and pairing code.

    Attributes:
        address: What to type into a browser; "" if no page is served.
        code: The code that pairs a phone.
        phones: The number of paired phones.
        guessed_at: Whether somebody is guessing the code.
    """

    address: str
    code: str
    phones: int = 0
    guessed_at: bool = False

    def __str__(self) -> str:
        return "page"  # the code is only for people beside the box, not for the journal


@dataclass(frozen=True, slots=True)
class SoloGame:
    """A finished solo game.

    Attributes:
        place: The place in the table of the fewest turns, from 1.
        name: The player's name.
        level: The opponent's level; "" for a person.
        turns: The number of turns.
        number: The game's number.
        begun: The start time in UTC; a Pi's clock may be wrong.
    """

    place: int
    name: str
    level: str
    turns: int
    number: int
    begun: str = ""


@dataclass(frozen=True, slots=True)
class FewestKnown:
    """The table of the solitaire games with the fewest turns, from the journal.

    Attributes:
        games: The games, fewest turns first.
        is_readable: Whether the journal could be read.
    """

    games: tuple[SoloGame, ...] = ()
    is_readable: bool = True

    def __str__(self) -> str:
        return "fewest turns"


@dataclass(frozen=True, slots=True)
class DiceCorrection:
    """A correction of the dice from a phone.

    Attributes:
        dice: Their four values.
        game: The game's number.
        steps: The number of steps that the game had when the phone showed it.
    """

    dice: tuple[int, ...]
    game: int
    steps: int

    def __str__(self) -> str:
        return f"phone dice {'-'.join(map(str, self.dice))}"


@dataclass(frozen=True, slots=True)
class BoardCorrection:
    """A correction of the board from a phone.

    Attributes:
        markers: Each player's markers, as in `engine.Position`.
        runners: The runners.
        turn: The number of the player whose turn it is.
        game: The game's number.
        steps: The number of steps that the game had when the phone showed it.
    """

    markers: tuple[tuple[int, ...], ...]
    runners: tuple[int, ...]
    turn: int
    game: int
    steps: int

    def __str__(self) -> str:
        return "phone board"


Input = (
    Press
    | TraySeen
    | DiceRead
    | Finding
    | TrayMeasured
    | NetworkSeen
    | StaysOn
    | Decided
    | PageReady
    | FewestKnown
    | DiceCorrection
    | BoardCorrection
)
