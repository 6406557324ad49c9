"""`cantstop config`: check and show the builder's settings."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.cli.output import complain, say
from device.config import Config, ConfigError, file_of, load


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "config",
        help="check the settings file or show all settings",
        description="Settings for how the box is built: pins, display, camera, lamp, buzzer, times.",
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="report problems in the settings file")
    show = actions.add_parser(
        "show",
        help="print a complete settings file: each setting with its meaning, allowed values and current value",
    )
    show.add_argument("--defaults", action="store_true", help="show the defaults instead of the current values")
    for action, run in ((check, _check), (show, _show)):
        action.add_argument(
            "file",
            nargs="?",
            type=Path,
            metavar="FILE",
            help="settings file to use instead of the usual one",
        )
        action.set_defaults(run=run, problems=(ConfigError,))


def _check(args: argparse.Namespace) -> int:
    """Report whether the file is valid; return 1 if not."""
    path = file_of(args.file)
    try:
        load(args.file)
    except ConfigError as error:
        complain("config", error)
        return 1
    say(f"{path}: fine" if path.exists() else f"{path} does not exist: the defaults apply, and they are fine")
    return 0


def _show(args: argparse.Namespace) -> int:
    """Print the complete file."""
    config = Config() if args.defaults else load(args.file)
    say(*config.as_toml().splitlines())
    return 0
