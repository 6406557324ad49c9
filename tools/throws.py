"""Check that each simulated roll is reported once despite disturbances: `python -m tools.throws --help`."""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from functools import partial

from device.cli import output
from device.cli.output import say, show
from device.cli.parsing import whole_number
from tools.jobs import add_jobs, add_seed, run_tool, work_through
from tools.scenes.films import FAULTS, FIRST_SEED, PROMISED_S, Played, play_seed
from tools.scenes.trouble import Kind


def options(command: argparse.ArgumentParser) -> None:
    """Add the tool's options."""
    command.add_argument(
        "--count", type=whole_number(), default=500, metavar="N", help="number of rolls (default: 500)"
    )
    add_seed(command, FIRST_SEED, "the first roll; each further roll adds one")
    add_jobs(command)
    command.add_argument(
        "--clean",
        action="store_true",
        help="use only ordinary, easily seen dice on plain floors (default: anything a person can read)",
    )
    command.add_argument("--bare", action="store_true", default=None, help="roll on tables without a tray only")


def run(args: argparse.Namespace) -> int:
    """Simulate the rolls, and return the exit status.

    Returns:
        1 if a roll was reported that was not thrown, 130 if interrupted (partial results are printed).
    """
    seeds = range(args.seed, args.seed + args.count)
    play_one = partial(play_seed, clean=args.clean, bare=args.bare)
    played, status = work_through("throws", play_one, seeds, args.jobs)
    _print(played)
    return status or int(any(one.faults.keys() & {"wrong", "doubled", "phantom"} for one in played))


def _print(played: Sequence[Played]) -> None:
    """Print the table, the delays, and every film with a fault."""
    figures = output.table("disturbance", "films", "right", *FAULTS)
    for kind in (*Kind, "all"):
        ones = [one for one in played if kind in (one.kind, "all")]
        if ones:
            counts = (sum(fault in one.faults for one in ones) for fault in FAULTS)
            figures.add_row(kind, *map(str, (len(ones), sum(one.is_right for one in ones), *counts)))
    show(figures)
    say("push: a pushed camera that was not noticed, or a push noticed where there was none")
    if waits := [one.wait_s for one in played if one.reported is not None]:
        middle = statistics.median(waits)
        say(f"rolls come {middle:.2f} s after the dice lie still (median), {max(waits):.2f} s at most")
    for one in played:
        if one.faults:
            say(f"seed {one.seed}, {one.kind}: {', '.join(one.faults.values())}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool, and return the exit status."""
    description = (
        "Render films of rolls, each with a disturbance before it (a hand, a nudge, a lamp, a shadow, a bump). Each "
        f"film must give exactly one roll: the right one, within {PROMISED_S} s. The exit status is 1 if any roll is "
        "wrong, doubled or phantom."
    )
    return run_tool("tools.throws", description, options, run, (), argv)


if __name__ == "__main__":
    # Other processes import what they work on from the module's own name.
    from tools import throws

    sys.exit(throws.main())
