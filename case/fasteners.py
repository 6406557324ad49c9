"""The screws and nuts of the standard variant, in their places: for pictures, and to check that each fits its hole."""

from __future__ import annotations

import math
from typing import NamedTuple

from build123d import Cylinder, Location, Part, Plane, Pos, RegularPolygon, extrude

from case.arm import HOLDER_SCREWS
from case.console import lid_frame, lid_screw
from case.layout import HOLDER_FLOOR, POST_PAD, POST_SCREWS, Layout
from case.lid import bracket_screws
from case.parameters import BOARD_THICKNESS, CAMERA_HOLES, SCREENS, Design

_HEADS = {"M2": (3.8, 1.6), "M2.5": (4.7, 2.0), "M3": (5.6, 2.4)}
"""The diameter and height of pan heads (ISO 7045)."""

_CORES = {"M2": 1.5, "M2.5": 1.9, "M3": 2.4}
"""The diameters of the screws without their threads."""

_NUTS = {"M2": (4.0, 1.6), "M3": (5.5, 2.4)}
"""The width across flats and the height of nuts (ISO 4032)."""


class Screw(NamedTuple):
    """A screw in its place.

    Attributes:
        size: Its size, such as "M3 x 12".
        holds: The printed part that it fixes, or "board" or "camera".
        head: Its head.
        core: Its shaft without the thread.
        nut: Its nut, if it has one.
        way: The direction from head to tip.
    """

    size: str
    holds: str
    head: Part
    core: Part
    nut: Part | None
    way: tuple[float, float, float]


def screws(layout: Layout) -> list[Screw]:
    """Return all screws of console and mast."""
    right = layout.console_x[1]
    inside = right - Design.WALL - POST_PAD
    made = [_screw("M3 x 12", "post", (inside, y, layout.bottom + up), (1, 0, 0)) for y, up in POST_SCREWS]
    top = layout.board_bottom + BOARD_THICKNESS
    made += [_screw("M2.5 x 6", "board", (x, y, top), (0, 0, -1)) for x, y in layout.board_holes]
    grip = 2 * Design.POST[0] - Design.RECESS[1]
    made += [_screw("M3 x 25", "arm", (right + Design.RECESS[1], 0, z), (1, 0, 0), grip) for z in layout.clamp]
    tail = HOLDER_FLOOR + 2.0
    made += [
        _screw("M3 x 20", "holder", (x, 0, layout.beam_top + tail), (0, 0, -1), tail + Design.POST[0])
        for x in HOLDER_SCREWS
    ]
    made += [
        _screw("M2 x 8", "camera", (x, y, layout.beam_top), (0, 0, 1), HOLDER_FLOOR + 1.12) for y, x in CAMERA_HOLES
    ]
    for x, where in layout.lid_blocks:
        y = layout.ridge if where > 0 else layout.console_y[0]
        made.append(_screw("M3 x 6", "lid", (x, y, lid_screw(layout, where)), (0, -where, 0)))
    frame = lid_frame(layout)
    behind = -Design.FLOOR - SCREENS[layout.choice.oled].thick[1] - 2.4
    tilt = math.radians(Design.TILT)
    for at in bracket_screws(layout):
        place = (frame * Pos(*at, behind)).position
        made.append(_screw("M3 x 6", "bracket", tuple(place), (0, -math.sin(tilt), math.cos(tilt))))
    return made


def _screw(
    size: str, holds: str, at: tuple[float, ...], way: tuple[float, float, float], grip: float | None = None
) -> Screw:
    """Return a screw whose head lies on `at`, with a nut behind a grip."""
    thread, length = size.split(" x ")
    frame = Plane(at, z_dir=way).location
    wide, high = _HEADS[thread]
    head = frame * Pos(0, 0, -high / 2) * Cylinder(wide / 2, high)
    core = frame * Pos(0, 0, float(length) / 2) * Cylinder(_CORES[thread] / 2, float(length))
    nut = None if grip is None else _nut(frame, thread, grip)
    return Screw(size, holds, head, core, nut, way)


def _nut(frame: Location, thread: str, grip: float) -> Part:
    flats, high = _NUTS[thread]
    body = extrude(RegularPolygon(flats / math.sqrt(3), 6), high)
    hole = Pos(0, 0, high / 2) * Cylinder(_CORES[thread] / 2 + 0.3, 2 * high)
    return frame * Pos(0, 0, grip) * (body - hole)
