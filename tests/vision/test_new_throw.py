"""The relative positions of dice, and whether they were rolled again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.settling.new_throw import lie_alike, same_throw
from vision.types import Die


def die(value: int, x: float, y: float) -> Die:
    return Die(value, (x - 20, y - 20, x + 20, y + 20), 1.0, 7 - value)


def apart(count: int) -> st.SearchStrategy[tuple[Die, ...]]:
    """Return this number of dice on a grid of 60 pixels."""
    spots = st.tuples(st.integers(1, 6), st.integers(0, 5), st.integers(0, 4))
    lists = st.lists(spots, min_size=count, max_size=count, unique_by=lambda at: at[1:])
    return lists.map(lambda dice: tuple(die(value, 100.0 + 60 * x, 100.0 + 60 * y) for value, x, y in dice))


def seen_from_elsewhere(dice: tuple[Die, ...], turn: complex, shift: complex) -> tuple[Die, ...]:
    spots = [complex((one.box[0] + one.box[2]) / 2, (one.box[1] + one.box[3]) / 2) * turn + shift for one in dice]
    return tuple(die(one.value, spot.real, spot.imag) for one, spot in zip(dice, spots, strict=True))


motions = st.builds(lambda angle, zoom: complex(zoom * np.exp(1j * angle)), st.floats(-0.3, 0.3), st.floats(0.85, 1.15))


@given(apart(4), motions, st.complex_numbers(max_magnitude=80))
def test_dice_shifted_rotated_and_scaled_as_a_whole_keep_their_relative_positions(
    dice: tuple[Die, ...], turn: complex, shift: complex
):
    now = seen_from_elsewhere(dice, turn, shift)[::-1]
    assert lie_alike(dice, now)
    assert same_throw(dice, now)


@given(apart(4), st.integers(0, 3), st.integers(1, 5))
def test_dice_with_a_changed_value_do_not_keep_their_relative_positions(dice: tuple[Die, ...], number: int, more: int):
    one = dice[number]
    other = Die((one.value - 1 + more) % 6 + 1, one.box, 1.0, 1)
    assert not lie_alike(dice, (*dice[:number], other, *dice[number + 1 :]))
