from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from device.sim.picture_text import Colours, oled_lines, picture_lines
from tests.device.helpers import noise

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def tray():
    picture = np.full((480, 640, 3), (60, 90, 30), np.uint8)
    cv2.rectangle(picture, (100, 100), (330, 330), (230, 240, 250), -1)
    return picture


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


@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize("shape", [(480, 640), (640, 480), (40, 900), (900, 40), (3, 3)])
def test_a_picture_fills_exactly_its_rectangle(shape, colours):
    picture = np.random.default_rng(0).integers(0, 256, (*shape, 3), dtype=np.uint8)
    lines = plain(picture_lines(picture, 31, 7, colours))
    assert [len(line) for line in lines] == [31] * 7


def test_the_tray_is_seen_in_its_own_colours(tray):
    text = "\n".join(picture_lines(tray, 40, 15, Colours.TRUE))
    assert "48;2;30;90;60m" in text
    assert "48;2;250;240;230m" in text


def test_a_terminal_of_256_colours_gets_no_others(tray):
    text = "\n".join(picture_lines(tray, 40, 15, Colours.CUBE))
    assert "8;2;" not in text
    assert "48;5;23m" in text  # (30, 90, 60) is nearest to (0, 95, 95) of the cube


def test_a_terminal_without_colours_gets_no_escape_sequence_and_a_grey_tray(tray):
    lines = picture_lines(tray, 40, 15, Colours.NONE)
    assert plain(lines) == lines
    text = "".join(lines)
    assert "@" in text or "%" in text
    assert text.count("-") + text.count(":") > 100
