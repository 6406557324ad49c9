"""The report on the dice: the counts and tests of `cantstop dice --json`, which the page shows too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from device.statistics.dice_sets import DiceSet, dice_sets
from device.statistics.fairness import change, fairness, is_odd
from device.statistics.readings import Throw

MOST_PERIODS = 8
"""The most periods that the time is divided into."""


def as_json(made: Sequence[Throw]) -> dict[str, object]:
    """Return the report on rolls as plain data for JSON."""
    sets = dice_sets(made)
    questions = questions_of(sets)

    def tested(values: Sequence[int]) -> dict[str, object]:
        found = fairness(values, questions)
        return {"counts": found.counts, "p": found.p, "odd": is_odd(found, questions), "noticed": found.noticed}

    return {
        "throws": len(made),
        "questions": questions,
        "sets": [
            {
                "dice": one.name,
                "throws": one.throws,
                "all": tested(one.all_values),
                "by_colour": {colour: tested(values) for colour, values in one.values.items()},
            }
            for one in sets
        ],
        "change_p": change(periods_of(sets)),
        "misread": [{"read": read, "was": was, "times": times} for (read, was), times in sorted(misread(made).items())],
    }


def questions_of(sets: Sequence[DiceSet]) -> int:
    """Return the number of tests in the report: each set as a whole, and each die with a colour of its own in it."""
    return sum(1 + (len(one.values) if len(one.values) > 1 else 0) for one in sets)


def misread(made: Sequence[Throw]) -> Counter[tuple[int, int]]:
    """Return how often players corrected a value read to another one."""
    return Counter((die.read, die.value) for throw in made for die in throw.dice if die.read != die.value)


def periods_of(sets: Sequence[DiceSet]) -> list[list[int]]:
    """Return the values of the first set in order of time, divided into equal parts of at least 60 each."""
    values = sets[0].all_values if sets else []
    parts = max(1, min(MOST_PERIODS, len(values) // 60))
    bounds = [round(index * len(values) / parts) for index in range(parts + 1)]
    return [list(values[low:high]) for low, high in pairwise(bounds)]
