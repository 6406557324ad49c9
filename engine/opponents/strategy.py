"""The interface of strategies, and the reasons for their decisions: data that the screens put into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from engine.actions import Play
from engine.dice import Roll
from engine.odds import at_stake, bust_chance, loss_chance
from engine.piece_moves import stop_wins
from engine.position import Position
from engine.rules import may_stop


class Why(Enum):
    """Reasons to stop or to roll on."""

    WINS = "wins"
    """Stopping wins the game."""
    RISK = "risk"
    """What there is to lose was weighed: too much for the risk where the strategy stops, worth it where it rolls."""
    SAFE = "safe"
    """It rolls on: no roll is a bust, or the turn cannot be lost before the next moment at which it may stop."""
    MUST = "must"
    """It rolls because the rules allow no stop: nothing was rolled yet, or a runner stands on a marker."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a strategy stops or rolls on.

    Attributes:
        stops: Whether it stops.
        why: The kind of reason.
        loss: The chance, 0 to 1, of losing the turn by rolling on (`engine.odds.loss_chance`); before the first roll
            of a turn, the chance of a bust.
        at_stake: The number of spaces that the runners have gained in this turn.
    """

    stops: bool
    why: Why
    loss: float
    at_stake: int


class Strategy(Protocol):
    """Plays a seat. The same position and roll always give the same answer: a game can be played again.

    Every answer is legal: `choose` gives one of `engine.plays`, and `stops` is False where no stop is allowed.
    """

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return one of the legal plays.

        Args:
            position: The position in which the dice were rolled, with or without that roll.
            roll: The dice.

        Raises:
            IllegalAction: If there is no legal play: the roll is a bust.
        """
        ...

    def stops(self, position: Position) -> bool:
        """Whether it stops in this position, which has no roll."""
        ...

    def reason(self, position: Position) -> Reason:
        """Return why it stops or rolls on here."""
        ...


def reason_of(position: Position, stops: bool) -> Reason:
    """Return the reason for a decision, as it can be given for any strategy.

    Args:
        position: The position of the decision.
        stops: The decision.
    """
    loss = loss_chance(position) if any(position.runners) else bust_chance(position)
    if stops:
        why = Why.WINS if stop_wins(position) else Why.RISK
    elif not may_stop(position):
        why = Why.MUST
    else:
        why = Why.RISK if loss else Why.SAFE
    return Reason(stops, why, loss, at_stake(position))
