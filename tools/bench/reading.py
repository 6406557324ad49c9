"""Benchmark of reading and settling, frame by frame, beside the usual recipe in the same run.

`python -m tools.bench.reading [--scenes N] [--json]`. The pictures:

* scenes of the project's own renderer, half of them readable, half of them to be refused, equally many of each kind;
* if they are available (`CANTSTOP_DICE`, or `../shared/dice`), labelled pictures that are not part of this repository:
  every third of their rendered stills, their photographs of four dice, read as four, and their other photographs, read
  as any number.

Each picture is shown to `Settle` as a roll that has come to rest, frame by frame; after each look of the reader, the
recipe gets the same picture, so that both run under the same load. Each uses one thread. The results are the readings
that were right, refused and wrong, and the processor time of one thread for a frame with a reading and for one without.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean, median
from time import thread_time

import cv2
from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.progress import track
from rich.table import Table
from sklearn.cluster import DBSCAN
from threadpoolctl import threadpool_limits

from tools.scenes.kinds import FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, draw_scene
from tools.scenes.scoring import Scored, expected_dice
from vision.pictures.labelled import Labelled, read_labels
from vision.pictures.load import load
from vision.reader import read
from vision.settling.movement import grey_of
from vision.settling.settle import Settle
from vision.types import Frame, Reading

SCENES = 100
"""The default number of rendered scenes."""

LABELLED_STEP = 3
"""The step between the labelled pictures that are read."""

BOX = "this box"
RECIPE = "recipe"
READERS = (BOX, RECIPE)

SHOWN_FRAMES = 8
"""The frames of each picture, at 15 a second: the dice appear, rest, are read twice, and need no more reading."""

FRAMES_PER_S = 15

OUTCOMES = ("right", "refused", "wrong")

MEDIAN_PX = 7
"""The side of the median filter, in colour. The description names none; this is common in scripts of the recipe."""

LEAST_INERTIA = 0.6
"""The minimum inertia of blobs, 0 (a line) to 1 (a circle), which excludes most pips of side faces."""

CLUSTER_PX = 40.0
"""The distance in pixels below which blobs belong to one die."""

Picture = Labelled | SceneToScore


@dataclass(slots=True)
class Figures:
    """The results of one reader on the pictures of one source.

    Attributes:
        outcomes: The number of times for each outcome.
        times_ms: The time of each of its readings in ms.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    times_ms: list[float] = field(default_factory=list)

    def note(self, came: str | None, ms: float) -> None:
        """Count an outcome, or the time of a look without one."""
        if came is None:
            self.times_ms.append(ms)
        else:
            self.outcomes[came] += 1

    def row(self, source: str, reader: str) -> dict[str, object]:
        """The figures for the first table."""
        return {"pictures": source, "reader": reader, **{name: self.outcomes[name] for name in OUTCOMES}}


class Recipe:
    """The usual recipe for reading dice, implemented from its description, as the baseline.

    Median blur, OpenCV's SimpleBlobDetector with a minimum inertia ratio of 0.6 and otherwise its defaults, DBSCAN over
    the blobs' middles with 40 px; each cluster is a die, and its value the number of its blobs. It refuses nothing.
    """

    def __init__(self) -> None:
        params = cv2.SimpleBlobDetector.Params()
        params.filterByInertia = True
        params.minInertiaRatio = LEAST_INERTIA
        self._detector = cv2.SimpleBlobDetector.create(params)

    def read(self, frame: Frame) -> tuple[int, ...]:
        """Return the dice's values, sorted: the number of blobs in each cluster, which may exceed 6."""
        grey = cv2.cvtColor(cv2.medianBlur(frame, MEDIAN_PX), cv2.COLOR_BGR2GRAY)
        middles = [blob.pt for blob in self._detector.detect(grey)]
        if not middles:
            return ()
        clusters = DBSCAN(eps=CLUSTER_PX, min_samples=1).fit(middles).labels_
        return tuple(sorted(Counter(clusters.tolist()).values()))


def outcome(values: tuple[int, ...], shown: tuple[int, ...] | None, dice: int | None) -> str:
    """Return the outcome of a recipe's values; values that cannot be a roll count as refused.

    Args:
        values: The values read, sorted.
        shown: The actual values, sorted; None if they must be refused.
        dice: The expected number of dice; None for any number.
    """
    if max(values, default=7) > 6 or (dice is not None and len(values) != dice):
        return "right" if shown is None else "refused"
    return "right" if values == shown else "wrong"


