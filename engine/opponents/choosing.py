"""What strategies have in common: the legal plays with the runners after each, and the best of them."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Play
from engine.board import Spaces
from engine.dice import Roll
from engine.position import Position
from engine.rules import plays, runners_after


def best_play(position: Position, roll: Roll, worth: Callable[[Spaces], float]) -> Play:
    """Choose the legal play after which the runners are worth most.

    Among equals it is the pairing whose sums lie closest together, and of two columns for one runner the lower. Where
    the literature gives weights it says nothing of equals, of which there are many; with this order the published
    averages come out (docs/opponents.md), with the opposite one a tenth of a turn lower.

    Args:
        position: Where the dice were rolled.
        roll: The dice.
        worth: How much the runners are worth, given space by column.

    Raises:
        ValueError: If there is no legal play: the roll is a bust.
    """
    rolled = position.with_roll(roll)
    legal = plays(rolled)
    if not legal:
        raise ValueError(f"there is nothing to choose: {'-'.join(map(str, roll))} is a bust here")
    return max(legal, key=lambda play: (worth(runners_after(rolled, play)), play.pairing[0]))
