"""What strategies have in common: choosing the legal play with the best runners after it."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Play
from engine.board import Spaces
from engine.dice import Roll
from engine.errors import IllegalAction
from engine.position import Position
from engine.rules import plays, runners_after


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
