"""All odds of one position, as the box shows them when a player decides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.board import TOP
from engine.errors import IllegalAction
from engine.odds.busts import ALL_ROLLS, bust_rolls, columns_of, moving_columns, weighted_rolls
from engine.odds.forced import loss_chance
from engine.position import Position, check_position
from engine.rules import may_stop, plays, runners_after


@dataclass(frozen=True, slots=True)
class Odds:
    """What the next roll can do, and what it can lose. Chances are exact, 0 to 1.

    Attributes:
        bust_rolls: The number of ordered rolls (of 1,296) that are a bust.
        top_rolls: The number of ordered rolls that allow a play that takes a runner to a top space.
        loss: The chance to lose the turn before a stop is allowed again. It differs from the chance of a bust only if
            the variant forbids stopping on a marker; then it holds for the choices that keep it lowest.
        at_stake: The number of spaces that the runners have gained in this turn.
        may_stop: Whether the player may stop now.
    """

    bust_rolls: int
    top_rolls: int
    loss: float
    at_stake: int
    may_stop: bool

    @property
    def bust(self) -> float:
        """The chance that the next roll is a bust."""
        return self.bust_rolls / ALL_ROLLS

    @property
    def top(self) -> float:
        """The chance that the next roll allows a play that takes a runner to a top space."""
        return self.top_rolls / ALL_ROLLS

    @property
    def safe(self) -> float:
        """The chance to reach the next moment at which a stop is allowed."""
        return 1 - self.loss


def at_stake(position: Position) -> int:
    """Return the number of spaces that the runners have gained in this turn, which a bust would lose."""
    check_position(position)
    own = position.markers[position.turn]
    return sum(space - own[column] for column, space in position.runners_out())


def top_rolls(position: Position) -> int:
    """Return the number of ordered rolls (of 1,296) with a legal play that takes a runner to a top space."""
    check_position(position)
    return sum(weight for roll, weight in weighted_rolls() if _tops(position.with_roll(roll)))


def moving_rolls(position: Position) -> dict[int, int]:
    """Return, for each column in which a runner can move, the number of ordered rolls (of 1,296) with a play there.

    Without fast start, which forbids some plays, this is the number of rolls of which two dice add up to the column.
    Columns in which no runner can move are left out.

    >>> from engine import parse_position
    >>> moving_rolls(parse_position("3 -/- 1 6:1,7:1,8:1 -"))
    {6: 727, 7: 834, 8: 727}
    """
    check_position(position)
    counts = dict.fromkeys(columns_of(moving_columns(position)), 0)
    for roll, weight in weighted_rolls():
        for column in {column for play in plays(position.with_roll(roll)) for column in play.columns}:
            counts[column] += weight
    return counts


def _tops(position: Position) -> bool:
    """Whether a legal play of the current roll takes a runner to the top."""
    return any(
        runners_after(position, play)[column] == TOP[column] for play in plays(position) for column in play.columns
    )


def odds_of(position: Position) -> Odds:
    """Return the odds of rolling in this position.

    Raises:
        IllegalAction: If there is no next roll: the game is over, or a roll waits for a choice.
    """
    check_position(position)
    if position.winner is not None:
        raise IllegalAction("the game is over: there is no next roll")
    if position.roll is not None:
        raise IllegalAction("a roll waits for its choice: ask for the odds after it")
    return _odds_of(position)


@lru_cache(maxsize=16)
def _odds_of(position: Position) -> Odds:  # a screen is made in each language, as text, and to be read aloud
    return Odds(
        bust_rolls(moving_columns(position)),
        top_rolls(position),
        loss_chance(position),
        at_stake(position),
        may_stop(position),
    )
