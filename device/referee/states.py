"""Every state of the box. They hold little: the game itself lies beside the state, in a `Situation`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from device.referee.box_states import BOX_STATES, Checking, Network, SwitchingOff
from device.referee.inputs import TrayView
from device.referee.preferences import Preferences
from device.referee.seat_states import EnteringName, FewestTurns, Moving, RollingOn, Thinking
from device.referee.state import Over, State
from engine import Game, Pairing, Roll


@dataclass(frozen=True, slots=True)
class Welcome(State):
    """Switched on, and no game was ever begun."""


@dataclass(frozen=True, slots=True)
class Resume(Over):
    """Switched on again during a game: says whose game goes on."""


@dataclass(frozen=True, slots=True)
class NewGame(Over):
    """The questions before a game; `device.referee.setup` knows them.

    Attributes:
        before: Where STOP leads at the first question.
        answers: What was answered so far, as indices into each question's options.
        cursor: The option that the cursor is on.
        known: The names that were given to players before.
    """

    answers: tuple[int, ...] = ()
    cursor: int = 0
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RollingOff(State):
    """One die each decides who begins.

    Attributes:
        names: What the players are called.
        columns_to_win: The agreed number of columns.
        variants: The agreed variants, by name.
        contenders: Who still takes part, as players' numbers.
        dice: What they have rolled in this round.
        tie: Whether this is another round after a tie.
        colours: The colours of the players' markers.
        levels: Who plays each seat: "" a person, else an opponent's level.
    """

    names: tuple[str, ...]
    columns_to_win: int
    variants: tuple[str, ...]
    contenders: tuple[int, ...]
    dice: tuple[int, ...] = ()
    tie: bool = False
    colours: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Begins(State):
    """Says who begins, after one die each."""


@dataclass(frozen=True, slots=True)
class Waiting(State):
    """Waits for the first roll of a turn."""


@dataclass(frozen=True, slots=True)
class WatchingTray(Over):
    """Something is in the tray, and no roll yet: a hand, rolling dice or dice that cannot be read.

    It takes nothing away: each button does what it does in the state before. What it adds: C answers a moved camera, B
    reads dice that may be a missed throw, and without a camera A enters dice by hand, as holding it does everywhere.

    Attributes:
        before: The state that waits for the dice.
        view: What is to be seen.
        why: As in `device.referee.inputs.TraySeen`.
        dice: How many dice are seen.
        values: What dice show that may be a missed throw.
    """

    view: TrayView
    why: str = ""
    dice: int = 0
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Choosing(State):
    """A roll waits for the choice of a pairing.

    Attributes:
        likely: What the dice may really show, likeliest first, should they be misread.
    """

    likely: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class ChoosingColumn(State):
    """One runner is free and both sums of the chosen pairing need it: which column?"""

    pairing: Pairing
    likely: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class Telling(State):
    """Says which runners to move on the real board."""


@dataclass(frozen=True, slots=True)
class Deciding(State):
    """Roll again, or stop?"""


@dataclass(frozen=True, slots=True)
class Busting(State):
    """Nothing fits the roll: asks for a yes, as the dice may be misread."""

    likely: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class Busted(State):
    """Says that the runners come off, and who is next."""


@dataclass(frozen=True, slots=True)
class Stopped(State):
    """Says which markers go where, what comes off, and who is next.

    Attributes:
        page: Which screenful, counted from 0.
    """

    page: int = 0


@dataclass(frozen=True, slots=True)
class GameOver(State):
    """Somebody has won."""


@dataclass(frozen=True, slots=True)
class CorrectingDice(Over):
    """The dice were misread: offers what they may really show."""

    likely: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class EnteringDice(Over):
    """Dice are entered by hand: A, B and C are 1, 2 and 3, held they are 4, 5 and 6.

    Attributes:
        dice: Those entered so far.
    """

    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PutBack(Over):
    """A step was taken back: says what to put back on the real board.

    Attributes:
        markers: Where the markers still stand on the real board, as in `engine.Position`.
        runners: Where the runners still stand there.
        page: Which screenful, counted from 0.
    """

    markers: tuple[tuple[int, ...], ...]
    runners: tuple[int, ...]
    page: int = 0


@dataclass(frozen=True, slots=True)
class TooEarly(Over):
    """Dice were thrown while the box waits for something else: says what has to come first."""


@dataclass(frozen=True, slots=True)
class Menu(Over):
    """The menu during a game."""

    cursor: int = 0


@dataclass(frozen=True, slots=True)
class GivingUp(Over):
    """Asks whether the game under way is really to be left for a new one."""


@dataclass(frozen=True, slots=True)
class SettingBoard(Over):
    """The real board's pieces are entered by hand, space by column.

    Attributes:
        markers: Each player's markers, as in `engine.Position`.
        runners: The runners.
        turn: Whose turn it is.
        row: What is being set: a player's markers, then the runners, then whose turn it is.
        column: In which column.
        problem: Why the position could not be taken, as the text of an `engine.Problem`; "" at first.
        values: What goes into the places of that text.
    """

    markers: tuple[tuple[int, ...], ...]
    runners: tuple[int, ...]
    turn: int
    row: int = 0
    column: int = 2
    problem: str = ""
    values: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ShowingPage(Over):
    """Shows where the table's page is and the code that lets a phone press the buttons.

    Attributes:
        told: Whether it was found out where the page is.
        address: Where that is; "" while it is not known, and where no page is served.
        code: The code; "" while there is none.
        phones: How many phones may press the buttons.
        in_words: Whether the address is shown in words, not as a QR code.
        send_away: Whether all phones are to be sent away.
        guessed_at: Whether somebody is guessing the code.
    """

    told: bool = False
    address: str = ""
    code: str = ""
    phones: int = 0
    in_words: bool = False
    send_away: bool = False
    guessed_at: bool = False


IN_TURN = (
    Begins, Waiting, Choosing, ChoosingColumn, Telling, Deciding, Busting, Busted, Stopped, Thinking, Moving, RollingOn,
    PutBack,
)  # fmt: skip
"""The states of a game under way, apart from corrections and menu."""

STATES: tuple[type[State], ...] = (
    Welcome, Resume, NewGame, EnteringName, RollingOff, WatchingTray, *IN_TURN, GameOver, FewestTurns, CorrectingDice,
    EnteringDice, TooEarly, Menu, GivingUp, SettingBoard, ShowingPage, *BOX_STATES,
)  # fmt: skip
"""All of them."""

PASSING = (WatchingTray, TooEarly, Network, Checking, SwitchingOff, FewestTurns, ShowingPage)
"""The states that are not kept: they are about what is only just so, and a box that was off has forgotten it."""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the box knows.

    Attributes:
        state: What it is doing.
        game: The game under way or just over; None before the first one.
        number: How many games were begun with this one: two games are never taken for one.
        preferences: What the players chose on the box; kept in a file of its own, not in the journal.
    """

    state: State
    game: Game | None = None
    number: int = 0
    preferences: Preferences = field(default_factory=Preferences)

    @property
    def beneath(self) -> State:
        """The state, or where it only tells what is in the tray, the one that this takes nothing away from."""
        return self.state.before if isinstance(self.state, WatchingTray) else self.state

    @property
    def played(self) -> Game:
        """The game, in a state that there is only with one."""
        assert self.game is not None
        return self.game


def leave(situation: Situation, state: Over, *_: object) -> Situation:
    """Go to the state below, with nothing else changed."""
    return replace(situation, state=state.before)


def stay(situation: Situation, *_: object) -> Situation:
    """Change nothing: only the row's effects are wanted."""
    return situation
