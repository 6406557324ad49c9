"""Whether dice are fair: Pearson's chi-squared test of the faces, and the report on all rolls that the camera read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


def with_corrections(seen: Sequence[int], corrected: Sequence[int] | None) -> Throw:
    """Return each die's value as read and as corrected: players correct a roll, so dice that are in both are right."""
    read, true = Counter(seen), Counter(seen if corrected is None or len(corrected) != len(seen) else corrected)
    misread, missing = (sorted((one - other).elements()) for one, other in ((read, true), (true, read)))
    return (*((value, value) for value in (read & true).elements()), *zip(misread, missing, strict=True))


FACES = range(1, 7)

FEWEST = 30
"""The least number of rolls of a die for a test: each face must be expected five times (Cochran's rule)."""

ODD = 0.05
"""The significance level: how often fair dice are called odd."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """The result of the test.

    Attributes:
        counts: The number of times that each of 1 to 6 came up.
        p: The probability that fair dice come at least as unevenly; None below `FEWEST` rolls.
    """

    counts: tuple[int, ...]
    p: float | None

    @property
    def is_odd(self) -> bool | None:
        """Whether fair dice are almost never this uneven; None for too few rolls."""
        return None if self.p is None else self.p < ODD


def fairness(values: Sequence[int]) -> Fairness:
    """Return the result of a test whether all faces of the values rolled are equally likely."""
    counts = tuple(sum(value == face for value in values) for face in FACES)
    if len(values) < FEWEST:
        return Fairness(counts, None)
    expected = len(values) / len(FACES)
    half = sum((count - expected) ** 2 / expected for count in counts) / 2
    # The chance that a chi-squared variable with five degrees of freedom is larger, in closed form.
    root = math.sqrt(half)
    return Fairness(counts, math.erfc(root) + math.exp(-half) * 2 * root / math.sqrt(math.pi) * (1 + 2 * half / 3))


def verdict(found: Fairness) -> str:
    """Return the result in plain words."""
    if found.p is None:
        return f"Too few rolls to say whether the dice are fair: {sum(found.counts)} of at least {FEWEST}."
    percent = 100 * found.p
    if found.is_odd:
        share = "less than 0.01" if percent < 0.01 else f"only {percent:.2g}"
        return f"Unusual: fair dice are this uneven in {share} % of cases."
    return f"Nothing unusual: fair dice are at least this uneven in {percent:.0f} % of cases."


def values_of(made: Sequence[Throw]) -> list[int]:
    """Return the values of all dice of some rolls."""
    return [value for throw in made for _, value in throw]


def misread(made: Sequence[Throw]) -> Counter[tuple[int, int]]:
    """Return how often players corrected a value read to another one."""
    return Counter((read, value) for throw in made for read, value in throw if read != value)


def as_json(made: Sequence[Throw]) -> dict[str, object]:
    """Return the report on rolls as plain data for JSON: of `cantstop dice --json`, and of the page."""
    found = fairness(values_of(made))
    return {
        "throws": len(made),
        "counts": found.counts,
        "p": found.p,
        "odd": found.is_odd,
        "misread": [{"read": read, "was": was, "times": times} for (read, was), times in sorted(misread(made).items())],
    }
