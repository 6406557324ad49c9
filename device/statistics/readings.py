"""What the camera read, throw by throw, and what the dice really showed where players put them right.

A reading's row in the journal holds what was read; the correction, if any, is a later step of the game. Folding the
rows in their order gives both values for each die.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from device.referee.inputs import DieSeen


@dataclass(frozen=True, slots=True)
class InputSeen:
    """One accepted input as the journal keeps it.

    Attributes:
        game: The game's number; None before the first one.
        at: When, in UTC; a Pi's clock may be wrong.
        undone: How many steps of the game it took back.
        done: The steps that it added, a line each.
        dice: What the camera saw, as `seen_text` writes it; None where it was no reading.
        asked: Whether the players had asked for lying dice to be read.
    """

    game: int | None
    at: str
    undone: int
    done: str
    dice: str | None
    asked: bool | None


@dataclass(frozen=True, slots=True)
class DieThrown:
    """One die of a throw.

    Attributes:
        read: What the camera read.
        value: What it really showed: the same, or what players corrected it to.
        colour: Its body's red, green and blue; None where unknown.
    """

    read: int
    value: int
    colour: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that were thrown and read: four, or one where it was rolled who begins.

    Attributes:
        game: In which game; None in a roll-off before the first one.
        at: When, in UTC.
        dice: In the order in which they lay.
    """

    game: int | None
    at: str
    dice: tuple[DieThrown, ...]


def seen_text(seen: Iterable[DieSeen]) -> str:
    """Write dice as the camera saw them as JSON: `[[value, confidence, "#rrggbb" or null], …]`."""
    dice = [
        [die.value, round(die.confidence, 4), None if die.colour is None else "#{:02x}{:02x}{:02x}".format(*die.colour)]
        for die in seen
    ]
    return json.dumps(dice, separators=(",", ":"))


def parse_seen(text: str) -> tuple[DieSeen, ...]:
    """Read what `seen_text` wrote.

    Raises:
        ValueError: If it is something else.
    """
    try:
        dice = tuple(
            DieSeen(value, confidence, None if colour is None else _colour(colour))
            for value, confidence, colour in json.loads(text)
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"these are no dice as the camera saw them: {text!r}") from error
    if any(die.value not in range(1, 7) for die in dice):
        raise ValueError(f"a die shows 1 to 6: {text!r}")
    return dice


def _colour(text: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


@dataclass(slots=True)
class _Pending:
    """A reading whose corrections may still come."""

    row: InputSeen
    seen: tuple[DieSeen, ...]
    is_repeat: bool
    corrected: tuple[int, ...] | None = None


def throws(rows: Iterable[InputSeen]) -> list[Throw]:
    """Fold the journal's rows into the throws that were made, first to last.

    Dice that lay there and were read again at the players' wish are no new throw where they show the same as before.
    A reading that no longer can be understood is left out.
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
    """Return the reading that a correction puts right: that of the last roll, None where it was entered by hand."""
    return made[-1][1] if made and made[-1][0].startswith(("roll", "correct")) else None


def with_corrections(seen: tuple[DieSeen, ...], corrected: tuple[int, ...] | None) -> tuple[DieThrown, ...]:
    """Say what each die really showed: players correct a roll, not a die, so the least sure dice are those misread."""
    values = [die.value for die in seen]
    if corrected is not None and len(corrected) == len(seen):
        missing = list(corrected)
        wrong = []
        # The surest dice keep their values as long as the corrected roll has one such value left.
        for index in sorted(range(len(seen)), key=lambda index: -seen[index].confidence):
            if values[index] in missing:
                missing.remove(values[index])
            else:
                wrong.append(index)
        for index, value in zip(sorted(wrong, key=lambda index: values[index]), sorted(missing), strict=True):
            values[index] = value
    return tuple(DieThrown(die.value, value, die.colour) for die, value in zip(seen, values, strict=True))
