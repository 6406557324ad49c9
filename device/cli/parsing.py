"""The command line of `cantstop` and its subcommands: errors in two lines, whole numbers, default files in the help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from device.cli.output import complain, remark, say
from device.config import file_of
from device.page.wire import socket_file
from device.paths import (
    calibration_file,
    focus_file,
    journal_file,
    misread_folder,
    phones_file,
    preferences_file,
)

MOST = 1_000_000
"""The largest number of games, rolls or pictures that a command accepts."""


_FILES: dict[str, tuple[str, Callable[[bool], Path]]] = {
    "settings": ("the settings, if the file exists; $CANTSTOP_CONFIG overrides it", lambda _: file_of()),
    "journal": ("the games", lambda simulated: journal_file(simulated=simulated)),
    "preferences": (
        "the players' choices in the box's menu",
        lambda simulated: preferences_file(journal_file(simulated=simulated)),
    ),
    "calibration": ("the calibration of the tray", lambda simulated: calibration_file(simulated=simulated)),
    "focus": ("the focus found by a camera with autofocus", lambda _: focus_file()),
    "phones": ("the paired phones", lambda simulated: phones_file(simulated=simulated)),
    "misread": ("pictures of misread rolls", lambda simulated: misread_folder(simulated=simulated)),
    "socket": ("the socket between the box and the page", lambda _: socket_file()),
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
            lines += [f"  {where(is_simulated)}", f"      {meaning}{', with --simulate' if is_simulated else ''}"]
        return "\n".join([super().format_help().rstrip("\n"), *lines])


def dice_or(*words: str) -> Callable[[str], int | str]:
    """Return a converter for an option whose value is a number of dice or one of some words."""

    def read(text: str) -> int | str:
        if text in words:
            return text
        if text.isdecimal() and len(text) < 3 and int(text):
            return int(text)
        raise argparse.ArgumentTypeError(f"{text!r} is not {' or '.join(('a number of dice', *words))}")

    return read


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
