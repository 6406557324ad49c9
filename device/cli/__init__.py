"""The command `cantstop`: one file per subcommand, each with `add(commands)` and a function that runs it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from device.cli import calibrate, config, dice, games, play, read, replay, score, throws


def parser() -> argparse.ArgumentParser:
    """Build the whole command line, so that help and tests see the same one."""
    main_parser = argparse.ArgumentParser(
        prog="cantstop",
        description="A box beside the board of Can't Stop: it reads the dice, lists the pairings, keeps the game.",
    )
    commands = main_parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (play, calibrate, read, score, throws, replay, games, dice, config):
        command.add(commands)
    return main_parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run `cantstop` with `argv` (by default the process's own arguments).

    Returns:
        The exit status: 0 fine, 1 the thing asked for failed, 2 the input was bad (told on stderr).
    """
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
    except KeyboardInterrupt:
        print("cantstop: interrupted", file=sys.stderr)
        return 130
    return status
