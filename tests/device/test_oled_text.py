from __future__ import annotations

import re

import numpy as np
import pytest

from device.laptop.oled_text import Colours, oled_lines, paint
from tests.device.helpers import noise

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def plain(lines: list[str]) -> list[str]:
    return [ESCAPE.sub("", line) for line in lines]


def dots_of(character: str) -> list[list[int]]:
    """Give the pixels of one character, by Unicode's own numbering of braille dots and names of blocks."""
    if character in " ▀▄█":
        return [[int(character in "▀█")], [int(character in "▄█")]]
    bits = ord(character) - 0x2800
    return [[bits >> left & 1, bits >> right & 1] for left, right in ((0, 3), (1, 4), (2, 5), (6, 7))]


@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize("is_large", [False, True])
def test_every_pixel_of_the_oled_is_one_dot(is_large, colours):
    for seed in range(3):
        lines = plain(oled_lines(noise(seed), colours, is_large=is_large))
        dots = np.block([[np.array(dots_of(character)) for character in line] for line in lines])
        assert np.array_equal(dots, np.asarray(noise(seed)))


def test_a_terminal_without_colours_gets_no_escape_sequence():
    lines = oled_lines(noise(0), Colours.NONE, is_large=False)
    assert plain(lines) == lines


@pytest.mark.parametrize(
    ("colours", "sequence"),
    [
        (Colours.TRUE, "\x1b[38;2;255;0;0;48;2;30;90;60m"),
        # Red is 196 of the cube, and (30, 90, 60) is nearest to (0, 95, 95), its 23.
        (Colours.CUBE, "\x1b[38;5;196;48;5;23m"),
        (Colours.NONE, ""),
    ],
)
def test_colours_are_those_that_the_terminal_has(colours, sequence):
    assert paint((255, 0, 0), (30, 90, 60), colours) == sequence
