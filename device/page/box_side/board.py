"""The board as plain data for JSON, for the current game and for past ones."""

from __future__ import annotations

from device.page.wire import Data
from device.referee.colours import COLOURS
from engine import Game, Position


def colours_of(game: Game) -> list[str]:
    """Return the colours of the players' markers; unknown colours are replaced by unused ones."""
    told = game.colours or game.names
    left = [colour for colour in COLOURS if colour not in told]
    return [colour if colour in COLOURS else left.pop(0) for colour in told]


def board(position: Position) -> Data:
    """Return the pieces on the board, and whose turn it is."""
    return {
        "markers": position.markers,
        "runners": position.runners,
        "turn": position.turn,
        "roll": position.roll,
        "owners": position.owners,
    }
