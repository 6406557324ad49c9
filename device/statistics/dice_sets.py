"""Sets of dice: recognises which dice were rolled by the colours of their bodies."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from device.statistics.readings import DieThrown, Throw

ALIKE = 20.0
"""The CIE76 distance, 0 to about 200, below which two colours count as one.

Under one lamp the same dice vary by up to 9 (place, shade and noise); of the colours in `NAMES` the closest differ by
24.
"""

FEW_THROWS = 0.02
"""Colours with a smaller share of all dice than this are assigned to the nearest other one: glare, or a shadow."""

NAMES = {
    "white": (232, 228, 215),
    "black": (32, 32, 34),
    "grey": (128, 128, 128),
    "red": (180, 35, 40),
    "orange": (230, 120, 35),
    "yellow": (230, 195, 55),
    "green": (45, 130, 65),
    "blue": (40, 75, 170),
    "purple": (110, 55, 140),
    "brown": (110, 72, 45),
    "pink": (230, 130, 160),
    "turquoise": (60, 170, 175),
}
"""The names of bodies' colours; a colour has the name of the nearest one."""

UNKNOWN = "any colour"
"""The name of dice without a measured colour."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """A set of dice that were rolled together.

    Attributes:
        name: The colours, as "3 white, red".
        throws: The number of rolls.
        all_values: The values of all dice, roll after roll.
        values: The values of each die, by its colour; indistinguishable dice share one list.
    """

    name: str
    throws: int
    all_values: list[int]
    values: dict[str, list[int]]


Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

Place = tuple[float, float, float]
"""Lightness, a and b: a colour in CIELAB."""

_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)


def lab(colour: Colour) -> Place:
    """Return an sRGB colour in CIELAB, D65 (IEC 61966-2-1, CIE 15), whose distances are perceptual."""
    linear = [
        level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in (c / 255 for c in colour)
    ]
    parts = [sum(map(operator.mul, row, linear)) / white for row, white in zip(_TO_XYZ, _WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def colour_names(throws: Sequence[Throw]) -> dict[Colour, str]:
    """Return a name for every body colour; similar colours share one."""
    counted = Counter(die.colour for throw in throws for die in throw.dice if die.colour is not None)
    if not counted:
        return {}
    places = {colour: lab(colour) for colour in counted}
    middles = _middles(places, counted)
    sums = Counter[int]()
    for colour, place in places.items():
        sums[_nearest(place, middles)] += counted[colour]
    least = min(FEW_THROWS * counted.total(), max(sums.values()))
    usual = [middle for index, middle in enumerate(middles) if sums[index] >= least]
    names = _named(usual)
    return {colour: names[_nearest(place, usual)] for colour, place in places.items()}


def _nearest(place: Place, others: Sequence[Place]) -> int:
    """Return the index of the nearest of other places."""
    return min(range(len(others)), key=lambda index: math.dist(place, others[index]))


def _middles(places: Mapping[Colour, Place], counted: Counter[Colour]) -> list[Place]:
    """Return the centres of groups of similar colours: each colour joins the nearest group, or starts one."""
    middles: list[Place] = []
    mass: list[int] = []
    for colour, count in counted.most_common():
        place = places[colour]
        index = _nearest(place, middles) if middles else -1
        if index < 0 or math.dist(place, middles[index]) > ALIKE:
            middles.append(place)
            mass.append(count)
        else:
            mass[index] += count
            share = count / mass[index]
            light, a, b = (old + (new - old) * share for old, new in zip(middles[index], place, strict=True))
            middles[index] = light, a, b
    return middles


def _named(middles: Sequence[Place]) -> list[str]:
    """Return a unique name for each group's colour; a second group with the same name gets a number."""
    known = [lab(colour) for colour in NAMES.values()]
    names: list[str] = []
    for middle in middles:
        name = list(NAMES)[_nearest(middle, known)]
        others = sum(other == name or other.startswith(f"{name} ") for other in names)
        names.append(f"{name} {others + 1}" if others else name)
    return names


def dice_sets(throws: Sequence[Throw]) -> list[DiceSet]:
    """Return the rolls of four dice grouped by set of dice, the most used set first.

    Single dice, as in a roll-off, are taken from the set and count in none.
    """
    names = colour_names(throws)

    def name(die: DieThrown) -> str:
        return UNKNOWN if die.colour is None else names[die.colour]

    groups: dict[tuple[str, ...], list[Throw]] = {}
    for throw in throws:
        if len(throw.dice) == 4:
            groups.setdefault(tuple(sorted(map(name, throw.dice))), []).append(throw)
    found = []
    for key, made in groups.items():
        values: dict[str, list[int]] = {colour: [] for colour in sorted(set(key))}
        dice = [die for throw in made for die in throw.dice]
        for die in dice:
            values[name(die)].append(die.value)
        counts = Counter(key)
        title = ", ".join(f"{count} {colour}" if count > 1 else colour for colour, count in sorted(counts.items()))
        found.append(DiceSet(title, len(made), [die.value for die in dice], values))
    return sorted(found, key=lambda one: -one.throws)
