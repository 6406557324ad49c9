"""The well-known recipe for reading dice, written anew from its description, as the yardstick of `bench.reading`.

Median blur, OpenCV's SimpleBlobDetector with a least inertia ratio of 0.6 and else its defaults, DBSCAN over the blobs'
middles with 40 px; each cluster is a die, and its value the number of its blobs. It refuses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from time import perf_counter

import cv2
from sklearn.cluster import DBSCAN

from vision.types import Frame

MEDIAN_PX = 7
"""Side of the median filter, in colour. The description names none; this is what scripts of the recipe have."""

SMALL_MEDIAN_PX = 5
"""The largest side that OpenCV filters fast: 1 ms in colour at 640x480, 7 px takes 20; so this is timed beside."""

LEAST_INERTIA = 0.6
"""Of blobs, 0 (a line) to 1 (a circle): keeps most pips of side faces out."""

CLUSTER_PX = 40.0
"""Blobs nearer to each other than this belong to one die."""


class Recipe:
    """The recipe with its detector, which is made once."""

    def __init__(self, median_px: int = MEDIAN_PX) -> None:
        self._median_px = median_px
        params = cv2.SimpleBlobDetector.Params()
        params.filterByInertia = True
        params.minInertiaRatio = LEAST_INERTIA
        self._detector = cv2.SimpleBlobDetector.create(params)

    def read(self, frame: Frame) -> tuple[int, ...]:
        """Count the blobs of each cluster: the dice's values, sorted; values above 6 come out too."""
        grey = cv2.cvtColor(cv2.medianBlur(frame, self._median_px), cv2.COLOR_BGR2GRAY)
        middles = [blob.pt for blob in self._detector.detect(grey)]
        if not middles:
            return ()
        clusters = DBSCAN(eps=CLUSTER_PX, min_samples=1).fit(middles).labels_
        return tuple(sorted(Counter(clusters.tolist()).values()))


def timed(recipes: dict[str, Recipe], frame: Frame) -> Iterator[tuple[str, tuple[int, ...], float]]:
    """What each recipe reads in a frame: its name, the values, and how long that took in ms."""
    for name, recipe in recipes.items():
        start = perf_counter()
        values = recipe.read(frame)
        yield name, values, (perf_counter() - start) * 1000


def outcome(values: tuple[int, ...], shown: tuple[int, ...] | None, dice: int | None) -> str:
    """Say what came of a recipe's values, where what cannot be a throw counts as refused.

    Args:
        values: What it read, sorted.
        shown: What the dice show, sorted; None if they must be refused.
        dice: How many are expected; None for any number.
    """
    if max(values, default=7) > 6 or (dice is not None and len(values) != dice):
        return "right" if shown is None else "refused"
    return "right" if values == shown else "wrong"
