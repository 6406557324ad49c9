"""From a screen to the OLED's 128x64 pixels."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw, ImageFont

from device.screens.screen import Line, Screen

WIDTH, HEIGHT = 128, 64
"""The OLED's size in pixels."""

TITLE_HEIGHT = 13
LINE_TOPS = (14, 26, 38)
"""Where each of the three lines begins, in pixels from the top; 12 apart, the small type's height."""
FOOTER_TOP = 52
SMALL, LARGE = "ter-u12n", "ter-u14b"
"""The types: Terminus Font 6x12, and 8x14 bold for what is read from 60 cm away."""
SMALL_CHARACTERS = WIDTH // 6
"""How many characters of the small type fit into a line."""

LABEL_WIDTH = 9
GAP = 4
"""Between the large and the small type of a line, in pixels."""
SCROLL_WIDTH = 4
"""The room at the right end of a list's lines for the bar that shows which part of it they are, in pixels."""
DIE = 11
"""The side of a die in the title, in pixels."""

QR_LEFT = WIDTH - HEIGHT
"""Where a QR code's square begins, in pixels from the left; it is as high as the screen."""
QR_DOT = 2
"""The side of a QR code's module, in pixels."""

PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}
"""The pips of each value on a grid of three by three, as (column, row)."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text in its place.

    Attributes:
        x: Its left edge, in pixels.
        y: Its upper edge.
        text: The words.
        font: The type, `SMALL` or `LARGE`.
        room: How wide it may be, in pixels; what is wider is cut off.
    """

    x: int
    y: int
    text: str
    font: str
    room: int


@lru_cache
def font(name: str) -> ImageFont.FreeTypeFont:
    """Load one of the types that come with the box."""
    packed = resources.files("device.screens").joinpath("fonts", f"{name}.pcf.gz").read_bytes()
    return ImageFont.truetype(BytesIO(gzip.decompress(packed)), int(name[5:7]))


def width(text: str, name: str) -> int:
    """Give the width of a text in pixels."""
    return round(font(name).getlength(text))


def layout(screen: Screen) -> list[Text]:
    """Put a screen's texts in their places."""
    title_end = QR_LEFT if screen.qr else _dice_left(screen)
    placed = [Text(2, 0, screen.title, SMALL, title_end - 2)]
    for top, line in zip(LINE_TOPS, screen.lines, strict=False):
        placed += _line(top, line, WIDTH if screen.scroll is None else WIDTH - SCROLL_WIDTH)
    placed.append(Text(0, FOOTER_TOP, screen.footer, SMALL, QR_LEFT if screen.qr else WIDTH))
    return placed


def _line(top: int, line: Line, right: int) -> list[Text]:
    placed = []
    left = 0
    if line.button:
        placed.append(Text(1, top, line.button, SMALL, LABEL_WIDTH))
        left = LABEL_WIDTH + 2
    more = width(line.more, SMALL) + GAP if line.more else 0
    if left + width(line.text, LARGE) + more <= right:
        # The large type is two pixels higher than the lines are apart; only its descenders use the lowest ones,
        # and they end in the gap.
        placed.append(Text(left, top - 1, line.text, LARGE, right - left))
    else:
        placed.append(Text(left, top, line.text, SMALL, right - left))
    if line.more:
        left += width(line.text, placed[-1].font) + (GAP if line.text else 0)
        placed.append(Text(left, top, line.more, SMALL, right - left))
    return placed


def overflows(screen: Screen) -> list[str]:
    """List the texts that are wider than their places, and so would be cut off."""
    return [text.text for text in layout(screen) if width(text.text, text.font) > text.room]


def draw(screen: Screen) -> Image.Image:
    """Draw a screen.

    Returns:
        An image of 128x64 pixels in mode "1".
    """
    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, WIDTH - 1, TITLE_HEIGHT - 1), fill=1)
    _draw_dice(pen, screen)
    if screen.qr:
        _draw_qr(pen, screen.qr)
    for top, line in zip(LINE_TOPS, screen.lines, strict=False):
        if line.button:
            pen.rectangle((0, top + 1, LABEL_WIDTH - 2, top + 11), fill=1)
        if line.chosen:
            right = WIDTH if screen.scroll is None else WIDTH - SCROLL_WIDTH - 1
            pen.rectangle((0, top, right - 1, top + 12), fill=1)  # to the end of the large type's descenders
    if screen.scroll is not None:
        _draw_scroll(pen, screen.scroll, len(screen.lines))
    words = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(words)
    pen.fontmode = "1"
    for text in layout(screen):
        pen.text((text.x, text.y), text.text, font=font(text.font), fill=1)
    # Dark on light, light on dark: the descenders of the line before reach into the one that the cursor is on.
    return ImageChops.logical_xor(image, words)


def _dice_left(screen: Screen) -> int:
    """Give where the title's dice begin."""
    return WIDTH - len(screen.dice) * (DIE + 1)


def _draw_dice(pen: ImageDraw.ImageDraw, screen: Screen) -> None:
    """Draw the dice as dark with light pips on the light title, the marked one the other way round."""
    for index, value in enumerate(screen.dice):
        left = _dice_left(screen) + index * (DIE + 1)
        marked = index == screen.die_cursor
        pen.rectangle((left, 1, left + DIE - 1, DIE), fill=int(marked), outline=0)
        for column, row in PIPS[value]:
            x, y = left + 2 + 3 * column, 3 + 3 * row
            pen.rectangle((x, y, x + 1, y + 1), fill=int(not marked))


def _draw_scroll(pen: ImageDraw.ImageDraw, scroll: tuple[int, int], shown: int) -> None:
    """Draw a dotted bar along the list, full where its shown part is."""
    before, count = scroll
    top, height = LINE_TOPS[0], LINE_TOPS[-1] + LINE_TOPS[1] - 2 * LINE_TOPS[0]
    for y in range(top, top + height, 3):
        pen.point((WIDTH - 2, y), fill=1)
    first, last = top + height * before // count, top + height * (before + shown) // count
    pen.rectangle((WIDTH - 3, first, WIDTH - 1, last - 1), fill=1)


def _draw_qr(pen: ImageDraw.ImageDraw, text: str) -> None:
    """Draw a QR code dark on light, as readers expect it, in the middle of the light right half.

    25 modules of 2 pixels leave a margin of 3.5 modules, 29 leave 1.5; ISO 18004 asks for 4, readers for about 1.
    """
    import segno  # noqa: PLC0415 - 3 MB of modules, of which a box without a page has no need

    modules = segno.make(text, error="L", boost_error=False, micro=False).matrix
    margin = (HEIGHT - QR_DOT * len(modules)) // 2
    pen.rectangle((QR_LEFT, 0, WIDTH - 1, HEIGHT - 1), fill=1)
    for row, line in enumerate(modules):
        for column, dark in enumerate(line):
            if dark:
                x, y = QR_LEFT + margin + QR_DOT * column, margin + QR_DOT * row
                pen.rectangle((x, y, x + QR_DOT - 1, y + QR_DOT - 1), fill=0)
