"""Opponents' decisions, computed outside the box's loop. For one that fails or is late, no other level decides."""

from __future__ import annotations

import logging
from collections.abc import Callable

from device.health.probe_runner import ask_aside
from device.referee.inputs import Decided, Input, NoDecision
from engine import Play, Position, after, may_stop, stop_wins
from engine.odds import at_stake, bust_chance, loss_chance
from engine.opponents import Strategy, level

DEADLINE_S = 10.0
"""The time limit for one decision of an opponent, in seconds; on a PC the strongest takes less than 0.2 s."""

_log = logging.getLogger(__name__)


class Thinker:
    """Lets opponents decide, each decision in a thread of its own, and puts the decisions into the box's queue."""

    def __init__(self, put: Callable[[Input], None]) -> None:
        """Prepare. `put` accepts a decision, from another thread."""
        self._put = put
        self._busy: set[str] = set()

    def ask(self, position: Position, key: str) -> None:
        """Request the decision of a level's opponent; the answer always comes as an input.

        Args:
            position: A position in its turn, with a roll that is not a bust, or with runners on the board.
            key: The level.
        """
        undecided: Input = NoDecision(position)
        if key in self._busy:
            # A thread cannot be ended from outside: until it has decided after all, the opponent is not asked again.
            _log.error("the opponent %r has not decided in time", key)
            self._put(undecided)
            return
        self._busy.add(key)

        def think() -> Input:
            try:
                return decision(level(key).make(), position)
            finally:
                self._busy.discard(key)

        ask_aside(think, self._put, undecided, DEADLINE_S)


def decision(opponent: Strategy, position: Position) -> Decided:
    """Return an opponent's decision: the play, if there is a roll, and whether it stops afterwards.

    Raises:
        IllegalAction: If its play is against the rules.
    """
    play: Play | None = None
    then = position
    if position.roll is not None:
        play = opponent.choose(position, position.roll)
        then = after(position, play)
    stops = may_stop(then) and opponent.stops(then)
    loss = loss_chance(then) if any(then.runners) else bust_chance(then)
    return Decided(position, play, stops, _why(then, stops, loss), loss, at_stake(then))


def _why(position: Position, stops: bool, loss: float) -> str:
    """Return the reason for a decision, as `Decided` names it; it is found in the same way for every opponent."""
    if stops:
        return "wins" if stop_wins(position) else "risk"
    if not may_stop(position):
        return "must"
    return "risk" if loss else "safe"
