"""Strategies that can be described in one sentence."""

from __future__ import annotations

from engine.actions import Play
from engine.board import COLUMNS, TOP, Spaces
from engine.dice import Roll
from engine.odds import at_stake, bust_chance, loss_chance
from engine.opponents.strategy import best_play
from engine.piece_moves import stop_wins
from engine.position import Position


class FirstLuck:
    """A beginner: likes to bring in runners in short columns, and stops once all three are on the board."""

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play with most runners on the board after it; among equal ones the one closest to a top."""

        def worth(runners: Spaces) -> float:
            left = [TOP[column] - runners[column] for column in COLUMNS if runners[column]]
            return 100 * len(left) - min(left)

        return best_play(position, roll, worth)

    def stops(self, position: Position) -> bool:
        """Whether it stops: if no runner is free, or one is on a top space."""
        topped = any(position.runners[column] == TOP[column] for column in COLUMNS)
        return topped or not position.free_runners


class Hasty:
    """A reckless player: takes the play that moves furthest, and stops after six spaces."""

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play that moves furthest, as a share of the columns' lengths."""
        return best_play(position, roll, lambda runners: _climbed(position, runners))

    def stops(self, position: Position) -> bool:
        """Whether it stops: after six spaces; never while a runner is free, unless it wins."""
        return stop_wins(position) or (not position.free_runners and at_stake(position) >= 6)


class Counter:
    """A careful player: keeps the chance of a bust low, and stops when a roll would lose more than it gains.

    Spaces are counted as shares of their column, so a space in a short column counts more.
    """

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play with the highest product of the share climbed and the chance of no bust."""

        def worth(runners: Spaces) -> float:
            return (1 - bust_chance(position.changed(runners=runners))) * (_climbed(position, runners) + GAIN_OF_A_ROLL)

        return best_play(position, roll, worth)

    def stops(self, position: Position) -> bool:
        """Whether it stops: if the chance to lose times the share at stake exceeds the gain of a safe roll."""
        if stop_wins(position):
            return True
        loss = loss_chance(position)
        return loss * _climbed(position, position.runners) > (1 - loss) * GAIN_OF_A_ROLL


GAIN_OF_A_ROLL = 0.16
"""The average gain of a safe roll, as a share of a column: about one and a half steps in a column of nine spaces."""


def _climbed(position: Position, runners: Spaces) -> float:
    """Return how far the runners climbed in this turn: the sum of their shares of their columns."""
    own = position.markers[position.turn]
    return sum((runners[column] - own[column]) / TOP[column] for column in COLUMNS if runners[column])
