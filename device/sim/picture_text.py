"""Pictures as text: the OLED's pixels and the tray as a terminal of so many columns and rows can show them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vision.reading import Frame

HELP = "a b c, s: STOP  capitals hold  space throws  q leaves (game kept)"
"""The keys; as wide as the smallest terminal allows."""

_OLED_WIDTH, _OLED_HEIGHT = 128, 64
_FRAME = 2
"""What the frame around the OLED takes, in columns and in rows."""
_WORDS = 2
"""The rows below: the status and the keys."""

_TRAY_COLUMNS = 56
"""The least width of a tray on which a die of 16 mm in 25 cm is four cells wide."""

MIN_COLUMNS = _OLED_WIDTH // 2 + _FRAME
MIN_ROWS = _OLED_HEIGHT // 4 + _FRAME + _WORDS
"""The smallest terminal: the OLED in braille, one dot a pixel, with its frame, status and keys."""

_BRAILLE_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
"""What each dot of a braille cell (4 rows of 2) adds to U+2800."""
_HALVES = " ▀▄█"
_QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""Cells of 2x2; of the index, bit 0 is the upper left quarter, 1 upper right, 2 lower left, 3 lower right."""
_SHADES = " .:-=+*#%@"
"""From dark to light, for a terminal without colours."""

_OLED_LIT, _OLED_DARK = (196, 232, 255), (6, 8, 12)
"""RGB of the OLED's pixels: bluish white on black glass."""
_LEVELS = np.array([0, 95, 135, 175, 215, 255])
"""The levels of red, green and blue in the 256 colours' cube, as xterm has them."""


class Colours(Enum):
    """How many colours a terminal has."""

    TRUE = auto()
    CUBE = auto()
    """The 256 of xterm."""
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Room:
    """A place on the terminal, in columns and rows."""

    columns: int
    rows: int


