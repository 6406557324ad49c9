"""`cantstop games`: the games in the journal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from device.referee.states import Situation


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "games",
        help="list the games that were played, or print one of them",
        description="List the games that were played, or print the transcript of one of them.",
    )
    command.add_argument("number", nargs="?", type=int, metavar="N", help="the number of a game: print its transcript")
    command.add_argument(
        "--unfinished",
        action="store_true",
        help="say which game is under way; the exit status is 1 where none is (what an update asks)",
    )
    command.add_argument("--simulate", action="store_true", help="the games of the simulated box")
    command.add_argument("--journal", type=Path, metavar="FILE", help="the journal, if not in its usual place")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List games, or print one."""
    from device.keeping.journal import Journal, JournalError
    from device.paths import journal_file
    from engine import transcript

    path = args.journal or journal_file(simulated=args.simulate)
    if not path.exists():
        if args.unfinished:
            return 1
        if args.journal or args.number is not None:
            print(f"cantstop games: {path}: there is no such journal", file=sys.stderr)
            return 2
        print("no game was played yet")
        return 0
    try:
        journal = Journal(path, to_write=False)
        if args.unfinished:
            return _tell_unfinished(journal.situation())
        if args.number is not None:
            print(transcript(journal.game(args.number)), end="")
            return 0
        for entry in journal.games():
            begun = entry.begun[:16].replace("T", " ")
            result = f"{entry.winner} won" if entry.winner else "unfinished"
            print(f"{entry.number:4}  {begun}  {', '.join(entry.names)}: {result}, {entry.steps} steps")
    except KeyError:
        print(f"cantstop games: there is no game {args.number} in {path}", file=sys.stderr)
        return 2
    except JournalError as error:
        print(f"cantstop games: {error}", file=sys.stderr)
        return 2
    return 0


def _tell_unfinished(situation: Situation) -> int:
    """Say which game is under way; the status is 1 where none is."""
    game = situation.game
    if game is None or game.winner is not None:
        return 1
    print(f"game {situation.number} is under way: {' against '.join(game.names)}, {game.player}'s turn")
    return 0
