"""The variants of the printed rule sheets, and which of them can be combined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from engine.errors import BadVariants, shown

MOST_COLUMNS_TO_WIN = {2: 5, 3: 4, 4: 3, 1: 3}
"""The largest number of columns to win (Ravensburger 1, franjos, online) for each possible number of players, in the
order in which these are offered. One player tries to win in the fewest turns. All else that depends on the number of
players follows from this table."""

FEWEST_COLUMNS_TO_WIN = 3
"""The number of columns to win in the basic rules."""

MOST_PLAYERS = max(MOST_COLUMNS_TO_WIN)
"""The largest number of players."""

WHO_CAN_PLAY = f"2 to {MOST_PLAYERS} can play, or 1 solo"
"""The possible numbers of players in words."""

WORDS = {
    "fast start": "fast",
    "fast start strict": "strict",
    "no stop on a marker": "no-stop",
    "leap": "leap",
}
"""The names of all variants, and the word for each in a position's text."""


class FastStart(Enum):
    """The rule for bringing in runners (Ravensburger 2). The value is its name in texts."""

    OFF = ""
    ON = "fast start"
    """A choice must bring in as many new runners as any legal choice would (Dutch and French text)."""
    STRICT = "fast start strict"
    """A choice must also, among those, move as many different runners as any legal choice would (German text)."""


@dataclass(frozen=True, slots=True)
class Variants:
    """The variants of the rules for a game; combinations that exclude each other raise an error.

    Attributes:
        columns_to_win: The number of columns that a player must win.
        fast_start: The rule for bringing in runners.
        no_stop_on_marker: Whether stopping is forbidden while a runner shares a space with another player's marker
            (Ravensburger 3, franjos b, online "Erzwungene Züge").
        leap: Whether a step that would end on another player's marker continues to the next space without one
            (franjos a, online "Sprünge").

    Raises:
        BadVariants: If the number of columns is impossible, or two variants exclude each other.
    """

    columns_to_win: int = FEWEST_COLUMNS_TO_WIN
    fast_start: FastStart = FastStart.OFF
    no_stop_on_marker: bool = False
    leap: bool = False

    def __post_init__(self) -> None:
        fewest, most = FEWEST_COLUMNS_TO_WIN, max(MOST_COLUMNS_TO_WIN.values())
        if not fewest <= self.columns_to_win <= most:
            raise BadVariants(f"{fewest} to {most} columns win, not {shown(self.columns_to_win)}")
        if self.leap and self.no_stop_on_marker:
            raise BadVariants('"leap" and "no stop on a marker" cannot be combined: with leap no space is ever shared')

    def __str__(self) -> str:
        """Return them as at the start of a position's text: `3`, `5+fast+no-stop`."""
        return "+".join([str(self.columns_to_win), *(WORDS[name] for name in self.names)])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variants in use, except for the number of columns to win; empty for the basic rules."""
        names = [self.fast_start.value] if self.fast_start.value else []
        if self.no_stop_on_marker:
            names.append("no stop on a marker")
        if self.leap:
            names.append("leap")
        return tuple(names)

    @classmethod
    def of(cls, columns_to_win: int, names: Iterable[str]) -> Variants:
        """Return the variants with these names, the inverse of `columns_to_win` and `names`.

        Raises:
            BadVariants: If a name is unknown or occurs twice, both kinds of fast start are named, or as for `Variants`.
        """
        names = list(names)
        for name in names:
            if name not in WORDS:
                raise BadVariants(f"unknown variant {shown(name)}; choose from: {', '.join(sorted(WORDS))}")
        if len(set(names)) < len(names) or {"fast start", "fast start strict"} <= set(names):
            raise BadVariants(f"these variants name one thing twice: {shown(', '.join(names))}")
        fast_start = next((kind for kind in FastStart if kind.value in names), FastStart.OFF)
        return cls(columns_to_win, fast_start, "no stop on a marker" in names, "leap" in names)

    def check(self, players: int) -> None:
        """Check that the variants allow this number of players.

        Raises:
            BadVariants: If they cannot; the message says what would do.
        """
        if players not in MOST_COLUMNS_TO_WIN:
            raise BadVariants(f"{WHO_CAN_PLAY}, not {shown(players)}")
        fewest, most = FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN[players]
        if self.columns_to_win > most:
            allowed = f"{fewest}" if most == fewest else f"{fewest} to {most}"
            who = f"{players} player{'s' if players > 1 else ''}"
            raise BadVariants(f"with {who}, {allowed} columns win, not {self.columns_to_win}")
