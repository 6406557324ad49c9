"""The states of the box. They hold little: the game itself is beside the state, in a `Situation`."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from device.referee.inputs import NO_WIFI, BackupGiven, Finding, Moment, PageReady, SoloGame, TraySeen, WifiSeen
from device.referee.players import GameSettings
from device.referee.preferences import Preferences
from engine import Game, Pairing, Roll
from engine.opponents.strategy import Advice


@dataclass(frozen=True, slots=True)
class State:
    """A state of the box, with the data that it needs in addition to the game."""


@dataclass(frozen=True, slots=True)
class Overlay(State):
    """A state that covers another one.

    Attributes:
        before: The covered state, which follows when this one is finished, skipped or left.
    """

    before: State


# A game


@dataclass(frozen=True, slots=True)
class Welcome(State):
    """Switched on without any earlier game."""


@dataclass(frozen=True, slots=True)
class Resume(Overlay):
    """Switched on again during a game: shows which game goes on."""


@dataclass(frozen=True, slots=True)
class NewGame(Overlay):
    """The questions before a game; see `device.referee.setup`.

    Attributes:
        before: The state to which STOP leads at the first question.
        answers: The answers so far, as indices into each question's options.
        cursor: The option under the cursor.
        known: The players' names used before.
        last: The last game's settings, to play them again, with who should begin; None before the first game.
    """

    answers: tuple[int, ...] = ()
    cursor: int = 0
    known: tuple[str, ...] = ()
    last: GameSettings | None = None


@dataclass(frozen=True, slots=True)
class ChangingSeats(NewGame):
    """The questions who leaves, returns or joins during a game; see `device.referee.seat_changes`.

    Attributes:
        playing: The settings of the game.
        out: The numbers of the players who have left it.
    """

    playing: GameSettings = field(default_factory=GameSettings)
    out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EnteringName(Overlay):
    """A player's name is entered with the buttons.

    Attributes:
        before: The question that the name answers.
        letters: The letters entered so far.
        cursor: The offered letter, as an index into `device.referee.players.LETTERS`.
    """

    before: NewGame
    letters: str = ""
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class RollingOff(State):
    """The roll-off: one die each decides who begins.

    Attributes:
        settings: The game's settings.
        contenders: The numbers of the players who still take part.
        dice: Their rolls in this round.
        tie: Whether this is another round after a tie.
    """

    settings: GameSettings
    contenders: tuple[int, ...]
    dice: tuple[int, ...] = ()
    tie: bool = False

    @property
    def roller(self) -> str:
        """The name of the player who has to roll."""
        return self.settings.names[self.contenders[len(self.dice)]]


@dataclass(frozen=True, slots=True)
class Begins(State):
    """Shows who begins, after the roll-off."""


@dataclass(frozen=True, slots=True)
class Waiting(State):
    """Waits for the first roll of a turn."""


@dataclass(frozen=True, slots=True)
class WatchingTray(Overlay):
    """The tray holds something, but no roll yet: a hand, rolling dice or dice that cannot be read.

    All buttons work as in the state before. In addition, C answers a moved camera, B reads dice that may be a missed
    roll, and without a camera A enters dice by hand, as holding it does everywhere.

    Attributes:
        before: The state that waits for the dice.
        seen: The tray's contents.
    """

    seen: TraySeen


@dataclass(frozen=True, slots=True)
class Choosing(State):
    """A pairing has to be chosen for the current roll."""


@dataclass(frozen=True, slots=True)
class ChoosingColumn(State):
    """Only one runner is free and both sums of the chosen pairing need it: the column has to be chosen."""

    pairing: Pairing


@dataclass(frozen=True, slots=True)
class Telling(State):
    """Shows which runners to move on the real board."""


@dataclass(frozen=True, slots=True)
class Deciding(State):
    """The player rolls again or stops."""


@dataclass(frozen=True, slots=True)
class StopPending(Overlay):
    """STOP was pressed near a roll: the turn ends once nothing has moved for a second, unless a roll is read."""


@dataclass(frozen=True, slots=True)
class Busting(State):
    """No play is possible: asks for confirmation, as the dice may be misread."""


@dataclass(frozen=True, slots=True)
class Busted(State):
    """Shows that the runners are removed, and who is next."""


@dataclass(frozen=True, slots=True)
class Stopped(State):
    """Shows where the markers go, which are removed, and who is next; pages count from 0."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class GameOver(State):
    """A player has won."""


@dataclass(frozen=True, slots=True)
class CorrectingDice(Overlay):
    """The dice were misread: offers other possible readings."""


