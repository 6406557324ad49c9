"""Somebody at the booted box: sees nothing but the OLED's pixels, and does nothing but press its buttons.

It knows the rules as the box knows them: a referee of its own gets the same presses, and after each the OLED must show
what that referee's screen is, pixel by pixel. So a press that was lost, doubled or mistaken, a game that was resumed
wrongly and a byte wrong on the bus are all seen at once.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from PIL import Image

from device.referee.inputs import Button, CameraTrouble, Input, Press, TraySeen, View
from device.referee.states import EnteringDice, GameOver, Reading, Resume, Situation, State
from device.referee.table import step
from device.screens.draw import draw
from device.screens.views import screen
from device.sim.robot import Throw, next_action


class Player:
    """Plays by the OLED and the buttons alone."""

    def __init__(
        self,
        situation: Situation,
        seen: Callable[[], Image.Image],
        push: Callable[[Button, bool], None],
        wait_for: Callable[[Callable[[], bool], str], float],
        seed: int,
    ) -> None:
        """Sit down before a box.

        Args:
            situation: What the box knows at its start.
            seen: Gives the OLED's picture.
            push: Presses a button, long or not, and lets it go.
            wait_for: Waits until something is so and gives the seconds, or raises.
            seed: For the dice.
        """
        self.situation = situation
        self.presses = 0
        self.rolls = 0
        self.waits_s: list[float] = []
        """From the end of each press to the right picture."""
        self._seen = seen
        self._push = push
        self._wait_for = wait_for
        self._chance = random.Random(seed)

    def look(self) -> float:
        """Wait until the OLED shows what it must, and give the seconds that this took.

        Raises:
            TreeError: If it never does.
        """
        shown = [draw(screen(situation)).tobytes() for situation in _as_may_be(self.situation)]
        name = type(self.situation.state).__name__
        return self._wait_for(lambda: self._seen().tobytes() in shown, f"the OLED shows {name}")

    def press(self, button: Button, *, long: bool = False) -> None:
        """Press a button and see that the box has understood."""
        self.situation = _after(self.situation, Press(button, long))
        self._push(button, long)
        self.presses += 1
        self.waits_s.append(self.look())

    def press_blind(self, button: Button, *, long: bool = False) -> None:
        """Press a button while there is no display to see what becomes of it."""
        self.situation = _after(self.situation, Press(button, long))
        self._push(button, long)
        self.presses += 1

    def play(self, until: Callable[[], bool], players: int = 2) -> None:
        """Play by the robot's policy, with dice entered by hand, until then or to the game's end."""
        while not until() and not isinstance(self.situation.state, GameOver):
            action = next_action(self.situation, players)
            if isinstance(action, Throw):
                self.enter_dice()
            else:
                self.press(action.button, long=action.long)

    def enter_dice(self) -> None:
        """Throw the dice and enter them, as one does without a camera."""
        self.press(Button.A, long=True)
        state = self.situation.state
        assert isinstance(state, EnteringDice)
        for index in range(len(state.dice)):
            for _ in range(self._chance.randrange(6)):
                self.press(Button.A)
            if index + 1 < len(state.dice):
                self.press(Button.B)
        self.press(Button.C)
        self.rolls += 1

    def go_to(self, state: type[State]) -> None:
        """Press what leads to a state, by the shortest way that the referee's table knows.

        Raises:
            AssertionError: If no way leads there.
        """
        presses = [Press(button, long) for button in Button for long in (False, True)]
        ways: deque[tuple[Situation, tuple[Press, ...]]] = deque([(self.situation, ())])
        seen = {self.situation.state}
        while ways:
            situation, way = ways.popleft()
            if isinstance(situation.state, state):
                for press in way:
                    self.press(press.button, long=press.long)
                return
            for press in presses:
                outcome = step(situation, press)
                if outcome is not None and outcome.situation.state not in seen:
                    seen.add(outcome.situation.state)
                    ways.append((outcome.situation, (*way, press)))
        raise AssertionError(f"no way leads from {self.situation.state} to {state.__name__}")

    def was_restarted(self) -> None:
        """The box was started anew: a game that was under way is announced first."""
        state, game = self.situation.state, self.situation.game
        if game is not None and game.winner is None and not isinstance(state, Resume):
            before = state.before if isinstance(state, Reading) else state
            self.situation = replace(self.situation, state=Resume(before))


def _as_may_be(situation: Situation) -> list[Situation]:
    """Give what the box may know: with and without having noticed that it has no camera."""
    outcomes = [step(situation, TraySeen(View.NO_CAMERA, trouble)) for trouble in CameraTrouble]
    return [situation, *(outcome.situation for outcome in outcomes if outcome is not None)]


def _after(situation: Situation, event: Input) -> Situation:
    for now in _as_may_be(situation):
        if (outcome := step(now, event)) is not None:
            return outcome.situation
    raise AssertionError(f"{event} is not accepted in {situation.state}")
