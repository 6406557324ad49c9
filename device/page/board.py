"""The board as plain data for JSON: of the current game, and step by step of a past one."""

from __future__ import annotations

from device.page.wire import Data
from device.referee.players import COLOURS
from engine import Bust, Game, Play, Position, Rolled, SetTo, Stop, action_text, transcript


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


def replay(game: Game) -> Data:
    """Return a past game: its players and rules, and the board at the start and after each step."""
    return {
        "names": game.names,
        "colours": colours_of(game),
        "columns_to_win": game.start.variants.columns_to_win,
        "variants": game.start.variants.names,
        "winner": game.position.winner,
        "transcript": transcript(game),
        "steps": [_step(game, index) for index in range(len(game.positions))],
    }


def _step(game: Game, index: int) -> Data:
    position = game.positions[index]
    data: Data = {"board": board(position), "kind": "begin", "text": "", "player": position.turn}
    if index:
        action = game.steps[index - 1]
        kinds = {Rolled: "roll", Play: "play", Stop: "stop", Bust: "bust", SetTo: "set"}
        data |= {
            "kind": kinds.get(type(action), "correct"),
            "text": action_text(action),
            "player": game.positions[index - 1].turn,
        }
    return data
