"""The journal of a command: its options, and checks before it is opened."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.paths import journal_file
from device.storage.journal import Journal, JournalError


def add_journal(command: argparse.ArgumentParser, whose: str = "the games") -> None:
    """Add the options `--simulate` and `--journal` to a command."""
    command.add_argument("--simulate", action="store_true", help=f"use {whose} of the simulated box")
    command.add_argument("--journal", type=Path, metavar="FILE", help="journal to use instead of the usual one")


def journal_of(args: argparse.Namespace) -> Path:
    """Return the journal chosen by the options; it may be missing."""
    path: Path = args.journal or journal_file(simulated=args.simulate)
    return path


def opened(args: argparse.Namespace) -> Journal:
    """Return the journal chosen by the options, open for reading.

    Raises:
        JournalError: If it is missing or unreadable.
    """
    journal = Journal(journal_of(args), to_write=False)
    if journal.is_new:
        raise JournalError(f"{journal.path}: journal not found; play a game first, or choose another --journal")
    return journal
