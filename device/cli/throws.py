"""`cantstop throws`: check that each simulated roll is reported once despite disturbances."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from functools import partial

from device.cli import output
from device.cli.batch import add_jobs, add_seed, work_through
from device.cli.cluster import add_cluster
from device.cli.output import say, show
from device.cli.parsing import whole_number
from vision.scoring.throws import FIRST_SEED, PROMISED_S, Played, play_seed, table


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "throws",
        help="measure whether each simulated roll is reported exactly once",
        description="Render films of rolls, each with a disturbance before it (a hand, a nudge, a lamp, a shadow, a "
        f"bump). Each film must give exactly one roll: the right one, within {PROMISED_S} s. The exit status is 1 if "
        "any roll is wrong, doubled or phantom.",
    )
    command.add_argument(
        "--count", type=whole_number(), default=500, metavar="N", help="number of rolls (default: 500)"
    )
    add_seed(command, FIRST_SEED, "the first roll; each further roll adds one")
    add_jobs(command)
    add_cluster(command)
    command.add_argument(
        "--clean",
        action="store_true",
        help="use only ordinary, easily seen dice on plain floors (default: anything a person can read)",
    )
    command.add_argument(
        "--calibrated",
        action="store_true",
        help="first learn the empty tray of each film, as the box does at its first start",
    )
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Simulate the rolls, and return the exit status.

    Returns:
        1 if a roll was reported that was not thrown, 130 if interrupted (partial results are printed).
    """
    seeds = range(args.seed, args.seed + args.count)
    play_one = partial(play_seed, clean=args.clean, calibrated=args.calibrated)
    played, status = work_through("throws", play_one, seeds, args.jobs, args.cluster)
    _print(played)
    return status or int(any(one.is_wrong or one.doubles or one.phantoms for one in played))


def _print(played: Sequence[Played]) -> None:
    """Print the table, the delays, and every film with a fault."""
    headings = ("films", "right", "missed", "doubled", "phantom", "wrong", "late", "push")
    figures = output.table("disturbance", *headings)
    for row in table(played):
        counts = (row.films, row.right, row.missed, row.doubled, row.phantom, row.wrong, row.late, row.push_wrong)
        figures.add_row(row.kind, *map(str, counts))
    show(figures)
    say("push: a pushed camera that was not noticed, or a push noticed where there was none")
    if waits := [one.wait_s for one in played if not one.is_missed]:
        middle = statistics.median(waits)
        say(f"rolls come {middle:.2f} s after the dice lie still (median), {max(waits):.2f} s at most")
    for one in played:
        if faults := _faults(one):
            say(f"seed {one.seed}, {one.kind}: {', '.join(faults)}")


def _faults(one: Played) -> list[str]:
    """Return a film's faults in words."""
    faults = []
    if one.is_missed:
        faults.append(f"missed ({one.why})")
    if one.is_wrong and one.reported is not None:
        faults.append(f"read {' '.join(map(str, one.reported))} for {' '.join(map(str, one.values))}")
    if one.is_late:
        faults.append(f"late, after {one.wait_s:.2f} s")
    if one.doubles:
        faults.append(f"{one.doubles} extra rolls after it")
    if one.phantoms:
        faults.append(f"{one.phantoms} rolls before it")
    if not one.is_push_right:
        faults.append(f"{one.pushes} camera pushes noticed")
    return faults
