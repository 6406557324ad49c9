"""What to put back on the real board once a step of the game was taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.referee.playing import ROWS
from device.referee.state import Over
from device.referee.states import PutBack, Situation, leave
from engine import COLUMNS


@dataclass(frozen=True, slots=True)
class PieceToMove:
    """One piece to put elsewhere on the real board.

    Attributes:
        column: In which column; 0: in all of them, for all runners come off.
        space: Where it belongs; 0: beside the board.
        player: Whose marker it is; None for a runner.
    """

    column: int = 0
    space: int = 0
    player: int | None = None


def then(situation: Situation, real: Situation) -> Situation:
    """Say what to put back first, if anything, before going on with a situation.

    Args:
        situation: What comes then, its game shortened by what was taken back.
        real: The situation that the real board is in; what is still to be put back from earlier is added.
    """
    markers, runners = _real_board(real)
    state = PutBack(situation.state, markers, runners)
    return replace(situation, state=state) if changes(situation, state) else situation


def _real_board(situation: Situation) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    state = situation.state
    while isinstance(state, Over):
        if isinstance(state, PutBack):
            return state.markers, state.runners
        state = state.before
    position = situation.played.position
    return position.markers, position.runners


def changes(situation: Situation, state: PutBack) -> list[PieceToMove]:
    """List what has to be moved for the real board to be as the game has it: markers first, then runners."""
    position = situation.played.position
    found = [
        PieceToMove(column, space, player)
        for player, (real, own) in enumerate(zip(state.markers, position.markers, strict=True))
        for column, space in _differing(real, own)
    ]
    if any(state.runners) and not any(position.runners):
        return [*found, PieceToMove()]
    return [*found, *(PieceToMove(column, space) for column, space in _differing(state.runners, position.runners))]


def _differing(real: Sequence[int], own: Sequence[int]) -> list[tuple[int, int]]:
    return [(column, own[column]) for column in COLUMNS if real[column] != own[column]]


def next_page(situation: Situation, state: PutBack, *_: object) -> Situation:
    """Show the next screenful, or go on after the last."""
    if (state.page + 1) * ROWS < len(changes(situation, state)):
        return replace(situation, state=replace(state, page=state.page + 1))
    return leave(situation, state)