def labelled_folder() -> Path | None:
    """Return the folder of labelled pictures next to the repository; None if it is missing."""
    default = Path(__file__).resolve().parents[3] / "shared" / "dice"
    folder = Path(os.environ.get("CANTSTOP_DICE", default))
    return folder if folder.is_dir() else None


def pictures(scenes: int) -> list[Picture]:
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
        found += (stills + photographs)[::LABELLED_STEP]
    return found


def opened(picture: Picture) -> tuple[Frame, Labelled]:
    """Return a rendered scene, or a labelled picture."""
    if isinstance(picture, SceneToScore):
        frame, label = draw_scene(picture)
        return frame, replace(label, source="own scenes, " + ("spoilt" if label.values is None else "readable"))
    return load(picture.path), picture


@dataclass(frozen=True, slots=True)
class Step:
    """One frame through settling.

    Attributes:
        kind: "moving", "still" (nothing to read) or "read".
        ms: The time for the frame, reading included.
        reading: The reading; None if there was none.
    """

    kind: str
    ms: float
    reading: Reading | None


def show(frame: Frame, dice: int | None = 4) -> Iterator[Step]:
    """Show a picture to a new `Settle` for half a second.

    Args:
        frame: (H, W, 3) uint8, BGR.
        dice: The number of dice that the reader expects; None for any number.
    """
    readings: list[Reading] = []

    def noted(shown: Frame, before: Reading | None) -> Reading:
        readings.append(read(shown, dice=dice, before=before))
        return readings[-1]

    settle = Settle(noted)
    grey = grey_of(frame)  # a camera delivers it at no cost
    for number in range(SHOWN_FRAMES):
        before = len(readings)
        start = thread_time()
        settle.step(number / FRAMES_PER_S, grey, lambda: frame)
        ms = (thread_time() - start) * 1000
        if len(readings) > before:
            yield Step("read", ms, readings[-1])
        else:
            yield Step("still" if number else "moving", ms, None)


def compare(frame: Frame, label: Labelled, recipe: Recipe) -> Iterator[tuple[str, str | None, float]]:
    """Show one picture to settling and reading, and after each look to the recipe.

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
        start = thread_time()
        values = recipe.read(frame)
        yield RECIPE, None, (thread_time() - start) * 1000
        last[RECIPE] = outcome(values, label.values, expected)
    for name, came in last.items():
        yield name, came, 0.0


def run(scenes: int, console: Console) -> dict[str, list[dict[str, object]]]:
    """Return all results; after Ctrl-C the partial ones."""
    recipe = Recipe()
    readers: dict[tuple[str, str], Figures] = defaultdict(Figures)
    frames_ms: dict[str, list[float]] = defaultdict(list)
    threads = cv2.getNumThreads()
    with threadpool_limits(1):
        cv2.setNumThreads(1)
        try:
            for picture in track(pictures(scenes), "pictures", console=console):
                frame, label = opened(picture)
                # Each picture counts for all readers or for none, even after Ctrl-C.
                for name, came, ms in list(compare(frame, label, recipe)):
                    if name not in READERS:
                        frames_ms[name].append(ms)
                    else:
                        readers[label.source, name].note(came, ms)
        except KeyboardInterrupt:
            if not frames_ms:
                raise
            console.print("bench: interrupted; these are the figures so far")
        finally:
            cv2.setNumThreads(threads)
    return {
        "readers": [
            {
                **one.row(source, name),
                "median_ms": round(median(one.times_ms), 1),
                "mean_ms": round(fmean(one.times_ms), 1),
                "worst_ms": round(max(one.times_ms), 1),
            }
            for (source, name), one in readers.items()
        ],
        "frames_without_reading": [
            {
                "frame": name,
                "median_ms": round(median(times), 2),
                "worst_ms": round(max(times), 1),
            }
            for name, times in frames_ms.items()
        ],
    }


TITLES = {"readers": "Reading, times in ms", "frames_without_reading": "Frames without reading, times in ms"}


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.reading", description="Reading dice beside the recipe."
    )
    parser.add_argument("--scenes", type=int, default=SCENES, metavar="N", help=f"own scenes to read ({SCENES})")
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    args = parser.parse_args(argv)
    if args.scenes < 2:
        parser.error("--scenes needs at least 2: one to be read and one to be refused")
    figures = run(args.scenes, Console(stderr=True))
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
            table.add_column(heading.removesuffix("_ms"), justify=side, no_wrap=True)
        for row in rows:
            table.add_row(*(str(value) for value in row.values()))
        Console().print(table)


if __name__ == "__main__":
    main()
