"""The options of `cantstop play` for the players: --players, --names, --opponent."""

from __future__ import annotations

import argparse
from dataclasses import replace

from device.referee.players import BadName, name_of
from device.referee.questions import SEATS, Topic, question_of
from device.referee.setup import answer_with, new_game
from device.referee.states import NewGame, Resume, Situation
from engine import FEWEST_COLUMNS_TO_WIN, MOST_COLUMNS_TO_WIN, MOST_PLAYERS
from engine.opponents import OPPONENTS, UnknownLevelError, level, level_name, offered

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
    """Return the key of a level that the box offers for a seat, from its name; the converter of an option."""
    try:
        found = level(text)
    except UnknownLevelError:
        found = None
    if found is None or not found.seat:
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {OPPONENT_NAMES}")
    return found.key


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
    if unfit := set(args.opponents) - set(offered(players, FEWEST_COLUMNS_TO_WIN)):
        names = ", ".join(sorted(map(level_name, unfit)))
        return f"{names} cannot play games of {players}; choose another --opponent or --players"
    return ""


def at_once(args: argparse.Namespace, situation: Situation) -> Situation | None:
    """Return a situation in which dice can be rolled at once; None if a game is in progress.

    All open questions have their first answer: the last game again; without one, two players, colours in order, the
    base rules, and the first player begins.

    Args:
        args: The command's options.
        situation: The journal's situation.
    """
    if isinstance(situation.state, Resume):
        return None
    begun = start(args, situation) or new_game(situation)
    while isinstance(begun.state, NewGame):
        begun = answer_with(begun, begun.state, question_of(begun.state).options[0])
    return begun


def start(args: argparse.Namespace, situation: Situation) -> Situation | None:
    """Return a situation in which the options have answered their questions; None without options, or during a game.

    Args:
        args: The command's options.
        situation: The journal's situation.
    """
    if isinstance(situation.state, Resume) or not (args.players or args.names or args.opponents):
        return None
    situation = replace(situation, preferences=situation.preferences.remembering(args.names))
    first = NewGame(situation.state, known=args.names)
    if not args.names and not args.opponents:
        return answer_with(situation, first, str(args.players))
    players = args.players or max(2, len(args.names) + len(args.opponents))
    nobody = [""] * (players - len(args.names) - len(args.opponents))
    seats = iter([*args.names, *nobody, *args.opponents])
    asked = answer_with(situation, first, SEATS)
    while isinstance(asked.state, NewGame):
        question = question_of(asked.state)
        if question.topic is Topic.COLOUR:
            answer = question.options[0]
        elif question.topic is Topic.SEAT:
            answer = next(seats)
        elif question.topic is Topic.COUNT:
            answer = str(players)
        else:
            break
        asked = answer_with(asked, asked.state, answer)
    return asked
