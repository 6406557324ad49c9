"""The command `cantstop`: one file per subcommand, each with `add(commands)` and a function that runs it.

A subcommand sets two defaults in its parser: `run`, the function, which returns the exit status, and `problems`, the
errors that end it with a message and the exit status 2.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
from collections.abc import Sequence

from device.cli import output
from device.cli.parsing import Parser, default_files

COMMANDS = (
    "play", "calibrate", "read", "replay", "games", "dice", "stats", "odds", "config", "web", "doctor",
)  # fmt: skip
"""The subcommands, each a module of this package, in the order of the help text."""


def parser(commands: Sequence[str] = COMMANDS) -> Parser:
    """Return the parser of the command line.

    Args:
        commands: The subcommands to include; all of them for the help and for tests.
    """
    main_parser = Parser(
        prog="cantstop",
        description="A box beside the board of Can't Stop that reads the dice, lists the pairings and tracks the game.",
        epilog=default_files() if commands == COMMANDS else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    main_parser.set_defaults(problems=())
    main_parser.add_argument("--version", action="store_true", help="print the version")
    subparsers = main_parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command in commands:
        importlib.import_module(f"device.cli.{command}").add(subparsers)
    return main_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run `cantstop` with `argv` (by default the process's own arguments).

    Returns:
        The exit status: 0 for success, 1 if the request failed, 2 for invalid input (reported on stderr), 130 if
        interrupted, 141 if the reader of the output has gone, like a process ended by SIGPIPE.
    """
    output.prepare()
    words = list(sys.argv[1:] if argv is None else argv)
    command = words[0] if words and words[0] in COMMANDS else ""
    try:
        return _run(words, command)
    except SystemExit as left:  # after help or bad arguments, or if nothing can be printed
        return int(left.code or 0)
    except KeyboardInterrupt:
        output.complain(command, "interrupted")
        return 128 + signal.SIGINT
    except OSError as error:
        output.complain(command, error)
        return 1


def _run(words: Sequence[str], command: str) -> int:
    # Only the requested command is imported: OpenCV alone takes seconds on a small Pi, and the box's first picture must
    # not wait for it.
    everything = parser([command] if command else COMMANDS)
    args = everything.parse_args(words)
    if args.version:
        from importlib import metadata

        output.say(f"cantstop {metadata.version('cantstop-box')}")
        return 0
    if args.command is None:
        everything.print_help()
        return 0
    try:
        status: int = args.run(args)
    except (output.Refused, *args.problems) as error:
        output.complain(command, error)
        return 2
    return status
