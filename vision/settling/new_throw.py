"""Were the dice rolled, or only nudged? Their values, places and relative positions decide.

Dice that kept their values and places are the same roll, whatever happened in between. So are dice of which most were
not touched, and dice in the same relative positions, seen by a camera that was moved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from vision.types import Die, Reading

_TELLING = 3
"""The least number of dice with meaningful relative positions: two dice match any two others, rotated and scaled."""

_MOST_DICE = 6
"""The largest number of dice that are matched; more can be paired in too many ways."""


@dataclass(frozen=True, slots=True)
class NewThrowParams:
    """The parameters for detecting a new roll; distances are parts of a die's size.

    Attributes:
        bumped: Largest move of three or more dice that kept all values and were only bumped; 0.5 to 1.5.
        shoved: Largest move of the other dice if one of four was nudged; 0.3 to 0.6.
        stayed: Largest move of a die that was not touched; 0.12 to 0.2.
        most_zoom: Largest change in size of dice seen by a camera that was moved, as a factor; 1.1 to 1.5.
    """

    bumped: float = 1.0
    shoved: float = 0.5
    stayed: float = 0.15
    most_zoom: float = 1.3


class LastThrow:
    """Remembers the last roll, and the dice that were there before anything could be read."""

    def __init__(self, params: NewThrowParams, *, armed: bool) -> None:
        """Start; `armed`: whether dice that are there at the start are a roll."""
        self._params = params
        self._told: tuple[Die, ...] | None = None
        self._rolled: tuple[int, ...] | None = None  # the values of the last roll, even if dice were nudged since
        self._is_armed = armed
        self._unread: tuple[Die, ...] = ()  # the dice that were there at the start and could not be read
        self._was_empty = False

    def rearm(self) -> None:
        """Forget the last roll: the dice in the tray count as a new one."""
        self._told = None
        self._is_armed = True

    def saw_empty(self) -> None:
        """Note that the tray is empty: the next dice in it are a roll."""
        self._was_empty = True
        self._is_armed = self._is_armed or not self._unread

    def saw_unreadable(self, dice: tuple[Die, ...]) -> None:
        """Note dice that cannot be read."""
        self._unread = self._unread or dice

    def is_new(self, reading: Reading) -> bool:
        """Whether these dice are a new roll; they are remembered as the last one."""
        if self._told is not None and len(self._told) == len(reading.dice):
            is_same = same_throw(self._told, reading.dice, self._params)
        else:
            is_same = not self._is_armed and self._lay_there_at_first(reading.dice)
        self._is_armed = True
        self._told = reading.dice
        if not is_same:
            self._rolled = reading.values
        return not is_same

    def may_be_missed(self, reading: Reading) -> bool:
        """Whether dice that are not a new roll show other values than the last one."""
        return reading.values != self._rolled

    def _lay_there_at_first(self, dice: tuple[Die, ...]) -> bool:
        """Whether the first readable dice are the ones that could not be read: most of them are at the same places.

        Otherwise they were rolled since. If nothing was seen before, as in the dark, they may have been there. If the
        tray was empty in between, all must be at the same places. If the camera was moved, relative positions count.
        """
        lay = self._unread
        if not lay or (len(dice) > 2 and lie_alike(lay, dice, self._params.stayed, self._params.most_zoom)):
            return True
        there = kept(lay, dice, self._params.shoved)
        return (there if self._was_empty else 2 * there) >= len(dice)


def same_throw(before: Sequence[Die], now: Sequence[Die], params: NewThrowParams) -> bool:
    """Whether dice are those of an earlier reading: untouched, bumped, nudged or seen by a camera that was moved.

    Args:
        before: Dice of the earlier reading.
        now: The dice of the later one, equally many.
        params: The parameters.
    """
    count = len(now)
    return (
        (count > 2 and moved(before, now, params.bumped) == 0)
        or moved(before, now, params.shoved) <= count // 4
        or moved(before, now, params.stayed) <= count // 2
        or (count > 2 and lie_alike(before, now, params.stayed, params.most_zoom))
    )


def moved(before: Sequence[Die], now: Sequence[Die], part: float) -> int:
    """Return the number of dice now at a place where there was none with the same value before.

    Args:
        before: Dice of an earlier reading.
        now: Dice of a later one.
        part: Distance from which a centre is at another place, as a part of the die's size.
    """
    left = list(before)
    count = 0
    for die in now:
        x, y, size = _middle_and_size(die)
        for other in left:
            other_x, other_y, _ = _middle_and_size(other)
            if other.value == die.value and math.hypot(x - other_x, y - other_y) < part * size:
                left.remove(other)
                break
        else:
            count += 1
    return count


def kept(before: Sequence[Die], now: Sequence[Die], part: float) -> int:
    """Return the number of dice now at a place where there was one before, whatever their values.

    Arguments as for `moved`.
    """
    count = 0
    for die in now:
        x, y, size = _middle_and_size(die)
        places = (_middle_and_size(other)[:2] for other in before)
        count += any(math.dist((x, y), place) < part * size for place in places)
    return count


def stayed(before: Sequence[Die], now: Sequence[Die], within_px: float) -> int:
    """Return the number of dice now with the value of an earlier one within this distance of its centre."""
    return sum(
        any(
            other.value == die.value and math.dist(_middle_and_size(die)[:2], _middle_and_size(other)[:2]) < within_px
            for other in before
        )
        for die in now
    )


def lie_alike(before: Sequence[Die], now: Sequence[Die], part: float, most_zoom: float) -> bool:
    """Whether the dice have the same relative positions: shifted, rotated or scaled as a whole.

    By chance, fewer than one in ten million new rolls of four dice agrees to 0.15 of their size.

    Args:
        before: Dice of an earlier reading.
        now: Dice of a later one.
        part: Largest deviation of each from its place, as a part of its size.
        most_zoom: Largest change in size, as a factor.
    """
    if len(before) != len(now) or len(now) > _MOST_DICE:
        return False
    return any(_is_same(order, now, part, most_zoom) for order in permutations(before))


def went_together(before: Sequence[Die], now: Sequence[Die], part: float, far: float, most_zoom: float) -> bool:
    """Whether three dice have the same relative positions as before, elsewhere in the picture, as after a camera bump.

    By chance, three of four newly rolled dice do so to 0.15 of their size in four of ten thousand rolls (200,000 random
    ones in 11 to 18 cm of a tray).

    Args:
        before: Dice of an earlier reading.
        now: Dice of a later one, possibly unreadable.
        part: Largest deviation of each of the three from its place, as a part of its size.
        far: Mean distance from which they are elsewhere, as a part of their size.
        most_zoom: Largest change in size, as a factor.
    """
    if max(len(before), len(now)) > _MOST_DICE:
        return False
    return any(
        _is_same(ones, three, part, most_zoom) and _mean_way(ones, three) > far
        for three in combinations(now, _TELLING)
        for ones in permutations(before, _TELLING)
    )


def _is_same(before: Sequence[Die], now: Sequence[Die], part: float, most_zoom: float) -> bool:
    """Whether each die matches the earlier one of the same index: in value and, after a common motion, in place.

    This is a linear least-squares fit of now = a * before + b in complex numbers: a rotates and scales, b shifts.
    """
    if any(one.value != other.value for one, other in zip(before, now, strict=True)):
        return False
    from_x, from_y, _ = np.array([_middle_and_size(die) for die in before]).reshape(-1, 3).T
    to_x, to_y, sizes = np.array([_middle_and_size(die) for die in now]).reshape(-1, 3).T
    way, end = from_x + 1j * from_y, to_x + 1j * to_y
    way, end = way - way.mean(), end - end.mean()
    power = float((np.abs(way) ** 2).sum())
    turned = complex((way.conj() * end).sum()) / power if power > 0 else 1.0
    is_near = 1 / most_zoom < abs(turned) < most_zoom
    return is_near and bool(np.all(np.abs(end - turned * way) < part * sizes))


def _mean_way(before: Sequence[Die], now: Sequence[Die]) -> float:
    """Return how far dice have moved on average, as a part of their size."""
    ways = []
    for one, other in zip(before, now, strict=True):
        (x, y, _), (to_x, to_y, size) = _middle_and_size(one), _middle_and_size(other)
        ways.append(math.hypot(to_x - x, to_y - y) / size)
    return sum(ways) / len(ways)


def _middle_and_size(die: Die) -> tuple[float, float, float]:
    x0, y0, x1, y1 = die.box
    return (x0 + x1) / 2, (y0 + y1) / 2, max(x1 - x0, y1 - y0)
