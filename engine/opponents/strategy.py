"""The interface of strategies, and what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from engine.actions import Play
from engine.board import Spaces
from engine.dice import Roll
from engine.position import Position
from engine.rules import plays, runners_after


class Strategy(Protocol):
    """Plays a seat. The same position and roll always lead to the same decision, so a game can be repeated.

    It is only asked what it can decide: to choose if there is a legal play, and to stop where that is allowed.
    """

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return one of the legal plays.

        Args:
            position: The position in which the dice were rolled, with or without that roll.
            roll: The dice; not a bust.
        """
        ...

    def stops(self, position: Position) -> bool:
        """Whether it stops in this position, in which that is allowed."""
        ...


def best_play(position: Position, roll: Roll, worth: Callable[[Spaces], float]) -> Play:
    """Return the legal play after which the runners are worth most.

    Of equal ones it is that of the pairing whose sums are closest, and the lower of two columns for one runner.

    Args:
        position: The position in which the dice were rolled.
        roll: The dice; not a bust.
        worth: Returns how much runners are worth, by their space in each column.
    """
    rolled = position.with_roll(roll)
    return max(plays(rolled), key=lambda play: (worth(runners_after(rolled, play)), play.pairing[0]))


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
