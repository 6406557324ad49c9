"""What strategies have in common: the legal plays with the runners after each, and the best of them."""

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
    """Choose the legal play after which the runners are worth most.

    Args:
        position: Where the dice were rolled.
        roll: The dice.
        worth: How much the runners are worth, given space by column.
        prefers: Says which of equals is taken, the one with the most; the first of them if that is equal too. By
            default it is the pairing whose sums lie closest together, and of two columns for one runner the lower.

    Raises:
        IllegalAction: If there is no legal play: the roll is a bust.
    """
    rolled = position.with_roll(roll)
    legal = plays(rolled)
    if not legal:
        raise IllegalAction(f"there is nothing to choose: {'-'.join(map(str, roll))} is a bust here")
    return max(legal, key=lambda play: (worth(runners_after(rolled, play)), prefers(play)))
