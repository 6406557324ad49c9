"""The opponents' levels, weakest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import EngineError
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
    """

    key: str
    make: Callable[[], Strategy]
    seat: bool = True


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
    Level("strongest", _strongest),
)
"""All levels, weakest first."""

OPPONENTS = tuple(one.key for one in LEVELS if one.seat)
"""The keys of the levels that are offered for a seat of the box, weakest first."""


def level(key: str) -> Level:
    """Return a level by its key.

    Raises:
        UnknownLevelError: If there is no level with this key.
    """
    for one in LEVELS:
        if one.key == key:
            return one
    raise UnknownLevelError(f"unknown level {key!r}; choose from: {', '.join(one.key for one in LEVELS)}")
