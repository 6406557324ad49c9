"""The tools that measure for hours: their command line, and jobs in many pieces that are spread over the cores."""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import TypeVar

import cv2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from device.cli import output
from device.cli.output import Refused, complain, remark
from device.cli.parsing import Parser, whole_number

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def run_tool(
    name: str,
    description: str,
    options: Callable[[argparse.ArgumentParser], None],
    run: Callable[[argparse.Namespace], int],
    problems: tuple[type[Exception], ...],
    argv: Sequence[str] | None,
) -> int:
    """Run a tool with arguments (by default the process's own).

    Args:
        name: Its module, such as "tools.score".
        description: What its help says.
        options: Adds its options to the parser.
        run: The tool; it returns the exit status.
        problems: The errors that mean invalid input, besides `Refused`.
        argv: Its arguments.

    Returns:
        The exit status, as for `device.cli.main`.
    """
    output.prepare()
    parser = Parser(prog=f"python -m {name}", description=description)
    options(parser)
    try:
        return run(parser.parse_args(argv))
    except SystemExit as left:  # after help or bad arguments, or if nothing can be printed
        return int(left.code or 0)
    except KeyboardInterrupt:
        complain("", "interrupted", program=parser.prog)
        return 128 + signal.SIGINT
    except (Refused, OSError, *problems) as error:  # type: ignore[misc]  # mypy does not follow the star
        complain("", error, program=parser.prog)
        return 1 if isinstance(error, OSError) else 2


def add_seed(command: argparse.ArgumentParser, default: int, of: str) -> None:
    """Add the option `--seed`, with its default and what the seed is for."""
    told = f"seed of {of} (default: {default})"
    command.add_argument("--seed", type=whole_number(0, 10**12), default=default, metavar="S", help=told)


def add_jobs(command: argparse.ArgumentParser) -> None:
    """Add the option `--jobs`, the number of processes."""
    command.add_argument(
        "--jobs",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of processes (default: all cores)",
    )


def work_through(
    what: str, do_one: Callable[[Piece], Result], pieces: Sequence[Piece], jobs: int
) -> tuple[list[Result], int]:
    """Process the pieces in order, with a progress bar on stderr.

    Args:
        what: The word for the pieces.
        do_one: Processes one piece; with more than one job it must be importable by other processes (no closure).
        pieces: The pieces.
        jobs: The most processes, each with one thread; with 1 all is done in this one.

    Returns:
        The results in the order of the pieces, and the exit status: 0, or 130 if it ended early.

    Raises:
        KeyboardInterrupt: If Ctrl-C ended it before the first result.
        Exception: Whatever `do_one` raises.
    """
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    results: list[Result] = []
    # The time left follows from the last thousand pieces: half a minute, as usual in rich, holds few of a job of hours.
    with Progress(*columns, console=Console(stderr=True), speed_estimate_period=math.inf) as progress:
        task = progress.add_task(what, total=len(pieces))
        try:
            with closing(_done(do_one, pieces, min(jobs, len(pieces)))) as done:
                for one in done:
                    results.append(one)
                    progress.advance(task)
        except KeyboardInterrupt:
            if not results:
                raise
    if len(results) == len(pieces):
        return results, 0
    remark(f"interrupted after {len(results)} of {len(pieces)} {what}")
    return results, 128 + signal.SIGINT


def _done(do_one: Callable[[Piece], Result], pieces: Sequence[Piece], jobs: int) -> Generator[Result, None, None]:
    """Yield the results, from this process or from several."""
    if jobs <= 1:
        yield from map(do_one, pieces)
        return
    # Spawned, not forked: OpenCV's threads do not survive a fork.
    with multiprocessing.get_context("spawn").Pool(jobs, _be_a_worker) as pool:
        yield from pool.imap(do_one, pieces)


def _be_a_worker() -> None:
    """Set up a worker: one thread, and Ctrl-C left to the parent, which ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
