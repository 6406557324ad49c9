"""The camera's mount: post, sliding arm, holder, and clips for the ribbon."""

from __future__ import annotations

import math

from build123d import Part, Pos, Rot

from case.layout import HOLDER_FLOOR, POST_SCREWS, SEAT, Layout
from case.parameters import CAMERA_AXIS, CAMERA_BOARD, CAMERA_HOLES, Design, Print
from case.shapes import Printed, block, profile, rod, slot

_THICK, _WIDE = Design.POST
_BEAM_END = -20.0
_HOLDER_SCREWS = (-26.0, -40.0)
_COLOUR = (0.45, 0.30, 0.16)


def post(layout: Layout) -> Printed:
    """Return the post, diagonal on the bed since it can be longer than the bed is wide."""
    x = (-layout.side - _THICK, -layout.side)
    body = block(x, (-_WIDE / 2, _WIDE / 2), (layout.floor, layout.post_top)) - _slots(layout, x)
    for at in POST_SCREWS:
        body -= rod("x", at, x, Print.M3)
    return Printed("post", body, turn=Rot(0, 0, 45) * Rot(0, 90, 0), colour=_COLOUR)


def arm(layout: Layout) -> Printed:
    """Return the arm: a leg with a slot, and a beam that rises to the holder above the tray."""
    out, inn = -layout.side, -layout.side + _THICK
    top, low = layout.beam_top, layout.beam_top - _THICK
    outline = [(out, layout.arm_bottom), (inn, layout.arm_bottom)]
    if layout.knee < top:  # the beam's lower side is parallel to its upper one
        rise, drop = math.tan(layout.slope), _THICK / math.cos(layout.slope)
        outline += [(inn, layout.knee + _THICK * rise - drop), (out + (low - layout.knee + drop) / rise, low)]
    else:
        outline += [(inn, low)]
    outline += [(_BEAM_END, low), (_BEAM_END, top), (SEAT, top), (out, layout.knee)]
    body = profile(outline, (-_WIDE / 2, _WIDE / 2)) - _slots(layout, (out, inn))
    for x in _HOLDER_SCREWS:
        body -= rod("z", (x, 0), (low, top), Print.M3)
    return Printed("arm", body, turn=Rot(90, 0, 0), colour=_COLOUR)


def _slots(layout: Layout, x: tuple[float, float]) -> Part:
    """Return the slots for the two screws: half of the travel in the arm, half in the post, so none is a long roof."""
    half = Design.ADJUST / 2
    first, last = (slot("x", (0, 0), x, Print.M3, (z - half, z + half)) for z in layout.clamp)
    return first + last


def holder(layout: Layout) -> Printed:
    """Return the holder: the camera's board lies in it with its lens down, the ribbon leaves towards the console."""
    bottom = layout.beam_top
    floor = bottom + HOLDER_FLOOR
    along, across = CAMERA_BOARD[1], CAMERA_BOARD[0]
    rim, high, tail = 2.0, 4.0, (-46.0, -CAMERA_AXIS - Print.FIT)
    x = (-CAMERA_AXIS - Print.FIT, along - CAMERA_AXIS + Print.FIT)
    half = across / 2 + Print.FIT
    body = block((tail[0], x[1] + rim), (-half - rim, half + rim), (bottom, floor + high))
    body -= block((x[0], x[1]), (-half, half), (floor, floor + high))
    body -= block((tail[0], tail[1] + 1), (-half - rim, half + rim), (floor + 2.0, floor + high))
    body -= block((tail[0], tail[1] - 6), (-half - rim, -_WIDE / 2), (bottom, floor + high))
    body -= block((tail[0], tail[1] - 6), (_WIDE / 2, half + rim), (bottom, floor + high))
    body -= block((-6.0, 12.0), (-6.2, 6.2), (bottom, floor))  # for the lens and the flex beside it
    for y, away in CAMERA_HOLES:
        body -= rod("z", (away, y), (bottom, floor), Print.M2)
    for at in _HOLDER_SCREWS:
        body -= rod("z", (at, 0), (bottom, floor + high), Print.M3)
    return Printed("holder", body, colour=_COLOUR)


def clip(layout: Layout) -> Printed:
    """Return the clip that holds the ribbon to beam and post: along x, its back on z = 0 in its own place."""
    wall, gap, hook = 2.0, 0.8, 1.6
    top, low = 0.0, -_THICK
    half = _WIDE / 2 + Print.FIT / 2
    x = (-5.0, 5.0)
    body: Part = block(x, (-half - wall, half + wall), (low - Print.FIT - hook, top + gap + wall))
    body -= block(x, (-half, half), (low - Print.FIT, top + gap))
    body -= block(x, (-half + hook, half - hook), (low - 10, low))
    on_beam = Pos((SEAT - layout.side) / 2, 0, (layout.beam_top + layout.knee) / 2)
    on_post = Pos(-layout.side - _THICK, 0, layout.arm_bottom - 8.0)
    places = (on_beam * Rot(0, -math.degrees(layout.slope), 0), on_post * Rot(0, -90, 0))
    return Printed("clip", body, turn=Rot(0, 90, 0), places=places, colour=(0.1, 0.1, 0.1))
