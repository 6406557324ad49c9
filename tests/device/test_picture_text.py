from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from PIL import Image

from device.sim.picture_text import HELP, MIN_COLUMNS, MIN_ROWS, Colours, compose

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SIZES = [(66, 20), (80, 24), (100, 30), (129, 50), (130, 36), (140, 45), (200, 60), (300, 21)]


def noise(seed: int = 0) -> Image.Image:
    pixels = np.random.default_rng(seed).integers(0, 2, (64, 128), dtype=np.uint8)
    return Image.fromarray(pixels * 255).convert("1")


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


def oled_in(lines: list[str], columns: int, rows: int) -> np.ndarray:
    inside = [line[1 : columns + 1] for line in lines[1 : rows + 1]]
    return np.block([[np.array(dots_of(character)) for character in line] for line in inside])


@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize(("size", "oled_size"), [((80, 24), (64, 16)), ((140, 45), (64, 16)), ((200, 60), (128, 32))])
def test_every_pixel_of_the_oled_is_one_dot(tray, size, oled_size, colours):
    for seed in range(3):
        lines = plain(compose(noise(seed), tray, "", *size, colours))
        assert np.array_equal(oled_in(lines, *oled_size), np.asarray(noise(seed)))


@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize("size", [*SIZES, (1, 1), (20, 3), (65, 20), (66, 19)])
@pytest.mark.parametrize("shape", [(480, 640), (640, 480), (40, 900), (900, 40)])
def test_nothing_is_larger_than_the_terminal(size, shape, colours):
    picture = np.random.default_rng(0).integers(0, 256, (*shape, 3), dtype=np.uint8)
    lines = plain(compose(noise(), picture, "x" * 500, *size, colours))
    assert len(lines) <= size[1]
    assert max(map(len, lines)) <= size[0]


@pytest.mark.parametrize("size", SIZES)
def test_status_and_keys_stand_below(tray, size):
    assert compose(noise(), tray, "the dice are thrown", *size, Colours.TRUE)[-2:] == ["the dice are thrown", HELP]
    assert compose(noise(), None, "no camera", *size, Colours.TRUE)[-2:] == ["no camera", HELP]


def test_a_window_that_is_too_small_says_how_large_it_must_be(tray):
    text = "\n".join(compose(noise(), tray, "", MIN_COLUMNS - 1, MIN_ROWS, Colours.TRUE))
    assert "65x20" in text
    assert "66x20" in text


@pytest.mark.parametrize("size", [(80, 24), (140, 45), (200, 60)])
def test_the_tray_is_seen_in_its_own_colours(tray, size):
    text = "\n".join(compose(noise(), tray, "", *size, Colours.TRUE))
    assert "48;2;30;90;60m" in text
    assert "48;2;250;240;230m" in text


def test_a_terminal_of_256_colours_gets_no_others(tray):
    text = "\n".join(compose(noise(), tray, "", 140, 45, Colours.CUBE))
    assert "8;2;" not in text
    assert "48;5;23m" in text  # (30, 90, 60) is nearest to (0, 95, 95) of the cube


def test_a_terminal_without_colours_gets_no_escape_sequence_and_a_grey_tray(tray):
    lines = compose(noise(), tray, "", 140, 45, Colours.NONE)
    assert plain(lines) == lines
    beside = "".join(line[67:] for line in lines[:-2])
    assert "@" in beside or "%" in beside
    assert beside.count("-") + beside.count(":") > 100


def test_the_oled_is_drawn_large_only_where_the_tray_stays_large_enough_to_see_dice(tray):
    assert "⠀" in "".join(compose(Image.new("1", (128, 64)), tray, "", 140, 45, Colours.TRUE))
    assert "⠀" not in "".join(compose(Image.new("1", (128, 64)), tray, "", 200, 60, Colours.TRUE))
    assert "⠀" not in "".join(compose(Image.new("1", (128, 64)), None, "", 140, 45, Colours.TRUE))


@pytest.mark.parametrize("size", SIZES)
def test_the_tray_keeps_its_proportions_as_far_as_cells_allow(size):
    picture = np.full((480, 640, 3), 250, np.uint8)
    lines = compose(Image.new("1", (128, 64)), picture, "", *size, Colours.NONE)
    columns = max(line.count("@") for line in lines)
    rows = sum("@" in line for line in lines)
    assert columns == pytest.approx(2 * rows * 640 / 480, abs=3)
