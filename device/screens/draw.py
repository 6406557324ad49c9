"""From a screen to the OLED's 128x64 pixels."""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib import resources
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from device.screens.screen import Line, Screen

WIDTH, HEIGHT = 128, 64
"""The OLED's size in pixels."""

TITLE_HEIGHT = 13
LINE_TOPS = (14, 26, 38)
"""Where each of the three lines begins, in pixels from the top; 12 apart, the small type's height."""
FOOTER_TOP = 52
SMALL, LARGE = "ter-u12n", "ter-u14b"
"""The types: Terminus Font 6x12, and 8x14 bold for what is read from 60 cm away."""
LABEL_WIDTH = 9
DIE = 11
"""The side of a die in the title, in pixels."""

PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}
"""The pips of each value on a grid of three by three, as (column, row)."""


class DoesNotFit(ValueError):  # noqa: N818
    """A text is too long for its place, or has a character that the type lacks."""


@lru_cache
def font(name: str) -> ImageFont.FreeTypeFont:
    """Load one of the types that come with the box."""
    packed = resources.files("device.screens").joinpath("fonts", f"{name}.pcf.gz").read_bytes()
    return ImageFont.truetype(BytesIO(gzip.decompress(packed)), int(name[5:7]))


def width(text: str, name: str) -> int:
    """Give the width of a text in pixels."""
    return round(font(name).getlength(text))


def draw(screen: Screen) -> Image.Image:
    """Draw a screen.

    Returns:
        An image of 128x64 pixels in mode "1".

    Raises:
        DoesNotFit: If a text is wider than its place. It is not cut: a text cut short misleads.
    """
    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    _draw_title(pen, screen)
    for top, line in zip(LINE_TOPS, screen.lines, strict=False):
        _draw_line(pen, top, line)
    _text(pen, 0, FOOTER_TOP, screen.footer, SMALL, WIDTH)
    return image


def _text(pen: ImageDraw.ImageDraw, x: int, y: int, text: str, name: str, room: int, fill: int = 1) -> int:
    """Write a text and give where it ends."""
    wide = width(text, name)
    if wide > room:
        raise DoesNotFit(f"{text!r} is {wide} pixels wide, its place {room}")
    pen.text((x, y), text, font=font(name), fill=fill)
    return x + wide


def _draw_title(pen: ImageDraw.ImageDraw, screen: Screen) -> None:
    """Draw the title as dark on light, with the dice at its right end."""
    pen.rectangle((0, 0, WIDTH - 1, TITLE_HEIGHT - 1), fill=1)
    dice_left = WIDTH - len(screen.dice) * (DIE + 1)
    _text(pen, 2, 0, screen.title, SMALL, dice_left - 2, fill=0)
    for index, value in enumerate(screen.dice):
        left = dice_left + index * (DIE + 1)
        # The marked die is light, the others dark with light pips.
        marked = index == screen.die_cursor
        pen.rectangle((left, 1, left + DIE - 1, DIE), fill=int(marked), outline=0)
        for column, row in PIPS[value]:
            x, y = left + 2 + 3 * column, 3 + 3 * row
            pen.rectangle((x, y, x + 1, y + 1), fill=int(not marked))


def _draw_line(pen: ImageDraw.ImageDraw, top: int, line: Line) -> None:
    left = 0
    if line.button:
        pen.rectangle((0, top + 1, LABEL_WIDTH - 2, top + 11), fill=1)
        _text(pen, 1, top, line.button, SMALL, LABEL_WIDTH, fill=0)
        left = LABEL_WIDTH + 2
    if line.chosen:
        pen.rectangle((0, top, WIDTH - 1, top + 11), fill=1)
    fill = int(not line.chosen)
    # The large type is two pixels higher than the lines are apart; none of its letters uses the lowest two
    # but for descenders, which end in the gap.
    more = width(line.more, SMALL) + 4 if line.more else 0
    if left + width(line.text, LARGE) + more <= WIDTH:
        left = _text(pen, left, top - 1, line.text, LARGE, WIDTH - left, fill)
    else:
        left = _text(pen, left, top, line.text, SMALL, WIDTH - left, fill)
    if line.more:
        _text(pen, left + 4, top, line.more, SMALL, WIDTH - left - 4, fill)
