"""The states of an opponent's turn, of spelling a player's name, and of the table of those who played alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from device.referee.inputs import PlayedAlone
from device.referee.state import Over, State
from engine import Roll

if TYPE_CHECKING:
    from device.referee.states import NewGame


@dataclass(frozen=True, slots=True)
class Thinking(State):
    """An opponent has to decide: which play of the roll that waits, or whether to roll on.

    Attributes:
        likely: What the dice may really show, likeliest first, should they be misread.
    """

    likely: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class Moving(State):
    """An opponent has decided: says which runners to move for it, and what it does then.

    Attributes:
        stops: Whether it stops then; else it rolls on.
        why: The reason, as `engine.opponents.Why` names it.
        loss: The chance, 0 to 1, to lose the turn by going on.
        at_stake: How many spaces would be lost.
        stand_in: Whether a simple player decided, as the opponent itself failed or took too long.
        likely: As in `Thinking`: that the dice were misread may be noticed only now.
    """

    stops: bool
    why: str
    loss: float
    at_stake: int
    stand_in: bool = False
    likely: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class RollingOn(State):
    """An opponent rolls on: people throw for it. The attributes are those of `Moving`."""

    why: str
    loss: float
    at_stake: int
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class EnteringName(Over):
    """A player's name is spelt with the buttons.

    Attributes:
        before: The question that the name answers.
        letters: The letters taken so far.
        cursor: The letter offered now, as an index into `device.referee.names.LETTERS`.
    """

    before: NewGame
    letters: str = ""
    cursor: int = 0


@dataclass(frozen=True, slots=True)
class FewestTurns(Over):
    """Shows who needed the fewest turns alone: the best games, and the one just played.

    Attributes:
        before: The menu, or the end of such a game.
        games: The lines of the table; None until they are known.
        page: Which screenful, counted from 0.
        is_readable: Whether the journal could be read.
    """

    games: tuple[PlayedAlone, ...] | None = None
    page: int = 0
    is_readable: bool = True
