"""The soak test: `python -m tools.soak [--games N] [--kills N] [--boxes N]`, or `make soak`.

First the box is killed at random instants while it plays without hardware (`tools.soak.kills`). Then several boxes play
games at simulated tables (`tools.soak.games`), settling, reading, gpiozero and luma included, with faults of all kinds;
they are killed at times, and their files are damaged while they are off. The results are printed as a table, and with
--json stored as JSON. After Ctrl-C the results so far are printed.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tools.soak import album, games, kills
from tools.soak.report import table


def _progress() -> Progress:
    """Return a progress bar on stderr."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True))


def _kill(count: int, seed: int, folder: Path | None) -> kills.Report:
    """Kill boxes that play without hardware."""
    killed = kills.Report()
    progress = _progress()  # never started: no thread may run while this process forks
    task = progress.add_task("kills", total=count)

    def tell(done: int) -> None:
        progress.update(task, completed=done, refresh=True)

    with suppress(KeyboardInterrupt):
        kills.campaign(count, seed, folder, tell, killed)
    return killed


def _play(count: int, boxes: int, seed: int, folder: Path | None) -> games.Totals:
    """Play games at simulated tables."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        throws = Path(place) / "album"
        throws.mkdir()
        if not album.draw(throws, seed, os.cpu_count() or 1):
            return games.Totals()
        with _progress() as progress:
            return games.soak(count, boxes, seed, Path(place), throws, progress)


def main() -> int:
    """Run the soak; exit with 1 if anything was lost."""
    words = argparse.ArgumentParser(prog="python -m tools.soak", description="Lets boxes play with faults.")
    words.add_argument("--games", type=int, default=200, help="how many games at the simulated table (default 200)")
    words.add_argument("--boxes", type=int, default=4, help="how many boxes play them at once (default 4)")
    words.add_argument("--kills", type=int, default=2000, help="how many kills without the wires (default 2000)")
    words.add_argument("--seed", type=int, default=0, help="decides what is played and what fails")
    words.add_argument("--folder", type=Path, help="on which disk, if not that of temporary files")
    words.add_argument("--json", type=Path, metavar="FILE", help="keep what came of it")
    args = words.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # even if a shell has started it in the background
        signal.signal(number, signal.default_int_handler)
    logging.disable(logging.CRITICAL)  # every fault is logged, and there are thousands
    killed = _kill(args.kills, args.seed, args.folder) if args.kills else kills.Report()
    found = _play(args.games, args.boxes, args.seed, args.folder) if args.games else games.Totals()
    Console().print(table(found, killed))
    if args.json:
        args.json.write_text(json.dumps({"kills": _plain(killed), "games": _plain(found)}, indent=1))
    return int(bool(killed.lost or found.lost or found.unlisted or found.unlike or found.stuck or killed.failed))


def _plain(report: games.Totals | kills.Report) -> dict[str, object]:
    return {name: getattr(report, name) for name in report.__slots__}


if __name__ == "__main__":
    sys.exit(main())
