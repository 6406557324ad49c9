"""Benchmark of reading and settling, frame by frame, beside the usual recipe (`tools.bench.recipe`) in the same run.

`python -m tools.bench.reading [--scenes N] [--every K] [--films N] [--json]`. The pictures:

* scenes of the project's own renderer, half of them readable, half of them to be refused, equally many of each kind;
* if they are available (`CANTSTOP_DICE`, or `../shared/dice`), labelled pictures that are not part of this repository:
  their rendered stills, their photographs of four dice, read as four, and their other photographs, read as any
  number.

Each picture is shown to `Settle` as a roll that has come to rest, frame by frame; after each look of the reader, the
recipe gets the same picture, so that both run under the same load. Each uses one thread. The results are

* accuracy: readings that were right, refused and wrong. The recipe itself refuses nothing; a number of dice other than
  the expected one, and a value above 6, count as refused;
* time: the median, the mean and the maximum of a frame, and both averages relative to the recipe's. The first reading
  of a roll takes longer than the second, which reads only the values again. It is the processor time of one thread, so
  other running programs do not count;
* the time of a frame that needs no reading;
* whole rolls, frame by frame (`tools.bench.films`), where the mean counts: most frames need no reading;
* memory (`tools.bench.memory`).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, median

import cv2
import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from threadpoolctl import threadpool_limits

from tools.bench import memory, networks
from tools.bench.films import filmed, films, watch
from tools.bench.recipe import MEDIAN_PX, SMALL_MEDIAN_PX, Recipe, outcome, timed
from tools.bench.throws import show
from tools.scenes.kinds import FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, draw_scene
from tools.scenes.scoring import Scored, expected_dice
from vision.pictures.labelled import Labelled, read_labels
from vision.pictures.load import load
from vision.reader import read
from vision.types import Frame

SCENES = 100
"""The default number of rendered scenes."""

LABELLED_STEP = 3
"""The step between the labelled pictures that are read by default."""

FILMS = 9
"""The default number of rendered films: one for each disturbance."""

KEPT_FRAMES = 20
"""The number of frames for measuring memory."""

BOX = "this box"
RECIPE = f"recipe {MEDIAN_PX} px"
FAST_RECIPE = f"recipe {SMALL_MEDIAN_PX} px"
READERS = (BOX, RECIPE, FAST_RECIPE)

OUTCOMES = ("right", "refused", "wrong")

Picture = Labelled | SceneToScore


@dataclass(slots=True)
class Figures:
    """The results of one reader on the pictures of one source.

    Attributes:
        outcomes: The number of times for each outcome.
        times_ms: The time of each of its readings in ms.
        multiply_adds: The multiply-adds of its networks in each reading; empty for a reader without networks.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    times_ms: list[float] = field(default_factory=list)
    multiply_adds: list[int] = field(default_factory=list)

    def note(self, came: str | None, ms: float) -> None:
        """Count an outcome, or the time of a look without one."""
        if came is None:
            self.times_ms.append(ms)
        else:
            self.outcomes[came] += 1

    def row(self, source: str, reader: str) -> dict[str, object]:
        """The figures for the first table."""
        return {"pictures": source, "reader": reader, **{name: self.outcomes[name] for name in OUTCOMES}}


def labelled_folder() -> Path | None:
    """Return the folder of labelled pictures next to the repository; None if it is missing."""
    default = Path(__file__).resolve().parents[3] / "shared" / "dice"
    folder = Path(os.environ.get("CANTSTOP_DICE", default))
    return folder if folder.is_dir() else None


