"""The steps of a game, as listed in a transcript and undone by `Game.undo`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.dice import Pairing, Roll, roll_of
from engine.position import Position


@dataclass(frozen=True, slots=True)
class _WithDice:
    """A step with four dice, which are stored sorted; BadRoll if they are not four dice of 1 to 6."""

    dice: Roll

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", roll_of(self.dice))


class Rolled(_WithDice):
    """The player rolled these dice."""


class Corrected(_WithDice):
    """The dice were misread and show these values."""


class Play(NamedTuple):
    """What a pairing does on the board.

    Attributes:
        pairing: The two sums, smaller first.
        columns: The columns in which a runner makes a step, lowest first; listed twice for both steps of a double.
    """

    pairing: Pairing
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """The player stopped: markers move to where the runners are."""


@dataclass(frozen=True, slots=True)
class Bust:
    """No pairing could be used: the runners are removed."""


@dataclass(frozen=True, slots=True)
class SetTo:
    """The position was set by hand, because box and real board disagreed."""

    position: Position


@dataclass(frozen=True, slots=True)
class Leaves:
    """A player leaves the game; the others go on.

    Attributes:
        player: The player, as an index into the position's markers.
        markers_stay: Whether the player's markers stay on the board, for a return; otherwise they are removed.
    """

    player: int
    markers_stay: bool = False


@dataclass(frozen=True, slots=True)
class Returns:
    """A player who left plays again; `player` is that of `Leaves`."""

    player: int


@dataclass(frozen=True, slots=True)
class Joins:
    """A player joins late, without markers, and has the turn after all others.

    Attributes:
        name: The player's name.
        colour: The colour of the markers.
        level: An opponent's level; "" for a person.
    """

    name: str
    colour: str
    level: str = ""


SeatChange = Leaves | Returns | Joins
Action = Rolled | Corrected | Play | Stop | Bust | SetTo | SeatChange