@dataclass(frozen=True, slots=True)
class EnteringDice(Overlay):
    """Dice are entered by hand: A, B and C are 1, 2 and 3; held, they are 4, 5 and 6. `dice` are those so far."""

    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PutBack(Overlay):
    """A step was undone: shows which pieces to move back on the real board.

    Attributes:
        markers: The markers on the real board, as in `engine.Position`.
        runners: The runners on the real board.
        page: The page, from 0.
    """

    markers: tuple[tuple[int, ...], ...]
    runners: tuple[int, ...]
    page: int = 0


@dataclass(frozen=True, slots=True)
class TooEarly(Overlay):
    """Dice were rolled while the box waits for something else: says what comes first."""


@dataclass(frozen=True, slots=True)
class Menu(Overlay):
    """The menu during a game."""

    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Whereabouts(Overlay):
    """Shows where all pieces are: a page for each player, and one for the runners; read aloud, all at once."""

    page: int = 0


@dataclass(frozen=True, slots=True)
class Coaching(Overlay):
    """Shows what each choice is worth to the strongest opponent, the best first.

    Attributes:
        choices: The choices; None until they are known, empty if they cannot be.
        page: The page, from 0.
    """

    choices: tuple[Advice, ...] | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class GivingUp(Overlay):
    """Asks whether to leave the current game for a new one."""


@dataclass(frozen=True, slots=True)
class SettingBoard(Overlay):
    """The board's position is entered by hand, space by column.

    Attributes:
        markers: Each player's markers, as in `engine.Position`.
        runners: The runners.
        turn: The number of the player whose turn it is.
        row: What is being set: a player's markers, then the runners, then whose turn it is.
        column: The column being set.
        problem: Why the position was rejected, as the text of an `engine.Problem`; "" at first.
        values: The values for the placeholders of that text.
    """

    markers: tuple[tuple[int, ...], ...]
    runners: tuple[int, ...]
    turn: int
    row: int = 0
    column: int = 2
    problem: str = ""
    values: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ShowingPage(Overlay):
    """Shows the page's address, and the code that pairs a phone.

    Attributes:
        page: Address and code; None until they are known.
        in_words: Whether the address is shown in words, not as a QR code.
        asks: Whether it asks for confirmation before all phones are unpaired.
        send_away: Whether all phones are to be unpaired.
    """

    page: PageReady | None = None
    in_words: bool = False
    asks: bool = False
    send_away: bool = False


# An opponent's turn, and the solo table


@dataclass(frozen=True, slots=True)
class Thinking(State):
    """An opponent has to decide: a play for the current roll, or whether to roll again."""


@dataclass(frozen=True, slots=True)
class Undecided(Overlay):
    """An opponent cannot decide: asks it again, or lets the players choose for it.

    Attributes:
        before: The decision that it was asked for.
    """

    before: Thinking


@dataclass(frozen=True, slots=True)
class Moving(State):
    """An opponent has decided: shows which runners to move for it, and whether it stops.

    The attributes are those of `Decided`.
    """

    stops: bool
    why: str
    loss: float
    at_stake: int


@dataclass(frozen=True, slots=True)
class RollingOn(State):
    """An opponent rolls again: people roll for it. The attributes are those of `Moving`."""

    why: str
    loss: float
    at_stake: int


@dataclass(frozen=True, slots=True)
class FewestTurns(Overlay):
    """Shows the solo table: the games with the fewest turns, and the one just played.

    Attributes:
        before: The menu, or the end of a solo game.
        games: The lines of the table; None until they are known.
        page: The page, from 0.
        is_readable: Whether the journal could be read.
    """

    games: tuple[SoloGame, ...] | None = None
    page: int = 0
    is_readable: bool = True


@dataclass(frozen=True, slots=True)
class GameStory(Overlay):
    """Shows the story of the game that is over.

    Attributes:
        moments: Its moments, one a page; None until they are known.
        page: The page, from 0.
    """

    moments: tuple[Moment, ...] | None = None
    page: int = 0


# The box itself


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
    """Asks whether to turn on the page for phones; it stays off until somebody says yes."""


