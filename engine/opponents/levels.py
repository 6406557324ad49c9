"""The opponents' levels, weakest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import EngineError
from engine.opponents.networks import is_trained
from engine.opponents.simple import Counter, FirstLuck, Hasty
from engine.opponents.strategy import Strategy
from engine.opponents.weighted import EVOLVED, RULE_OF_28_INNER, RULE_OF_28_OUTER, WeightedSums


class UnknownLevelError(EngineError):
    """There is no such level; the message lists the existing ones."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of opponents.

    Attributes:
        key: Its name on the command line and in journals; it never changes.
        make: Creates the strategy, and loads only then what it needs.
        seat: Whether the box offers it for a seat; the others are references for tournaments.
        can_play: Returns whether it can play games of this number of players and columns to win.
    """

    key: str
    make: Callable[[], Strategy]
    seat: bool = True
    can_play: Callable[[int, int], bool] = lambda players, columns_to_win: True


def _strongest() -> Strategy:
    # NumPy and the trained weights are loaded only by those who play against it.
    from engine.opponents.strongest import Strongest  # noqa: PLC0415

    return Strongest()


LEVELS: tuple[Level, ...] = (
    Level("child", FirstLuck),
    Level("hasty", Hasty),
    Level("counter", Counter),
    Level("rule-28-outer", lambda: WeightedSums(RULE_OF_28_OUTER)),
    Level("rule-28-inner", lambda: WeightedSums(RULE_OF_28_INNER), seat=False),
    Level("evolved", lambda: WeightedSums(EVOLVED)),
    Level("strongest", _strongest, can_play=is_trained),
)
"""All levels, weakest first."""

OPPONENTS = tuple(one.key for one in LEVELS if one.seat)
"""The keys of the levels that are offered for a seat of the box, weakest first."""


def offered(players: int, columns_to_win: int) -> tuple[str, ...]:
    """Return those of `OPPONENTS` that can play games of this number of players and columns to win."""
    return tuple(one.key for one in LEVELS if one.seat and one.can_play(players, columns_to_win))


def level(key: str) -> Level:
    """Return a level by its key.

    Raises:
        UnknownLevelError: If there is no level with this key.
    """
    for one in LEVELS:
        if one.key == key:
            return one
    raise UnknownLevelError(f"unknown level {key!r}; choose from: {', '.join(one.key for one in LEVELS)}")