def pictures(scenes: int, labelled_step: int) -> list[Picture]:
    """Return the pictures to read: rendered scenes, and a part of the labelled pictures if they are available."""
    spoilt = [kind for kind in KINDS if kind not in TO_BE_READ]
    found: list[Picture] = [
        SceneToScore(READABLE if number % 2 == 0 else spoilt[number // 2 % len(spoilt)], FIRST_SEED + number)
        for number in range(scenes)
    ]
    folder = labelled_folder()
    if folder is not None:
        stills = [
            replace(label, source="stills, " + ("spoilt" if label.values is None else "readable"))
            for label in read_labels(folder / "rendered")
        ]
        photographs = [
            replace(
                label,
                source="photos, " + ("four dice" if label.values and len(label.values) == 4 else "other counts"),
                expected=4 if label.values is not None and len(label.values) == 4 else None,
            )
            for label in read_labels(folder / "photos")
        ]
        found += (stills + photographs)[::labelled_step]
    return found


def opened(picture: Picture) -> tuple[Frame, Labelled]:
    """Return a rendered scene, or a labelled picture."""
    if isinstance(picture, SceneToScore):
        frame, label = draw_scene(picture)
        return frame, replace(label, source="own scenes, " + ("spoilt" if label.values is None else "readable"))
    return load(picture.path), picture


def compare(frame: Frame, label: Labelled, recipes: dict[str, Recipe]) -> Iterator[tuple[str, str | None, float]]:
    """Show one picture to settling and reading, and after each look to the recipes.

    Yields:
        The name and its time in ms, and the outcome if it is a reader's last look at the picture.
    """
    last: dict[str, str] = {}
    expected = expected_dice(label, "auto")
    for step in show(frame, expected):
        if step.reading is None:
            yield step.kind, None, step.ms
            continue
        last[BOX] = Scored(label, step.reading, step.ms).outcome
        yield BOX, None, step.ms
        for name, values, ms in timed(recipes, frame):
            yield name, None, ms
            last[name] = outcome(values, label.values, expected)
    for name, came in last.items():
        yield name, came, 0.0


def run(scenes: int, labelled_step: int, own_films: int, console: Console) -> dict[str, list[dict[str, object]]]:
    """Return all results; after Ctrl-C the partial ones."""
    todo, told = pictures(scenes, labelled_step), filmed(labelled_folder())
    recipes = {RECIPE: Recipe(), FAST_RECIPE: Recipe(SMALL_MEDIAN_PX)}
    readers: dict[tuple[str, str], Figures] = defaultdict(Figures)
    watched: dict[tuple[str, str], Figures] = defaultdict(Figures)
    frames_ms: dict[str, list[float]] = defaultdict(list)
    text = TextColumn("{task.description}")
    columns = (text, BarColumn(), MofNCompleteColumn(), TextColumn("left"), TimeRemainingColumn())
    threads = cv2.getNumThreads()
    with tempfile.TemporaryDirectory() as kept, threadpool_limits(1), Progress(*columns, console=console) as progress:
        cv2.setNumThreads(1)
        files: list[Path] = []
        try:
            for picture in progress.track(todo, description="pictures"):
                frame, label = opened(picture)
                if len(files) < KEPT_FRAMES:
                    files.append(Path(kept) / f"{len(files)}.npy")
                    np.save(files[-1], frame)
                # Each picture counts for all readers or for none, even after Ctrl-C.
                with networks.counted() as counts:
                    read(frame, dice=expected_dice(label, "auto"))
                readers[label.source, BOX].multiply_adds.append(sum(counts))
                for name, came, ms in list(compare(frame, label, recipes)):
                    if name not in READERS:
                        frames_ms[name].append(ms)
                    else:
                        readers[label.source, name].note(came, ms)
            for shown in progress.track(films(own_films, told), total=own_films + len(told), description="films"):
                for name, came, ms in list(watch(shown, BOX, recipes)):
                    watched[shown.source, name].note(came, ms)
        except KeyboardInterrupt:
            if not frames_ms:
                raise
            console.print("bench: interrupted; these are the figures so far")
        finally:
            cv2.setNumThreads(threads)
        used = {name: memory.measure(name, files) for name in memory.READERS}
    return as_figures(readers, frames_ms, watched, used)


def as_figures(
    readers: dict[tuple[str, str], Figures],
    frames_ms: dict[str, list[float]],
    watched: dict[tuple[str, str], Figures],
    used: dict[str, memory.Memory],
) -> dict[str, list[dict[str, object]]]:
    """Return a summary as plain data for JSON."""
    recipe_ms = median(ms for (_, name), one in readers.items() if name == RECIPE for ms in one.times_ms)
    return {
        "networks": [
            {"network": name, "picture": f"{width}x{height}", "multiply_adds": f"{count / 1e6:.1f} M"}
            for name, (width, height) in NETWORKS.items()
            for count in [networks.multiply_adds(name, width, height)]
        ],
        "readers": [
            {
                **one.row(source, name),
                "median_ms": round(median(one.times_ms), 1),
                "to_recipe": round(median(one.times_ms) / median(readers[source, RECIPE].times_ms), 2),
                "mean_ms": round(fmean(one.times_ms), 1),
                "mean_to_recipe": round(fmean(one.times_ms) / fmean(readers[source, RECIPE].times_ms), 2),
                "worst_ms": round(max(one.times_ms), 1),
                "multiply_adds": f"{median(one.multiply_adds) / 1e6:.0f} M" if one.multiply_adds else "",
            }
            for (source, name), one in readers.items()
        ],
        "frames_without_reading": [
            {
                "frame": name,
                "median_ms": round(median(times), 2),
                "worst_ms": round(max(times), 1),
                "to_recipe": round(median(times) / recipe_ms, 3),
            }
            for name, times in frames_ms.items()
        ],
        "films": [
            {
                **one.row(source, name),
                "frames": len(one.times_ms),
                "mean_ms": round(fmean(one.times_ms), 1),
                "worst_ms": round(max(one.times_ms), 1),
                "to_recipe": round(fmean(one.times_ms) / fmean(watched[source, RECIPE].times_ms), 2),
            }
            for (source, name), one in watched.items()
        ],
        "memory": [
            {
                "reader": name,
                "imports_mb": round(one.imports_mb, 1),
                "peak_mb": round(one.peak_mb, 1),
                "reading_mb": round(one.reading_mb, 1),
            }
            for name, one in used.items()
        ],
    }


NETWORKS = {"finder": (320, 240), "values": (64, 64), "leaning": (64, 64)}
"""The usual size of each network's input."""

HEADINGS = {
    "multiply_adds": "multiply-adds",
    "median_ms": "median, ms",
    "mean_ms": "mean, ms",
    "worst_ms": "worst",
    "to_recipe": "ratio",
    "mean_to_recipe": "ratio",
    "imports_mb": "after imports, MB",
    "peak_mb": "peak, MB",
    "reading_mb": "difference, MB",
}
"""The headings of the table."""

TITLES = {
    "networks": "Multiply-adds of one run of each network",
    "readers": f"Reading: median, mean and worst time; ratio: to that of the recipe with {MEDIAN_PX} px;"
    " multiply-adds of the networks in the median first reading",
    "frames_without_reading": "Frames that settling takes in without reading",
    "films": f"Whole throws, frame by frame: mean and worst time; ratio: of the mean to that with {MEDIAN_PX} px",
    "memory": f"Peak memory of a process, {KEPT_FRAMES} frames",
}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.reading", description="Reading dice beside the recipe."
    )
    parser.add_argument("--scenes", type=int, default=SCENES, metavar="N", help=f"own scenes to read ({SCENES})")
    parser.add_argument(
        "--every",
        type=int,
        default=LABELLED_STEP,
        metavar="K",
        help=f"read each K-th labelled picture ({LABELLED_STEP})",
    )
    parser.add_argument("--films", type=int, default=FILMS, metavar="N", help=f"own films to show ({FILMS})")
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    args = parser.parse_args(argv)
    if args.scenes < 2:
        parser.error("--scenes needs at least 2: one to be read and one to be refused")
    if args.every < 1:
        parser.error("--every needs at least 1: all labelled pictures")
    if args.films < 0:
        parser.error("--films needs at least 0: none")
    figures = run(args.scenes, args.every, args.films, Console(stderr=True))
    if args.json:
        print(json.dumps(figures))
        return
    for part, title in TITLES.items():
        rows = figures[part]
        if not rows:
            continue
        table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, collapse_padding=True, pad_edge=False)
        for heading, value in rows[0].items():
            side: JustifyMethod = "left" if isinstance(value, str) else "right"
            table.add_column(HEADINGS.get(heading, heading), justify=side, no_wrap=True)
        for row in rows:
            table.add_row(*(str(value) for value in row.values()))
        Console().print(table)


if __name__ == "__main__":
    main()
