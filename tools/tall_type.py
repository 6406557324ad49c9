"""Derives the screens' large font from Terminus Font 8x14 bold: `python -m tools.tall_type FILE.pcf`.

Terminus has capitals of 10 pixels at this size; those of 12 pixels belong to letters 10 pixels wide, of which a line
holds 12. This font has capitals of 12 pixels and proportional widths, so a line holds about 18 letters. FILE is
`ter-u14b` of Terminus Font 4.49, unpacked. That font's licence requires another name for derived fonts.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from PIL import ImageFont

from device.screens import draw

TWICE = (4, 8)
"""The rows that are doubled: most letters have only upright strokes there."""
BASELINE = 12
"""The first row below the capitals, in the original font; both heights are in pixels."""
HEIGHT = 14
SPACE = 4
"""The width of a space in pixels."""
LETTERS = (
    *map(chr, range(0x20, 0x7F)),
    *map(chr, range(0xA1, 0x180)),
    *"…←↑→↓▲▼✓",
)


def rows_of(font: ImageFont.FreeTypeFont, letter: str) -> list[list[bool]]:
    """Return a letter's pixels by row, with the rows of `TWICE` doubled and empty columns at the sides removed."""
    mask = font.getmask(letter, mode="1")
    width, height = mask.size
    rows = [[bool(mask.getpixel((x, y))) for x in range(width)] for y in range(height)]
    used = [x for x in range(width) if any(row[x] for row in rows)]
    if not used:
        return [[False] * (SPACE - 1)] * (HEIGHT + len(TWICE))
    cut = [row[used[0] : used[-1] + 1] for row in rows]
    return [row for y, row in enumerate(cut) for _ in range(2 if y in TWICE else 1)]


def glyph(letter: str, rows: list[list[bool]]) -> list[str]:
    """Return a letter as lines of a BDF file; its advance is one pixel more than its width."""
    width = len(rows[0])
    digits = -(-width // 8) * 2
    lines = [sum(on << (4 * digits - 1 - x) for x, on in enumerate(row)) for row in rows]
    below = HEIGHT - BASELINE
    return [
        f"STARTCHAR U+{ord(letter):04X}",
        f"ENCODING {ord(letter)}",
        f"SWIDTH {1000 * (width + 1) // len(rows)} 0",
        f"DWIDTH {width + 1} 0",
        f"BBX {width} {len(rows)} 0 {-below}",
        "BITMAP",
        *(f"{line:0{digits}X}" for line in lines),
        "ENDCHAR",
    ]


def bdf(font: ImageFont.FreeTypeFont) -> str:
    """Return the font as a BDF file."""
    missing = bytes(font.getmask("\ufffe"))
    letters = [letter for letter in LETTERS if bytes(font.getmask(letter)) != missing or letter == "?"]
    size, below = HEIGHT + len(TWICE), HEIGHT - BASELINE
    head = [
        "STARTFONT 2.1",
        "COMMENT Copyright (C) 2020 Dimitar Toshkov Zhekov; made taller for the Can't Stop box.",
        "COMMENT Licensed under the SIL Open Font License, Version 1.1",
        f"FONT -cantstop-Box Tall-Bold-R-Normal--{size}-{size * 10}-72-72-P-70-ISO10646-1",
        f"SIZE {size} 72 72",
        f"FONTBOUNDINGBOX 8 {size} 0 {-below}",
        "STARTPROPERTIES 6",
        f"PIXEL_SIZE {size}",
        f"FONT_ASCENT {size - below}",
        f"FONT_DESCENT {below}",
        f"DEFAULT_CHAR {ord('?')}",
        'CHARSET_REGISTRY "ISO10646"',
        'CHARSET_ENCODING "1"',
        "ENDPROPERTIES",
        f"CHARS {len(letters)}",
    ]
    lines = [line for letter in letters for line in glyph(letter, rows_of(font, letter))]
    return "\n".join([*head, *lines, "ENDFONT", ""])


def main(file: str) -> None:
    """Write the font to the folder from which the screens load it."""
    font = ImageFont.truetype(file, HEIGHT)
    packed = gzip.compress(bdf(font).encode("ascii"), mtime=0)
    (Path(draw.__file__).parent / "fonts" / "tall16b.bdf.gz").write_bytes(packed)


if __name__ == "__main__":
    main(*sys.argv[1:])
