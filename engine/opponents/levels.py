"""The levels that a seat can be given, weakest first, in words that a player understands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import EngineError
from engine.opponents.simple import Counter, FirstLuck, Hasty
from engine.opponents.strategy import Strategy
from engine.opponents.weighted import EVOLVED, RULE_OF_28_INNER, RULE_OF_28_OUTER, WeightedSums


class UnknownLevelError(EngineError):
    """There is no such level; the message lists those that there are."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level.

    Attributes:
        key: Its name on the command line and in journals; never changed once given.
        name: What people read.
        make: Makes the strategy; what it needs is loaded only then.
        seat: Whether it is offered for a seat of the box; the others are references, for the tournament.
    """

    key: str
    name: str
    make: Callable[[], Strategy]
    seat: bool = True


def _strongest() -> Strategy:
    # numpy and the learned numbers are loaded by those alone who play against it.
    from engine.opponents.strongest import Strongest  # noqa: PLC0415

    return Strongest()


LEVELS: tuple[Level, ...] = (
    Level("child", "a child", FirstLuck),
    Level("hasty", "in a hurry", Hasty),
    Level("counter", "counts", Counter),
    Level("rule-28-outer", "Rule of 28", lambda: WeightedSums(RULE_OF_28_OUTER)),
    Level("rule-28-inner", "Rule of 28, inner columns", lambda: WeightedSums(RULE_OF_28_INNER), seat=False),
    Level("evolved", "Glenn and Aloi", lambda: WeightedSums(EVOLVED)),
    Level("strongest", "the strongest", _strongest),
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
