"""The command line of `cantstop` and its subcommands: errors in two lines, whole numbers, default files in the help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from device.cli.output import complain, remark, say
from device.config import file_of
from device.page.wire import socket_file
from device.paths import CALIBRATION, FOCUS, MISREAD, PHONES, PREFERENCES, journal_file, state_file

MOST = 1_000_000
"""The largest number of games, rolls or pictures that a command accepts."""


_FILES: dict[str, tuple[str, Callable[..., Path]]] = {
    "settings": ("the settings, if the file exists; $CANTSTOP_CONFIG overrides it", lambda simulated: file_of()),
    "journal": ("the games", journal_file),
    "preferences": ("the players' choices in the box's menu", partial(state_file, PREFERENCES)),
    "calibration": ("the calibration of the tray", partial(state_file, CALIBRATION)),
    "focus": ("the focus found by a camera with autofocus", partial(state_file, FOCUS)),
    "phones": ("the paired phones", partial(state_file, PHONES)),
    "misread": ("pictures of misread rolls", partial(state_file, MISREAD)),
    "socket": ("the socket between the box and the page", lambda simulated: socket_file()),
}


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in two lines, and whose help ends with the default files."""

    def __init__(self, *, files: Sequence[str] = (), **options: Any) -> None:  # noqa: ANN401 - argparse checks them
        """Accept the arguments of argparse.

        Args:
            files: The files that the command uses by default, as keys of the table above, with "simulated " before
                one of the simulated box.
            options: The options of argparse.
        """
        super().__init__(**options)
        self._files = files

    def error(self, message: str) -> NoReturn:
        """Report an invalid argument and exit with status 2."""
        complain("", message, program=self.prog)
        remark(f"{self.prog} --help lists the options")
        self.exit(2)

    def print_help(self, file: object = None) -> None:
        """Print the help on standard output."""
        say(*self.format_help().splitlines())

    def format_help(self) -> str:
        """Return the help text."""
        lines = ["", "files used by default:"] if self._files else []
        for name in self._files:
            meaning, where = _FILES[name.removeprefix("simulated ")]
            is_simulated = name.startswith("simulated ")
            lines += [
                f"  {where(simulated=is_simulated)}",
                f"      {meaning}{', with --simulate' if is_simulated else ''}",
            ]
        return "\n".join([super().format_help().rstrip("\n"), *lines])


def dice_or_any(text: str) -> int | str:
    """Return the value of an option: a number of dice, or "any"."""
    if text == "any":
        return text
    if text.isdecimal() and len(text) < 3 and int(text):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of dice or any")


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
