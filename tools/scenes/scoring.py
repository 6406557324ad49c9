"""Scores the reader: reads labelled pictures and compares the results with the labels."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tools.scenes.labelled import Labelled, LabelledDie, LabelsError
from vision.pictures.load import load
from vision.reader import read
from vision.tray.calibrate import look_at, measure
from vision.tray.edge import CannotCalibrateError
from vision.tray.known import Tray
from vision.types import Box, Die, Frame, Reading


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


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one source.

    Attributes:
        source: Its name.
        pictures: Number of its pictures.
        right: Pictures read as labelled, or refused as they must be.
        refused: Pictures refused although they can be read.
        wrong: Pictures read with other values than labelled, or read although they must be refused.
        reasons: Number of refused pictures for each reason, right or wrong; the most frequent first.
        median_ms: Median time to read a picture, ms.
    """

    source: str
    pictures: int
    right: int
    refused: int
    wrong: int
    reasons: Mapping[str, int]
    median_ms: float


@dataclass(frozen=True, slots=True)
class DiceRow:
    """The figures of one source by die, over its readable pictures whose labels give the places of the dice.

    Dice found in refused pictures count too, except in `accepted`.

    Attributes:
        source: Its name.
        pictures: Number of its pictures that are counted.
        dice: Number of labelled dice: the sum of `right`, `misread` and `missed`.
        right: Dice found in the right place with the right value.
        accepted: Right dice in pictures that were not refused.
        misread: Dice found in the right place with a wrong value.
        missed: Dice not found.
        phantom: Dice found where none is labelled.
    """

    source: str
    pictures: int
    dice: int
    right: int
    accepted: int
    misread: int
    missed: int
    phantom: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A die that was found, and whether it is right, for the calibration of the confidence.

    Attributes:
        path: The picture.
        number: Index of the die in the reading, from 0.
        die: The die.
        label: The labelled die at that place, if any.
        is_accepted: Whether the picture was read, not refused.
    """

    path: Path
    number: int
    die: Die
    label: LabelledDie | None
    is_accepted: bool

    @property
    def is_right(self) -> bool:
        """Whether a die with this value is labelled there."""
        return self.label is not None and self.label.value == self.die.value


def expected_dice(labelled: Labelled, dice: int | str) -> int | None:
    """Return the number of dice that the reader is to expect in a picture; None for any number.

    Args:
        labelled: The picture.
        dice: A number; "any"; "auto" for the number of its label.
    """
    if dice == "auto":
        return labelled.expected
    return dice if isinstance(dice, int) else None


def score_frame(
    frame: Frame,
    labelled: Labelled,
    dice: int | str = "auto",
    *,
    tray: Tray | None = None,
) -> Scored:
    """Read a picture that is already loaded or rendered, and measure the time."""
    expected = expected_dice(labelled, dice)
    start = time.perf_counter()
    reading = read(frame, tray, expected)
    return Scored(labelled, reading, (time.perf_counter() - start) * 1000)


def learnt_from(empty: Frame) -> Tray | None:
    """Return what the box learns from a frame of the empty tray; None if it finds no tray."""
    try:
        return measure([look_at(empty)]).tray
    except CannotCalibrateError:
        return None


def learnt_tray(labelled: Labelled) -> Tray | None:
    """Return what the box knows about the tray of a picture after it has seen the tray empty; None if it finds no tray.

    Raises:
        LabelsError: If the label does not name a picture of the empty tray.
        UnreadablePictureError: If that file is not a picture.
    """
    if labelled.empty is None:
        raise LabelsError(f'{labelled.path}: its label needs "empty", a picture of the tray without dice')
    return learnt_from(load(labelled.empty))


def by_source(scored: Iterable[Scored]) -> dict[str, list[Scored]]:
    """Return the pictures by source, in the order of the names."""
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(one.labelled.source, []).append(one)
    return dict(sorted(groups.items()))


def table(scored: Iterable[Scored]) -> list[Row]:
    """Return the figures of each source, in the order of the names."""
    return [
        Row(
            source=source,
            pictures=len(ones),
            right=sum(one.outcome == "right" for one in ones),
            refused=sum(one.outcome == "refused" for one in ones),
            wrong=sum(one.outcome == "wrong" for one in ones),
            reasons=dict(Counter(one.reading.reason.value for one in ones if one.reading.reason).most_common()),
            median_ms=median(one.ms for one in ones),
        )
        for source, ones in by_source(scored).items()
    ]


def match_dice(labelled: Sequence[LabelledDie], found: Sequence[Die]) -> list[LabelledDie | None]:
    """Match each die found to the nearest unmatched labelled die whose box contains its centre.

    Returns:
        The labelled die for each die found, in the same order; None for a die without a label.
    """
    pairs = []
    for number, die in enumerate(found):
        x, y = _middle(die.box)
        for index, label in enumerate(labelled):
            x0, y0, x1, y1 = label.box
            if x0 <= x <= x1 and y0 <= y <= y1:
                pairs.append((math.dist((x, y), _middle(label.box)), number, index))
    matches: dict[int, int] = {}
    for _, number, index in sorted(pairs):
        if number not in matches and index not in matches.values():
            matches[number] = index
    return [labelled[matches[number]] if number in matches else None for number in range(len(found))]


def _middle(box: Box) -> tuple[float, float]:
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, (y0 + y1) / 2


def judged_dice(scored: Iterable[Scored]) -> list[Judged]:
    """Return the dice found in readable pictures whose labels give the places of the dice."""
    return [
        Judged(one.labelled.path, number, die, label, one.reading.ok)
        for one in scored
        if one.labelled.values is not None and one.labelled.dice is not None
        for number, (die, label) in enumerate(
            zip(one.reading.dice, match_dice(one.labelled.dice, one.reading.dice), strict=True)
        )
    ]


def dice_table(scored: Iterable[Scored]) -> list[DiceRow]:
    """Return the figures by die of each source whose labels give the places of the dice, in the order of the names."""
    rows = []
    for source, ones in by_source(scored).items():
        labels = [
            one.labelled.dice for one in ones if one.labelled.values is not None and one.labelled.dice is not None
        ]
        if not labels:
            continue
        dice = sum(map(len, labels))
        found = judged_dice(ones)
        met, right = sum(die.label is not None for die in found), sum(die.is_right for die in found)
        rows.append(
            DiceRow(
                source=source,
                pictures=len(labels),
                dice=dice,
                right=right,
                accepted=sum(die.is_right and die.is_accepted for die in found),
                misread=met - right,
                missed=dice - met,
                phantom=len(found) - met,
            )
        )
    return rows


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
