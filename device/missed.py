"""Dice that were thrown while the menu, or another screen over the game, was open: they count once it is closed."""

from __future__ import annotations

from dataclasses import dataclass

from device.referee.inputs import DiceRead, Input, TraySeen, View
from device.referee.playing import dice_wanted
from device.referee.state import State
from device.referee.states import Situation
from engine import Game


@dataclass(frozen=True, slots=True)
class _Missed:
    dice: DiceRead
    state: State
    game: Game | None


class MissedDice:
    """Remembers a roll that came while another screen lay over the state that waits for it.

    It is given back when just that state comes up again, the game unchanged, and the dice have been left lying. Dice
    that are thrown during a choice are none of these: there the roll is made already.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._missed: _Missed | None = None

    def happens(self, event: Input, now: Situation, *, taken: bool) -> None:
        """Take notice of an input.

        Args:
            event: The input.
            now: The situation that it met.
            taken: Whether the referee has accepted it.
        """
        if isinstance(event, DiceRead):
            below = _below(now.state)
            waits = not taken and below is not now.state and len(event.dice) == dice_wanted(below)
            self._missed = _Missed(event, below, now.game) if waits else None
        elif isinstance(event, TraySeen) and event.view is not View.USED:
            self._missed = None  # they are gone, or somebody is about to take them

    def due(self, now: Situation) -> DiceRead | None:
        """Give the dice, once, if the state that waited for them is here again."""
        missed = self._missed
        if missed is None or now.state != missed.state or now.game != missed.game:
            return None
        self._missed = None
        return missed.dice


def _below(state: State) -> State:
    """Give the state that is under all that lies over it."""
    while (before := getattr(state, "before", None)) is not None:
        state = before
    return state
