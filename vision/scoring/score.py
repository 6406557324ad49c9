"""Scores the reader: reads labelled pictures and compares the results with the labels."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from vision.files import UnreadableFile, read_text
from vision.pictures.load import load
from vision.reader import Params, read
from vision.tray.calibrate import look_at, measure
from vision.tray.edge import CannotCalibrateError
from vision.tray.known import Tray
from vision.types import Box, Die, Frame, Reading

LABELS = "labels.jsonl"

MOST_BYTES = 100_000_000
"""The largest file of labels that is read, enough for 100,000 pictures."""


class LabelsError(ValueError):
    """Labels cannot be used; the message names the file, the line and the fault."""


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """A labelled die: the value of its top face, and the box of the die or of that face in pixels."""

    value: int
    box: Box


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture with its label.

    Attributes:
        path: The picture file.
        source: The name of its source, for the table.
        values: The values of the dice, sorted; None if the picture must be refused.
        expected: The number of dice that the reader is to expect; None for any number.
        dice: The dice with their places; None if the label has none.
        empty: A picture of the same tray without dice from the same camera; None if the label has none.
    """

    path: Path
    source: str
    values: tuple[int, ...] | None
    expected: int | None = 4
    dice: tuple[LabelledDie, ...] | None = None
    empty: Path | None = None


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


def read_labels(folder: Path) -> list[Labelled]:
    """Read `labels.jsonl` of a folder: one JSON object a line.

    Each has `file` and either `expect` (the values of a roll of four dice) or `values` (of a photograph with any number
    of dice); null if the picture must be refused. Optional: `source` (by default the folder's name), `empty`, the name
    of a picture of the same tray without dice, and `dice`: a list of objects with `value` and `box` (x0, y0, x1, y1 in
    pixels), or only the number of dice to expect, or "any".

    Raises:
        LabelsError: If there are no labels, a line is malformed or a picture is missing.
    """
    labels = folder / LABELS
    try:
        lines = read_text(labels, MOST_BYTES).split("\n")
    except UnreadableFile as error:
        raise LabelsError(f"{labels}: {error}; a folder to score needs a readable file {LABELS}") from None
    found = [
        _labelled(line, folder, f"{labels}, line {number}") for number, line in enumerate(lines, 1) if line.strip()
    ]
    if not found:
        raise LabelsError(f"{labels}: contains no labels")
    return found


def _labelled(line: str, folder: Path, where: str) -> Labelled:
    """Read one line of labels; `where` is the beginning of an error message."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:  # also for a number with 5,000 digits, or endless brackets
        raise LabelsError(f"{where}: not valid JSON ({getattr(error, 'msg', error)})") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise LabelsError(f'{where}: needs "file", the name of a picture')
    key = "expect" if "expect" in entry else "values"
    values = entry.get(key, "missing")
    if values is not None and not (isinstance(values, list) and all(map(_is_value, values))):
        raise LabelsError(f'{where}: needs "expect" or "values", a list of numbers from 1 to 6, or null')
    empty = entry.get("empty")
    if not isinstance(empty, str | None):
        raise LabelsError(f'{where}: "empty" must be the name of a picture of the empty tray')
    path, empty_path = folder / entry["file"], None if empty is None else folder / empty
    for each in (path, empty_path):
        if each is not None and not each.is_file():
            raise LabelsError(f"{where}: the picture {each} does not exist")
    dice, expected = entry.get("dice"), 4 if key == "expect" else None
    if dice == "any" or (type(dice) is int and dice > 0):
        dice, expected = None, None if dice == "any" else dice
    return Labelled(
        path=path,
        source=str(entry.get("source", folder.name)),
        values=None if values is None else tuple(sorted(values)),
        expected=expected,
        dice=_labelled_dice(dice, where),
        empty=empty_path,
    )


def _labelled_dice(entries: object, where: str) -> tuple[LabelledDie, ...] | None:
    """Read the `dice` of a line of labels; None if it has none."""
    if entries is None:
        return None
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and _is_value(entry.get("value")) and _is_box(entry.get("box")) for entry in entries
    ):
        each = '{"value": 1 to 6, "box": [x0, y0, x1, y1]}'
        raise LabelsError(f'{where}: "dice" must be a list of {each}, the number of dice to expect, or "any"')
    boxes = (map(float, entry["box"]) for entry in entries)
    return tuple(
        LabelledDie(entry["value"], (x0, y0, x1, y1)) for entry, (x0, y0, x1, y1) in zip(entries, boxes, strict=True)
    )


def _is_value(value: object) -> bool:
    return type(value) is int and 1 <= value <= 6


def _is_box(box: object) -> bool:
    return (
        isinstance(box, list) and len(box) == 4 and all(type(edge) in (int, float) and abs(edge) < 1e9 for edge in box)
    )


def label_line(labelled: Labelled) -> str:
    """Return a label as a line for `read_labels`, with a line end; file names are without their folder."""
    entry: dict[str, Any] = {
        "file": labelled.path.name,
        "expect" if labelled.expected == 4 else "values": labelled.values,
        "source": labelled.source,
    }
    if labelled.empty is not None:
        entry["empty"] = labelled.empty.name
    if labelled.dice is not None:
        entry["dice"] = [{"value": die.value, "box": [round(edge, 1) for edge in die.box]} for die in labelled.dice]
    return json.dumps(entry) + "\n"


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
    params: Params | None = None,
    *,
    tray: Tray | None = None,
) -> Scored:
    """Read a picture that is already loaded or rendered, and measure the time."""
    expected = expected_dice(labelled, dice)
    start = time.perf_counter()
    reading = read(frame, tray, expected, params)
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
