"""`cantstop dice`: test whether the dice are fair."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from device.cli import journal_options
from device.cli.output import complain, say, show, table
from device.statistics.dice_report import as_json, misread, periods_of, questions_of
from device.statistics.dice_sets import DiceSet, dice_sets
from device.statistics.fairness import (
    FACES,
    ODD,
    change,
    fairness,
    how_often,
    smallest_bias,
    verdict,
)
from device.statistics.readings import Throw, throws
from device.storage.journal import JournalError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "dice",
        help="test whether the dice are fair; count how often each face came up",
        files=journal_options.FILES,
        description=(
            "Count how often each face came up in all rolls that the camera read, with corrections applied, and test "
            "whether fair dice would do that. Dice are told apart by their colour."
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
    sets = dice_sets(made)
    if args.json:
        say(json.dumps(as_json(made)))
    else:
        for one in sets:
            _print_set(one, questions_of(sets))
        say(_over_time(sets), _corrected(made))
    return 0


def _print_set(dice: DiceSet, questions: int) -> None:
    figures = table("die", *map(str, FACES), "rolls", title=f"{dice.name}: {dice.throws} rolls")
    rows = {"all": dice.all_values} | (dice.values if len(dice.values) > 1 else {})
    found = {name: fairness(values, questions) for name, values in rows.items()}
    for name, one in found.items():
        shares = (f"{count}\n{100 * count / one.rolls:.1f} %" for count in one.counts)
        figures.add_row(name, *shares, str(one.rolls))
    show(figures)
    say(*(f"  {name}: {verdict(one, questions)}." for name, one in found.items()))
    if bias := smallest_bias(found["all"]):
        say(f"  All dice together: {bias}.")
    say("")


def _over_time(sets: Sequence[DiceSet]) -> str:
    periods = periods_of(sets)
    p = change(periods)
    if p is None:
        return "Over time: too few rolls to compare."
    finding = "no change" if p >= ODD else "the dice changed, or how they are read"
    return (
        f"Over time ({sets[0].name}, {len(periods)} parts): {finding}; "
        f"with unchanged dice, parts differ this much {how_often(p)}."
    )


def _corrected(made: Sequence[Throw]) -> str:
    found = misread(made)
    what = ", ".join(f"{read} for {was}: {count}" for (read, was), count in found.most_common(6))
    dice = sum(len(throw.dice) for throw in made)
    return f"Players corrected {found.total()} of {dice} dice{f' (read {what})' if what else ''}."
