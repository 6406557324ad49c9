"""`cantstop dice`: test whether the dice are fair."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli import journals
from device.cli.output import complain, say, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from device.statistics.dice_sets import DiceSet
    from device.statistics.fairness import Fairness
    from device.statistics.readings import Throw

MOST_PERIODS = 8
"""The most periods that the time is divided into."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    command = commands.add_parser(
        "dice",
        help="test whether the dice are fair; count how often each face came up",
        files=journals.FILES,
        description=(
            "Count how often each face came up in all rolls that the camera read, with corrections applied, and test "
            "whether fair dice would do that. Dice are told apart by their colour."
        ),
    )
    journals.add_journal(command, "the rolls")
    command.add_argument("--json", action="store_true", help="print the result as one JSON object")
    command.add_argument("--png", type=Path, metavar="FILE", help="also draw a plot of the result")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Report on the dice, and return the exit status.

    Returns:
        1 if there is nothing to report or the plot failed, 2 if the journal cannot be read.
    """
    from device.cli.output import save_plot
    from device.statistics.dice_sets import dice_sets
    from device.statistics.fairness import NeedsScipy
    from device.statistics.plots import dice_plot
    from device.statistics.readings import throws
    from device.storage.journal import JournalError

    try:
        journal = journals.opened(args)
        made = throws(journal.rows())
        journal.close()
    except JournalError as error:
        complain("dice", error)
        return 2
    if not made:
        complain("dice", "the camera has not read any dice yet; play a game first")
        return 1
    report = DiceReport(made, dice_sets(made))
    try:
        if args.json:
            say(json.dumps(report.as_json()))
        else:
            report.print()
    except NeedsScipy as error:
        complain("dice", error)
        return 1
    sets = [(one, report.of(one.all_values)) for one in report.sets]
    return save_plot("dice", lambda: dice_plot(sets, report.periods), args.png if sets else None)


class DiceReport:
    """The report on a set of rolls."""

    def __init__(self, made: Sequence[Throw], sets: Sequence[DiceSet]) -> None:
        """Run the tests.

        Args:
            made: The rolls.
            sets: The rolls by set of dice.
        """
        self.throws = made
        self.sets = sets
        # Each set as a whole, and each die with a colour of its own in it.
        self.questions = sum(1 + (len(one.values) if len(one.values) > 1 else 0) for one in sets)
        self.periods = _periods(sets[0].all_values, MOST_PERIODS) if sets else []
        self.misread = Counter((die.read, die.value) for throw in made for die in throw.dice if die.read != die.value)

    def of(self, values: Sequence[int]) -> Fairness:
        """Return the test of some of the dice."""
        from device.statistics.fairness import fairness

        return fairness(values, self.questions)

    def as_json(self) -> dict[str, object]:
        """Return the report as plain data."""
        from device.statistics.fairness import change, is_odd

        def tested(values: Sequence[int]) -> dict[str, object]:
            found = self.of(values)
            return {
                "counts": list(found.counts),
                "p": None if found.p is None else round(found.p, 6),
                "odd": is_odd(found, self.questions),
                "noticed": None if found.noticed is None else round(found.noticed, 4),
            }

        return {
            "throws": len(self.throws),
            "questions": self.questions,
            "sets": [
                {
                    "dice": one.name,
                    "throws": one.throws,
                    "all": tested(one.all_values),
                    "by_colour": {colour: tested(values) for colour, values in one.values.items()},
                }
                for one in self.sets
            ],
            "change_p": change(self.periods),
            "misread": [
                {"read": read, "was": was, "times": times} for (read, was), times in sorted(self.misread.items())
            ],
        }

    def print(self) -> None:
        """Print the report as text."""
        for one in self.sets:
            self._print_set(one)
        self._print_time()
        times = sum(self.misread.values())
        dice = sum(len(throw.dice) for throw in self.throws)
        what = ", ".join(f"{read} for {was}: {count}" for (read, was), count in self.misread.most_common(6))
        say(f"Players corrected {times} of {dice} dice{f' (read {what})' if what else ''}.")

    def _print_set(self, one: DiceSet) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        from device.statistics.fairness import FACES, smallest_bias, verdict

        title = f"{one.name}: {one.throws} rolls"
        table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
        table.add_column("die", no_wrap=True)
        for face in FACES:
            table.add_column(str(face), justify="right", no_wrap=True)
        table.add_column("rolls", justify="right")
        rows = {"all": one.all_values} | (one.values if len(one.values) > 1 else {})
        for name, values in rows.items():
            counts = self.of(values).counts
            table.add_row(name, *(f"{count}\n{100 * count / len(values):.1f} %" for count in counts), str(len(values)))
        show(table)
        for name, values in rows.items():
            found = self.of(values)
            say(f"  {name}: {verdict(found, self.questions)}.")
        if bias := smallest_bias(self.of(one.all_values)):
            say(f"  All dice together: {bias}.")
        say("")

    def _print_time(self) -> None:
        from device.statistics.fairness import ODD, change, how_often

        p = change(self.periods)
        if p is None:
            say("Over time: too few rolls to compare.")
            return
        finding = "no change" if p >= ODD else "the dice changed, or how they are read"
        say(
            f"Over time ({self.sets[0].name}, {len(self.periods)} parts): {finding}; "
            f"with unchanged dice, parts differ this much {how_often(p)}."
        )


def _periods(values: Sequence[int], most: int) -> list[list[int]]:
    """Return values in order of time, divided into equal parts of at least 60 each."""
    parts = max(1, min(most, len(values) // 60))
    bounds = [round(index * len(values) / parts) for index in range(parts + 1)]
    return [list(values[low:high]) for low, high in pairwise(bounds)]
