"""What reaches the referee: presses, what the camera makes of the tray, and what opponents decide."""

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
        """Where it moves a cursor or turns a page: A back, all others on."""
        return -1 if self.button is Button.A else +1


class TrayView(StrEnum):
    """What the camera sees in the tray, as far as players need to know."""

    EMPTY = "empty"
    HAND = "hand"
    ROLLING = "rolling"
    UNREADABLE = "unreadable"
    USED = "used"
    """Dice lie still that were read already."""
    MISSED = "missed"
    """Dice lie still that may have been thrown without being taken for a roll: some have moved since they were read."""
    MOVED = "camera moved"
    """The camera sees the tray from elsewhere than before: one of the two was pushed. Reading goes on."""
    NO_CAMERA = "no camera"


class CameraTrouble(StrEnum):
    """What is wrong with a camera, as far as players need to know."""

    MISSING = "missing"
    """It is not there, or does not start."""
    SILENT = "silent"
    """It was there and gives no more pictures."""
    FROZEN = "frozen"
    """It gives the same picture again and again."""
    BLACK = "black"
    """It sees nothing at all."""
    HANGS = "hangs"
    """It, or the reading of its pictures, does not answer."""


@dataclass(frozen=True, slots=True)
class TraySeen:
    """The tray looks different from before.

    Attributes:
        view: What is to be seen.
        why: Where it is unreadable, the reason as `vision.types.Reason` names it; without a camera, what is wrong
            with it, a `CameraTrouble`; else "".
        dice: How many dice are seen, where that is the reason.
        values: What dice show that may be a missed throw; else empty.
    """

    view: TrayView
    why: str = ""
    dice: int = 0
    values: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"tray {self.view}"


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die of a roll as the camera saw it, kept for the figures about the dice.

    Attributes:
        value: What was read, 1 to 6.
        confidence: How sure that is, 0 to 1.
        colour: Its body's red, green and blue, 0 to 255 each; None where nobody looked.
    """

    value: int
    confidence: float
    colour: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class DiceRead:
    """Dice were thrown, lay still and were read: one such input for each throw.

    Attributes:
        dice: Their values, sorted.
        likely: Other rolls that it may have been, likeliest first, for correcting in two presses.
        seen: The dice one by one, in the order in which they lie; empty where no camera read them.
        asked: Whether the players had asked for dice that lay there to be read, so that it may be no new throw.
    """

    dice: tuple[int, ...]
    likely: tuple[tuple[int, ...], ...] = ()
    seen: tuple[DieSeen, ...] = ()
    asked: bool = False

    def __str__(self) -> str:
        return f"dice {'-'.join(map(str, self.dice))}"


class Grade(StrEnum):
    """How something was found."""

    FINE = "fine"
    ADVICE = "advice"
    """Works, and could be better."""
    BAD = "bad"
    """Does not work, or loses something."""
    ABSENT = "absent"
    """Is not there, where it need not be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The box has looked at a part of itself.

    Attributes:
        probe: Which part, as in `box_care.PROBES`.
        level: How it is.
        what: What is to be told of it: a key of `device.screens.texts.FINDINGS`.
        values: What goes into the places of that text.
    """

    probe: str
    level: Grade
    what: str
    values: tuple[tuple[str, str | int | float], ...] = ()

    def __str__(self) -> str:
        return f"finding {self.probe}"


@dataclass(frozen=True, slots=True)
class TrayMeasured:
    """The camera has looked at the tray, as it was asked to.

    Attributes:
        problem: Why nothing could be measured: "no camera" or "no tray"; "" where it could.
        advice: What to change, as `vision.tray.advice.Change` names it, and whether it hinders reading.
    """

    problem: str = ""
    advice: tuple[tuple[str, bool], ...] = ()

    def __str__(self) -> str:
        return "tray measured"


@dataclass(frozen=True, slots=True)
class NetworkSeen:
    """Under which names and addresses the box is reached; none without a network."""

    addresses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "network seen"


@dataclass(frozen=True, slots=True)
class StaysOn:
    """The system has refused to switch the box off."""

    def __str__(self) -> str:
        return "stays on"


@dataclass(frozen=True, slots=True)
class Decided:
    """An opponent has decided.

    Attributes:
        position: About which position; a decision about another one comes too late.
        play: What it makes of the roll that waits; None where none waits.
        stops: Whether it stops then; else it rolls on.
        why: The reason, as `engine.opponents.Why` names it.
        loss: The chance, 0 to 1, to lose the turn by going on.
        at_stake: How many spaces would be lost.
        stand_in: Whether a simple player decided in its place.
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
    """Whether and where the table's page can be had, and with which code.

    Attributes:
        address: What to type into a browser; "" while no page is served.
        code: What lets a phone press the buttons.
        phones: How many may do so.
        guessed_at: Whether somebody is guessing the code.
    """

    address: str
    code: str
    phones: int = 0
    guessed_at: bool = False

    def __str__(self) -> str:
        return "page"  # the code is for whoever sees the OLED, not for the journal


@dataclass(frozen=True, slots=True)
class PlayedAlone:
    """A game that one played alone to its end.

    Attributes:
        place: Its place in the table of the fewest turns, counted from 1.
        name: Who.
        level: The level, where it was an opponent; "" for a person.
        turns: In how many turns.
        number: The game's number.
    """

    place: int
    name: str
    level: str
    turns: int
    number: int


@dataclass(frozen=True, slots=True)
class FewestKnown:
    """The table of those who played alone, as the journal has it.

    Attributes:
        games: The games, fewest turns first.
        is_readable: Whether the journal could be read.
    """

    games: tuple[PlayedAlone, ...] = ()
    is_readable: bool = True

    def __str__(self) -> str:
        return "fewest turns"


@dataclass(frozen=True, slots=True)
class DiceTold:
    """A phone has told what the dice show.

    Attributes:
        dice: Their four values.
        game: In which game, by its number.
        steps: How many steps that game had as the phone showed it.
    """

    dice: tuple[int, ...]
    game: int
    steps: int

    def __str__(self) -> str:
        return f"told dice {'-'.join(map(str, self.dice))}"


@dataclass(frozen=True, slots=True)
class BoardTold:
    """A phone has told where the pieces stand.

    Attributes:
        markers: Each player's markers, as in `engine.Position`.
        runners: The runners.
        turn: Whose turn it is.
        game: In which game, by its number.
        steps: How many steps that game had as the phone showed it.
    """

    markers: tuple[tuple[int, ...], ...]
    runners: tuple[int, ...]
    turn: int
    game: int
    steps: int

    def __str__(self) -> str:
        return "told board"


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
    | DiceTold
    | BoardTold
)
