"""How is a nudged die told from a new throw? By how the dice lie: their values, their places, and to one another.

Dice that kept their values and places are the same throw, whatever has passed over the tray in between; so are dice of
which most were left alone, and dice that lie to one another as before, seen by a camera that was moved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from vision.types import Die, Reading

_TELLING = 3
"""Two dice lie to one another as any two others do, turned and scaled."""

_MOST_DICE = 6
"""More can be paired in too many ways."""


@dataclass(frozen=True, slots=True)
class NewThrowParams:
    """The tunables of telling a new throw; distances are parts of a die's size.

    Attributes:
        bumped: Distance within which three or more dice, with all values kept, were only bumped; 0.5 to 1.5.
        shoved: Distance within which the others were shoved where one die in four was nudged; 0.3 to 0.6.
        stayed: Distance within which a die was left alone; 0.12 to 0.2.
        most_zoom: Factor on their size up to which dice are seen by a camera that was moved; 1.1 to 1.5.
    """

    bumped: float = 1.0
    shoved: float = 0.5
    stayed: float = 0.15
    most_zoom: float = 1.3


class LastThrow:
    """Remembers the last throw, and which dice lay there before anything could be read."""

    def __init__(self, params: NewThrowParams, *, armed: bool) -> None:
        """Begin; `armed`: whether dice that lie there at first are a roll."""
        self._params = params
        self._told: tuple[Die, ...] | None = None
        self._rolled: tuple[int, ...] | None = None  # the values of the last roll, however the dice lie by now
        self._is_armed = armed
        self._unread: tuple[Die, ...] = ()  # what lay there at first and could not be read
        self._was_empty = False

    def rearm(self) -> None:
        """Forget the last throw: dice that lie there count as a new one."""
        self._told = None
        self._is_armed = True

    def saw_empty(self) -> None:
        """Note that the tray is empty: whatever comes into it is a throw."""
        self._was_empty = True
        self._is_armed = self._is_armed or not self._unread

    def saw_unreadable(self, dice: tuple[Die, ...]) -> None:
        """Note dice that cannot be read."""
        self._unread = self._unread or dice

    def is_new(self, reading: Reading) -> bool:
        """Whether these dice are a new throw; from now on they are the last one."""
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
        """Whether dice that are no new throw show other values than the last roll."""
        return reading.values != self._rolled

    def _lay_there_at_first(self, dice: tuple[Die, ...]) -> bool:
        """Whether the first dice that can be read are those that could not be: most of them lie where they lay.

        Else they were thrown since. Where nothing was seen to lie there, as in the dark, they may have lain there. Dice
        that were taken out and put back lie all where they lay, and to one another as before if the camera was moved.
        """
        lay = self._unread
        if not lay or (len(dice) > 2 and lie_alike(lay, dice, self._params.stayed, self._params.most_zoom)):
            return True
        there = kept(lay, dice, self._params.shoved)
        return (there if self._was_empty else 2 * there) >= len(dice)


def same_throw(before: Sequence[Die], now: Sequence[Die], params: NewThrowParams) -> bool:
    """Whether dice are those of an earlier reading, lying there, bumped, nudged or seen by a camera that was moved.

    Args:
        before: Dice of the earlier reading.
        now: As many dice of the later one.
        params: The tunables.
    """
    count = len(now)
    return (
        (count > 2 and moved(before, now, params.bumped) == 0)
        or moved(before, now, params.shoved) <= count // 4
        or moved(before, now, params.stayed) <= count // 2
        or (count > 2 and lie_alike(before, now, params.stayed, params.most_zoom))
    )


def moved(before: Sequence[Die], now: Sequence[Die], part: float) -> int:
    """Return how many of the present dice do not lie where one with the same value lay before.

    Args:
        before: Dice of an earlier reading.
        now: Dice of a later one.
        part: A middle further off than this part of the die's size is another place.
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
    """Return how many of the present dice lie where one lay before, whatever their values.

    Arguments as for `moved`.
    """
    count = 0
    for die in now:
        x, y, size = _middle_and_size(die)
        places = (_middle_and_size(other)[:2] for other in before)
        count += any(math.dist((x, y), place) < part * size for place in places)
    return count


def stayed(before: Sequence[Die], now: Sequence[Die], within_px: float) -> int:
    """Return how many of the present dice show the value of an earlier one within this distance of its centre."""
    return sum(
        any(
            other.value == die.value and math.dist(_middle_and_size(die)[:2], _middle_and_size(other)[:2]) < within_px
            for other in before
        )
        for die in now
    )


def lie_alike(before: Sequence[Die], now: Sequence[Die], part: float, most_zoom: float) -> bool:
    """Whether the dice lie to one another as they did: shifted, turned or scaled as a whole.

    By chance, of four dice thrown anew fewer than one throw in ten million agrees to 0.15 of their size.

    Args:
        before: Dice of an earlier reading.
        now: Dice of a later one.
        part: How far off its place each may be, as a part of its size.
        most_zoom: By which factor they may be larger or smaller.
    """
    if len(before) != len(now) or len(now) > _MOST_DICE:
        return False
    return any(_is_same(order, now, part, most_zoom) for order in permutations(before))


def went_together(before: Sequence[Die], now: Sequence[Die], part: float, far: float, most_zoom: float) -> bool:
    """Whether three dice lie to one another as three did, but elsewhere in the picture, as after a push of the camera.

    By chance three of four dice thrown anew do so to 0.15 of their size in four throws of ten thousand (200,000 random
    ones in 11 to 18 cm of a tray).

    Args:
        before: Dice of an earlier reading.
        now: Dice of a later one, or what was seen of them where they could not be read.
        part: How far off its place each of the three may be, as a part of its size.
        far: Elsewhere is further off than this part of their size, in the mean.
        most_zoom: By which factor they may be larger or smaller.
    """
    if max(len(before), len(now)) > _MOST_DICE:
        return False
    return any(
        _is_same(ones, three, part, most_zoom) and _mean_way(ones, three) > far
        for three in combinations(now, _TELLING)
        for ones in permutations(before, _TELLING)
    )


def _is_same(before: Sequence[Die], now: Sequence[Die], part: float, most_zoom: float) -> bool:
    """Whether each die is one of before, in this order: the same value, and its place but for one common motion.

    It is a linear least-squares fit of now = a * before + b in complex numbers, a turning and scaling and b shifting.
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
