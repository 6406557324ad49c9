"""The referee's inputs: button presses, camera readings, decisions of opponents, and requests of the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from device.referee.players import GameSettings
from device.referee.preferences import Preferences
from engine import Play, Position, Roll
from engine.opponents.strategy import Advice


class Input:
    """An input. Its text is its name alone: what is in it, such as a code, is only for people beside the box."""

    __slots__ = ()

    @property
    def key(self) -> str | type[Input]:
        """Its key in the transition table."""
        return type(self)

    def __str__(self) -> str:
        return type(self).__name__


class Button(StrEnum):
    """The four buttons: A, B and C beside the three lines of the screen, and STOP."""

    A = "A"
    B = "B"
    C = "C"
    STOP = "STOP"


@dataclass(frozen=True, slots=True)
class Press(Input):
    """A button was pressed, or held for a long press."""

    button: Button
    long: bool = False

    def __str__(self) -> str:
        return f"hold {self.button}" if self.long else str(self.button)

    @property
    def key(self) -> str:
        """Its key in the transition table: a button, or "hold" and a button."""
        return str(self)

    @property
    def direction(self) -> int:
        """The direction in which it moves a cursor or turns a page: -1 for A, 1 for all others."""
        return -1 if self.button is Button.A else +1


@dataclass(frozen=True, slots=True)
class WhereIsEverybody(Input):
    """Somebody at a keyboard asks for the whole board, read aloud or in pages."""


@dataclass(frozen=True, slots=True)
class EarlyStop(Input):
    """STOP was pressed while dice may be in the air; the referee puts it in place of the press."""


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
    NOT_USED = "not used"
    """The players have none, and enter the dice."""


@dataclass(frozen=True, slots=True)
class TraySeen(Input):
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


@dataclass(frozen=True, slots=True)
class TrayStill(Input):
    """Nothing has moved in the tray for a second, or something moves for longer than a roll: none is to be expected.

    Attributes:
        asked: Whether this answers a request, and the second began after it.
    """

    asked: bool = False


@dataclass(frozen=True, slots=True)
class DiceRead(Input):
    """Dice were rolled, came to rest and were read: one input for each roll.

    Attributes:
        dice: Their values, sorted.
        likely: Other possible readings, likeliest first, for a correction by two presses.
        by_camera: Whether a camera read them; the journal stores that for statistics.
        asked: Whether the players requested the reading, so that it may not be a new roll.
    """

    dice: tuple[int, ...]
    likely: tuple[tuple[int, ...], ...] = ()
    by_camera: bool = False
    asked: bool = False


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
class Finding(Input):
    """A result of the self-check.

    Attributes:
        probe: The part, one of `box_care.PROBES`.
        level: The grade.
        what: A key of `device.screens.fault_texts.FINDINGS`.
        values: The values for the placeholders of that text.
    """

    probe: str
    level: Grade
    what: str
    values: tuple[tuple[str, str | int | float], ...] = ()


@dataclass(frozen=True, slots=True)
class TrayMeasured(Input):
    """The result of a requested look at the tray.

    Attributes:
        problem: Why it failed: "no camera" or "no tray"; "" if it succeeded.
        advice: Pairs of a `vision.tray.advice.Change` and whether it prevents reading.
    """

    problem: str = ""
    advice: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class WifiSeen:
    """The state of the Wi-Fi.

    Attributes:
        kind: "on" in a network, "off" in none, "hotspot" while the box is one itself; "no manager" without
            NetworkManager, "no adapter" without Wi-Fi; "" on a machine that is no box.
        name: The name of the network or hotspot; "" for none.
        password: The hotspot's password.
        known: The names of other networks in range whose passwords are stored, strongest first.
        trouble: Why the last request failed, a key of `fault_texts.WIFI`; "" if it did not.
    """

    kind: str = ""
    name: str = ""
    password: str = field(default="", repr=False)
    known: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def can_change(self) -> bool:
        """Whether another network can be joined."""
        return self.kind in ("on", "off")


NO_WIFI = WifiSeen()


@dataclass(frozen=True, slots=True)
class NetworkSeen(Input):
    """The network, when it was asked for and after each change.

    Attributes:
        addresses: The names and addresses at which the box can be reached; empty without a network.
        wifi: The Wi-Fi.
    """

    addresses: tuple[str, ...] = ()
    wifi: WifiSeen = NO_WIFI


@dataclass(frozen=True, slots=True)
class WifiGiven(Input):
    """A network to join, from a phone. Neither its name nor its password is stored in the journal.

    Attributes:
        name: Its name.
        password: Its password; "" for an open network.
    """

    name: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class StaysOn(Input):
    """The system refused to switch the box off."""


@dataclass(frozen=True, slots=True)
class VersionSeen(Input):
    """How far a change of the box's version is.

    Attributes:
        progress: The installer's step; "" if none is going on; "failed" if the last one failed or cannot be started.
    """

    progress: str


@dataclass(frozen=True, slots=True)
class Decided(Input):
    """An opponent has decided.

    Attributes:
        position: The position it decided about; a decision about another one is outdated.
        play: The chosen play of the current roll; None if there is no roll.
        stops: Whether it stops afterwards; otherwise it rolls again.
        why: The reason: "wins" if stopping wins, "risk" if the possible loss was weighed, "safe" if the turn cannot be
            lost before it may stop again, "must" if no stop is allowed.
        loss: The chance of losing the turn by rolling again, 0 to 1.
        at_stake: The number of spaces that would be lost.
    """

    position: Position
    play: Play | None
    stops: bool
    why: str
    loss: float
    at_stake: int


@dataclass(frozen=True, slots=True)
class NoDecision(Input):
    """An opponent cannot decide: it failed, took too long, is unknown, or cannot play these rules.

    Attributes:
        position: The position it was asked about.
    """

    position: Position


@dataclass(frozen=True, slots=True)
class PageReady(Input):
    """The page's address and pairing code.

    Attributes:
        address: What to type into a browser; "" if no page is served.
        code: The code that pairs a phone; "" while pairing is closed.
        phones: The number of paired phones.
        guessed_at: Whether somebody is guessing the code.
    """

    address: str
    code: str
    phones: int = 0
    guessed_at: bool = False


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
class FewestKnown(Input):
    """The table of the solo games with the fewest turns, from the journal.

    Attributes:
        games: The games, fewest turns first.
        is_readable: Whether the journal could be read.
    """

    games: tuple[SoloGame, ...] = ()
    is_readable: bool = True


@dataclass(frozen=True, slots=True)
class LineTapped(Input):
    """An option of the box's list was tapped on a phone.

    Attributes:
        line: The number of the option, from 0.
        shown: The mark of the list that the phone showed, see `states.list_mark`.
    """

    line: int
    shown: str


@dataclass(frozen=True, slots=True)
class SeatsGiven(Input):
    """The players and rules of a new game, from a phone."""

    settings: GameSettings


@dataclass(frozen=True, slots=True)
class BackupGiven(Input):
    """A backup from a phone.

    Attributes:
        games: The number and text of each game that is not on the box yet.
        preferences: The players' preferences.
    """

    games: tuple[tuple[int, str], ...]
    preferences: Preferences


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a game that is over.

    Attributes:
        kind: "luck" for the luckiest roll, "roll" or "stop" for the boldest decision, "turn" for the turning point.
        player: The player's name.
        turn: The number of that player's turn, from 1.
        dice: The luckiest roll; None otherwise.
        before: The chance to win before the roll, or at the beginning of the turn.
        after: The same after it, or at the beginning of the player's next turn.
        loss: The chance of losing the turn by rolling at the boldest decision.
        spaces: The number of spaces that this would have cost.
    """

    kind: str
    player: str
    turn: int
    dice: Roll | None = None
    before: float = 0.0
    after: float = 0.0
    loss: float = 0.0
    spaces: int = 0


@dataclass(frozen=True, slots=True)
class StoryKnown(Input):
    """The story of the game that has just ended; empty if there is nothing to tell."""

    moments: tuple[Moment, ...] = ()


@dataclass(frozen=True, slots=True)
class Advised(Input):
    """What the coach would do in a position, and the value of each choice; empty if it cannot say."""

    position: Position
    choices: tuple[Advice, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceCorrection(Input):
    """A correction of the dice from a phone.

    Attributes:
        dice: Their four values.
        game: The game's number.
        steps: The number of steps that the game had when the phone showed it.
    """

    dice: tuple[int, ...]
    game: int
    steps: int


@dataclass(frozen=True, slots=True)
class BoardCorrection(Input):
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
