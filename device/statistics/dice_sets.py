"""Sets of dice: recognises which dice were rolled by the colours of their bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

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


def lab(colours: Sequence[tuple[int, int, int]]) -> NDArray[np.float64]:
    """Return sRGB colours, 0 to 255, in CIELAB, D65 (IEC 61966-2-1, CIE 15), whose distances are perceptual; (n, 3)."""
    srgb = np.asarray(colours, np.float32).reshape(1, -1, 3) / 255
    return cv2.cvtColor(srgb, cv2.COLOR_RGB2Lab).reshape(-1, 3).astype(float)


def colour_names(throws: Sequence[Throw]) -> dict[tuple[int, int, int], str]:
    """Return a name for every body colour; similar colours share one."""
    counted = Counter(die.colour for throw in throws for die in throw.dice if die.colour is not None)
    if not counted:
        return {}
    colours = list(counted)
    weights = np.array([counted[colour] for colour in colours], float)
    places = lab(colours)
    middles = _middles(places, weights)
    nearest = np.linalg.norm(places[:, None] - middles[None], axis=2).argmin(axis=1)
    share = np.array([weights[nearest == index].sum() for index in range(len(middles))]) / weights.sum()
    usual = middles[share >= min(FEW_THROWS, share.max())]
    nearest = np.linalg.norm(places[:, None] - usual[None], axis=2).argmin(axis=1)
    names = _named(usual)
    return {colour: names[index] for colour, index in zip(colours, nearest, strict=True)}


def _middles(places: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the centres of groups of similar colours: each colour joins the nearest group, or starts one."""
    middles: list[NDArray[np.float64]] = []
    mass: list[float] = []
    for place, weight in sorted(zip(places.tolist(), weights, strict=True), key=lambda pair: -pair[1]):
        distances = [float(np.linalg.norm(np.array(place) - middle)) for middle in middles]
        if not distances or min(distances) > ALIKE:
            middles.append(np.array(place))
            mass.append(float(weight))
        else:
            index = int(np.argmin(distances))
            mass[index] += float(weight)
            middles[index] += (np.array(place) - middles[index]) * float(weight) / mass[index]
    return np.array(middles)


def _named(middles: NDArray[np.float64]) -> list[str]:
    """Return a unique name for each group's colour; a second group with the same name gets a number."""
    known = lab(list(NAMES.values()))
    names: list[str] = []
    for middle in middles:
        name = list(NAMES)[int(np.linalg.norm(known - middle, axis=1).argmin())]
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
