"""A player at the booted box, who sees only the OLED's pixels, presses the buttons and rolls dice.

It runs a referee of its own with the same presses, and after each of them the OLED must show that referee's screen,
pixel by pixel. That detects a press that was lost, doubled or mistaken, a game that was resumed wrongly, and a wrong
byte on the bus.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace

from PIL import Image

from device.box import HASTY_S
from device.hardware.boards import BOARDS, Board
from device.referee.box_care import BOX_MENU
from device.referee.correcting import dice_to_enter
from device.referee.inputs import Button, CameraTrouble, DiceRead, Input, Press, TraySeen, TrayView, VersionSeen
from device.referee.playing import dice_wanted
from device.referee.states import BoxMenu, ChangingVersion, EnteringDice, GameOver, Resume, Situation, State
from device.referee.transition_table import step
from device.screens.draw import draw
from device.screens.on_board import meant, on_board
from device.screens.views import screen
from tools.sim.robot import next_action

THROWN_S = 30.0
"""The time without a reading after which the same dice are rolled again, in seconds: some places cannot be read."""


Dice = Callable[[tuple[int, ...]], object]
"""Rolls dice with given values."""


class Player:
    """Plays with only the OLED and the buttons."""

    def __init__(
        self,
        situation: Situation,
        seen: Callable[[], Image.Image],
        push: Callable[..., object],
        wait_for: Callable[[Callable[[], bool], str], float],
        seed: int,
        board: Board = BOARDS["box"],
    ) -> None:
        """Prepare.

        Args:
            situation: The box's situation at the start.
            seen: Returns the OLED's picture.
            push: Presses a button, long or not, and releases it.
            wait_for: Waits until a condition is true and returns the seconds, or raises an error.
            seed: The random seed of the dice.
            board: The board of display and buttons; `push` presses the key that is this button on it.
        """
        self.situation = situation
        self.presses = 0
        self.entered = 0
        """The number of rolls entered by hand."""
        self.read = 0
        """The number of rolls read by the camera."""
        self.thrown = 0
        """The number of times that the dice were rolled for them."""
        self.dice: Dice | None = None
        """Rolls dice under the box's camera; None to enter rolls by hand."""
        self.waits_s: list[float] = []
        """The times from the end of each press to the right picture, in seconds."""
        self._seen = seen
        self.push = push
        """Presses a button; can be replaced by the page's way."""
        self._wait_for = wait_for
        self._chance = random.Random(seed)
        self._board = board
        self._lying: tuple[int, ...] = ()
        """The values of the last roll under the camera."""

    def look(self) -> float:
        """Wait until the OLED shows the expected picture, and return the seconds that it took.

        Raises:
            TreeError: If it does not in time.
        """
        return self._look_for(_possible_situations(self.situation), type(self.situation.state).__name__)

    def look_for_trouble(self) -> float:
        """Wait as `look` does until the OLED reports that the camera does not work."""
        return self._look_for(_blind(self.situation), "that the camera does not work")

    def look_again(self) -> float:
        """Wait as `look` does until the OLED shows that the camera works.

        The dice of an earlier roll are still in the tray: if the game has had another roll since then, the box asks
        whether it missed one.
        """
        self.situation = _after(self.situation, TraySeen(TrayView.MISSED, values=self._lying))
        return self._look_for([self.situation], "that there is a camera")

    def _look_for(self, situations: list[Situation], what: str) -> float:
        shown = [self._drawn(situation) for situation in situations]
        return self._wait_for(lambda: self._seen().tobytes() in shown, f"the OLED shows {what}")

    def _drawn(self, situation: Situation) -> bytes:
        return draw(on_board(screen(situation), situation, self._board)).tobytes()

    def press(self, button: Button, *, long: bool = False) -> None:
        """Press a button and check the box's reaction."""
        self.press_blind(button, long=long)
        self.waits_s.append(self.look())

    def press_blind(self, button: Button, *, long: bool = False) -> None:
        """Press a button while there is no display to check the reaction."""
        key = meant(Press(button), screen(self.situation), self._board).button
        self.situation = _after(self.situation, Press(button, long))
        if button is Button.STOP and not long:
            time.sleep(HASTY_S)  # as people do: the box does not take one that follows a new screen at once
        self.push(key, long=long)
        self.presses += 1

    def apply(self, event: Input) -> float:
        """Apply an input that is not a press, wait for its picture on the OLED, and return the seconds that it took.

        Raises:
            TreeError: If it does not come in time.
        """
        self.situation = _after(self.situation, event)
        return self.look()

    def play(self, until: Callable[[], bool], players: int = 2) -> None:
        """Play by the robot's policy until a condition is true or the game ends."""
        while not until() and not isinstance(self.situation.state, GameOver):
            action = next_action(self.situation, players)
            if action is None:
                self.roll()
            else:
                self.press(action.button, long=action.long)

    def roll(self) -> None:
        """Roll the dice under the camera and wait for the expected picture; without a camera, enter them.

        Raises:
            TreeError: If they are not read.
        """
        if self.dice is None:
            self.enter_dice()
            return
        values = tuple(sorted(self._chance.randint(1, 6) for _ in range(dice_wanted(self.situation.state))))
        outcome = step(self.situation, DiceRead(values))
        assert outcome is not None
        self.situation = outcome.situation
        shown = self._drawn(self.situation)
        again_s = 0.0

        def is_read() -> bool:
            nonlocal again_s
            if self._seen().tobytes() == shown:
                return True
            if time.monotonic() > again_s:
                assert self.dice is not None
                self.dice(values)
                self._lying = values
                self.thrown += 1
                again_s = time.monotonic() + THROWN_S
            return False

        self._wait_for(is_read, f"the OLED shows what {values} mean")
        self.read += 1

    def enter_dice(self) -> None:
        """Roll the dice and enter them, as without a camera."""
        self.press(Button.A, long=True)
        state = self.situation.state
        assert isinstance(state, EnteringDice)
        for _ in range(dice_to_enter(state)):
            self.press(self._chance.choice((Button.A, Button.B, Button.C)), long=self._chance.random() < 0.5)
        self.press(Button.C)
        self.entered += 1

    def press_until(self, state: type[State], button: Button = Button.C) -> None:
        """Press a button until the box is in a state."""
        while not isinstance(self.situation.state, state):
            self.press(button)

    def choose_version(self, item: str, told: str = "") -> None:
        """Open the box's menu, unless it is open, and one of its items about versions; expect the progress `told`."""
        if not isinstance(self.situation.state, BoxMenu):
            self.press(Button.STOP, long=True)
        while isinstance(state := self.situation.state, BoxMenu) and BOX_MENU[state.cursor] != item:
            self.press(Button.B)
        self.press_blind(Button.C)
        self.apply(VersionSeen(told))

    def was_restarted(self) -> None:
        """Expect the start screen of a restarted box: a game in progress is announced first, no change of version."""
        if isinstance(self.situation.state, ChangingVersion):
            self.situation = replace(self.situation, state=self.situation.state.before)
        state, game = self.situation.state, self.situation.game
        if game is not None and game.winner is None and not isinstance(state, Resume):
            self.situation = replace(self.situation, state=Resume(self.situation.beneath))


def _possible_situations(situation: Situation) -> list[Situation]:
    """Return the possible situations of the box: with and without having noticed that it has no camera."""
    return [situation, *_blind(situation)]


def _blind(situation: Situation) -> list[Situation]:
    outcomes = [step(situation, TraySeen(TrayView.NO_CAMERA, trouble)) for trouble in CameraTrouble]
    return [outcome.situation for outcome in outcomes if outcome is not None]


def _after(situation: Situation, event: Input) -> Situation:
    for now in _possible_situations(situation):
        if (outcome := step(now, event)) is not None:
            return outcome.situation
    raise AssertionError(f"{event} is not accepted in {situation.state}")
