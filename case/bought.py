"""The Raspberry Pi with its connectors, and wires, as pictures show them; `case.assembly` has the space they need."""

from __future__ import annotations

import math
from itertools import pairwise

from build123d import Cylinder, Part, Plane, Pos, Sphere

from case.layout import Layout
from case.parameters import BOARD_THICKNESS
from case.picture import Colour, Point
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
    for number in range(1, 41):
        x, y, z = pin(layout, number)
        made.append((block((x - 0.35, x + 0.35), (y - 0.35, y + 0.35), (top + 2.5, z)), _GOLD))
    return made


def pin(layout: Layout, number: int) -> Point:
    """Return the tip of a pin of the 40-pin header; 1 is at the board's left end, the odd row is the inner one."""
    along, row = divmod(number - 1, 2)
    x, y = layout.on_board(32.5 + 2.54 * (along - 9.5), 52.5 + 2.54 * (row - 0.5))
    return x, y, layout.board_bottom + BOARD_THICKNESS + 8.5


def wire(points: list[Point], diameter: float = 1.4) -> Part:
    """Return a wire along straight lines between points."""
    made = Part()
    for a, b in pairwise(points):
        middle = tuple((p + q) / 2 for p, q in zip(a, b, strict=True))
        way = tuple(q - p for p, q in zip(a, b, strict=True))
        if math.dist(a, b) > 1e-6:
            made += Plane(middle, z_dir=way).location * Cylinder(diameter / 2, math.dist(a, b))
        made += Pos(*b) * Sphere(diameter / 2)
    return made
