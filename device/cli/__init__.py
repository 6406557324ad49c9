"""The command `cantstop`: one file per subcommand, each with `add(commands)` and a function that runs it."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

COMMANDS = (
    "play", "calibrate", "read", "score", "throws", "replay", "games", "dice", "stats", "odds", "tournament",
    "config", "web", "doctor",
)  # fmt: skip
"""The subcommands, each a module of this package, in the order of the help."""


def parser(commands: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Build the command line.

    Args:
        commands: The subcommands in it; all of them for help and for tests.
    """
    main_parser = argparse.ArgumentParser(
        prog="cantstop",
        description="A box beside the board of Can't Stop: it reads the dice, lists the pairings, keeps the game.",
    )
    subparsers = main_parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in commands:
        importlib.import_module(f"device.cli.{command}").add(subparsers)
    return main_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run `cantstop` with `argv` (by default the process's own arguments).

    Returns:
        The exit status: 0 fine, 1 the thing asked for failed, 2 the input was bad (told on stderr).
    """
    words = sys.argv[1:] if argv is None else argv
    # Only the command that is asked for is loaded: OpenCV alone takes seconds on a small Pi, and the box's first
    # picture must not wait for it.
    asked = words[:1] if words and words[0] in COMMANDS else COMMANDS
    args = parser(asked).parse_args(words)
    try:
        status: int = args.run(args)
    except KeyboardInterrupt:
        print("cantstop: interrupted", file=sys.stderr)
        return 130
    return status
