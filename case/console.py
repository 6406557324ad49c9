"""The console: a tub for the Raspberry Pi with openings for plugs, card and ventilation; the post is screwed to it."""

from __future__ import annotations

from build123d import Box, Location, Part, Plane, Pos, Rot

from case.layout import BACK_HIGH, LAMP_HOLE, NOTCH, NOTCH_Y, POST_PAD, POST_PAD_LOW, POST_SCREWS, Layout
from case.parameters import Design, Port, Print
from case.shapes import Printed, across, block, profile, rod, rounded

_BOSS = 6.0
_VENT, _RIB = 3.0, 3.0
_LEAST = 1.6
"""The thickness of the floor below the board's screws."""

_FINGER = 8.0
"""The length of the opening in the floor below the card."""

_ROUND = 8.0
"""The radius of the console's front corners."""


def console(layout: Layout) -> Printed:
    """Return the tub, without its lid."""
    body = outline(layout) - _inside(layout)
    body += _pad(layout)
    body -= above_lid(layout, -Design.FLOOR)
    for x, y in layout.board_holes:
        body += rod("z", (x, y), (layout.bottom, layout.board_bottom), _BOSS)
        body -= rod("z", (x, y), (layout.bottom + _LEAST, layout.board_bottom), Print.M2_5_TAP)
    for port in layout.board.ports:
        body -= opening(layout, port)
    return Printed("console", _with_holes(layout, body), colour=(0.20, 0.22, 0.26))


def outline(layout: Layout) -> Part:
    """Return the space of console and lid, its front corners rounded."""
    (front, back), bottom, ridge = layout.console_y, layout.bottom, layout.ridge
    side = [(front, bottom), (back, bottom), (back, bottom + BACK_HIGH), (ridge, layout.slope_at(ridge))]
    return across([*side, (ridge, layout.lid(ridge)), (front, layout.lid_front)], layout.console_x) & _rounded(
        layout, 0
    )


def _rounded(layout: Layout, inset: float) -> Part:
    """Return a block as large as the console with round corners, `inset` smaller on each side."""
    (left, right), (front, back) = layout.console_x, layout.console_y
    made = block((left + inset, right - inset), (front + inset, back - inset), (layout.bottom, 200.0))
    return rounded(made, _ROUND - inset, front=True)


def _inside(layout: Layout) -> Part:
    """Return the room in the console, without the part that the post's pad takes."""
    (front, back), ridge, wall = layout.console_y, layout.ridge, Design.WALL
    low, slant = layout.floor, wall * (2**0.5 - 1)
    top = layout.lid(ridge) + 50.0
    side = [
        (front, low),
        (back - wall, low),
        (back - wall, layout.bottom + BACK_HIGH - slant),
        (ridge - wall, layout.slope_at(ridge) - slant),
        (ridge - wall, top),
        (front, top),
    ]
    return across(side, layout.console_x) & _rounded(layout, wall)


def _pad(layout: Layout) -> Part:
    """Return the pad inside the wall beside the post, whose underside slopes so that it prints."""
    inner, low = layout.console_x[1] - Design.WALL, layout.bottom + POST_PAD_LOW
    points = [
        (inner + 1, low),
        (inner, low),
        (inner - POST_PAD, low + POST_PAD),
        (inner - POST_PAD, 90.0),
        (inner + 1, 90.0),
    ]
    y = (-Design.POST[1] / 2, Design.POST[1] / 2)
    return profile(points, y) & outline(layout)


def above_lid(layout: Layout, shift: float) -> Part:
    """Return all space above the lid's upper side, shifted along its normal."""
    return lid_frame(layout) * Pos(0, 0, shift) * block((-300, 300), (-100, 400), (0, 200))


def lid_frame(layout: Layout) -> Location:
    """Return the lid's own frame: the middle of its upper front edge, x to the right, y up the slope, z outwards."""
    left, right = layout.console_x
    return Plane.XY.location * Pos((left + right) / 2, layout.console_y[0], layout.lid_front) * Rot(Design.TILT, 0, 0)


def opening(layout: Layout, port: Port) -> Part:
    """Return the hole for a connector through the back wall, or for the card through the right wall."""
    half, deep = port.width / 2, Design.WALL + 1.0
    z = (layout.board_bottom + port.bottom, layout.board_bottom + port.top)
    if port.edge == "power":
        x, y = layout.on_board(port.at, 0)[0], layout.console_y[1]
        return block((x - half, x + half), (y - deep, y + 1), z)
    edge, y = layout.on_board(0, port.at)
    # The floor is open below the card, too, so that a finger reaches it while the console stands.
    return block((edge - _FINGER, layout.console_x[1] + 1), (y - half, y + half), (z[0] - 1.0, z[1]))


def _with_holes(layout: Layout, body: Part) -> Part:
    """Return the tub with vents and with holes for screws, wires and the ribbon."""
    (left, right), (front, back), ridge = layout.console_x, layout.console_y, layout.ridge
    wall, floor = Design.WALL, layout.floor
    x = layout.board_x[0] + 10.0
    while x < layout.board_x[1] - 14.0:
        body -= block((x, x + _VENT), (layout.board_y[0] + 8, layout.board_y[1] - 8), (layout.bottom, floor))
        x += _VENT + _RIB
    x = left + 12.0
    while x < right - 24.0:
        body -= _through_slope(layout, x, _VENT, (ridge + 5.0, back - 5.0))
        x += _VENT + _RIB
    for y, up in POST_SCREWS:
        body -= rod("x", (y, layout.bottom + up), (right - wall - POST_PAD, right), Print.M3)
    body -= _through_slope(layout, layout.ribbon_hole, NOTCH, NOTCH_Y)
    body -= rod("y", (left + 14.0, layout.bottom + LAMP_HOLE), (back - wall, back), 6.0)
    for x, where in layout.lid_blocks:
        end = ridge if where > 0 else front
        body -= rod("y", (x, lid_screw(layout, where)), (end - wall, end + wall), Print.M3)
    return body


def _through_slope(layout: Layout, x: float, wide: float, y: tuple[float, float]) -> Part:
    """Return a slot straight through the sloping wall, its middle at x."""
    middle, long = (y[0] + y[1]) / 2, (y[1] - y[0]) * 2**0.5
    return Pos(x, middle, layout.slope_at(middle)) * Rot(-45, 0, 0) * Box(wide, long, 4 * Design.WALL)


def lid_screw(layout: Layout, where: float) -> float:
    """Return the height of the lid's screws at the back (1) or at the front (-1)."""
    return layout.lid(layout.ridge if where > 0 else layout.console_y[0]) - 7.2
