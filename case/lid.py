"""The console's lid with screen and buttons, and the brackets that hold the screen behind its window."""

from __future__ import annotations

import math

from build123d import Part, Pos, Rot, Text, extrude

from case.console import above_lid, lid_frame, lid_screw, outline
from case.layout import BOSS, LID_BLOCK, SCREEN_GAP, Layout
from case.parameters import SCREENS, Design, Print
from case.shapes import Printed, block, rod

_SCREW_HOLE = 6.7
"""The depth of the lid's screws of 6, from the outside of the console."""

_ENGRAVED = 0.6
_STROKE = 1.2
_SLANT = 3.0
"""The part of the screen that the lid's edge would hide, seen from 45 degrees above it."""

_HOLD = 2.5
"""How far a bracket reaches over the edge of a board."""
_BRACKET, _PINS = (8.0, 2.4), 9.0
"""The width and thickness of a bracket; half of the width of a row of seven pins."""


def lid(layout: Layout) -> Printed:
    """Return the lid, to be printed with its upper side down."""
    panel, screen = layout.panel, SCREENS[layout.choice.oled]
    thick = Design.FLOOR
    body = lid_frame(layout).inverse() * (outline(layout) & above_lid(layout, -thick))
    u, v = panel.screen
    deep = thick + screen.thick[0] - 0.3  # lower than any board, so that the brackets press
    for at in bracket_screws(layout):
        body += rod("z", at, (-deep, -thick), BOSS)
        body -= rod("z", at, (-deep, -Print.THINNEST), Print.M3_TAP)
    across, up = (side / 2 + 1.0 for side in screen.active)
    # Lower at the player's side, where the lid's thickness would hide the last lines of the picture.
    body -= block((u - across, u + across), (v - up - _SLANT, v + up), (-thick, 0))
    for at, button in [*((at, panel.button) for at in panel.letters), (panel.stop_at, panel.stop)]:
        body -= rod("z", at, (-thick, 0), button.hole)
    body -= _labels(layout, u - across)
    placed = lid_frame(layout) * body
    for x, where in layout.lid_blocks:
        placed += _block(layout, x, where)
        end = layout.ridge if where > 0 else layout.console_y[0]
        hole = (end, end - where * _SCREW_HOLE)
        placed -= rod("y", (x, lid_screw(layout, where)), hole, Print.M3_TAP)
    return Printed("lid", placed, turn=Rot(180 - Design.TILT, 0, 0), colour=(0.93, 0.90, 0.84))


def _labels(layout: Layout, window: float) -> Part:
    """Return the letters beside the buttons and the name; `window` is the screen's left edge."""
    panel = layout.panel
    labels = []
    for name, (u, v) in zip("ABC", panel.letters, strict=True):
        edge = u + panel.button.bezel / 2
        labels.append((name, 7.0, ((edge + window) / 2, v)))
    u, v = panel.stop_at
    labels.append(("STOP", 6.0, (u, v - panel.stop.bezel / 2 - 7.0)))
    free = (layout.ridge - layout.console_y[0]) / math.cos(math.radians(Design.TILT)) - panel.end
    labels.append(("CAN'T STOP", min(11.0, free - 5.0), (0.0, panel.end + free / 2)))
    cut = Part()
    for name, size, (u, v) in labels:
        text = Pos(u, v, -_ENGRAVED) * Text(name, font_size=size, font="singleline", single_line_width=_STROKE)
        cut += extrude(text, _ENGRAVED, dir=(0, 0, 1))
    return cut


def _block(layout: Layout, x: float, where: float) -> Part:
    """Return a block below the lid, held by a screw through the console's front or back wall."""
    end = layout.ridge if where > 0 else layout.console_y[0]
    near = end - where * (Design.WALL + Print.FIT)
    y = tuple(sorted((near, near - where * LID_BLOCK)))
    at = lid_screw(layout, where)
    return block((x - 5, x + 5), (y[0], y[1]), (at - 4.5, at + 20)) - above_lid(layout, -1.0)


def bracket_screws(layout: Layout) -> list[tuple[float, float]]:
    """Return the places of the brackets' screws on the lid: below and above the largest board, beside its pins."""
    (u, v), screen = layout.panel.screen, SCREENS[layout.choice.oled]
    side = _PINS + _BRACKET[0] / 2 + (3.0 if screen.least[0] > 40 else -4.0)  # small screens have four pins
    away = SCREEN_GAP + BOSS / 2
    return [(u + i * side, v + j) for i in (-1, 1) for j in (-screen.below[1] - away, screen.above[1] + away)]


def reach(layout: Layout) -> float:
    """Return the distance from a bracket's screw to its tip: over the edge of the smallest board, straight ahead."""
    least, most = SCREENS[layout.choice.oled].above
    return most - least + SCREEN_GAP + BOSS / 2 + _HOLD


def bracket(layout: Layout) -> Printed:
    """Return a bracket, turned in the assembly as far as the largest board needs: along y, its screw at the origin."""
    (wide, high), length = _BRACKET, reach(layout)
    body = block((-wide / 2, wide / 2), (0, length - wide / 2), (0, high))
    body += rod("z", (0, 0), (0, high), wide) + rod("z", (0, length - wide / 2), (0, high), wide)
    body -= rod("z", (0, 0), (0, high), Print.M3)
    turn = math.degrees(math.acos((SCREEN_GAP + BOSS / 2 + _HOLD) / length))
    behind = -Design.FLOOR - SCREENS[layout.choice.oled].thick[1] - high
    (u, v), places = layout.panel.screen, []
    for at in bracket_screws(layout):
        way = 180 + turn if at[1] > v else -turn  # inwards along v, and outwards along u
        places.append(lid_frame(layout) * Pos(*at, behind) * Rot(0, 0, way if at[0] > u else -way))
    return Printed("bracket", body, places=tuple(places), colour=(0.1, 0.1, 0.1))
