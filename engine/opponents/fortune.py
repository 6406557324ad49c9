"""The luck of a roll and the cost of a decision, both from the solved turn.

Before a roll the turn is worth the mean, over all 1,296 rolls, of what each leads to with the best play; after it, what
this one leads to. The difference is the luck of the roll. Over fair dice its mean is 0 in every position, however the
player goes on, so that what many rolls add up to tells of the dice alone. Backgammon programs call the same the luck of
a roll; M. Zinkevich et al., "Optimal Unbiased Estimators for Evaluating Agent Performance" (AAAI 2006), say why it is
sound with any values, and the sharper the better they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from engine.board import COLUMNS, EMPTY, Spaces
from engine.dice import Roll
from engine.odds import ALL_ROLLS, weighted_rolls
from engine.opponents.turns import Steps, Turn, Worth
from engine.opponents.values import values_for
from engine.position import Position
from engine.rules import plays, runners_after


@dataclass(frozen=True, slots=True)
class Fortune:
    """The luck of one roll.

    Attributes:
        gain: How much better it was than a roll on average: a chance to win, -1 to 1; alone, turns saved.
        variance: That of the gain over all rolls; the root of a sum of these says how far luck usually goes.
    """

    gain: float
    variance: float


def fortune(position: Position, roll: Roll) -> Fortune:
    """Tell the luck of a roll.

    Args:
        position: Where it was rolled, with or without that roll; the game is not over.
        roll: The dice.
    """
    worth = _worth_of_rolls(position.with_roll(None))
    mean = math.fsum(weight * worth[each] for each, weight in weighted_rolls()) / ALL_ROLLS
    squares = math.fsum(weight * (worth[each] - mean) ** 2 for each, weight in weighted_rolls())
    return Fortune(worth[roll] - mean, squares / ALL_ROLLS)


@lru_cache(maxsize=4)
def _worth_of_rolls(position: Position) -> dict[Roll, float]:
    """Return what the turn is worth after each of the 126 rolls, with the best play."""
    turn, worth = _solved(_begin(position))
    best: dict[Spaces, float] = {}
    found = {}
    for roll, _ in weighted_rolls():
        rolled = position.with_roll(roll)
        options = {runners_after(rolled, play) for play in plays(rolled)}
        best |= {runners: worth(turn.steps(runners)).best for runners in options if runners not in best}
        found[roll] = max((best[runners] for runners in options), default=turn.bust)
    return found


def cost(position: Position, stops: bool) -> float:
    """Return what a decision to stop or to roll on loses compared with the better of the two.

    Args:
        position: Where it was decided: a stop is allowed, no roll waits.
        stops: The decision.

    Returns:
        A chance to win, 0 to 1; alone, turns.
    """
    turn, worth = _solved(_begin(position))
    here = worth(turn.steps(position.runners))
    return here.best - (here.stop if stops else here.roll)


def _begin(position: Position) -> Position:
    return position.changed(runners=EMPTY)


@lru_cache(maxsize=2)
def _solved(begin: Position) -> tuple[Turn, Callable[[Steps], Worth]]:
    """Solve a whole turn at once: whatever its rolls, all questions about it are answered from that."""
    turn = Turn(begin, values_for(begin.players, begin.variants.columns_to_win))
    firsts = [tuple(int(column == other) for other in COLUMNS) for column in COLUMNS if begin.usable[column]]
    return turn, turn.settle(firsts)
