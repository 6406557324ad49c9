"""How well does the reader read? Labelled folders of pictures, read and compared."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from vision.load import load
from vision.params import Params
from vision.read import read
from vision.reading import Reading, Reason

LABELS = "labels.jsonl"


class LabelsError(ValueError):
    """Labels that cannot be used; the text names the file, the line and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One picture and what is true of it.

    Attributes:
        path: The picture file.
        source: Whose picture it is, for the table.
        values: The dice's values, sorted; None where there must be no reading.
        is_throw: Whether the label is of a throw as the box expects it (`expect`), not of any photograph.
    """

    path: Path
    source: str
    values: tuple[int, ...] | None
    is_throw: bool


@dataclass(frozen=True, slots=True)
class Scored:
    """One picture, as labelled and as read; `ms` is the time of reading alone, without loading."""

    labelled: Labelled
    reading: Reading
    ms: float

    @property
    def outcome(self) -> str:
        """What came of it: "right", "refused" or "wrong". To refuse what has no reading is right."""
        if not self.reading.ok:
            return "right" if self.labelled.values is None else "refused"
        return "right" if self.reading.values == self.labelled.values else "wrong"


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one source.

    Attributes:
        source: Its name.
        pictures: How many were read.
        right: Read as labelled, or refused where nothing can be read.
        refused: Refused though there is something to read.
        wrong: Read with another result than the label's.
        median_ms: Of reading one picture.
    """

    source: str
    pictures: int
    right: int
    refused: int
    wrong: int
    median_ms: float


def read_labels(folder: Path) -> list[Labelled]:
    """Read `labels.jsonl` of a folder: one JSON object a line.

    Each has `file` and either `expect` (sorted values of a throw, null where it must be refused) or `values`
    (of a photograph with any number of dice), and may have `source`; else the folder's name is the source.

    Raises:
        LabelsError: There are no labels, a line is not as described, or a picture is missing.
    """
    labels = folder / LABELS
    try:
        lines = labels.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise LabelsError(f"{labels}: {error.strerror}; a labelled folder holds a file {LABELS}") from None
    except UnicodeDecodeError:
        raise LabelsError(f"{labels}: not UTF-8 text") from None
    found = [
        _labelled(line, folder, f"{labels}, line {number}") for number, line in enumerate(lines, 1) if line.strip()
    ]
    if not found:
        raise LabelsError(f"{labels}: holds no labels")
    return found


def _labelled(line: str, folder: Path, where: str) -> Labelled:
    """Read one line of labels; `where` begins the text of an error."""
    try:
        entry = json.loads(line)
    except json.JSONDecodeError as error:
        raise LabelsError(f"{where}: no JSON ({error.msg})") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise LabelsError(f'{where}: needs "file", the name of a picture')
    key = "expect" if "expect" in entry else "values"
    values = entry.get(key, "missing")
    well_formed = isinstance(values, list) and all(type(value) is int and 1 <= value <= 6 for value in values)
    if not well_formed and not (key == "expect" and values is None):
        raise LabelsError(f'{where}: needs "expect" or "values", a list of numbers from 1 to 6')
    path = folder / entry["file"]
    if not path.is_file():
        raise LabelsError(f"{where}: there is no picture {path}")
    source = entry.get("source", folder.name)
    return Labelled(path, str(source), None if values is None else tuple(sorted(values)), key == "expect")


def expected_dice(labelled: Labelled, dice: int | str) -> int | None:
    """Say how many dice the reader is told to expect in a picture.

    Args:
        labelled: The picture.
        dice: A number; "any" for no number; "labelled" for as many as the label has, and four where it has none;
            "auto" for four in a throw (`expect`) and any number in a photograph (`values`).
    """
    if isinstance(dice, int):
        return dice
    if dice == "any" or (dice == "auto" and not labelled.is_throw):
        return None
    if dice == "labelled" and labelled.values is not None:
        return len(labelled.values)
    return 4


def score_one(labelled: Labelled, dice: int | str = "auto", params: Params | None = None) -> Scored:
    """Load and read one picture.

    Raises:
        UnreadablePictureError: The file is no picture.
    """
    frame = load(labelled.path)
    told = replace(params or Params(), dice=expected_dice(labelled, dice))
    start = time.perf_counter()
    reading = read(frame, told)
    return Scored(labelled, reading, (time.perf_counter() - start) * 1000)


def score(pictures: Iterable[Labelled], read_one: Callable[[Labelled], Scored] = score_one) -> Iterator[Scored]:
    """Read pictures one after the other, so that the caller can show progress or stop."""
    for labelled in pictures:
        yield read_one(labelled)


def table(scored: Iterable[Scored]) -> list[Row]:
    """Sum up by source, in order of name."""
    by_source: dict[str, list[Scored]] = {}
    for one in scored:
        by_source.setdefault(one.labelled.source, []).append(one)
    return [
        Row(
            source=source,
            pictures=len(ones),
            right=sum(one.outcome == "right" for one in ones),
            refused=sum(one.outcome == "refused" for one in ones),
            wrong=sum(one.outcome == "wrong" for one in ones),
            median_ms=median(one.ms for one in ones),
        )
        for source, ones in sorted(by_source.items())
    ]


def refusals(scored: Iterable[Scored]) -> dict[Reason, int]:
    """Count, by reason, the pictures that were refused though there is something to read."""
    counts: dict[Reason, int] = {}
    for one in scored:
        if one.outcome == "refused" and one.reading.reason is not None:
            counts[one.reading.reason] = counts.get(one.reading.reason, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
