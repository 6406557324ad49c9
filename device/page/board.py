"""The board as plain data for JSON: of the current game, and step by step of a past one."""

from __future__ import annotations

from device.page.wire import Data
from device.referee.players import COLOURS
from engine import (
    Bust,
    Game,
    Joins,
    Leaves,
    Play,
    Position,
    Returns,
    Rolled,
    SeatChange,
    SetTo,
    Stop,
    action_text,
    transcript,
)
from engine.board import EMPTY


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
        "out": position.out,
    }


def replay(game: Game) -> Data:
    """Return a past game: its players, and the board at the start and after each step."""
    return {
        "names": game.names,
        "colours": colours_of(game),
        "winner": game.position.winner,
        "transcript": transcript(game),
        "steps": [_step(game, index) for index in range(len(game.positions))],
    }


def _step(game: Game, index: int) -> Data:
    position = game.positions[index]
    late = (EMPTY,) * (len(game.names) - position.players)  # those who join later have no markers yet
    shown = position.changed(markers=(*position.markers, *late)).with_roll(position.roll)
    data: Data = {"board": board(shown), "kind": "begin", "text": "", "player": position.turn}
    if not index:
        return data
    action = game.steps[index - 1]
    if isinstance(action, SeatChange):
        return data | {"kind": "seats", **_seat_change(game, action)}
    kinds = {Rolled: "roll", Play: "play", Stop: "stop", Bust: "bust", SetTo: "set"}
    kind = kinds.get(type(action), "correct")
    return data | {"kind": kind, "text": action_text(action), "player": game.positions[index - 1].turn}


def _seat_change(game: Game, action: SeatChange) -> Data:
    match action:
        case Leaves(player, markers_stay):
            return {"text": "stays" if markers_stay else "leaves", "player": player}
        case Returns(player):
            return {"text": "returns", "player": player}
        case Joins(name):
            return {"text": "joins", "player": game.names.index(name)}
