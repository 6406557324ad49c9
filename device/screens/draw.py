"""Draws a screen as the OLED's 128x64 pixels."""

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

TITLE_HEIGHT = 14
ROW_TOPS = (15, 31, 47)
"""The top of each of the three rows, in pixels."""
ROW_HEIGHT = 16
"""The height of a row, and of the large type with accents and descenders, in pixels."""
SMALL, LARGE = "ter-u12n.pcf", "tall16b.bdf"
"""The fonts: Terminus Font 6x12, and one to read from 60 cm: Terminus Font 8x14 bold with rows 4 and 8 doubled, so that
capitals have 12 pixels, and with proportional widths."""
SIZES = {SMALL: 12, LARGE: 16}
"""The height of each font in pixels, accents and descenders included."""
SMALL_CHARACTERS = WIDTH // 6
"""The number of characters of the small font in a line."""
SMALL_LINES = (0, 1, 2, 4)
"""The number of lines of the small font in no, one, two and three free rows."""

EDGE = 1
"""The left edge of a text without a button label, in pixels."""
LABEL_WIDTH = 10
LEFT = LABEL_WIDTH + 2
"""The left edge of a text with a button label, in pixels."""
GAP = 4
"""The gap between large and small font in a line, and the minimum between title and hint, in pixels."""
SCROLL_WIDTH = 4
"""The width at the right end of a list's lines that is reserved for the scroll bar, in pixels."""
LIST_ROOM = WIDTH - SCROLL_WIDTH - LEFT
"""The width of a list's options, in pixels."""
DIE = 12
"""The side of a die in the title, in pixels."""

FRAME_INSET = 4
"""The distance of texts from a frame along the border, in pixels."""

QR_LEFT = WIDTH - HEIGHT
"""The left edge of a QR code's square, in pixels; it is as high as the screen."""
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
    """A text and its position.

    Attributes:
        x: Its left edge, in pixels.
        y: Its upper edge, in pixels.
        text: The text.
        font: The font, `SMALL` or `LARGE`.
        room: The available width, in pixels.
    """

    x: int
    y: int
    text: str
    font: str
    room: int


@lru_cache
def font(name: str) -> ImageFont.FreeTypeFont:
    """Return one of the fonts that come with the box."""
    packed = resources.files("device.screens").joinpath("fonts", f"{name}.gz").read_bytes()
    # Raqm, Pillow's other layout, exists only where FriBidi is installed, and places some letters differently.
    unpacked = BytesIO(gzip.decompress(packed))
    return ImageFont.truetype(unpacked, SIZES[name], layout_engine=ImageFont.Layout.BASIC)


def width(text: str, name: str) -> int:
    """Return the width of a text in pixels."""
    return round(font(name).getlength(text))


def layout(screen: Screen) -> list[Text]:
    """Return a screen's texts and their positions."""
    if screen.frame:
        return _layout_framed(screen)
    end = _right_end(screen)
    placed = []
    if screen.hint:
        wide = width(screen.hint, SMALL)
        placed.append(Text(end - wide, 1, screen.hint, SMALL, WIDTH if end == WIDTH - EDGE else 0))
        end -= wide + GAP
    placed.append(Text(EDGE, 1, screen.title, SMALL, end - EDGE))
    for row, line in enumerate(screen.lines):
        placed += _line(screen, row, line)
    for row, sign in enumerate(screen.keys):
        if sign != " ":
            placed.append(_label(row, sign))
    top, lines = _free(screen)
    top += (ROW_HEIGHT * SMALL_LINES.index(lines) - SIZES[SMALL] * len(screen.text)) // 2
    for text in screen.text:
        placed.append(Text(EDGE, top, text, SMALL, WIDTH - EDGE))
        top += SIZES[SMALL]
    return placed


def _right_end(screen: Screen) -> int:
    """Return the left edge of the title's dice or of the QR code, or else the screen's right edge."""
    if screen.qr:
        return QR_LEFT
    return WIDTH - EDGE - len(screen.dice) * (DIE + 1)


def _free(screen: Screen) -> tuple[int, int]:
    """Return the top of the first free rows, in pixels, and the number of lines of the small font in them."""
    used = [line != Line() for line in screen.lines] + [False] * len(ROW_TOPS)
    rows = used[: len(ROW_TOPS)]
    if all(rows):
        return HEIGHT, 0
    first = rows.index(False)
    after = rows.index(True, first) if True in rows[first:] else len(rows)
    return ROW_TOPS[first], SMALL_LINES[after - first]


