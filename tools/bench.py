"""Benchmark of reading and settling beside the usual recipe in the same run: `python -m tools.bench [FOLDER...]`.

The pictures are rendered scenes, half of them readable, half of them to be refused, and those of folders with
`labels.jsonl`. Each is shown to `Settle` as a roll that has come to rest, frame by frame; after each look of the
reader, the recipe gets the same picture, so that both run under the same load. The results are the readings that were
right, refused and wrong, and the processor time of one thread for a frame with a reading and for one without.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from time import thread_time

import cv2
from rich.console import Console
from rich.progress import track
from sklearn.cluster import DBSCAN
from threadpoolctl import threadpool_limits

from device.cli.output import show, table
from tools.scenes.kinds import FIRST_SEED, KINDS, READABLE, TO_BE_READ, SceneToScore, draw_scene
from tools.scenes.labelled import Labelled, read_labels
from tools.scenes.scoring import Scored
from vision.pictures import load
from vision.reader import read
from vision.settling.movement import grey_of
from vision.settling.settle import Settle
from vision.types import Frame, Reading

SCENES = 100
"""The number of rendered scenes."""

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


def by_recipe(frame: Frame) -> tuple[int, ...]:
    """Return the dice's values by the usual recipe, sorted: the number of blobs in each cluster, which may exceed 6.

    Median blur, OpenCV's SimpleBlobDetector with a minimum inertia ratio of 0.6 and otherwise its defaults, DBSCAN over
    the blobs' middles with 40 px; each cluster is a die, and its value the number of its blobs. It refuses nothing.
    """
    params = cv2.SimpleBlobDetector.Params()
    params.filterByInertia, params.minInertiaRatio = True, LEAST_INERTIA
    grey = cv2.cvtColor(cv2.medianBlur(frame, MEDIAN_PX), cv2.COLOR_BGR2GRAY)
    middles = [blob.pt for blob in cv2.SimpleBlobDetector.create(params).detect(grey)]
    if not middles:
        return ()
    clusters = DBSCAN(eps=CLUSTER_PX, min_samples=1).fit(middles).labels_
    return tuple(sorted(Counter(clusters.tolist()).values()))


def outcome(values: tuple[int, ...], label: Labelled) -> str:
    """Return the outcome of a recipe's values; values that cannot be a roll count as refused."""
    if max(values, default=7) > 6 or label.expected not in (None, len(values)):
        return "right" if label.values is None else "refused"
    return "right" if values == label.values else "wrong"


def pictures(folders: list[Path]) -> Iterator[tuple[Frame, Labelled]]:
    """Yield the pictures, scenes first, with their labels; the source of a scene is what is to become of it."""
    spoilt = [kind for kind in KINDS if kind not in TO_BE_READ]
    for number in range(SCENES):
        kind = READABLE if number % 2 == 0 else spoilt[number // 2 % len(spoilt)]
        frame, label = draw_scene(SceneToScore(kind, FIRST_SEED + number))
        yield frame, replace(label, source=f"scenes to be {'refused' if label.values is None else 'read'}")
    for folder in folders:
        for label in read_labels(folder):
            yield load(label.path), label


def measure(frame: Frame, label: Labelled) -> Iterator[tuple[str, str, float, str]]:
    """Show a picture to a new `Settle` for half a second.

    Yields:
        For each frame, and for the recipe: the source, the reader, the time in ms and the outcome ("" without reading).
    """
    readings: list[Reading] = []

    def noted(seen: Frame, before: Reading | None) -> Reading:
        readings.append(read(seen, dice=label.expected, before=before))
        return readings[-1]

    settle, grey = Settle(noted), grey_of(frame)  # a camera delivers the grey picture at no cost
    for number in range(SHOWN_FRAMES):
        before, start = len(readings), thread_time()
        settle.step(number / FRAMES_PER_S, grey, lambda: frame)
        ms = (thread_time() - start) * 1000
        if len(readings) == before:
            yield "frames without a reading", "this box", ms, ""
            continue
        yield label.source, "this box", ms, Scored(label, readings[-1], ms).outcome
        start = thread_time()
        values = by_recipe(frame)
        yield label.source, "recipe", (thread_time() - start) * 1000, outcome(values, label)


def main() -> None:
    """Measure, and print a row for each source and reader."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="labelled pictures, as for tools.score")
    shown = list(pictures(parser.parse_args().folders))
    outcomes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    times_ms: dict[tuple[str, str], list[float]] = defaultdict(list)
    cv2.setNumThreads(1)
    with threadpool_limits(1):
        for frame, label in track(shown, "pictures", console=Console(stderr=True)):
            last = {}
            for source, reader, ms, came in measure(frame, label):
                times_ms[source, reader].append(ms)
                last[source, reader] = came
            for key, came in last.items():
                outcomes[key][came] += 1
    figures = table("pictures", "reader", *OUTCOMES, "median ms", "mean ms", "worst ms", title="Times of one thread")
    for key, times in sorted(times_ms.items()):
        counts = (str(outcomes[key][each]) for each in OUTCOMES)
        figures.add_row(*key, *counts, *(f"{of(times):.1f}" for of in (median, mean, max)))
    show(figures)


if __name__ == "__main__":
    main()
