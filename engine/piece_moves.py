"""Moves of the pieces on the real board, for the box to announce."""

from __future__ import annotations

from dataclasses import dataclass

from engine.actions import Play
from engine.board import TOP
from engine.position import Position
from engine.rules import runners_after


@dataclass(frozen=True, slots=True)
class RunnerMove:
    """A runner moves to a space.

    Attributes:
        column: The column's number.
        space: The new space, counted from 1 at the bottom.
        brought_in: Whether the runner was not on the board before.
        top: Whether the new space is the top space.
    """

    column: int
    space: int
    brought_in: bool
    top: bool


@dataclass(frozen=True, slots=True)
class MarkerMove:
    """A player's marker moves to a runner's space after a stop.

    Attributes:
        column: The column's number.
        space: The new space, counted from 1 at the bottom.
        won: Whether this wins the column.
        sent_back: The players whose markers are removed from the column because it is won.
    """

    column: int
    space: int
    won: bool
    sent_back: tuple[int, ...]


def runner_moves(position: Position, play: Play) -> tuple[RunnerMove, ...]:
    """Return the runners that `play` moves and their new spaces, lowest column first."""
    runners = runners_after(position, play)
    return tuple(
        RunnerMove(column, runners[column], not position.runners[column], runners[column] == TOP[column])
        for column in sorted(set(play.columns))
    )


def marker_moves(position: Position) -> tuple[MarkerMove, ...]:
    """Return the markers that move if the player stops in this position, lowest column first."""
    moves = []
    for column, space in position.runners_out():
        won = space == TOP[column]
        sent_back = tuple(
            player
            for player, markers in enumerate(position.markers)
            if won and player != position.turn and markers[column]
        )
        moves.append(MarkerMove(column, space, won, sent_back))
    return tuple(moves)


def stop_wins(position: Position) -> bool:
    """Whether stopping in this position would win the game, allowed or not."""
    topped = sum(space == TOP[column] for column, space in position.runners_out())
    return len(position.won(position.turn)) + topped >= position.variants.columns_to_win
