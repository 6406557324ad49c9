"""What people do with the pieces on the real board, in the board's words: the box reads it out."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Play
from engine.board import TOP
from engine.position import Position
from engine.rules import runners_after


@dataclass(frozen=True, slots=True)
class RunnerMove:
    """One runner goes to a space.

    Attributes:
        column: In which column.
        space: To which space, counted from 1 at the bottom.
        brought_in: Whether it was not on the board before.
        top: Whether that is the top space.
    """

    column: int
    space: int
    brought_in: bool
    top: bool


@dataclass(frozen=True, slots=True)
class MarkerMove:
    """On stopping, the player's marker goes where a runner stands.

    Attributes:
        column: In which column.
        space: To which space.
        old: The space from which the player's own marker moves up; 0 for a new one.
        won: Whether the column is won by it.
        sent_back: The players whose markers leave the column because it is won.
    """

    column: int
    space: int
    old: int
    won: bool
    sent_back: tuple[int, ...]


def runner_moves(position: Position, play: Play) -> tuple[RunnerMove, ...]:
    """Say which runners `play` moves, and to where, lowest column first."""
    runners = runners_after(position, play)
    return tuple(
        RunnerMove(column, runners[column], not position.runners[column], runners[column] == TOP[column])
        for column in sorted(set(play.columns))
    )


def marker_moves(position: Position) -> tuple[MarkerMove, ...]:
    """Say what stopping in this position does with the markers, lowest column first."""
    moves = []
    for column, space in position.runners_out():
        won = space == TOP[column]
        sent_back = tuple(
            player
            for player, markers in enumerate(position.markers)
            if won and player != position.turn and markers[column]
        )
        moves.append(MarkerMove(column, space, position.markers[position.turn][column], won, sent_back))
    return tuple(moves)


def stop_wins(position: Position) -> bool:
    """Tell whether stopping in this position would win the game (it says nothing of whether it is allowed)."""
    topped = sum(space == TOP[column] for column, space in position.runners_out())
    return len(position.won(position.turn)) + topped >= position.variants.columns_to_win