def _label(row: int, sign: str) -> Text:
    left = (LABEL_WIDTH + 1 - width(sign, LARGE)) // 2  # a letter's width includes the gap to the next one
    return Text(left, ROW_TOPS[row], sign, LARGE, LABEL_WIDTH)


def _line(screen: Screen, row: int, line: Line) -> list[Text]:
    placed = []
    right = QR_LEFT if screen.qr else WIDTH if screen.scroll is None else WIDTH - SCROLL_WIDTH
    top, left = ROW_TOPS[row], EDGE
    if line.button:
        placed.append(_label(row, line.button))
    if line.button or screen.keys:
        left = LEFT
    if line.text:
        placed.append(Text(left, top, line.text, LARGE, right - left))
        left += width(line.text, LARGE) + GAP
    if line.more:
        placed.append(Text(left, top + (4 if line.text else 2), line.more, SMALL, right - left))
    return placed


def draw(screen: Screen) -> Image.Image:
    """Return the picture of a screen.

    Returns:
        An image of 128x64 pixels in mode "1".
    """
    words = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(words)
    pen.fontmode = "1"
    for text in layout(screen):
        pen.text((text.x, text.y), text.text, font=font(text.font), fill=1)
    # Dark text on light ground, light text on dark ground.
    return ImageChops.logical_xor(ground(screen), words)


def ground(screen: Screen) -> Image.Image:
    """Return the picture of a screen without its texts: title bar, dice, labels, highlight, scroll bar, QR code."""
    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    if screen.frame:
        pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=1)
        return image
    pen.rectangle((0, 0, WIDTH - 1, TITLE_HEIGHT - 1), fill=1)
    _draw_dice(pen, screen)
    if screen.qr:
        _draw_qr(pen, screen.qr)
    for row, top in enumerate(ROW_TOPS):
        line = screen.lines[row] if row < len(screen.lines) else Line()
        if line.button or screen.keys[row : row + 1].strip():
            pen.rectangle((0, top, LABEL_WIDTH - 1, top + ROW_HEIGHT - 2), fill=1)
        if line.chosen:
            right = WIDTH if screen.scroll is None else WIDTH - SCROLL_WIDTH - 1
            pen.rectangle((LEFT - 1 if screen.keys else 0, top, right - 1, top + ROW_HEIGHT - 1), fill=1)
    if screen.scroll is not None:
        _draw_scroll(pen, screen.scroll, sum(bool(line.text) for line in screen.lines))
    return image


def _layout_framed(screen: Screen) -> list[Text]:
    """Return the texts of a screen with a frame; buttons' letters have no light field."""
    inner = WIDTH - 2 * FRAME_INSET
    placed = [Text(FRAME_INSET, 2, screen.title, SMALL, inner)]
    for row, line in enumerate(screen.lines):
        top = ROW_TOPS[row]
        placed.append(Text(FRAME_INSET, top + 2, line.button, SMALL, LABEL_WIDTH))
        left = FRAME_INSET + LEFT
        placed.append(Text(left, top, line.text, LARGE, WIDTH - FRAME_INSET - left))
    bottom = HEIGHT - FRAME_INSET - SIZES[SMALL]
    return [*placed, *(Text(FRAME_INSET, bottom, text, SMALL, inner) for text in screen.text)]


def _draw_dice(pen: ImageDraw.ImageDraw, screen: Screen) -> None:
    """Draw the dice, dark with light pips, on the light title."""
    for index, value in enumerate(screen.dice):
        left = _right_end(screen) + 1 + index * (DIE + 1)
        pen.rectangle((left, 1, left + DIE - 1, DIE), fill=0)
        for column, row in PIPS[value]:
            x, y = left + 2 + 3 * column, 3 + 3 * row
            pen.rectangle((x, y, x + 1, y + 1), fill=1)


def _draw_scroll(pen: ImageDraw.ImageDraw, scroll: tuple[int, int], shown: int) -> None:
    """Draw a dotted bar along the list, solid at the visible part."""
    before, count = scroll
    top, height = ROW_TOPS[0], len(ROW_TOPS) * ROW_HEIGHT
    for y in range(top, top + height, 3):
        pen.point((WIDTH - 2, y), fill=1)
    first, last = top + height * before // count, top + height * (before + shown) // count
    pen.rectangle((WIDTH - 3, first, WIDTH - 1, last - 1), fill=1)


def _draw_qr(pen: ImageDraw.ImageDraw, text: str) -> None:
    """Draw a QR code, dark on light as readers expect it, in the middle of the light right half.

    25 modules of 2 pixels leave a margin of 3.5 modules, 29 leave 1.5; ISO 18004 requires 4, readers need about 1.
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
