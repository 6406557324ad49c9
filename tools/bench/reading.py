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
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import thread_time

import cv2
from rich.console import Console
from rich.progress import track
from threadpoolctl import threadpool_limits

from device.cli.output import show, table
from tools.scenes.kinds import FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, draw_scene
from tools.scenes.labelled import Labelled, read_labels
from tools.scenes.scoring import Scored, expected_dice
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
        from sklearn.cluster import DBSCAN

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


def looks(frame: Frame, dice: int | None = 4) -> Iterator[tuple[str, float, Reading | None]]:
    """Show a picture to a new `Settle` for half a second.

    Args:
        frame: (H, W, 3) uint8, BGR.
        dice: The number of dice that the reader expects; None for any number.

    Yields:
        For each frame: BOX with its reading, or "frame that moves" or "still frame" without one; and the time in ms.
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
            yield BOX, ms, readings[-1]
        else:
            yield "still frame" if number else "frame that moves", ms, None


def run(scenes: int) -> list[dict[str, object]]:
    """Return a row for each source of pictures and reader, and for the frames without a reading."""
    recipe = Recipe()
    outcomes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    times_ms: dict[tuple[str, str], list[float]] = defaultdict(list)
    threads = cv2.getNumThreads()
    with threadpool_limits(1):
        cv2.setNumThreads(1)
        for picture in track(pictures(scenes), "pictures", console=Console(stderr=True)):
            frame, label = opened(picture)
            last: dict[str, str] = {}
            expected = expected_dice(label, "auto")
            for name, ms, reading in looks(frame, expected):
                if reading is None:
                    times_ms["no reading", name].append(ms)
                    continue
                times_ms[label.source, BOX].append(ms)
                last[BOX] = Scored(label, reading, ms).outcome
                start = thread_time()
                values = recipe.read(frame)
                times_ms[label.source, RECIPE].append((thread_time() - start) * 1000)
                last[RECIPE] = outcome(values, label.values, expected)
            for name, came in last.items():
                outcomes[label.source, name][came] += 1
        cv2.setNumThreads(threads)
    return [
        {
            "pictures": source,
            "reader": name,
            **{each: outcomes[source, name][each] for each in OUTCOMES},
            "median ms": round(median(times), 2),
            "worst ms": round(max(times), 1),
        }
        for (source, name), times in sorted(times_ms.items())
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table, by default with the options of this process."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.reading", description="Reading dice beside the recipe."
    )
    parser.add_argument("--scenes", type=int, default=SCENES, metavar="N", help=f"own scenes to read ({SCENES})")
    parser.add_argument("--json", action="store_true", help="print a JSON list of the rows, for programs")
    args = parser.parse_args(argv)
    if args.scenes < 2:
        parser.error("--scenes needs at least 2: one to be read and one to be refused")
    rows = run(args.scenes)
    if args.json:
        print(json.dumps(rows))
        return
    figures = table(*rows[0], title="Reading; times of one thread")
    for row in rows:
        figures.add_row(*map(str, row.values()))
    show(figures)


if __name__ == "__main__":
    main()
