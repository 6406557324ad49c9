"""`cantstop score`: how well labelled pictures are read."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path

import cv2
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from vision.load import UnreadablePictureError
from vision.score import Labelled, LabelsError, Scored, read_labels, refusals, score, score_one, table


def dice_to_expect(text: str) -> int | str:
    """Read the value of `--dice`: a number of dice, "any", "labelled" or "auto".

    Raises:
        argparse.ArgumentTypeError: It is none of these.
    """
    if text in ("any", "labelled", "auto"):
        return text
    if text.isdecimal() and 1 <= int(text) <= 99:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is neither a number of dice nor any, labelled or auto")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand."""
    command = commands.add_parser(
        "score",
        help="measure how well labelled pictures are read",
        description="Read folders of labelled pictures (labels.jsonl) and compare: right, refused, wrong.",
    )
    command.add_argument("folders", nargs="+", metavar="DIR", type=Path, help="a folder with pictures and labels.jsonl")
    command.add_argument(
        "--dice",
        type=dice_to_expect,
        default="auto",
        metavar="N",
        help="how many dice the reader is told to expect: a number; any; labelled: as many as the label has; "
        "auto (the default): four where the label is a throw ('expect'), any number else",
    )
    command.add_argument("--jobs", type=int, default=1, metavar="N", help="processes to use (1 by default)")
    command.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score the folders; 2 if the labels cannot be used, 130 if interrupted (what there is is printed)."""
    try:
        pictures = [labelled for folder in args.folders for labelled in read_labels(folder)]
    except LabelsError as error:
        print(f"cantstop score: {error}", file=sys.stderr)
        return 2
    if args.jobs < 1:
        print("cantstop score: --jobs needs at least 1", file=sys.stderr)
        return 2
    scored: list[Scored] = []
    status = 0
    columns = (
        TextColumn("reading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("reading", total=len(pictures))
        try:
            with closing(_readings(pictures, args.dice, args.jobs)) as readings:
                for one in readings:
                    scored.append(one)
                    progress.advance(task)
        except KeyboardInterrupt:
            status = 130
        except UnreadablePictureError as error:
            print(f"cantstop score: {error}", file=sys.stderr)
            return 2
    if status:
        print(f"cantstop score: interrupted after {len(scored)} of {len(pictures)} pictures", file=sys.stderr)
    if args.json:
        print(json.dumps(_as_json(scored)))
    else:
        _print(scored)
    return status


def _readings(pictures: list[Labelled], dice: int | str, jobs: int) -> Generator[Scored, None, None]:
    """Read the pictures in this process, or in several, each with one thread."""
    read_one = partial(score_one, dice=dice)
    if jobs == 1:
        yield from score(pictures, read_one)
        return
    # Spawned, not forked: OpenCV's threads do not survive a fork.
    with multiprocessing.get_context("spawn").Pool(jobs, _be_a_worker) as pool:
        yield from pool.imap(read_one, pictures)


def _be_a_worker() -> None:
    """Set a worker up: one thread each, and Ctrl-C is for the parent, which ends the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)


def _as_json(scored: list[Scored]) -> dict[str, object]:
    return {
        "sources": [
            {
                "source": row.source,
                "pictures": row.pictures,
                "right": row.right,
                "refused": row.refused,
                "wrong": row.wrong,
                "median_ms": round(row.median_ms, 1),
            }
            for row in table(scored)
        ],
        "refused": {reason.value: count for reason, count in refusals(scored).items()},
        "wrong": [
            {
                "file": str(one.labelled.path),
                "read": list(one.reading.values),
                "label": None if one.labelled.values is None else list(one.labelled.values),
            }
            for one in scored
            if one.outcome == "wrong"
        ],
    }


def _print(scored: list[Scored]) -> None:
    """Print the table, the refusals by reason, and every wrong reading."""
    console = Console(highlight=False)
    figures = Table()
    figures.add_column("source")
    for heading in ("pictures", "right", "refused", "wrong", "median ms"):
        figures.add_column(heading, justify="right")
    for row in table(scored):
        figures.add_row(
            row.source, str(row.pictures), str(row.right), str(row.refused), str(row.wrong), f"{row.median_ms:.1f}"
        )
    console.print(figures)
    by_reason = refusals(scored)
    if by_reason:
        console.print("refused: " + ", ".join(f"{reason.value} {count}" for reason, count in by_reason.items()))
    for one in scored:
        if one.outcome == "wrong":
            label = "no reading" if one.labelled.values is None else " ".join(map(str, one.labelled.values))
            read = " ".join(map(str, one.reading.values))
            console.print(f"wrong: {one.labelled.path}: read {read}, label {label}", soft_wrap=True, markup=False)
