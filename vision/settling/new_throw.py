"""Were the dice rolled, or only nudged? Their values, places and relative positions decide.

Dice that kept their values and places are the same roll, whatever happened in between. So are dice of which most were
not touched, and dice in the same relative positions, seen by a camera that was moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import numpy as np

from vision.types import Die, Reading

BUMPED = 1.0
"""The largest move of three or more dice that kept all values and were only bumped, in sizes of a die; 0.5 to 1.5."""

SHOVED = 0.5  # largest move of the other dice if one of four was nudged, in sizes of a die; 0.3 to 0.6
STAYED = 0.15  # largest move of a die that was not touched, in sizes of a die; 0.12 to 0.2
MOST_ZOOM = 1.3  # largest change in size of dice seen by a camera that was moved, as a factor; 1.1 to 1.5

_LEAST_DICE = 3
"""The least number of dice with meaningful relative positions: two dice match any two others, rotated and scaled."""

_MOST_DICE = 6  # largest number of dice that are matched; more can be paired in too many ways


class LastThrow:
    """Remembers the last roll, and the dice that were there before anything could be read."""

    def __init__(self, *, armed: bool) -> None:
        """Start; `armed`: whether dice that are there at the start are a roll."""
        self._last: tuple[Die, ...] | None = None
        self._rolled: tuple[int, ...] | None = None  # the values of the last roll, even if dice were nudged since
        self._is_armed = armed
        self._unread: tuple[Die, ...] = ()  # the dice that were there at the start and could not be read
        self._was_empty = False

    def rearm(self) -> None:
        """Forget the last roll: the dice in the tray count as a new one."""
        self._last = None
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
        if self._last is not None and len(self._last) == len(reading.dice):
            is_same = same_throw(self._last, reading.dice)
        else:
            is_same = not self._is_armed and self._lay_there_at_first(reading.dice)
        self._is_armed = True
        self._last = reading.dice
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
        if not lay or (len(dice) > 2 and lie_alike(lay, dice)):
            return True
        there = kept(lay, dice, SHOVED, any_value=True)
        return (there if self._was_empty else 2 * there) >= len(dice)


def same_throw(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether equally many dice are those of before: untouched, bumped, nudged or seen by a camera that was moved."""
    count = len(now)
    return (
        (count > 2 and kept(before, now, BUMPED) == count)
        or kept(before, now, SHOVED) >= count - count // 4
        or kept(before, now, STAYED) >= count - count // 2
        or (count > 2 and lie_alike(before, now))
    )


def kept(before: Sequence[Die], now: Sequence[Die], part: float, *, any_value: bool = False) -> int:
    """Return the number of dice that lie where one with the same value lay before, or any if `any_value`.

    A centre is at another place from a distance of `part` sizes of the die.
    """
    left = list(before)
    for die in now:
        place, size = _place(die)
        for other in left:
            if (any_value or other.value == die.value) and abs(place - _place(other)[0]) < part * size:
                left.remove(other)
                break
    return len(before) - len(left)


def lie_alike(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether the dice have the same values and relative positions: shifted, rotated or scaled as a whole.

    By chance, fewer than one in ten million new rolls of four dice does.
    """
    return len(before) == len(now) and any(_alike(before, now, len(now)))


def went_together(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether three dice have the same relative positions as before, elsewhere in the picture, as after a camera bump.

    By chance, three of four newly rolled dice do so in four of ten thousand rolls (200,000 random ones in 11 to 18 cm
    of a tray).
    """
    return any(move > SHOVED for move in _alike(before, now, _LEAST_DICE))


def _alike(before: Sequence[Die], now: Sequence[Die], count: int) -> Iterator[float]:
    """Yield for each `count` dice with the same values and relative positions as before their mean move, in sizes.

    The common motion is a linear least-squares fit of now = a * before + b in complex numbers: a rotates and scales, b
    shifts. A die is alike if it deviates by less than `STAYED`.
    """
    if max(len(before), len(now)) > _MOST_DICE:
        return
    for those in combinations(now, count):
        end, sizes = np.array([_place(die) for die in those], np.complex128).reshape(-1, 2).T
        for ones in permutations(before, count):
            if any(one.value != other.value for one, other in zip(ones, those, strict=True)):
                continue
            start = np.array([_place(die)[0] for die in ones], np.complex128)
            start_off, end_off = start - start.mean(), end - end.mean()
            power = float((np.abs(start_off) ** 2).sum())
            turned = complex((start_off.conj() * end_off).sum()) / power if power > 0 else 1.0
            is_near = 1 / MOST_ZOOM < abs(turned) < MOST_ZOOM
            if is_near and bool(np.all(np.abs(end_off - turned * start_off) < STAYED * sizes.real)):
                yield float(np.mean(np.abs(end - start) / sizes.real))


def _place(die: Die) -> tuple[complex, float]:
    """Return a die's centre, x + iy, and its size, in pixels."""
    x0, y0, x1, y1 = die.box
    return complex(x0 + x1, y0 + y1) / 2, max(x1 - x0, y1 - y0)
