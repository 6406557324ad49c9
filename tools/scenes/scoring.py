"""Scores the reader: reads labelled pictures and compares the results with the labels."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tools.scenes.labelled import Labelled
from vision.reader import read
from vision.tray.calibrate import look_at, measure
from vision.tray.edge import CannotCalibrateError
from vision.tray.known import Tray
from vision.types import Frame, Reading


@dataclass(frozen=True, slots=True)
class Scored:
    """A picture with its label and its reading; `ms` is the time of reading alone, without loading or rendering."""

    labelled: Labelled
    reading: Reading
    ms: float

    @property
    def outcome(self) -> str:
        """The outcome: "right", "refused" or "wrong". Refusing a picture that must be refused is right."""
        if not self.reading.ok:
            return "right" if self.labelled.values is None else "refused"
        return "right" if self.reading.values == self.labelled.values else "wrong"


def score_frame(frame: Frame, labelled: Labelled, tray: Tray | None = None) -> Scored:
    """Read a picture that is already loaded or rendered, and measure the time."""
    start = time.perf_counter()
    reading = read(frame, tray, labelled.expected)
    return Scored(labelled, reading, (time.perf_counter() - start) * 1000)


def learnt_from(empty: Frame) -> Tray | None:
    """Return what the box learns from a frame of the empty tray; None if it finds no tray."""
    try:
        return measure([look_at(empty)]).tray
    except CannotCalibrateError:
        return None


def binomial_interval(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % Clopper-Pearson interval of a proportion, which holds for any number of trials of at least 1.

    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits", Biometrika 26 (1934).
    """
    return 1.0 - _upper_bound(trials - successes, trials), _upper_bound(successes, trials)


def _upper_bound(successes: int, trials: int) -> float:
    """Return the proportion with which so few successes, or fewer, have a probability of 2.5 %."""
    number = np.arange(successes + 1)
    ways = np.array([-math.lgamma(k + 1) - math.lgamma(trials - k + 1) for k in number]) + math.lgamma(trials + 1)
    low, high = successes / trials, 1.0
    for _ in range(40 if low < high else 0):
        middle = (low + high) / 2
        chance = np.exp(ways + number * math.log(middle) + (trials - number) * math.log1p(-middle)).sum()
        low, high = (middle, high) if chance > 0.025 else (low, middle)
    return high


def judged_dice(scored: Iterable[Scored]) -> list[tuple[float, bool]]:
    """Return the confidence of each die found in a readable picture, and whether its value is among the label's.

    Each value of the label counts once, for the most confident of the dice.
    """
    judged = []
    for one in scored:
        left = list(one.labelled.values or ())
        for die in sorted(one.reading.dice if left else (), key=lambda die: -die.confidence):
            judged.append((die.confidence, die.value in left))
            if die.value in left:
                left.remove(die.value)
    return judged
