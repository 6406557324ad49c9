"""`cantstop dice`: test whether the dice are fair."""

from __future__ import annotations

import argparse
import json

from device.cli import journal_options
from device.cli.output import complain, say, show, table
from device.statistics.fairness import FACES, as_json, fairness, misread, throws, values_of, verdict
from device.storage.journal import JournalError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "dice",
        help="test whether the dice are fair; count how often each face came up",
        description=(
            "Count how often each face came up in all rolls that the camera read, with corrections applied, and test "
            "whether fair dice would do that."
        ),
    )
    journal_options.add_journal(command, "the rolls")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.set_defaults(run=run, problems=(JournalError,))


def run(args: argparse.Namespace) -> int:
    """Report on the dice; return 1 if there is nothing to report."""
    journal = journal_options.opened(args)
    made = throws(journal.games())
    if not made:
        complain("dice", "the camera has not read any dice yet; play a game first")
        return 1
    if args.json:
        say(json.dumps(as_json(made)))
        return 0
    values = values_of(made)
    found = fairness(values)
    figures = table(*map(str, FACES), "dice", title=f"{len(made)} rolls")
    figures.add_row(*(f"{count}\n{100 * count / len(values):.1f} %" for count in found.counts), str(len(values)))
    show(figures)
    corrected = misread(made)
    what = ", ".join(f"{read} for {was}: {count}" for (read, was), count in corrected.most_common(6))
    more = f" (read {what})" if what else ""
    say(verdict(found), f"Players corrected {corrected.total()} of {len(values)} dice{more}.")
    return 0
