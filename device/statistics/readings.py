"""The camera's readings, roll by roll, and the correct values after the players' corrections.

A reading's row in the journal holds the values read; a correction is a later step of the game. Folding the rows in
order gives both values for each die.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from device.referee.inputs import DieSeen


@dataclass(frozen=True, slots=True)
class RecordedInput:
    """One accepted input from the journal.

    Attributes:
        game: The game's number; None before the first one.
        at: The time in UTC; a Pi's clock may be wrong.
        undone: The number of steps of the game that it undid.
        done: The steps that it added, one per line.
        dice: What the camera saw, in the format of `seen_text`; None if it was not a reading.
        asked: Whether the players requested that the dice in the tray be read.
    """

    game: int | None
    at: str
    undone: int
    done: str
    dice: str | None
    asked: bool | None


@dataclass(frozen=True, slots=True)
class DieThrown:
    """One die of a roll.

    Attributes:
        read: The value that the camera read.
        value: The correct value: the same, or the players' correction.
        colour: Red, green and blue of its body; None if unknown.
    """

    read: int
    value: int
    colour: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that were rolled and read: four, or one in a roll-off.

    Attributes:
        game: The game's number; None in a roll-off before the first game.
        at: The time in UTC.
        dice: The dice in the order of their places.
    """

    game: int | None
    at: str
    dice: tuple[DieThrown, ...]


def seen_text(seen: Iterable[DieSeen]) -> str:
    """Return dice as the camera saw them, as JSON: `[[value, confidence, "#rrggbb" or null], …]`."""
    dice = [
        [die.value, round(die.confidence, 4), None if die.colour is None else "#{:02x}{:02x}{:02x}".format(*die.colour)]
        for die in seen
    ]
    return json.dumps(dice, separators=(",", ":"))


def parse_seen(text: str) -> tuple[DieSeen, ...]:
    """Return the dice in a text of `seen_text`.

    Raises:
        ValueError: If the text is not in that format.
    """
    try:
        dice = tuple(
            DieSeen(value, confidence, None if colour is None else _colour(colour))
            for value, confidence, colour in json.loads(text)
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"not dice as the camera saw them: {text!r}") from error
    if any(die.value not in range(1, 7) for die in dice):
        raise ValueError(f"a die shows 1 to 6, not {text!r}")
    return dice


def _colour(text: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


@dataclass(slots=True)
class _Pending:
    """A reading that may still be corrected."""

    row: RecordedInput
    seen: tuple[DieSeen, ...]
    is_repeat: bool
    corrected: tuple[int, ...] | None = None


def throws(rows: Iterable[RecordedInput]) -> list[Throw]:
    """Return the rolls in the journal's rows, from first to last.

    Dice that were read again on request are not a new roll if they show the same as before. A reading that cannot be
    parsed is left out.
    """
    readings: list[_Pending] = []
    steps: dict[int | None, list[tuple[str, _Pending | None]]] = {}
    last: tuple[int, ...] | None = None
    for row in rows:
        made = steps.setdefault(row.game, [])
        for _ in range(min(row.undone, len(made))):
            step, reading = made.pop()
            if reading is not None and step.startswith("correct"):
                reading.corrected = None
        reading = None
        if row.dice is not None:
            try:
                seen = parse_seen(row.dice)
            except ValueError:
                continue
            values = tuple(sorted(die.value for die in seen))
            reading = _Pending(row, seen, bool(row.asked) and values == last)
            last = values
            readings.append(reading)
        for step in row.done.splitlines():
            of = _reading_of(made) if step.startswith("correct") else reading
            if of is not None and step.startswith("correct"):
                of.corrected = tuple(int(digit) for digit in step.removeprefix("correct ").split("-"))
            made.append((step, of))
    return [
        Throw(one.row.game, one.row.at, with_corrections(one.seen, one.corrected))
        for one in readings
        if not one.is_repeat
    ]


def _reading_of(made: Sequence[tuple[str, _Pending | None]]) -> _Pending | None:
    """Return the reading that a correction refers to: that of the last roll; None if it was entered by hand."""
    return made[-1][1] if made and made[-1][0].startswith(("roll", "correct")) else None


def with_corrections(seen: tuple[DieSeen, ...], corrected: tuple[int, ...] | None) -> tuple[DieThrown, ...]:
    """Return each die with its correct value: players correct a roll, so the least confident dice are those misread."""
    values = [die.value for die in seen]
    if corrected is not None and len(corrected) == len(seen):
        missing = list(corrected)
        wrong = []
        # The most confident dice keep their values as long as the corrected roll still contains them.
        for index in sorted(range(len(seen)), key=lambda index: -seen[index].confidence):
            if values[index] in missing:
                missing.remove(values[index])
            else:
                wrong.append(index)
        for index, value in zip(sorted(wrong, key=lambda index: values[index]), sorted(missing), strict=True):
            values[index] = value
    return tuple(DieThrown(die.value, value, die.colour) for die, value in zip(seen, values, strict=True))
