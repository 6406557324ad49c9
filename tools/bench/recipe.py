"""The usual recipe for reading dice, implemented from its description, as the baseline of `tools.bench.reading`.

Median blur, OpenCV's SimpleBlobDetector with a minimum inertia ratio of 0.6 and otherwise its defaults, DBSCAN over the
blobs' middles with 40 px; each cluster is a die, and its value the number of its blobs. It refuses nothing.
"""

from __future__ import annotations

from collections import Counter

import cv2
from sklearn.cluster import DBSCAN

from vision.types import Frame

MEDIAN_PX = 7
"""The side of the median filter, in colour. The description names none; this is common in scripts of the recipe."""

LEAST_INERTIA = 0.6
"""The minimum inertia of blobs, 0 (a line) to 1 (a circle), which excludes most pips of side faces."""

CLUSTER_PX = 40.0
"""The distance in pixels below which blobs belong to one die."""


class Recipe:
    """The recipe with its detector, which is created once."""

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
