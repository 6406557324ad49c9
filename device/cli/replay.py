"""`cantstop replay`: check a transcript move by move, and print the final position."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from device.cli.output import Refused, say
from engine import BadText, Game, is_bust, may_stop, parse_transcript, play_text, plays, roll_text
from engine.board import Spaces, pieces
from vision.files import UnreadableFile, read_text

MOST_BYTES = 1_000_000
"""The largest transcript that is read, in bytes; a long game has some 10,000."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand to the command line."""
    parser = commands.add_parser(
        "replay",
        help="check a transcript and print its final position",
        description="Check a transcript move by move and print its final position. "
        "For an invalid transcript, print the line and the reason; the exit status is 2.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the transcript")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check the transcript, and print the result."""
    try:
        game = parse_transcript(read_text(args.file, MOST_BYTES))
    except (BadText, UnreadableFile) as error:
        raise Refused(f"{args.file}: {error}") from error
    say(*([json.dumps(as_json(game))] if args.json else summary(game)))
    return 0


def summary(game: Game) -> list[str]:
    """Return a few lines about a game's position, the last one being the position's text."""
    position = game.position
    rules = [f"{position.variants.columns_to_win} columns to win", *position.variants.names]
    lines = [f"{len(game.steps)} steps, all legal ({', '.join(rules)})"]
    for player, name in enumerate(game.names):
        won = position.won(player)
        markers = [(column, space) for column, space in pieces(position.markers[player]) if column not in won]
        owned = f"won {', '.join(map(str, won))}; " if won else ""
        lines.append(f"{name}: {owned}markers {_places(markers)}")
    if game.winner is not None:
        lines.append(f"{game.winner} has won")
    else:
        lines.append(f"{game.player}'s turn, runners {_places(position.runners_out())}")
        if position.roll is not None:
            legal = ", ".join(play_text(play) for play in plays(position))
            lines.append(f"rolled {roll_text(position.roll)}: {legal or 'bust'}")
    lines.append(str(position))
    return lines


def _places(places: list[tuple[int, int]]) -> str:
    return ", ".join(f"{column} on space {space}" for column, space in places) or "none"


def as_json(game: Game) -> dict[str, Any]:
    """Return a game's position as plain data; players have names, spaces count from 1."""
    position = game.position
    return {
        "players": list(game.names),
        "variants": list(position.variants.names),
        "columns_to_win": position.variants.columns_to_win,
        "steps": len(game.steps),
        "position": str(position),
        "markers": {name: _by_column(spaces) for name, spaces in zip(game.names, position.markers, strict=True)},
        "won": {name: list(position.won(player)) for player, name in enumerate(game.names)},
        "runners": _by_column(position.runners),
        "turn": game.player,
        "roll": list(position.roll) if position.roll is not None else None,
        "legal": [
            {"text": play_text(play), "pairing": list(play.pairing), "columns": list(play.columns)}
            for play in plays(position)
        ],
        "bust": is_bust(position),
        "may_stop": may_stop(position),
        "winner": game.winner,
    }


def _by_column(spaces: Spaces) -> dict[str, int]:
    """Return the spaces by column, with JSON's string keys."""
    return {str(column): space for column, space in pieces(spaces)}
