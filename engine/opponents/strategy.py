"""What every strategy can be asked, and the reason that it gives: data, which the screens put into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from engine.actions import Play
from engine.dice import Roll
from engine.moves import stop_wins
from engine.odds import at_stake, bust_chance, loss_chance
from engine.position import Position
from engine.rules import may_stop


class Why(Enum):
    """The kinds of reasons to stop or to roll on."""

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
        loss: The chance, 0 to 1, to lose the turn by going on (`engine.odds.loss_chance`); before the first roll of a
            turn, where nobody has a choice, that of a bust.
        at_stake: How many spaces the runners have gained in this turn.
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
        """Choose among the legal plays.

        Args:
            position: The position in which the dice were rolled, with or without that roll.
            roll: The dice.

        Raises:
            IllegalAction: If there is no legal play: the roll is a bust.
        """
        ...

    def stops(self, position: Position) -> bool:
        """Tell whether it stops in this position, where no roll waits."""
        ...

    def reason(self, position: Position) -> Reason:
        """Say why it stops or rolls on here."""
        ...


def reason_of(position: Position, stops: bool) -> Reason:
    """Give the reason that can be told of any decision, whoever made it and however.

    Args:
        position: Where it was decided.
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
