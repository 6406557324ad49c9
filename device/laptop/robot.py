"""A game that plays itself: a robot at the table rolls the simulated dice and presses buttons by a simple policy.

It reads the box's state as a person reads its screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from device.box import HASTY_S, Box
from device.camera.simulated import SimulatedTray
from device.composition import known_tray
from device.config import Config
from device.hardware.display import ShownDisplay
from device.paths import CALIBRATION, state_file
from device.referee import states
from device.referee.box_care import BUTTONS
from device.referee.inputs import Button, DiceRead, Input, Press, TrayView
from device.referee.playing import choices
from device.referee.questions import NEW_GAME, Topic, question_of
from device.referee.states import Situation, State
from device.session import Session
from device.storage.journal import Journal
from engine import Bust, Game, Rolled, Stop, may_stop, stop_wins, transcript

ROLLS = 4
"""The number of rolls in a turn after which the robot stops, if allowed: a cautious player's habit."""

PATIENCE_S = 60.0
"""The robot's longest waits in seconds: for the box, before it counts as stuck, and for a new picture."""

LOOK_S = 1 / 15
"""The interval of the robot's checks of the box while it waits, in seconds."""

TRIES = 200
"""The number of consecutive unreadable rolls that counts as a failure."""

UNREADABLE_S = 0.3
"""The time after which the robot rolls unreadable dice again, in seconds."""

HAND_S = 1.5
"""The longest time that a hand may be seen, in seconds; the robot's own is gone sooner, so after it the box must be
wrong."""


class Stuck(TimeoutError):
    """The box did not react in time; the message says when."""


def _rolls_this_turn(game: Game) -> int:
    rolls = 0
    for step in reversed(game.steps):
        if isinstance(step, Stop | Bust):
            break
        rolls += isinstance(step, Rolled)
    return rolls


def next_action(situation: Situation, players: int) -> Press | None:
    """Return the robot's next press; None for rolling the dice.

    Args:
        situation: The box's situation.
        players: The number of players for a new game.
    """
    state = situation.beneath
    match state:
        case states.TryingButtons():
            return Press(BUTTONS[state.pressed] if state.pressed < len(BUTTONS) else Button.C)
        case states.CheckingFrame() | states.TryingSignal():
            return Press(Button.A)
        case states.OfferingPage() | states.CalibratingTray() | states.TrialThrow():
            return Press(Button.STOP)  # skipped
        case states.NewGame():
            question = question_of(state)
            wanted = {Topic.AGAIN: NEW_GAME, Topic.PLAYERS: str(players)}.get(question.topic)
            return Press(Button.C if wanted in (None, question.options[state.cursor]) else Button.B)
        case states.RollingOff() | states.Begins() | states.Waiting() | states.RollingOn():
            return None
        case states.Choosing():
            offered = choices(situation)
            # As many steps as possible; of equal lines the last, which has the middle columns.
            line = max(range(len(offered)), key=lambda line: (sum(len(play.columns) for play in offered[line]), line))
            return Press((Button.A, Button.B, Button.C)[line])
        case states.ChoosingColumn():
            return Press(Button.A)
        case states.Deciding():
            position = situation.played.position
            enough = _rolls_this_turn(situation.played) >= ROLLS or stop_wins(position)
            return Press(Button.STOP) if enough and may_stop(position) else None
    return Press(Button.C)  # continue, confirm a message, accept a bust


class Tally:
    """Wraps the dice, and compares the box's readings with their values."""

    def __init__(self, world: SimulatedTray) -> None:
        """Start counting."""
        self._world = world
        self._truth: tuple[int, ...] = ()
        self._is_read = True
        self.throws = 0
        self.right = 0
        self.wrong: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        """The misread rolls: actual values and values read."""

    @property
    def read(self) -> int:
        """The number of rolls read, correctly or not."""
        return self.right + len(self.wrong)

    def throw(self, dice: int = 4) -> None:
        """Roll the given number of dice."""
        self._truth = self._world.throw(dice)
        self._is_read = False
        self.throws += 1

    def see(self, event: Input) -> None:
        """Receive the camera's inputs; each roll counts once."""
        if not isinstance(event, DiceRead) or self._is_read:
            return
        self._is_read = True
        if self._truth == event.dice:
            self.right += 1
        else:
            self.wrong.append((self._truth, event.dice))

    def summary(self) -> str:
        """Return the counts in one line, and each wrong reading in another."""
        head = (
            f"{self.throws} rolls: {self.read} read, {self.throws - self.read} unreadable and rolled again, "
            f"{len(self.wrong)} read wrong"
        )
        return "\n".join([head, *(f"  wrong: {_text(truth)} read as {_text(read)}" for truth, read in self.wrong)])


def _text(values: tuple[int, ...]) -> str:
    return "-".join(map(str, values))


