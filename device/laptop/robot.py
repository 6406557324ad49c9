"""A game that plays itself: a robot at the table rolls the simulated dice and presses buttons by a simple policy.

It reads the box's state as a person reads its screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from device.box import HASTY_S, Box
from device.camera.simulated import SimulatedTray
from device.camera.watcher import Watcher
from device.composition import known_tray
from device.config import Config
from device.hardware.display import ReconnectingDisplay, ShownDisplay
from device.paths import CALIBRATION, state_file
from device.referee import states
from device.referee.box_care import BUTTONS
from device.referee.inputs import Button, Press
from device.referee.playing import choices
from device.referee.questions import NEW_GAME, Topic, question_of
from device.referee.states import Situation
from device.session import Session
from device.storage.journal import Journal
from engine import Bust, Game, Rolled, Stop, may_stop, stop_wins, transcript

ROLLS = 4
"""The number of rolls in a turn after which the robot stops, if allowed: a cautious player's habit."""

PATIENCE_S = 60.0
"""The robot's longest wait in seconds of the camera's clock, after which the box counts as stuck."""

READ_S = 6.0
"""The time after which the robot rolls again, in seconds of the camera's clock: the dice were not read."""

LOOK_S = 1 / 15
"""The interval of the robot's checks of the box while it waits, in seconds."""

TRIES = 200
"""The number of consecutive unreadable rolls that counts as a failure."""


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


class Robot:
    """Plays on a box until a game is over."""

    def __init__(self, session: Session, tray: SimulatedTray) -> None:
        """Prepare to play on a running box that sees this tray."""
        self._session = session
        self._box = session.box
        self._tray = tray

    def play(self) -> Game:
        """Play the game in progress to its end, and return it.

        Raises:
            Stuck: If the box does not react in time.
        """
        while not isinstance(self._box.situation.state, states.GameOver):
            if isinstance(self._box.situation.state, states.Thinking):
                self._wait(lambda: not isinstance(self._box.situation.state, states.Thinking), "an opponent's thinking")
                continue
            action = next_action(self._box.situation, 2)
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
        waits = self._box.situation.beneath

        def is_read() -> bool:
            state = self._box.situation.state
            return state != waits and not isinstance(state, states.WatchingTray)

        for _ in range(TRIES):
            self._tray.throw(self._box.wants_dice)
            thrown_s = self._tray.time_s
            self._wait(lambda: is_read() or self._tray.time_s - thrown_s > READ_S, "throwing the dice")  # noqa: B023
            if is_read():
                return
        raise Stuck(f"the dice could not be read, {TRIES} rolls in a row: {self._box.situation.state}")

    def _wait(self, is_done: Callable[[], bool], doing: str) -> None:
        # A camera that takes a second or two per picture, as under emulation, has a slow clock, and the box is as slow.
        began_s = self._tray.time_s
        while not is_done():
            if self._tray.time_s - began_s > PATIENCE_S:
                raise Stuck(f"{doing} had no effect in {self._box.situation.state}")
            with self._box.changed:
                self._box.changed.wait(LOOK_S)
            self._session.check()


def play_by_itself(
    tray: SimulatedTray, config: Config, file: Path, start: Callable[[Situation], Situation | None]
) -> str:
    """Let the robot play a game, and return its transcript.

    Args:
        tray: Rolls the dice.
        config: The settings.
        file: The journal's file.
        start: Returns the situation to start with; None for the journal's.

    Raises:
        JournalError, OSError: If it cannot start.
        Stuck: If the box does not react in time.
    """
    journal = Journal(file)
    box = Box(journal, ReconnectingDisplay(ShownDisplay, config.oled.never_resting()), start(journal.situation()))
    watcher = Watcher(lambda: tray, box.put, known_tray(state_file(CALIBRATION, simulated=True)))
    with Session(box, watcher) as session:
        return transcript(Robot(session, tray).play())
