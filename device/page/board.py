"""The board as plain data for JSON: of the current game, and step by step of a past one."""

from __future__ import annotations

from device.page.wire import Data
from device.referee.players import COLOURS
from engine import (
    Bust,
    Corrected,
    Game,
    Joins,
    Leaves,
    Play,
    Position,
    Returns,
    Rolled,
    SetTo,
    Stop,
    play_text,
    roll_text,
    transcript,
)
from engine.board import EMPTY


def colours_of(game: Game) -> list[str]:
    """Return the colours of the players' markers; unknown colours are replaced by unused ones."""
    left = [colour for colour in COLOURS if colour not in game.colours]
    return [colour if colour in COLOURS else left.pop(0) for colour in game.colours]


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


_KINDS = {
    Rolled: "roll", Corrected: "correct", Play: "play", Stop: "stop", Bust: "bust", SetTo: "set", Leaves: "leaves",
    Returns: "returns", Joins: "joins",
}  # fmt: skip


def _step(game: Game, index: int) -> Data:
    """Return the board after a step, with the step's kind, its dice or pairing, and whose it is."""
    position = game.positions[index]
    late = (EMPTY,) * (len(game.names) - position.players)  # those who join later have no markers yet
    shown = position.changed(markers=(*position.markers, *late)).with_roll(position.roll)
    kind, text, player = "begin", "", position.turn
    if index:
        action, player = game.steps[index - 1], game.positions[index - 1].turn
        kind = _KINDS[type(action)]
        match action:
            case Rolled(dice) | Corrected(dice):
                text = roll_text(dice)
            case Play():
                text = play_text(action)
            case Leaves(player, markers_stay):
                kind = "stays" if markers_stay else kind
            case Returns(player):
                pass
            case Joins(name):
                player = game.names.index(name)
    return {"board": board(shown), "kind": kind, "text": text, "player": player}
