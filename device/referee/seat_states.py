"""The states of an opponent's turn, of entering a player's name, and of the solo table."""

from __future__ import annotations

from dataclasses import dataclass

from device.referee.inputs import SoloGame
from device.referee.state import Overlay, State
from engine import Roll


@dataclass(frozen=True, slots=True)
class Thinking(State):
    """An opponent has to decide: a play for the current roll (`likely` as in `DiceRead`), or whether to roll again."""

    likely: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class Undecided(Overlay):
    """An opponent cannot decide: asks it again, or lets the players choose for it.

    Attributes:
        before: The decision that it was asked for.
    """

    before: Thinking


@dataclass(frozen=True, slots=True)
class Moving(State):
    """An opponent has decided: shows which runners to move for it, and whether it stops.

    The attributes are those of `Decided`, and `likely` is that of `DiceRead`.
    """

    stops: bool
    why: str
    loss: float
    at_stake: int
    likely: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class RollingOn(State):
    """An opponent rolls again: people roll for it. The attributes are those of `Moving`."""

    why: str
    loss: float
    at_stake: int


@dataclass(frozen=True, slots=True)
class FewestTurns(Overlay):
    """Shows the solo table: the games with the fewest turns, and the one just played.

    Attributes:
        before: The menu, or the end of a solo game.
        games: The lines of the table; None until they are known.
        page: The page, from 0.
        is_readable: Whether the journal could be read.
    """

    games: tuple[SoloGame, ...] | None = None
    page: int = 0
    is_readable: bool = True
