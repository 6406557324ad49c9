"""The OLED as characters, and the colours of terminals."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_BRAILLE_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
"""The value of each dot of a braille cell (4 rows of 2), relative to U+2800."""
_HALVES = " ▀▄█"
_OLED_LIT, _OLED_DARK = (196, 232, 255), (6, 8, 12)
"""RGB of the OLED's pixels: bluish white on black glass."""
_LEVELS = np.array([0, 95, 135, 175, 215, 255])
"""The levels of red, green and blue in xterm's 256 colours."""


class Colours(Enum):
    """The number of colours of a terminal."""

    TRUE = auto()
    CUBE = auto()
    """xterm's 256 colours."""
    NONE = auto()


def oled_lines(oled: Image.Image, colours: Colours, *, is_large: bool) -> list[str]:
    """Return the OLED's pixels as characters, each pixel one dot.

    Args:
        oled: 128x64 pixels, mode "1".
        colours: The terminal's colours.
        is_large: Whether to use half blocks, 128x32 characters, instead of braille, 64x16.
    """
    lines = _halves(oled) if is_large else _braille(oled)
    on, off = ("", "") if colours is Colours.NONE else (paint(_OLED_LIT, _OLED_DARK, colours), "\x1b[0m")
    return [on + line + off for line in lines]


def paint(front: Iterable[int], back: Iterable[int], colours: Colours) -> str:
    """Return the escape sequence for two RGB colours; "" for a terminal without colours."""
    if colours is Colours.NONE:
        return ""
    if colours is Colours.TRUE:
        return "\x1b[38;2;{};{};{};48;2;{};{};{}m".format(*front, *back)
    return f"\x1b[38;5;{_cube(front)};48;5;{_cube(back)}m"


def _cells(pixels: NDArray[Any], height: int, width: int) -> NDArray[Any]:
    """Return (H, W, ...) cut into (H / height, W / width, height * width, ...), row by row within a cell."""
    rows, columns = pixels.shape[0] // height, pixels.shape[1] // width
    cut = pixels.reshape(rows, height, columns, width, *pixels.shape[2:])
    return cut.swapaxes(1, 2).reshape(rows, columns, height * width, *pixels.shape[2:])


def _braille(oled: Image.Image) -> list[str]:
    dots = _cells(np.asarray(oled), 4, 2)
    return ["".join(map(chr, line)) for line in (dots @ _BRAILLE_BITS.reshape(-1) + 0x2800).tolist()]


def _halves(oled: Image.Image) -> list[str]:
    kinds = _cells(np.asarray(oled), 2, 1) @ np.array([1, 2])
    return ["".join(_HALVES[kind] for kind in line) for line in kinds.tolist()]


def _cube(colour: Iterable[int]) -> int:
    """Return the nearest colour of the 6x6x6 cube within the 256."""
    red, green, blue = (int(np.abs(_LEVELS - level).argmin()) for level in colour)
    return 16 + 36 * red + 6 * green + blue
