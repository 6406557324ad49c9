"""The referee: applies the transitions, and remembers what was seen while another screen covered the game.

The tray's contents are shown as soon as a state comes up that waits for dice. A roll made while a menu or another
screen covered such a state counts once that state is back, if the game is unchanged and the dice were left lying. Dice
thrown during a choice do not count: the roll is already made.

STOP ends the turn at once only if the dice have lain still for a second: an empty tray may be waiting for dice in the
air, which belong to the player who rolled them.
"""

from __future__ import annotations

from dataclasses import replace

from device.referee.inputs import Button, DiceRead, EarlyStop, Input, Press, TraySeen, TrayStill, TrayView
from device.referee.outcome import Effect, Outcome
from device.referee.playing import dice_wanted
from device.referee.states import STOP_ENDS_TURN, Situation, State, below
from device.referee.transition_table import step
from engine import Game

MOVING = (TrayView.HAND, TrayView.ROLLING)
"""Views of a tray in which something moves; `device.camera.worker.MOVING_S` limits how long."""


class Referee:
    """Handles one input after another."""

    def __init__(self) -> None:
        """Start with an unknown tray."""
        self.tray: TraySeen | None = None
        """The tray's contents as last seen; None after dice were read."""
        self._seen: TraySeen | None = None
        self._is_still = False
        self._missed: tuple[DiceRead, State, Game | None] | None = None
        """A roll that a screen covered, with the state and the game that it was for."""

    def take(self, now: Situation, event: Input) -> Outcome | None:
        """Return the outcome of an input; None if it is not accepted."""
        if event == Press(Button.STOP) and isinstance(now.beneath, STOP_ENDS_TURN) and self._may_be_rolled:
            event = EarlyStop()
        outcome = step(now, event)
        if isinstance(event, TrayStill):
            self._is_still = True
        if isinstance(event, TraySeen):
            self.tray = self._seen = event
            self._is_still = self._is_still and event.view not in MOVING
            if event.view is not TrayView.USED:
                self._missed = None  # they are gone, or about to be picked up
        elif isinstance(event, DiceRead):
            self.tray = None  # those dice are used up
            waiting = below(now.state)
            waits = outcome is None and waiting is not now.state and len(event.dice) == dice_wanted(waiting)
            self._missed = (event, waiting, now.game) if waits else None
        if outcome is None:
            return None
        if {Effect.READ_AGAIN, Effect.TRAY_CHECKED} & set(outcome.effects):
            self.tray = None
        situation = outcome.situation
        if not isinstance(event, TraySeen) and self.tray is not None and (seen := step(situation, self.tray)):
            situation = seen.situation
        return replace(outcome, situation=situation, then=outcome.then or self._due(situation))

    @property
    def _may_be_rolled(self) -> bool:
        """Whether dice may be in the air: in the tray, they do not lie, or not for long enough."""
        if self._seen is None or self._seen.view is TrayView.NO_CAMERA:
            return False
        return not self._is_still or self._seen.view is TrayView.EMPTY

    def _due(self, now: Situation) -> DiceRead | None:
        """Return the missed roll, once, when the state that waited for it is back."""
        if self._missed is None or (now.state, now.game) != self._missed[1:]:
            return None
        (dice, *_), self._missed = self._missed, None
        return dice
