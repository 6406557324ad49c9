"""Fairness of dice: Pearson's chi-squared test, and its result in plain words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

FACES = range(1, 7)

FEWEST = 30
"""The least number of rolls of a die for a test: each face must be expected five times (Cochran's rule)."""

ODD = 0.05
"""The significance level: how often fair dice are called odd, over all questions of one report (Bonferroni)."""

POWER = 0.8
"""The power of the test for the smallest bias that is reported."""

_WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


@dataclass(frozen=True, slots=True)
class Fairness:
    """The result of the test.

    Attributes:
        counts: The number of times that each of 1 to 6 came up.
        p: The probability that fair dice come at least as unevenly; None below `FEWEST` rolls.
        noticed: The smallest share of one face, 1/6 if fair, that the test detects with `POWER` if the other faces
            share the rest evenly; None below `FEWEST` rolls.
    """

    counts: tuple[int, ...]
    p: float | None
    noticed: float | None

    @property
    def rolls(self) -> int:
        """The number of rolls of single dice."""
        return sum(self.counts)


def fairness(values: Sequence[int], questions: int = 1) -> Fairness:
    """Return the result of a test whether all faces are equally likely.

    Args:
        values: The values rolled.
        questions: The number of such tests in the report, for the correction of the significance level.
    """
    counts = tuple(sum(value == face for value in values) for face in FACES)
    if len(values) < FEWEST:
        return Fairness(counts, None, None)
    freedom = len(FACES) - 1
    expected = len(values) / len(FACES)
    # With one face at 1/6 + d and the others at 1/6 - d/5 the noncentrality is n * 6 * (d² + 5 (d/5)²) = 7.2 n d².
    excess = math.sqrt(_noncentrality(questions) / (7.2 * len(values)))
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return Fairness(counts, chance_above(statistic, freedom), 1 / 6 + excess)


def chance_above(value: float, freedom: int) -> float:
    """Return the probability that a chi-squared variable with some degrees of freedom, at least 1, exceeds a value."""
    half = value / 2
    if half <= 0:
        return 1.0
    # Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1), from Q(1/2, x) = erfc(√x) or Q(1, x) = e^-x.
    shape = 0.5 if freedom % 2 else 1.0
    above = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    while shape < freedom / 2:
        above += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
        shape += 1
    return above


@cache
def _noncentrality(questions: int) -> float:
    """Return the noncentrality that the test of six faces detects with `POWER`."""
    freedom = len(FACES) - 1
    limit = _root(lambda value: chance_above(value, freedom) - ODD / questions)
    return _root(lambda value: POWER - _biased_above(limit, freedom, value))


def _biased_above(value: float, freedom: int, noncentrality: float) -> float:
    """Return the same for a noncentral variable: a mixture, with Poisson's weights, of central ones."""
    mean = noncentrality / 2
    most = int(mean + 12 * math.sqrt(mean) + 30)
    return sum(
        math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) * chance_above(value, freedom + 2 * count)
        for count in range(most)
    )


def _root(falling: Callable[[float], float]) -> float:
    """Return where a falling function crosses 0, from 0 to 200."""
    low, high = 1e-9, 200.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low


def change(periods: Sequence[Sequence[int]]) -> float | None:
    """Return the probability that unchanged dice differ at least as much between periods; None for too few rolls."""
    if len(periods) < 2 or min(map(len, periods)) < FEWEST:
        return None
    counts = [[sum(value == face for value in values) for face in FACES] for values in periods]
    of_faces = [sum(column) for column in zip(*counts, strict=True)]
    if not all(of_faces):
        return None  # a face that never came up does not count
    statistic = 0.0
    for row in counts:
        for count, of_face in zip(row, of_faces, strict=True):
            expected = sum(row) * of_face / sum(of_faces)
            statistic += (count - expected) ** 2 / expected
    return chance_above(statistic, (len(periods) - 1) * (len(FACES) - 1))


def is_odd(found: Fairness, questions: int = 1) -> bool | None:
    """Whether fair dice are almost never this uneven, given the number of questions; None for too few rolls."""
    return None if found.p is None else found.p * questions < ODD


def verdict(found: Fairness, questions: int = 1) -> str:
    """Return the result in plain words.

    Args:
        found: The result of the test.
        questions: The number of such tests in the report: among many, one is odd by chance.
    """
    if found.p is None:
        return f"too few rolls to tell: {found.rolls} of at least {FEWEST}"
    often = how_often(found.p)
    if not is_odd(found, questions):
        return f"nothing unusual: fair dice are this uneven {often}"
    among = f", and this report runs {questions} such tests" if questions > 1 else ""
    return f"unusual: fair dice are this uneven {often}{among}"


def smallest_bias(found: Fairness) -> str:
    """Return the smallest bias that this number of rolls would have shown; "" if they show none."""
    if found.noticed is None:
        return ""
    return (
        f"this many rolls would show, 4 times in 5, a face that comes up {100 * found.noticed:.1f} % of the time "
        "instead of 16.7 %"
    )


def how_often(p: float) -> str:
    """Return a probability in everyday words: "one time in three".

    >>> how_often(0.34), how_often(0.9), how_often(0.004)
    ('one time in three', 'nine times in ten', 'one time in 250')
    """
    if p > 0.95:
        return "nearly always"
    if p > 0.6:
        part, whole = min(((2, 3), (3, 4), (9, 10)), key=lambda share: abs(share[0] / share[1] - p))
        return f"{_word(part)} times in {_word(whole)}"
    if p < 1e-6:
        return "less than one time in a million"
    return f"one time in {_word(_round(1 / p))}"


def _round(number: float) -> int:
    """Return a number rounded to two digits and to an integer."""
    digits = max(0, math.floor(math.log10(number)) - 1)
    return int(round(number / 10**digits) * 10**digits)


def _word(number: int) -> str:
    return _WORDS[number - 2] if 2 <= number <= 10 else f"{number:,}"
