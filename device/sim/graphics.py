"""Pixel graphics in a terminal: detection of the protocol, and encoding of pictures for it.

Sources: https://sw.kovidgoyal.net/kitty/graphics-protocol/, https://iterm2.com/documentation-images.html, and DEC's
VT330/VT340 programmer reference, volume 2, chapter 14 (sixel).
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from enum import Enum, auto

import cv2
import numpy as np
from PIL import Image

from device.sim.layout import Rect
from vision.types import Frame


class Protocol(Enum):
    """The graphics protocols of terminals."""

    NONE = auto()
    """No graphics: pictures are drawn in characters."""
    KITTY = auto()
    ITERM2 = auto()
    SIXEL = auto()


@dataclass(frozen=True, slots=True)
class Graphics:
    """The graphics capabilities of a terminal.

    Attributes:
        protocol: The graphics protocol.
        cell: Width and height of a character, in pixels.
    """

    protocol: Protocol = Protocol.NONE
    cell: tuple[int, int] = (10, 20)


QUERY = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" + "\x1b[>q" + "\x1b[16t" + "\x1b[c"
"""The query for kitty graphics, the terminal's name, the size of a character in pixels, and the terminal's class. Every
terminal answers the last one, so its answer ends the wait."""

ANSWERED = re.compile(r"\x1b\[\?([\d;]*)c")
"""The pattern of the answer to the last query."""

_KITTY = re.compile(r"\x1b_Gi=31;OK\x1b\\")
_NAME = re.compile(r"\x1bP>\|([^\x1b]*)\x1b\\")
_CELL = re.compile(r"\x1b\[6;(\d+);(\d+)t")
_SIXEL_FEATURE = "4"
_INLINE_IMAGES = ("iTerm2",)

_CHUNK = 4096
"""The most characters of base64 that kitty accepts at a time."""
_SIXEL_COLOURS = 64
_BAND = 6
"""The number of pixel rows in one row of sixels."""


def graphics_of(reply: str) -> Graphics:
    """Return a terminal's capabilities, from its reply to `QUERY`; without a reply, no graphics."""
    size = _CELL.search(reply)
    height, width = (int(size[1]), int(size[2])) if size else (0, 0)
    cell = (width, height) if width and height else None
    name = _NAME.search(reply)
    features = ANSWERED.search(reply)
    protocol = Protocol.NONE
    if _KITTY.search(reply):
        protocol = Protocol.KITTY
    elif name and name[1].startswith(_INLINE_IMAGES):
        protocol = Protocol.ITERM2
    elif cell and features and _SIXEL_FEATURE in features[1].split(";")[1:]:
        protocol = Protocol.SIXEL  # only if the size of a character in pixels is known
    return Graphics(protocol, cell) if cell else Graphics(protocol)


def encoded(picture: Frame, room: Rect, graphics: Graphics, number: int, *, sharp: bool = False) -> str:
    """Return the sequence that draws a picture at the cursor, scaled to a room; it leaves the cursor anywhere.

    Args:
        picture: (H, W, 3) uint8, BGR.
        room: The size in characters.
        graphics: The terminal.
        number: Identifies the picture on the screen, from 1; a new one replaces the old one with its number.
        sharp: Whether enlarged pixels stay square, as those of a display.
    """
    width, height = room.columns * graphics.cell[0], room.rows * graphics.cell[1]
    # Kitty and iTerm2 scale pictures themselves, smoothly; sixels are drawn pixel by pixel.
    if sharp or graphics.protocol is Protocol.SIXEL or width < picture.shape[1]:
        how = cv2.INTER_NEAREST if sharp else cv2.INTER_AREA
        picture = cv2.resize(picture, (width, height), interpolation=how).astype(np.uint8)
    if graphics.protocol is Protocol.SIXEL:
        return _sixel(picture)
    data = base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode()
    if graphics.protocol is Protocol.ITERM2:
        size = f"width={room.columns};height={room.rows};preserveAspectRatio=0"
        return f"\x1b]1337;File=inline=1;{size};doNotMoveCursor=1:{data}\x07"
    chunks = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]
    first = f"a=T,f=100,q=2,C=1,i={number},p=1,c={room.columns},r={room.rows},"
    return "".join(
        f"\x1b_G{first if index == 0 else ''}m={int(index < len(chunks) - 1)};{chunk}\x1b\\"
        for index, chunk in enumerate(chunks)
    )


def removed(graphics: Graphics) -> str:
    """Return the sequence that removes all pictures; in the other protocols the text replaces them."""
    return "\x1b_Ga=d,d=A,q=2\x1b\\" if graphics.protocol is Protocol.KITTY else ""


def _sixel(picture: Frame) -> str:
    """Return a picture as sixels: for each band of six rows, one line per colour."""
    image = Image.fromarray(np.ascontiguousarray(picture[:, :, ::-1])).quantize(
        _SIXEL_COLOURS, dither=Image.Dither.NONE
    )
    pixels = np.asarray(image)
    palette = image.getpalette() or []
    parts = [f'\x1bP0;1;0q"1;1;{image.width};{image.height}']
    for colour in np.unique(pixels).tolist():
        red, green, blue = (round(level * 100 / 255) for level in palette[3 * colour : 3 * colour + 3])
        parts.append(f"#{colour};2;{red};{green};{blue}")
    for top in range(0, image.height, _BAND):
        band = pixels[top : top + _BAND]
        weights = 1 << np.arange(len(band))
        lines = []
        for colour in np.unique(band).tolist():
            sixels = ((band == colour) * weights[:, np.newaxis]).sum(axis=0)
            lines.append(f"#{colour}" + _run_lengths(sixels))
        parts.append("$".join(lines) + "-")
    return "".join(parts) + "\x1b\\"


def _run_lengths(sixels: np.ndarray) -> str:
    starts = np.flatnonzero(np.diff(sixels, prepend=-1))
    lengths = np.diff(starts, append=len(sixels))
    return "".join(
        f"!{length}{chr(63 + sixel)}" for sixel, length in zip(sixels[starts].tolist(), lengths.tolist(), strict=True)
    )