class Robot:
    """Plays on a box until a game is over."""

    def __init__(
        self,
        box: Box,
        dice: Tally,
        watch: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare.

        Args:
            box: The box to play on.
            dice: Rolls its dice.
            watch: Called repeatedly while the robot waits, to record or show what happens.
            clock: The camera's clock in seconds. One that takes a second or two per picture, as under emulation, has a
                slow clock, and the box is as slow.
        """
        self._box = box
        self._dice = dice
        self._watch = watch
        self._clock = clock

    def play(self, players: int = 2) -> Game:
        """Play one game to its end, or continue the game in progress; return it.

        Raises:
            Stuck: If the box does not react in time.
        """
        if isinstance(self._box.situation.state, states.GameOver):
            self._act(Press(Button.C))
        while not isinstance(self._box.situation.state, states.GameOver):
            if isinstance(self._box.situation.state, states.Thinking):
                self._wait(lambda: not isinstance(self._box.situation.state, states.Thinking), "an opponent's thinking")
                continue
            action = next_action(self._box.situation, players)
            if action is None:
                self._throw()
            else:
                self._act(action)
        return self._box.situation.played

    def _act(self, press: Press) -> None:
        before, pressed_s = self._box.situation, time.monotonic()
        self._box.put(press)

        def has_changed() -> bool:
            nonlocal pressed_s
            is_late = time.monotonic() - pressed_s > HASTY_S
            if self._box.situation == before and press == Press(Button.STOP) and is_late:
                self._box.put(press)  # the screen came up too shortly before
                pressed_s = time.monotonic()
            return self._box.situation != before

        self._wait(has_changed, f"pressing {press}")

    def _throw(self) -> None:
        """Roll until the box has read the dice.

        Raises:
            Stuck: If it cannot read them `TRIES` times in a row.
        """
        for _ in range(TRIES):
            waits = self._box.situation.beneath
            self._dice.throw(self._box.wants_dice)
            self._wait(self._roll_ended(waits), "throwing the dice")
            now = self._box.situation.state
            if now != waits and not isinstance(now, states.WatchingTray):
                return
        raise Stuck(f"the dice could not be read, {TRIES} rolls in a row; the box says why: {now}")

    def _roll_ended(self, waits: State) -> Callable[[], bool]:
        """Return whether the dice were read, or have been unreadable or unseen for a while, after this state."""
        was_disturbed = False
        unread_since: float | None = None

        def is_over() -> bool:
            nonlocal was_disturbed, unread_since
            state = self._box.situation.state
            view = state.seen.view if isinstance(state, states.WatchingTray) else None
            if view is None and state != waits:
                return True
            was_disturbed |= view is not None
            # Unreadable dice, or after some movement again as if the tray were empty.
            if view not in (TrayView.UNREADABLE, TrayView.HAND, TrayView.MISSED) if view else not was_disturbed:
                unread_since = None
                return False
            unread_since = self._clock() if unread_since is None else unread_since
            return self._clock() - unread_since > (HAND_S if view is TrayView.HAND else UNREADABLE_S)

        return is_over

    def _wait(self, is_done: Callable[[], bool], doing: str) -> None:
        began = newest = self._clock()
        picture_s = time.monotonic()
        while not is_done():
            if (now := self._clock()) != newest:
                newest, picture_s = now, time.monotonic()
            if max(newest - began, time.monotonic() - picture_s) > PATIENCE_S:
                raise Stuck(f"{doing} had no effect in {self._box.situation.state}")
            with self._box.changed:
                self._box.changed.wait(LOOK_S)
            self._watch()
        self._watch()


def play_by_itself(
    tray: SimulatedTray,
    config: Config,
    file: Path,
    start: Callable[[Situation], Situation | None],
    players: int,
    tell: Callable[[str], object],
) -> str:
    """Let the robot play a game, and return its transcript.

    Args:
        tray: Rolls the dice.
        config: The settings.
        file: The journal's file.
        start: Returns the situation to start with; None for the journal's.
        players: The number of players of a new game.
        tell: Prints a line of progress.

    Raises:
        JournalError, OSError: If it cannot start.
        Stuck: If the box does not react in time.
    """
    tally, journal = Tally(tray), Journal(file)
    with Session(
        journal,
        ShownDisplay,
        None,
        lambda: tray,
        config=replace(config, oled=config.oled.never_resting()),
        tray=known_tray(state_file(CALIBRATION, simulated=True)),
        start=start(journal.situation()),
        observe=tally.see,
    ) as session:
        turn = -1

        def watch() -> None:
            """Print a line whenever another player's turn begins."""
            nonlocal turn
            session.check()
            game = session.box.situation.game
            if game is not None and game.position.turn != turn:
                turn = game.position.turn
                tell(f"{tally.throws} rolls, {game.player}'s turn")

        played = Robot(session.box, tally, watch, lambda: tray.time_s).play(players)
    for line in tally.summary().splitlines():
        tell(line)
    return transcript(played)
