"""Strategies that add up points for each runner: Keller's Rule of 28 and its generalisation by Glenn and Aloi.

A turn's score is the sum over the runners of (spaces gained + 1) times the column's points and, with three runners,
a sum for special sets of columns. At the threshold the player stops. Among plays, the player maximises the same sum
with other points, minus the sum for special sets, minus 6 for each runner used.

Sources: Michael Keller, "Can't Stop? Try the Rule of 28" (World Game Review 6, 1986); James Glenn and Christian Aloi,
"A Generalized Heuristic for Can't Stop" (FLAIRS 2009).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Play
from engine.board import COLUMNS, RUNNERS, Spaces
from engine.dice import Roll
from engine.opponents.strategy import best_play
from engine.piece_moves import stop_wins
from engine.position import Position

RUNNER_PENALTY = 6
"""The points that each runner subtracts in the choice among plays."""


@dataclass(frozen=True, slots=True)
class WeightedSums:
    """A strategy that adds up points, as the module describes.

    Attributes:
        points: The points for a step in the columns 2 and 12, 3 and 11, 4 and 10, 5 and 9, 6 and 8, and 7.
        choice_points: The points for a step in the same columns, for the choice among plays.
        odd: The points for three runners, if all their columns are odd. Several of these four can apply.
        even: The points if all three columns are even.
        high: The points if all three columns are 7 or higher.
        low: The points if all three columns are 7 or lower.
        threshold: The score at which the player stops.
    """

    points: tuple[int, int, int, int, int, int]
    choice_points: tuple[int, int, int, int, int, int]
    odd: int
    even: int
    high: int
    low: int
    threshold: int

    def choose(self, position: Position, roll: Roll) -> Play:
        """Return the play with the highest sum of choice points; a lot decides between equal ones."""
        own = position.markers[position.turn]

        def worth(runners: Spaces) -> float:
            penalty = RUNNER_PENALTY * sum(space > 0 for space in runners)
            return self._sum(runners, own, self.choice_points, -1) - penalty + _lot(runners, own)

        return best_play(position, roll, worth)

    def stops(self, position: Position) -> bool:
        """Whether it stops: at the threshold, or if it wins; never while a runner and a column are free."""
        if stop_wins(position):
            return True
        if position.free_runners and any(
            position.usable[column] and not position.runners[column] for column in COLUMNS
        ):
            return False
        return self.score(position) >= self.threshold

    def score(self, position: Position) -> int:
        """Return the score of the turn so far."""
        return self._sum(position.runners, position.markers[position.turn], self.points, 1)

    def _sum(self, runners: Spaces, own: Spaces, points: tuple[int, ...], sign: int) -> int:
        columns = [column for column in COLUMNS if runners[column]]
        gained = sum((runners[column] - own[column] + 1) * points[5 - abs(7 - column)] for column in columns)
        return gained + sign * self._set_points(columns)

    def _set_points(self, columns: list[int]) -> int:
        """Return the points for the set of columns with runners; 0 with fewer than three runners."""
        if len(columns) < RUNNERS:
            return 0
        return (
            self.odd * all(column % 2 for column in columns)
            + self.even * (not any(column % 2 for column in columns))
            + self.high * (min(columns) >= 7)
            + self.low * (max(columns) <= 7)
        )


RULE_OF_28_OUTER = WeightedSums((6, 5, 4, 3, 2, 1), (6, 5, 4, 3, 2, 1), odd=2, even=-2, high=4, low=4, threshold=28)
"""Keller's Rule of 28, preferring plays in the outer columns."""

EVOLVED = WeightedSums((7, 7, 3, 2, 2, 1), (7, 0, 2, 0, 4, 3), odd=7, even=1, high=6, low=5, threshold=29)
"""Glenn and Aloi's weights, found by a genetic algorithm for solo games."""


def _lot(runners: Spaces, own: Spaces) -> float:
    """Return the lot of the play that leads to these runners, 0 to below 1.

    The weights from the literature leave many plays equal, and do not say which to take. The lot is computed from the
    player's pieces, so that the same position and roll always lead to the same decision.
    """
    number = 0
    for column in COLUMNS:
        number = number * 31 + 14 * own[column] + runners[column]
    # A multiplicative hash (Knuth, The Art of Computer Programming, vol. 3, section 6.4): neighbouring numbers have
    # unrelated lots.
    return (number * 0x9E3779B97F4A7C15 % 2**64 >> 32) / 2**32