def compose(oled: Image.Image, tray: Frame | None, status: str, columns: int, rows: int, colours: Colours) -> list[str]:
    """Draw the simulated box.

    Args:
        oled: What the OLED shows: 128x64 pixels, mode "1".
        tray: What the camera sees, uint8 (H, W, 3) in BGR; None for nothing.
        status: A line for what there is to say.
        columns: The terminal's width.
        rows: Its height.
        colours: What it can show.

    Returns:
        At most `rows` lines of at most `columns` columns, with escape sequences for colours that end in their line.
    """
    if columns < MIN_COLUMNS or rows < MIN_ROWS:
        return _too_small(columns, rows)
    is_large = _has_room(tray, columns, rows)
    box = _framed(_halves(oled) if is_large else _braille(oled), colours)
    width = (_OLED_WIDTH if is_large else _OLED_WIDTH // 2) + _FRAME
    words = [status[:columns], HELP[:columns]]
    if tray is None:
        return box + words
    below, beside = _rooms(tray, is_large, columns, rows)
    if below.columns >= beside.columns:
        return box + _tray(tray, below, colours) + words
    picture = _tray(tray, beside, colours)
    tall = max(len(box), len(picture))
    left = box + [" " * width] * (tall - len(box))
    right = picture + [""] * (tall - len(picture))
    return [f"{one} {other}" for one, other in zip(left, right, strict=True)] + words


def _rooms(tray: Frame, is_large: bool, columns: int, rows: int) -> tuple[Room, Room]:
    """Give the tray's room below the OLED and beside it, with the OLED drawn large or small."""
    width = (_OLED_WIDTH if is_large else _OLED_WIDTH // 2) + _FRAME
    height = _OLED_HEIGHT // (2 if is_large else 4) + _FRAME
    below = _fit(tray, Room(columns, rows - height - _WORDS))
    return below, _fit(tray, Room(columns - width - 1, rows - _WORDS))


def _has_room(tray: Frame | None, columns: int, rows: int) -> bool:
    """Tell whether the OLED can be drawn large: it must fit, and leave the tray a size at which dice are seen."""
    if columns < _OLED_WIDTH + _FRAME or rows < _OLED_HEIGHT // 2 + _FRAME + _WORDS:
        return False
    return tray is None or max(room.columns for room in _rooms(tray, True, columns, rows)) >= _TRAY_COLUMNS


def _too_small(columns: int, rows: int) -> list[str]:
    words = [
        f"This window has {columns}x{rows} characters.",
        f"The box needs {MIN_COLUMNS}x{MIN_ROWS}:",
        "make it larger, or its type smaller.",
        "The game goes on meanwhile; q leaves.",
    ]
    return [line[:columns] for line in words[:rows]]


def _cells(pixels: NDArray[Any], height: int, width: int) -> NDArray[Any]:
    """Cut (H, W, ...) into (H / height, W / width, height * width, ...), row by row within a cell."""
    rows, columns = pixels.shape[0] // height, pixels.shape[1] // width
    cut = pixels.reshape(rows, height, columns, width, *pixels.shape[2:])
    return cut.swapaxes(1, 2).reshape(rows, columns, height * width, *pixels.shape[2:])


def _braille(oled: Image.Image) -> list[str]:
    dots = _cells(np.asarray(oled), 4, 2)
    return ["".join(map(chr, line)) for line in (dots @ _BRAILLE_BITS.reshape(-1) + 0x2800).tolist()]


def _halves(oled: Image.Image) -> list[str]:
    kinds = _cells(np.asarray(oled), 2, 1) @ np.array([1, 2])
    return ["".join(_HALVES[kind] for kind in line) for line in kinds.tolist()]


def _framed(lines: list[str], colours: Colours) -> list[str]:
    on, off = ("", "") if colours is Colours.NONE else (_paint(_OLED_LIT, _OLED_DARK, colours), "\x1b[0m")
    edge = "─" * len(lines[0])
    return [f"┌{edge}┐", *(f"│{on}{line}{off}│" for line in lines), f"└{edge}┘"]


def _fit(tray: Frame, room: Room) -> Room:
    """Give the largest room of the tray's proportions; a terminal's cell is about twice as high as wide."""
    if room.columns < 1 or room.rows < 1:
        return Room(0, 0)
    height, width = tray.shape[:2]
    scale = min(room.columns / width, 2 * room.rows / height)
    return Room(max(1, int(width * scale)), max(1, int(height * scale / 2)))


def _tray(tray: Frame, room: Room, colours: Colours) -> list[str]:
    """Draw the tray with a quarter cell for a pixel and two colours in a cell."""
    if room.columns == 0:
        return []
    if colours is Colours.NONE:
        grey = cv2.cvtColor(
            cv2.resize(tray, (room.columns, room.rows), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        return ["".join(_SHADES[int(level) * len(_SHADES) // 256] for level in line) for line in grey]
    small = cv2.resize(tray, (2 * room.columns, 2 * room.rows), interpolation=cv2.INTER_AREA)
    quarters = _cells(small[:, :, ::-1].astype(np.float32), 2, 2)
    grey = quarters @ np.array([0.299, 0.587, 0.114], np.float32)
    # Split each cell's four quarters at the middle of their brightness; each side is shown in its mean colour.
    is_light = grey > (grey.max(axis=2, keepdims=True) + grey.min(axis=2, keepdims=True)) / 2
    kinds = is_light @ np.array([1, 2, 4, 8])
    light = _mean(quarters, is_light)
    dark = _mean(quarters, ~is_light)
    return [_painted(*row, colours) for row in zip(kinds.tolist(), light.tolist(), dark.tolist(), strict=True)]


def _mean(quarters: NDArray[np.float32], chosen: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Average the chosen of each cell's quarters, (R, C, 4, 3) to (R, C, 3); 0 where none is."""
    weights = chosen[..., np.newaxis]
    total = (quarters * weights).sum(axis=2) / np.maximum(1, weights.sum(axis=2))
    mean: NDArray[np.uint8] = np.rint(total).astype(np.uint8)
    return mean


def _painted(kinds: Iterable[int], light: list[list[int]], dark: list[list[int]], colours: Colours) -> str:
    parts, last = [], ""
    for kind, one, other in zip(kinds, light, dark, strict=True):
        paint = _paint(one, other, colours)
        parts.append(_QUADRANTS[kind] if paint == last else paint + _QUADRANTS[kind])
        last = paint
    return "".join(parts) + "\x1b[0m"


def _paint(front: Iterable[int], back: Iterable[int], colours: Colours) -> str:
    """Give the escape sequence for two RGB colours."""
    if colours is Colours.TRUE:
        return "\x1b[38;2;{};{};{};48;2;{};{};{}m".format(*front, *back)
    return f"\x1b[38;5;{_cube(front)};48;5;{_cube(back)}m"


def _cube(colour: Iterable[int]) -> int:
    """Give the nearest colour of the 6x6x6 cube within the 256."""
    red, green, blue = (int(np.abs(_LEVELS - level).argmin()) for level in colour)
    return 16 + 36 * red + 6 * green + blue
