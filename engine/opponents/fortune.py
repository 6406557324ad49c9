"""The luck of a roll and the cost of a decision, both from the solved turn.

Before a roll, the value of a turn is the mean over all 1,296 rolls, each with its best play. After it, it is the value
of the actual roll with its best play. The difference is the luck of the roll. With fair dice its mean is 0 in every
position, however the player continues, so the sum over many rolls depends on the dice alone. Backgammon programs
define the luck of a roll in the same way. M. Zinkevich et al., "Optimal Unbiased Estimators for Evaluating Agent
Performance" (AAAI 2006), show that this is valid with any estimate of values, and sharper with better ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from engine.board import COLUMNS, EMPTY, Spaces
from engine.dice import Roll
from engine.odds import ALL_ROLLS, weighted_rolls
from engine.opponents.endgame import SolvedTurn, turn_of
from engine.opponents.turns import Turn
from engine.position import Position
from engine.rules import plays, runners_after


@dataclass(frozen=True, slots=True)
class Fortune:
    """The luck of one roll.

    Attributes:
        before: The value of the turn before the roll: a chance to win; in a solo game, the turns left, negated.
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
    worth = _worth_of_rolls(position.with_roll(None))
    mean = math.fsum(weight * worth[each] for each, weight in weighted_rolls()) / ALL_ROLLS
    squares = math.fsum(weight * (worth[each] - mean) ** 2 for each, weight in weighted_rolls())
    return Fortune(mean, worth[roll] - mean, squares / ALL_ROLLS)


@lru_cache(maxsize=4)
def _worth_of_rolls(position: Position) -> dict[Roll, float]:
    """Return the value of the turn after each of the 126 rolls, with the best play."""
    turn = _solved(_begin(position))
    best: dict[Spaces, float] = {}
    found = {}
    for roll, _ in weighted_rolls():
        rolled = position.with_roll(roll)
        options = {runners_after(rolled, play) for play in plays(rolled)}
        new = [runners for runners in options if runners not in best]
        worth = turn.solve([turn.steps(runners) for runners in new])
        best |= {runners: one.best for runners, one in zip(new, worth, strict=True)}
        found[roll] = max((best[runners] for runners in options), default=turn.bust)
    return found


def cost(position: Position, stops: bool) -> float:
    """Return how much a decision to stop or to roll loses compared with the better of the two.

    Args:
        position: The position of the decision; a stop is allowed and there is no roll.
        stops: The decision: whether the player stops.

    Returns:
        A chance to win, 0 to 1; in a solo game, turns.
    """
    turn = _solved(_begin(position))
    (here,) = turn.solve([turn.steps(position.runners)])
    return here.best - (here.stop if stops else here.roll)


def _begin(position: Position) -> Position:
    return position.changed(runners=EMPTY)


def _solved(begin: Position) -> Turn | SolvedTurn:
    """Return a turn that is solved for all its positions, whatever its rolls."""
    turn = turn_of(begin)
    turn.solve([tuple(int(column == other) for other in COLUMNS) for column in COLUMNS if begin.usable[column]])
    return turn
