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
from device.referee.inputs import Button, Press
from device.referee.playing import choices
from device.referee.states import Situation
from device.session import Session
from device.storage.journal import Journal
from engine import may_stop, stop_wins, transcript
from engine.odds import at_stake

ENOUGH = 5
"""The number of spaces at stake with which the robot stops, if allowed: a cautious player's habit."""

AGAIN_S = 6.0
"""The time after which the robot rolls or presses again, in seconds of the camera's clock: the dice were not read."""

LOOK_S = 1 / 15
"""The interval of the robot's checks of the box while it waits, in seconds."""

TRIES = 200
"""The number of rolls or presses in a row without any effect that counts as a failure."""


def next_press(situation: Situation) -> Press | None:
    """Return the robot's next press in a game; None for rolling the dice."""
    match situation.beneath:
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
            enough = at_stake(position) >= ENOUGH or stop_wins(position)
            return Press(Button.STOP) if enough and may_stop(position) else None
    return Press(Button.C)  # continue, confirm a message, accept a bust


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
        TimeoutError: If the box does not react, or cannot read the dice.
    """
    journal = Journal(file)
    display = ReconnectingDisplay(ShownDisplay, config.oled.never_resting())
    box = Box(journal, display, start(journal.situation()))
    watcher = Watcher(lambda: tray, box.put, known_tray(state_file(CALIBRATION, simulated=True)))
    with Session(box, watcher) as session:
        tries = 0
        while not isinstance((now := box.situation).beneath, states.GameOver):
            _act(box, tray, now)
            # A camera that takes a second or two per picture, as under emulation, has a slow clock; so is the box.
            acted_s = tray.time_s
            while (is_same := _is_same(box.situation, now)) and tray.time_s - acted_s < AGAIN_S:
                with box.changed:
                    box.changed.wait(LOOK_S)
                session.check()
            tries = tries + 1 if is_same else 0
            if tries == TRIES:
                raise TimeoutError(f"{TRIES} rolls or presses in a row had no effect in {now.state}")
        return transcript(box.situation.played)


def _act(box: Box, tray: SimulatedTray, now: Situation) -> None:
    """Do what a situation asks for; wait while an opponent thinks."""
    if isinstance(now.beneath, states.Thinking):
        return
    press = next_press(now)
    if press is None:
        tray.throw(box.wants_dice)
        return
    if press.button is Button.STOP:
        time.sleep(HASTY_S)  # as people do: the box does not take one that follows a new screen at once
    box.put(press)


def _is_same(now: Situation, before: Situation) -> bool:
    """Whether nothing has happened in the game, whatever the tray shows."""
    return (now.beneath, now.game) == (before.beneath, before.game)
