"""The console's lid with screen and buttons, and the frame that holds the screen in its pocket."""

from __future__ import annotations

import math

from build123d import Part, Pos, Rot, Text, extrude

from case.console import above_lid, lid_frame, lid_screw
from case.layout import BOSS, LID_BLOCK, NOTCH, RIM, Layout
from case.parameters import SCREEN_PLAY, SCREENS, Design, Print
from case.shapes import Printed, block, rod, rounded

_ENGRAVED = 0.6
_STROKE = 1.2
_VENT = 3.0
_SLANT = 3.0
"""The part of the screen that the lid's edge would hide, seen from 45 degrees above it."""


def lid(layout: Layout) -> Printed:
    """Return the lid, to be printed with its upper side down."""
    (left, right), (front, back) = layout.console_x, layout.console_y
    panel, screen = layout.panel, SCREENS[layout.choice.oled]
    half, length = (right - left) / 2, (back - front) / math.cos(math.radians(Design.TILT))
    thick = Design.FLOOR
    body = rounded(block((-half, half), (0, length), (-thick, 0)), 3.0)
    u, v = panel.screen
    wide, high = panel.pocket
    deep = thick + screen.edge + 0.5
    body += block((u - wide / 2, u + wide / 2), (v - high / 2, v + high / 2), (-deep, -thick))
    for at in frame_screws(layout):
        body += rod("z", at, (-deep, -thick), BOSS)
        body -= rod("z", at, (-deep, -Print.THINNEST), Print.M3_TAP)
    inner = (wide / 2 - RIM, high / 2 - RIM)
    body -= block((u - inner[0], u + inner[0]), (v - inner[1], v + inner[1]), (-deep, -thick))
    shown, middle = (side / 2 + 1.0 for side in screen.active), v + screen.offset
    across, up = shown
    # Lower at the player's side, where the lid's thickness would hide the last lines of the picture.
    body -= block((u - across, u + across), (middle - up - _SLANT, middle + up), (-thick, 0))
    for at, button in [*((at, panel.button) for at in panel.letters), (panel.stop_at, panel.stop)]:
        body -= rod("z", at, (-thick, 0), button.hole)
    body -= _labels(layout, u - across)
    v = panel.end + 4.0
    while v < length - 22.0:
        body -= block((-half + 16, half - NOTCH[0] - 8), (v, v + _VENT), (-thick, 0))
        v += 2 * _VENT
    placed = lid_frame(layout) * body
    for x, where in layout.lid_blocks:
        placed += _block(layout, x, where)
    recess = layout.niche_half - Design.WALL
    placed -= block((right - layout.niche, right + 1), (-recess, recess), (0, 100))
    notch = layout.ribbon_notch[1]
    placed -= block((right - NOTCH[0], right + 1), (notch - NOTCH[1] / 2, notch + NOTCH[1] / 2), (0, 100))
    return Printed("lid", placed, turn=Rot(180 - Design.TILT, 0, 0), colour=(0.20, 0.22, 0.26))


def _labels(layout: Layout, window: float) -> Part:
    """Return the letters beside the buttons, with the depth of the engraving; `window` is the screen's left edge."""
    panel = layout.panel
    labels = []
    for name, (u, v) in zip("ABC", panel.letters, strict=True):
        edge = u + panel.button.bezel / 2
        labels.append((name, 7.0, ((edge + window) / 2, v)))
    u, v = panel.stop_at
    labels.append(("STOP", 6.0, (u + panel.stop.bezel / 2 + 12.0, v)))
    cut = Part()
    for name, size, (u, v) in labels:
        text = Pos(u, v, -_ENGRAVED) * Text(name, font_size=size, font="singleline", single_line_width=_STROKE)
        cut += extrude(text, _ENGRAVED, dir=(0, 0, 1))
    return cut


def _block(layout: Layout, x: float, where: float) -> Part:
    """Return a block below the lid, held by a screw through the console's front or back wall."""
    end = layout.console_y[where > 0]
    near = end - where * (Design.WALL + Print.FIT)
    y = tuple(sorted((near, near - where * LID_BLOCK)))
    at = lid_screw(layout, where)
    made = block((x - 5, x + 5), (y[0], y[1]), (at - 4.5, at + 20)) - above_lid(layout, -1.0)
    return made - rod("y", (x, at), (near, near - where * (LID_BLOCK - Print.THINNEST)), Print.M3_TAP)


def frame_screws(layout: Layout) -> list[tuple[float, float]]:
    """Return the places of the screen frame's screws on the lid."""
    (u, v), (wide, high) = layout.panel.screen, layout.panel.pocket
    return [(u + i * 0.35 * wide, v + j * (high / 2 + RIM)) for i in (-1, 1) for j in (-1, 1)]


def frame(layout: Layout) -> Printed:
    """Return the frame that holds the screen's board from behind, open where its pins are."""
    screen, (u, v), (wide, high) = SCREENS[layout.choice.oled], layout.panel.screen, layout.panel.pocket
    top = -Design.FLOOR - screen.edge - 0.5
    z = (top - 3.0, top)
    body = block((u - wide / 2, u + wide / 2), (v - high / 2, v + high / 2), z)
    for at in frame_screws(layout):
        body += rod("z", at, z, BOSS)
    margin = RIM + SCREEN_PLAY + 3.0
    across, up = wide / 2 - margin, high / 2 - margin
    body -= block((u - across, u + across), (v - up, v + up), z)
    body -= block((u - 11, u + 11), (v, v + high / 2 - RIM), z)  # the pins are at the upper edge
    for at in frame_screws(layout):
        body -= rod("z", at, z, Print.M3)
    return Printed("frame", lid_frame(layout) * body, turn=Rot(-Design.TILT, 0, 0), colour=(0.1, 0.1, 0.1))
