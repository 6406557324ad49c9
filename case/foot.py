"""A foot: a disc with a peg that is pressed into a hole in a floor; of TPU, or with a felt dot."""

from __future__ import annotations

from build123d import Pos

from case.layout import Layout
from case.parameters import Design, Print
from case.shapes import Printed, rod
from case.tray import FOOT_HOLE


def foot(layout: Layout) -> Printed:
    """Return the foot, used at every place below tray and console."""
    low = layout.bottom
    disc = rod("z", (0, 0), (low - Design.FOOT, low), 12.0)
    peg = rod("z", (0, 0), (low, low + Design.FLOOR - 0.4), FOOT_HOLE - 2 * Print.PRESS)
    places = tuple(Pos(x, y, 0) for x, y in layout.tray_feet + layout.console_feet)
    return Printed("foot", disc + peg, places=places, colour=(0.1, 0.1, 0.1))
