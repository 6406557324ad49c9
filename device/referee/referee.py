"""The referee: the table of transitions, and what was seen while another screen lay over the game.

What lies in the tray is shown as soon as a state comes up that cares for it. Dice that were thrown while a menu or
another screen lay over the state that waits for them count once that state is back, if the game is unchanged and they
were left lying. Dice that are thrown during a choice are none of these: there the roll is made already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.referee.inputs import DiceRead, Input, TraySeen, TrayView
from device.referee.outcome import Effect, Outcome
from device.referee.playing import dice_wanted
from device.referee.state import Over, State
from device.referee.states import Situation
from device.referee.transitions import step
from engine import Game


@dataclass(frozen=True, slots=True)
class _Missed:
    dice: DiceRead
    state: State
    game: Game | None


class Referee:
    """Takes one input after another."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self.tray: TraySeen | None = None
        """What lies in the tray, as it was seen last; None after dice were read."""
        self._missed: _Missed | None = None

    def take(self, now: Situation, event: Input) -> Outcome | None:
        """Return what an input leads to; None where it is not accepted.

        Args:
            now: The situation that it meets.
            event: The input.
        """
        outcome = step(now, event)
        if isinstance(event, TraySeen):
            self.tray = event
            if event.view is not TrayView.USED:
                self._missed = None  # they are gone, or somebody is about to take them
        elif isinstance(event, DiceRead):
            self.tray = None  # those dice are used up
            below = _below(now.state)
            waits = outcome is None and below is not now.state and len(event.dice) == dice_wanted(below)
            self._missed = _Missed(event, below, now.game) if waits else None
        if outcome is None:
            return None
        if {Effect.READ_AGAIN, Effect.TRAY_CHECKED} & set(outcome.effects):
            self.tray = None
        situation = outcome.situation
        if not isinstance(event, TraySeen) and self.tray is not None and (seen := step(situation, self.tray)):
            situation = seen.situation
        return replace(outcome, situation=situation, missed=self._due(situation))

    def _due(self, now: Situation) -> DiceRead | None:
        """Return the dice that were missed, once, if the state that waited for them is here again."""
        missed = self._missed
        if missed is None or now.state != missed.state or now.game != missed.game:
            return None
        self._missed = None
        return missed.dice


def _below(state: State) -> State:
    """Return the state that is under all that lies over it."""
    while isinstance(state, Over):
        state = state.before
    return state
