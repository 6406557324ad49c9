"""What stands on the board, as plain data for JSON: of the game under way, and of games of old."""

from __future__ import annotations

from device.page.wire import Data
from device.referee.colours import COLOURS
from engine import Game, Position


def colours_of(game: Game) -> list[str]:
    """Return the colours of the players' markers; one that the box does not know is replaced by one that is left."""
    told = game.colours or game.names
    left = [colour for colour in COLOURS if colour not in told]
    return [colour if colour in COLOURS else left.pop(0) for colour in told]


def board(position: Position) -> Data:
    """Tell what stands on the board, and whose turn it is."""
    return {
        "markers": position.markers,
        "runners": position.runners,
        "turn": position.turn,
        "roll": position.roll,
        "owners": position.owners,
    }
