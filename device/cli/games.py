"""`cantstop games`: list the games in the journal."""

from __future__ import annotations

import argparse

from device.cli import journal_options
from device.cli.output import Refused, say
from device.cli.parsing import whole_number
from device.storage.journal import Journal, JournalError
from engine import transcript


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "games",
        help="list past games or print one of them",
        description="List past games, or print the transcript of one of them.",
    )
    command.add_argument(
        "number", nargs="?", type=whole_number(), metavar="N", help="print the transcript of game number N"
    )
    command.add_argument(
        "--unfinished",
        action="store_true",
        help="report the game in progress; exit status 1 without one (used by the installer)",
    )
    journal_options.add_journal(command)
    command.set_defaults(run=run, problems=(JournalError,))


def run(args: argparse.Namespace) -> int:
    """List the games, or print one; return 1 if `--unfinished` finds none."""
    journal = Journal(journal_options.journal_of(args), to_write=False)
    if journal.is_new:
        if args.unfinished:
            return 1
        if not args.journal and args.number is None:
            say("no games played yet")
            return 0
        journal = journal_options.opened(args)
    if args.unfinished:
        situation = journal.situation()
        game = situation.game
        if game is None or game.winner is not None:
            return 1
        say(f"game {situation.number} is in progress: {' against '.join(game.names)}, {game.player}'s turn")
        return 0
    if args.number is not None:
        try:
            game = journal.game(args.number)
        except KeyError:
            raise Refused(f"there is no game {args.number} in {journal.path}") from None
        say(*transcript(game).splitlines())
        return 0
    for entry in journal.games():
        begun = entry.begun[:16].replace("T", " ")
        result = f"{entry.winner} won" if entry.winner else "unfinished"
        say(f"{entry.number:4}  {begun}  {', '.join(entry.names)}: {result}, {len(entry.steps)} steps")
    return 0