@dataclass(frozen=True, slots=True)
class CalibratingTray(Overlay):
    """Calibrates the empty tray, and shows advice about camera and lamp.

    Attributes:
        asked: Whether the camera was asked to look.
        problem: Why calibration failed, as in `TrayMeasured`; "" if it succeeded.
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
class Network(Overlay):
    """The network.

    Attributes:
        addresses: The addresses at which the box can be reached; None until they are known.
        wifi: The Wi-Fi.
    """

    addresses: tuple[str, ...] | None = None
    wifi: WifiSeen = NO_WIFI


@dataclass(frozen=True, slots=True)
class ChoosingNetwork(Overlay):
    """The list of the known networks in range; the last option is to name another one by phone.

    Attributes:
        names: The networks' names.
        cursor: The option under the cursor.
    """

    names: tuple[str, ...] = ()
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class Hotspot(Overlay):
    """Shows how a phone joins the box's hotspot; until it is open, or cannot be opened, `wifi` says nothing."""

    wifi: WifiSeen = NO_WIFI


@dataclass(frozen=True, slots=True)
class JoiningNetwork(Overlay):
    """Asks whether to join a network that a phone has named, and shows what came of it.

    Attributes:
        name: The network's name.
        password: Its password, "" for an open network; None for a known one.
        progress: "" for the question, "joining", or why that failed, a key of `fault_texts.WIFI`.
    """

    name: str = ""
    password: str | None = field(default=None, repr=False)
    progress: str = ""


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
class Restoring(Overlay):
    """Asks whether to take over a backup.

    Attributes:
        backup: The backup; the question is not stored, so nothing is lost by a restart.
    """

    backup: BackupGiven


@dataclass(frozen=True, slots=True)
class ChangingVersion(Overlay):
    """Asks whether to change the box's version, and shows how far that is; it goes on after the screen is left.

    Attributes:
        item: The item of the box's menu, "update" or "go back".
        progress: See `VersionSeen`; "newest" after an update that found nothing newer.
    """

    item: str
    progress: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether the version is being changed."""
        return self.progress not in ("", "failed", "newest")


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


STOP_ENDS_TURN = (Telling, Deciding)
"""The states in which STOP ends the turn, and does not just go back."""

TRANSIENT_STATES = (
    WatchingTray, StopPending, TooEarly, Network, ChoosingNetwork, Hotspot, JoiningNetwork, Checking, SwitchingOff,
    FewestTurns, GameStory, ShowingPage,
    Undecided, Whereabouts, Coaching, Restoring, ChangingVersion,
)  # fmt: skip
"""The states that are not stored: they describe a passing moment, which is over after a restart."""


@dataclass(frozen=True, slots=True)
class Situation:
    """The complete state of the box.

    Attributes:
        state: The state.
        game: The game in progress or just over; None before the first one.
        number: The number of games begun, this one included, which identifies the game.
        preferences: The players' preferences; stored in a file of their own, not in the journal.
        score: The games that each player won before this one, since these players began to play; empty in their first.
        likely: Other rolls that the dice may show, as in `DiceRead`; empty after the next step, unless an opponent's.
        undone: The next roll, which was taken back, and is offered again after the choice before it; else empty.
    """

    state: State
    game: Game | None = None
    number: int = 0
    preferences: Preferences = field(default_factory=Preferences)
    score: tuple[int, ...] = ()
    likely: tuple[Roll, ...] = ()
    undone: tuple[int, ...] = ()

    @property
    def wins(self) -> tuple[int, ...]:
        """The score, with this game if it is won."""
        before = (*self.score, *(0,) * (len(self.played.names) - len(self.score)))
        return tuple(won + (player == self.played.position.winner) for player, won in enumerate(before))

    @property
    def beneath(self) -> State:
        """The state, or while it only shows the tray's contents, the state that it covers."""
        return self.state.before if isinstance(self.state, WatchingTray) else self.state

    @property
    def played(self) -> Game:
        """The game, in a state that exists only during one."""
        assert self.game is not None
        return self.game


def list_mark(state: Any) -> str:  # noqa: ANN401 - any state with a cursor
    """Return what tells a list from all others, wherever its cursor is: a tap on one never counts for the next."""
    return f"{zlib.crc32(repr(replace(state, cursor=0)).encode()):08x}"


def below(state: State) -> State:
    """Return the state under all screens that cover it."""
    while isinstance(state, Overlay):
        state = state.before
    return state


def leave(situation: Situation, state: Overlay, *_: object) -> Situation:
    """Return to the covered state, without other changes."""
    return replace(situation, state=state.before)


def opens(overlay: type[Overlay]) -> Callable[..., Situation]:
    """Return a handler that covers the state with another one."""
    return lambda situation, *_: replace(situation, state=overlay(situation.state))


def stay(situation: Situation, *_: object) -> Situation:
    """Change nothing: only the row's effects are wanted."""
    return situation
