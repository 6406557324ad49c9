"""The command line of `cantstop` and its subcommands: errors in two lines, whole numbers, default files in the help."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from device.cli.output import complain, remark, say
from device.config import file_of
from device.page.wire import socket_file
from device.paths import CALIBRATION, FOCUS, MISREAD, PHONES, PREFERENCES, journal_file, state_file

MOST = 1_000_000
"""The largest number of games, rolls or pictures that a command accepts."""


def default_files() -> str:
    """Return the files that the commands use by default, two lines each."""
    files = {
        "the settings, if the file exists; $CANTSTOP_CONFIG overrides it": file_of(),
        "the games": journal_file(simulated=False),
        "the games, with --simulate": journal_file(simulated=True),
        "the players' choices in the box's menu": state_file(PREFERENCES),
        "the calibration of the tray": state_file(CALIBRATION),
        "the focus found by a camera with autofocus": state_file(FOCUS),
        "the paired phones": state_file(PHONES),
        "pictures of misread rolls": state_file(MISREAD),
        "the socket between the box and the page": socket_file(),
    }
    return "\n".join(["files used by default:", *(f"  {file}\n      {meaning}" for meaning, file in files.items())])


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in two lines."""

    def error(self, message: str) -> NoReturn:
        """Report an invalid argument and exit with status 2."""
        complain("", message, program=self.prog)
        remark(f"{self.prog} --help lists the options")
        self.exit(2)

    def print_help(self, file: object = None) -> None:
        """Print the help on standard output."""
        say(*self.format_help().splitlines())


def dice_or_any(text: str) -> int | str:
    """Return the value of an option: a number of dice, or "any"."""
    if text == "any":
        return text
    if text.isdecimal() and len(text) < 3 and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of dice from 1 to 99, or any")


def whole_number(least: int = 1, most: int = MOST) -> Callable[[str], int]:
    """Return a converter for an option whose value is a whole number.

    Args:
        least: The smallest allowed number.
        most: The largest allowed number.
    """

    def read(text: str) -> int:
        # Python refuses to convert thousands of digits, and no option needs twenty.
        if text.removeprefix("-").isdecimal() and len(text) < 20 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least:,} to {most:,}")

    return read
