"""The full set's dice tray: a floor with walls and a place for felt, and ears for the lamps; cut to fit the bed."""

from __future__ import annotations

from build123d import Part, Rot

from case.layout import Layout
from case.parameters import Design, Print
from case.shapes import Printed, block, rod, rounded

_SEAM_LONG, _SEAM_DEEP, _SEAM_HIGH = 10.0, 7.0, 14.0
"""The size of the blocks outside the wall on both sides of a seam, joined by a screw: along the wall, away from it,
height."""

_EAR_WIDE = 26.0


def tray(layout: Layout) -> list[Printed]:
    """Return the two halves."""
    whole = Rot(0, 0, 90) * _whole(layout)
    far = 2 * layout.lamp_back
    return [
        Printed(f"tray_{side}", whole & block((-far, far), y, (-50, 50)), colour=(0.16, 0.17, 0.19))
        for side, y in (("front", (-far, 0.0)), ("back", (0.0, far)))
    ]


def _whole(layout: Layout) -> Part:
    """Return the tray in one piece, its ears along x."""
    inside, outside = layout.inside, layout.inside + Design.WALL
    bottom, floor = layout.bottom, layout.floor
    # A larger radius would make the corners thin.
    body = rounded(block((-outside, outside), (-outside, outside), (bottom, Design.TRAY_WALL)), 1.5)
    for i in (-1, 1):
        for y in layout.ears:
            ear = (i * (outside - 1), i * layout.lamp_side)
            body += block(ear, (y - _EAR_WIDE / 2, y + _EAR_WIDE / 2), (bottom, floor))
            body -= rod("z", (i * layout.ear_screw, y), (bottom, floor), Print.M3)
    middle = outside + _SEAM_DEEP / 2
    for i in (-1, 1):
        near, far = i * (outside - 1), i * (outside + _SEAM_DEEP)
        seam, high = (-_SEAM_LONG, _SEAM_LONG), (bottom, bottom + _SEAM_HIGH)
        body += block(seam, (near, far), high)
        body -= rod("x", (i * middle, bottom + _SEAM_HIGH / 2), seam, Print.M3)
    body -= block((-inside, inside), (-inside, inside), (floor, Design.TRAY_WALL + 1))
    return body
