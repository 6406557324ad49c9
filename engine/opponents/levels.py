"""The opponents' levels, weakest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import EngineError, shown
from engine.opponents.rule_of_28 import EVOLVED, RULE_OF_28_OUTER
from engine.opponents.simple import Counter, FirstLuck, Hasty
from engine.opponents.strategy import Strategy


class UnknownLevelError(EngineError):
    """There is no such level; the message lists the existing ones."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of opponents.

    Attributes:
        key: Its name in journals and transcripts; it never changes.
        name: Its name for people, in English and on the command line.
        make: Creates the strategy, and loads only then what it needs.
    """

    key: str
    name: str
    make: Callable[[], Strategy]


def _strongest() -> Strategy:
    # NumPy and the trained weights are loaded only by those who play against it.
    from engine.opponents.strongest import Strongest  # noqa: PLC0415

    return Strongest()


LEVELS: tuple[Level, ...] = (
    Level("child", "Beginner", FirstLuck),
    Level("hasty", "Reckless", Hasty),
    Level("counter", "Careful", Counter),
    Level("rule-28-outer", "Experienced", lambda: RULE_OF_28_OUTER),
    Level("evolved", "Expert", lambda: EVOLVED),
    Level("strongest", "Master", _strongest),
)
"""All levels, weakest first."""

OPPONENTS = tuple(one.key for one in LEVELS)
"""The keys of all levels, weakest first."""


def level(name: str) -> Level:
    """Return a level by its name, in capitals or small letters, or by its key.

    Raises:
        UnknownLevelError: If there is no such level.
    """
    for one in LEVELS:
        if name.casefold() in (one.name.casefold(), one.key):
            return one
    raise UnknownLevelError(f"unknown level {shown(name)}; choose from: {', '.join(one.name for one in LEVELS)}")


def level_name(key: str) -> str:
    """Return the name of a level for people; of an unknown level its key."""
    return next((one.name for one in LEVELS if one.key == key), key)
