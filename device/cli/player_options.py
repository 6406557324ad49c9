"""The options of `cantstop play` for the players: --players, --names, --opponent."""

from __future__ import annotations

import argparse

from device.referee.players import COLOURS, BadName, GameSettings, name_of
from device.referee.setup import repeated, settings_of
from device.referee.setup import start as begin
from device.referee.states import Resume, Situation
from engine import MOST_COLUMNS_TO_WIN, MOST_PLAYERS
from engine.opponents import OPPONENTS, UnknownLevelError, level, level_name

OPPONENT_NAMES = ", ".join(map(level_name, OPPONENTS))
"""The names of the levels of opponents, for the help."""


def add(command: argparse.ArgumentParser) -> None:
    """Add these options to the command."""
    command.add_argument(
        "--players",
        type=int,
        choices=sorted(MOST_COLUMNS_TO_WIN),
        metavar="N",
        help=f"number of players in a new game: 2 to {MOST_PLAYERS}, or 1 for solo",
    )
    command.add_argument(
        "--names",
        type=_names,
        default=(),
        metavar="A,B",
        help="names of the human players; the box remembers them",
    )
    command.add_argument(
        "--opponent",
        dest="opponents",
        action="append",
        type=opponent,
        default=[],
        metavar="LEVEL",
        help=f"add an opponent in the last seat; can be repeated. LEVEL is one of {OPPONENT_NAMES}",
    )


def opponent(text: str) -> str:
    """Return the key of a level, from its name; the converter of an option."""
    try:
        return level(text).key
    except UnknownLevelError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _names(text: str) -> tuple[str, ...]:
    try:
        names = tuple(map(name_of, text.split(",")))
    except BadName as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"players need different names: {text}")
    return names


def problem(args: argparse.Namespace) -> str:
    """Return which of these options exclude each other; "" if there is no conflict."""
    seats = len(args.names) + len(args.opponents)
    players = args.players or max(2, seats)
    if seats > players or players > MOST_PLAYERS:
        most = args.players or MOST_PLAYERS
        return f"{len(args.names)} names and {len(args.opponents)} opponents are too many for {most} players"
    return ""


def start(args: argparse.Namespace, situation: Situation) -> Situation | None:
    """Return a situation in which dice can be rolled for a game of the players in the options.

    Columns, variants and colours are the usual ones, and the first player begins. With `--simulate` and no players, it
    is the last game again, else a game for two.

    Args:
        args: The command's options.
        situation: The journal's situation.

    Returns:
        None during a game, or without options.
    """
    has_players = args.players or args.names or args.opponents
    if isinstance(situation.state, Resume) or not (has_players or args.simulate):
        return None
    if situation.game is not None and not has_players:
        return begin(situation, repeated(situation.game))
    players = args.players or max(2, len(args.names) + len(args.opponents))
    levels = *[""] * (players - len(args.opponents)), *args.opponents
    names = *args.names, *[""] * (players - len(args.names))
    told = GameSettings(names, colours=tuple(COLOURS)[:players], levels=levels)
    return begin(situation, settings_of(told, 0))
