"""Folders of labelled pictures: `labels.jsonl` names each picture with the values of its dice."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.camera.misread import LABELS
from vision.files import UnreadableFile, read_text

MOST_BYTES = 100_000_000  # largest file of labels that is read, enough for 100,000 pictures


class LabelsError(ValueError):
    """Labels cannot be used; the message names the file, the line and the fault."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture with its label.

    Attributes:
        path: The picture file.
        source: The name of its source, for the table.
        values: The values of the dice, sorted; None if the picture must be refused.
        expected: The number of dice that the reader is to expect; None for any number.
        empty: A picture of the same tray without dice from the same camera; None if the label has none.
    """

    path: Path
    source: str
    values: tuple[int, ...] | None
    expected: int | None = 4
    empty: Path | None = None


def read_labels(folder: Path) -> list[Labelled]:
    """Read `labels.jsonl` of a folder: one JSON object a line.

    Each has `file` and either `expect` (the values of a roll of four dice) or `values` (of a photograph with any number
    of dice); null if the picture must be refused. Optional: `source` (by default the folder's name), `empty`, the name
    of a picture of the same tray without dice, and `dice`, the number of dice to expect, or "any". A list of the dice
    with their places, as in other collections of pictures, changes nothing.

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
        expected = None if dice == "any" else dice
    elif not isinstance(dice, list | None):
        raise LabelsError(f'{where}: "dice" must be the number of dice to expect, "any", or a list of the dice')
    return Labelled(
        path=path,
        source=str(entry.get("source", folder.name)),
        values=None if values is None else tuple(sorted(values)),
        expected=expected,
        empty=empty_path,
    )


def _is_value(value: object) -> bool:
    return type(value) is int and 1 <= value <= 6


def label_line(labelled: Labelled) -> str:
    """Return a label as a line for `read_labels`, with a line end; file names are without their folder."""
    entry: dict[str, Any] = {
        "file": labelled.path.name,
        "expect" if labelled.expected == 4 else "values": labelled.values,
        "source": labelled.source,
    }
    if labelled.empty is not None:
        entry["empty"] = labelled.empty.name
    return json.dumps(entry) + "\n"
