"""The camera's readings, roll by roll, and the correct values after the players' corrections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from device.referee.inputs import DieSeen
from device.storage.past_game_file import StoredGame

Throw = tuple[tuple[int, int], ...]
"""Dice that were rolled and read, four or one in a roll-off: of each the value that the camera read, and the correct
one, which is the same or the players' correction."""


def throws(games: Iterable[StoredGame]) -> list[Throw]:
    """Return the rolls of games that a camera has read, from first to last."""
    return [with_corrections(one.dice, _corrected(game.steps, one.step)) for game in games for one in game.readings]


def _corrected(steps: Sequence[str], roll: int | None) -> tuple[int, ...] | None:
    """Return what a roll was corrected to; None if it was not, or is no step of the game."""
    corrected = None
    for step in steps[roll + 1 :] if roll is not None else ():
        if not step.startswith("-> "):
            break
        corrected = tuple(int(digit) for digit in step if digit.isdigit())
    return corrected


def with_corrections(seen: tuple[DieSeen, ...], corrected: tuple[int, ...] | None) -> Throw:
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
    return tuple((die.value, value) for die, value in zip(seen, values, strict=True))
