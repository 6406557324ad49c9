"""A finished game, step by step, for the page to replay on its board."""

from __future__ import annotations

from device.page.box_side.board import board, colours_of
from device.page.wire import Data
from engine import Bust, Game, Play, Rolled, SetTo, Stop, action_text, parse_transcript


def replay(text: str) -> Data:
    """Return the steps of a game from its transcript.

    Args:
        text: A transcript from the journal.

    Returns:
        Players, rules, and the board at the start and after each step.

    Raises:
        BadText, IllegalAction: If the transcript is invalid; those of the journal are valid.
    """
    game = parse_transcript(text)
    return {
        "names": game.names,
        "colours": colours_of(game),
        "columns_to_win": game.start.variants.columns_to_win,
        "variants": game.start.variants.names,
        "winner": game.position.winner,
        "transcript": text,
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
