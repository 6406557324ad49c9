"""The pieces to move back on the real board after an undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.referee.playing import ROWS
from device.referee.states import Overlay, PutBack, Situation, leave
from engine import COLUMNS


@dataclass(frozen=True, slots=True)
class PieceToMove:
    """One piece to move on the real board.

    Attributes:
        column: The column, 2 to 12; 0 for all columns, as all runners are removed.
        space: The space where it belongs; 0 for off the board.
        player: The player whose marker it is; None for a runner.
    """

    column: int = 0
    space: int = 0
    player: int | None = None


def then(situation: Situation, real: Situation) -> Situation:
    """Show what to move back on the real board, whose situation is `real`, before continuing after an undo.

    Moves that are still due from earlier are added.
    """
    markers, runners = _real_board(real)
    state = PutBack(situation.state, markers, runners)
    return replace(situation, state=state) if changes(situation, state) else situation


def _real_board(situation: Situation) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    state = situation.state
    while isinstance(state, Overlay):
        if isinstance(state, PutBack):
            return state.markers, state.runners
        state = state.before
    position = situation.played.position
    return position.markers, position.runners


def changes(situation: Situation, state: PutBack) -> list[PieceToMove]:
    """Return the moves that bring the real board to the game's position: markers first, then runners."""
    position = situation.played.position
    found = [
        PieceToMove(column, space, player)
        # Somebody who has just joined, or is no longer there, has no markers.
        for player, (real, own) in enumerate(zip(state.markers, position.markers, strict=False))
        for column, space in _differing(real, own)
    ]
    if any(state.runners) and not any(position.runners):
        return [*found, PieceToMove()]
    return [*found, *(PieceToMove(column, space) for column, space in _differing(state.runners, position.runners))]


def _differing(real: Sequence[int], own: Sequence[int]) -> list[tuple[int, int]]:
    return [(column, own[column]) for column in COLUMNS if real[column] != own[column]]


def next_page(situation: Situation, state: PutBack, *_: object) -> Situation:
    """Show the next page, or continue after the last one."""
    if (state.page + 1) * ROWS < len(changes(situation, state)):
        return replace(situation, state=replace(state, page=state.page + 1))
    return leave(situation, state)
