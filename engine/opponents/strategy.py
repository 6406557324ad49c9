"""The interface of strategies, what they have in common, and the reasons for their decisions as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from engine.actions import Play
from engine.board import Spaces
from engine.dice import Roll
from engine.errors import IllegalAction
from engine.odds import at_stake, bust_chance, loss_chance
from engine.piece_moves import stop_wins
from engine.position import Position
from engine.rules import may_stop, plays, runners_after


class Why(Enum):
    """The reasons to stop or to roll."""

    WINS = "wins"
    """Stopping wins the game."""
    RISK = "risk"
    """The possible loss was weighed: the risk is too high for it if the strategy stops, worth it if it rolls."""
    SAFE = "safe"
    """It rolls because no roll is a bust, or the turn cannot be lost before it may stop again."""
    MUST = "must"
    """It rolls because no stop is allowed: nothing was rolled yet, or a runner is on a marker."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a strategy stops or rolls.

    Attributes:
        stops: Whether it stops.
        why: The kind of reason.
        loss: The chance, 0 to 1, of losing the turn by rolling (`engine.odds.loss_chance`); before the first roll of a
            turn, the chance of a bust.
        at_stake: The number of spaces that the runners have gained in this turn.
    """

    stops: bool
    why: Why
    loss: float
    at_stake: int


class Strategy(Protocol):
    """Plays a seat. The same position and roll always lead to the same decision, so a game can be repeated.

    Every decision is legal: `choose` returns one of `engine.plays`, and `stops` returns False if no stop is allowed.
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


def reason_of(position: Position, stops: bool) -> Reason:
    """Return the reason for a decision, which is found in the same way for every strategy.

    Args:
        position: The position of the decision.
        stops: The decision: whether the strategy stops.
    """
    loss = loss_chance(position) if any(position.runners) else bust_chance(position)
    if stops:
        why = Why.WINS if stop_wins(position) else Why.RISK
    elif not may_stop(position):
        why = Why.MUST
    else:
        why = Why.RISK if loss else Why.SAFE
    return Reason(stops, why, loss, at_stake(position))


def best_play(
    position: Position,
    roll: Roll,
    worth: Callable[[Spaces], float],
    prefers: Callable[[Play], float] = lambda play: play.pairing[0],
) -> Play:
    """Return the legal play after which the runners are worth most.

    Args:
        position: The position in which the dice were rolled.
        roll: The dice.
        worth: Returns how much runners are worth, by their space in each column.
        prefers: Returns the rank of a play among equal ones; the highest is taken, or the first of those. By default it
            prefers the pairing whose sums are closest, and the lower of two columns for one runner.

    Raises:
        IllegalAction: If there is no legal play: the roll is a bust.
    """
    rolled = position.with_roll(roll)
    legal = plays(rolled)
    if not legal:
        raise IllegalAction(f"there is nothing to choose: {'-'.join(map(str, roll))} is a bust here")
    return max(legal, key=lambda play: (worth(runners_after(rolled, play)), prefers(play)))


@dataclass(frozen=True, slots=True)
class Advice:
    """The value of one choice: a chance to win, 0 to 1; in a solo game the turns that are left, this one included.

    Attributes:
        play: The play; None if there is no roll.
        stop: The value of stopping after it; None if that is not allowed.
        roll: The value of rolling after it.
        stops: Whether the opponent would stop after it.
        best: Whether it is what the opponent would choose.
    """

    play: Play | None
    stop: float | None
    roll: float
    stops: bool
    best: bool
