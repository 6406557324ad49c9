"""The console: a tub for the Raspberry Pi with openings for plugs, card and ventilation, and a recess for the post."""

from __future__ import annotations

from build123d import Location, Part, Plane, Pos, Rot

from case.layout import LAMP_SCREW, LAMP_WIRE, LID_BLOCK, POST_SCREWS, Layout
from case.parameters import Design, Port, Print
from case.shapes import Printed, block, rod, rounded
from case.tray import FOOT_HOLE

_BOSS = 6.0
_VENT, _RIB = 3.0, 3.0
_LEAST = 1.7
"""The thickness of the floor below the board's screws."""


def console(layout: Layout) -> Printed:
    """Return the tub, without its lid."""
    (left, right), (front, back) = layout.console_x, layout.console_y
    wall, floor = Design.WALL, layout.floor
    high = layout.lid(back)
    body = rounded(block((left, right), (front, back), (layout.bottom, high)), 3.0)
    half, recess = layout.niche_half, layout.niche_half - wall
    post = block((right - layout.niche, right + 1), (-recess, recess), (layout.bottom - 1, high + 1))
    inside = block((left + wall, right - wall), (front + wall, back - wall), (floor, high + 1))
    body -= inside - block((right - layout.niche - wall, right), (-half, half), (layout.bottom, high + 1))
    body -= post
    body -= above_lid(layout, -Design.FLOOR)
    for x, y in layout.board_holes:
        body += rod("z", (x, y), (layout.bottom, layout.board_bottom), _BOSS)
        body -= rod("z", (x, y), (layout.bottom + _LEAST, layout.board_bottom), Print.M2_5_TAP)
    for port in layout.board.ports:
        body -= opening(layout, port)
    return Printed("console", _with_holes(layout, body), colour=(0.20, 0.22, 0.26))


def above_lid(layout: Layout, shift: float) -> Part:
    """Return all space above the lid's upper side, shifted along its normal."""
    return lid_frame(layout) * Pos(0, 0, shift) * block((-300, 300), (-100, 400), (0, 200))


def lid_frame(layout: Layout) -> Location:
    """Return the lid's own frame: the middle of its upper front edge, x to the right, y up the slope, z outwards."""
    left, right = layout.console_x
    return Plane.XY.location * Pos((left + right) / 2, layout.console_y[0], layout.lid_front) * Rot(Design.TILT, 0, 0)


def opening(layout: Layout, port: Port) -> Part:
    """Return the hole for a connector: through a wall, or through the floor outside the board for the card."""
    half, deep = port.width / 2, Design.WALL + 1.0
    z = (layout.board_bottom + port.bottom, layout.board_bottom + port.top)
    if port.edge == "power":
        x, y = layout.on_board(port.at, 0)[0], layout.console_y[1]
        return block((x - half, x + half), (y - deep, y + 1), z)
    x, y = layout.console_x[0], layout.on_board(0, port.at)[1]
    if port.edge == "right":
        return block((x - 1, x + deep), (y - half, y + half), z)
    edge = layout.board_x[1]
    return block((edge, layout.console_x[1] - Design.WALL), (y - half, y + half), (layout.bottom, layout.floor))


def _with_holes(layout: Layout, body: Part) -> Part:
    """Return the tub with vents and with holes for screws, wires and feet."""
    right, (front, back) = layout.console_x[1], layout.console_y
    wall, floor = Design.WALL, layout.floor
    vent_top = min(48.0, lid_screw(layout, 1) - 5.0)
    x = layout.board_x[0] + 10.0
    while x < layout.board_x[1] - 10.0:
        body -= block((x, x + _VENT), (layout.board_y[0] + 8, layout.board_y[1] - 8), (layout.bottom, floor))
        body -= block((x, x + _VENT), (back - wall, back), (32.0, vent_top))
        x += _VENT + _RIB
    for at in (*POST_SCREWS, LAMP_SCREW):
        body -= rod("x", at, (right - layout.niche - wall, right), Print.M3)
    body -= rod("x", LAMP_WIRE, (right - wall, right), 6.0)
    body -= rod("y", (right - 11.0, 12.0), (back - wall, back), 6.0)  # the other lamp's wires
    for x, y in layout.console_feet:
        body -= rod("z", (x, y), (layout.bottom, floor), FOOT_HOLE)
    for x, where in layout.lid_blocks:
        end = back if where > 0 else front
        body -= rod("y", (x, lid_screw(layout, where)), (end - wall, end + wall), Print.M3)
    return body


def lid_screw(layout: Layout, where: float) -> float:
    """Return the height of the lid's screws at the back (1) or at the front (-1)."""
    end = layout.console_y[where > 0]
    return layout.lid(end - where * (Design.WALL + LID_BLOCK / 2)) - Design.FLOOR - 5.5
