"""The strongest level: it solves each turn exactly, with learned values of the positions at its end.

The solved turn also has the value of a position, the luck of a roll and the cost of a decision.

Before a roll, the value of a turn is the mean over all 1,296 rolls, each with its best play. After it, it is the value
of the actual roll with its best play. The difference is the luck of the roll. With fair dice its mean is 0 in every
position, however the player continues, so the sum over many rolls depends on the dice alone. Backgammon programs
define the luck of a roll in the same way. M. Zinkevich et al., "Optimal Unbiased Estimators for Evaluating Agent
Performance" (AAAI 2006), show that this is valid with any estimate of values, and sharper with better ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.actions import Play
from engine.board import EMPTY
from engine.dice import Roll
from engine.odds import ALL_ROLLS, weighted_rolls
from engine.opponents.strategy import Advice, best_play
from engine.opponents.turns import EQUAL, turn_of
from engine.position import Position
from engine.rules import after, may_stop, plays, runners_after


class Strongest:
    """Plays to win (solo: in few turns), for every seat and variant."""

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play after which the turn has the highest value."""
        rolled = position.with_roll(roll)
        found = tuple(dict.fromkeys(runners_after(rolled, play) for play in plays(rolled)))
        if len(found) < 2:
            return best_play(position, roll, lambda _: 0)
        worth = [one.best for one in turn_of(position).solve(found)]
        good = {runners for runners, one in zip(found, worth, strict=True) if one >= max(worth) - EQUAL}
        return best_play(position, roll, good.__contains__)

    def stops(self, position: Position) -> bool:
        """Whether it stops: if rolling is worth no more."""
        (worth,) = turn_of(position).solve([position.runners])
        return worth.stop >= worth.roll - EQUAL


def advice(position: Position) -> list[Advice]:
    """Return what it would do, and the value of each legal play or, if there is no roll, of stopping and of rolling.

    Args:
        position: A position with runners, or with a roll that is not a bust.
    """
    master = Strongest()
    choices: list[tuple[Play | None, Position]] = [(None, position)]
    if position.roll is not None:
        choices = [(play, after(position, play)) for play in plays(position)]
    chosen = master.choose(position, position.roll) if position.roll is not None else None
    worth = turn_of(position).solve([then.runners for _, then in choices])
    sign, added = (1, 0) if position.players > 1 else (-1, 1)  # solo values are the turns after this one, negated
    return [
        Advice(
            play,
            sign * one.stop + added if may_stop(then) else None,
            sign * one.roll + added,
            may_stop(then) and master.stops(then),
            play == chosen,
        )
        for (play, then), one in zip(choices, worth, strict=True)
    ]


def value(position: Position) -> float:
    """Return the chance to win of the player who moves; in a solo game, the turns left with this one, negated."""
    turn, ends = turn_of(position), [position.runners]
    if position.roll is not None:
        ends = [runners_after(position, play) for play in plays(position)]
    best = max((one.best for one in turn.solve(ends)), default=turn.bust)
    return best - (position.players == 1)


@dataclass(frozen=True, slots=True)
class Fortune:
    """The luck of one roll.

    Attributes:
        before: The value of rolling, before the roll: a chance to win; in a solo game, the turns left, negated.
        gain: How much better it was than an average roll: a chance to win, -1 to 1; in a solo game, turns saved.
        variance: The variance of the gain over all rolls. The root of the sum of these is the usual amount of luck.
    """

    before: float
    gain: float
    variance: float


def fortune(position: Position, roll: Roll) -> Fortune:
    """Return the luck of a roll.

    Args:
        position: The position in which it was rolled, with or without that roll; the game is not over.
        roll: The dice.
    """
    turn_of(position).solve([EMPTY])  # the whole turn at once, not roll by roll
    worth = {each: value(position.with_roll(each)) for each, _ in weighted_rolls()}
    mean = math.fsum(weight * worth[each] for each, weight in weighted_rolls()) / ALL_ROLLS
    squares = math.fsum(weight * (worth[each] - mean) ** 2 for each, weight in weighted_rolls())
    return Fortune(mean, worth[roll] - mean, squares / ALL_ROLLS)


def cost(position: Position, stops: bool) -> float:
    """Return how much a decision to stop or to roll loses compared with the better of the two.

    Args:
        position: The position of the decision; a stop is allowed and there is no roll.
        stops: The decision: whether the player stops.

    Returns:
        A chance to win, 0 to 1; in a solo game, turns.
    """
    (here,) = turn_of(position).solve([position.runners])
    return here.best - (here.stop if stops else here.roll)
