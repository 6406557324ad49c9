"""The Raspberry Pi with its connectors, as pictures show it; `case.assembly` has the space that it needs."""

from __future__ import annotations

from itertools import product

from build123d import Part

from case.layout import Layout
from case.parameters import BOARD_THICKNESS
from case.picture import Colour
from case.shapes import block

_GREEN, _METAL, _BLACK, _GOLD = (0.05, 0.42, 0.20), (0.75, 0.76, 0.78), (0.12, 0.12, 0.13), (0.85, 0.70, 0.25)

# Left, right, lower and upper end on the board, and height: section 1 of the sources in case.parameters.
_PARTS_4 = [
    (7.1, 57.9, 50.0, 55.0, 2.5, _BLACK),
    (6.7, 15.7, -1.2, 6.2, 3.3, _METAL),
    (22.5, 29.5, -1.2, 6.0, 3.3, _METAL),
    (36.0, 43.0, -1.2, 6.0, 3.3, _METAL),
    (50.5, 57.5, -2.0, 12.5, 6.0, _BLACK),
    (67.0, 88.0, 1.9, 16.1, 16.0, _METAL),
    (67.0, 88.0, 19.9, 34.1, 16.0, _METAL),
    (67.0, 88.0, 37.8, 53.7, 13.5, _METAL),
    (45.0, 48.0, 0.5, 22.5, 5.6, _BLACK),
    (22.0, 37.0, 25.0, 40.0, 2.4, _METAL),
]


def board_parts(layout: Layout) -> list[tuple[Part, Colour]]:
    """Return the board, and what stands on a Pi 4; other boards without their connectors."""
    low = layout.board_bottom
    top = low + BOARD_THICKNESS
    made: list[tuple[Part, Colour]] = [(block(layout.board_x, layout.board_y, (low, top)), _GREEN)]
    for left, right, near, far, high, colour in _PARTS_4 if layout.choice.pi == "4" else _PARTS_4[:1]:
        (x0, y0), (x1, y1) = layout.on_board(left, near), layout.on_board(right, far)
        made.append((block((x1, x0), (y1, y0), (top, top + high)), colour))
    for along, row in product(range(20), range(2)):
        x, y = layout.on_board(32.5 + 2.54 * (along - 9.5), 52.5 + 2.54 * (row - 0.5))
        made.append((block((x - 0.35, x + 0.35), (y - 0.35, y + 0.35), (top + 2.5, top + 8.5)), _GOLD))
    return made
