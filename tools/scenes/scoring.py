"""Scores the reader: reads labelled pictures and compares the results with the labels."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

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


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a proportion, which is valid even if none or all trials succeeded.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927).

    Args:
        successes: The number of successes.
        trials: The number of trials, at least 1.

    Returns:
        The lower and upper bound, 0 to 1.
    """
    share, z = successes / trials, 1.96  # the normal quantile
    middle = share + z * z / (2 * trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)
