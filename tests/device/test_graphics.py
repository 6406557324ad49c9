"""Pictures for terminals that draw pixels: detection of the protocol, and pictures that arrive unchanged."""

from __future__ import annotations

import base64
import re

import cv2
import numpy as np
import pytest

from device.sim.graphics import Graphics, Protocol, encoded, graphics_of
from device.sim.layout import Rect

ROOM = Rect(3, 4, 8, 4)
CELL = (10, 20)
NAMES = {"iTerm2": "\x1bP>|iTerm2 3.5.4\x1b\\", "foot": "\x1bP>|foot(1.16.2)\x1b\\"}
SIZE = "\x1b[6;20;10t"


@pytest.fixture
def picture():
    drawn = np.full((160, 160, 3), (40, 120, 30), np.uint8)
    cv2.circle(drawn, (60, 80), 30, (230, 240, 250), -1)
    return drawn


@pytest.mark.parametrize(
    ("reply", "protocol"),
    [
        ("", Protocol.NONE),
        ("\x1b[?62;22c", Protocol.NONE),
        ("\x1b_Gi=31;OK\x1b\\" + SIZE + "\x1b[?62c", Protocol.KITTY),
        ("\x1b_Gi=31;ENOTSUP\x1b\\\x1b[?62c", Protocol.NONE),
        (NAMES["iTerm2"] + SIZE + "\x1b[?62;4c", Protocol.ITERM2),
        (NAMES["foot"] + SIZE + "\x1b[?62;4;22c", Protocol.SIXEL),
        (NAMES["foot"] + "\x1b[?62;4;22c", Protocol.NONE),  # how large a character is remains unknown
        ("\x1b[6;0;0t\x1b[?62;4c", Protocol.NONE),
        ("\x1b[?4c", Protocol.NONE),  # a class of terminal, not a feature
    ],
)
def test_a_terminal_gets_graphics_only_if_it_reports_them(reply, protocol):
    assert graphics_of(reply).protocol is protocol


def test_the_character_size_is_the_one_that_the_terminal_reports():
    assert graphics_of("\x1b_Gi=31;OK\x1b\\\x1b[6;18;9t\x1b[?62c").cell == (9, 18)


def test_kitty_gets_the_original_picture_in_chunks(picture):
    noise = np.random.default_rng(0).integers(0, 256, (90, 70, 3), dtype=np.uint8)
    text = encoded(noise, ROOM, Graphics(Protocol.KITTY, CELL), 5)
    chunks = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", text)
    assert len(chunks) > 2
    assert all(len(data) <= 4096 for _, data in chunks)
    assert [control[-3:] for control, _ in chunks] == ["m=1"] * (len(chunks) - 1) + ["m=0"]
    assert "i=5," in chunks[0][0]
    assert "c=8,r=4," in chunks[0][0]
    data = base64.b64decode("".join(data for _, data in chunks))
    assert np.array_equal(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), noise)


def test_iterm2_gets_the_original_picture(picture):
    text = encoded(picture[:40, :40], ROOM, Graphics(Protocol.ITERM2, CELL), 1)
    control, _, data = text.removeprefix("\x1b]1337;File=").removesuffix("\x07").partition(":")
    assert "width=8;height=4;" in control
    assert "doNotMoveCursor=1" in control
    pixels = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(pixels, picture[:40, :40])


def decoded_sixels(text: str) -> np.ndarray:
    """Decode sixels by the programmer reference's rules: "!n" repeats, "$" returns, "-" goes to the next six rows."""
    width, height = map(int, re.match(r'\x1bP0;1;0q"1;1;(\d+);(\d+)', text).groups())
    body = text[text.index("q") + 1 :].removesuffix("\x1b\\").partition(";")[2].partition(";")[2].partition(";")[2]
    body = body.lstrip("0123456789")
    levels: dict[int, tuple[int, ...]] = {}
    pixels = np.zeros((height, width, 3))
    x = top = colour = 0
    for token in re.findall(r"#\d+;2;\d+;\d+;\d+|#\d+|!\d+[?-~]|[?-~]|\$|-", body):
        if token.startswith("#"):
            number, *rest = map(int, token[1:].split(";"))
            if rest:
                levels[number] = tuple(rest[1:])
            colour = number
        elif token == "$":
            x = 0
        elif token == "-":
            x, top = 0, top + 6
        else:
            count = int(token[1:-1]) if token[0] == "!" else 1
            for row in range(6):
                if (ord(token[-1]) - 63) >> row & 1:
                    pixels[top + row, x : x + count] = levels[colour]
            x += count
    return pixels[:, :, ::-1] * 2.55


def test_sixels_have_the_size_of_their_rectangle(picture):
    text = encoded(picture, ROOM, Graphics(Protocol.SIXEL, CELL), 1)
    seen = decoded_sixels(text)
    assert seen.shape == (80, 80, 3)
    expected = cv2.resize(picture, (80, 80), interpolation=cv2.INTER_AREA)
    assert np.abs(seen - expected).mean() < 6
    assert np.abs(seen[40, 30] - (230, 240, 250)).max() < 8


@pytest.mark.parametrize("protocol", [Protocol.KITTY, Protocol.ITERM2])
def test_the_pixels_of_a_display_stay_sharp(protocol):
    checks = np.indices((64, 128)).sum(axis=0) % 2 * 255
    oled = np.repeat(checks[:, :, np.newaxis], 3, axis=2).astype(np.uint8)
    text = encoded(oled, Rect(0, 0, 64, 16), Graphics(protocol, CELL), 1, sharp=True)
    data = "".join(re.findall(r"m=\d;([^\x1b]*)", text)) if protocol is Protocol.KITTY else text.partition(":")[2][:-1]
    pixels = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(pixels, np.repeat(np.repeat(oled, 5, axis=0), 5, axis=1))
