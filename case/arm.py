"""The camera's mount: post, sliding arm and holder. The ribbon lies in a recess, on the side away from the player."""

from __future__ import annotations

import math

from build123d import Box, Part, Pos, Rot

from case.layout import HOLDER_FLOOR, POST_SCREWS, SEAT, Layout
from case.parameters import CAMERA_AXIS, CAMERA_BOARD, CAMERA_HOLES, Design, Print
from case.shapes import Printed, block, profile, rod

_THICK, _WIDE = Design.POST
_BEAM_END = -20.0
HOLDER_SCREWS = (-26.0, -36.0)
"""The places along x of the screws through holder and beam, whose underside is level there."""
_COLOUR = (0.20, 0.22, 0.26)
_BROAD, _DEEP = Design.RECESS
_COVER, _LOOP, _THREAD = Print.THINNEST, 8.0, 10.0
"""The thickness and length of the bridges that hold the ribbon in its recess; the depth of the post's screws."""


def post(layout: Layout) -> Printed:
    """Return the post, diagonal on the bed if it is longer than the bed is wide."""
    x = (-layout.side - _THICK, -layout.side)
    body = block(x, (-_WIDE / 2, _WIDE / 2), (layout.bottom, layout.post_top)) - _slots(layout, x)
    open_side, low = (x[0], x[0] + _DEEP), layout.slope_at(0.0)
    body -= block(open_side, (-_BROAD / 2, _BROAD / 2), (low, layout.post_top))
    hold = max((low + layout.arm_bottom) / 2, low + 31.5)  # above the ribbon's way into the recess
    bridge = (hold - _LOOP / 2, hold + _LOOP / 2)
    body += block((x[0], x[0] + _COVER), (-_WIDE / 2, _WIDE / 2), bridge)
    for y, up in POST_SCREWS:
        body -= rod("x", (y, layout.bottom + up), (x[0], x[0] + _THREAD), Print.M3_TAP)
    return Printed(
        "post",
        body,
        turn=Rot(0, 0, 45 if layout.post_top - layout.bottom > Print.BED[0] else 0) * Rot(0, 90, 0),
        colour=_COLOUR,
    )


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
    body = profile(outline, (-_WIDE / 2, _WIDE / 2)) - _slots(layout, (out, inn)) - _recess(layout)
    for x in HOLDER_SCREWS:
        body -= rod("z", (x, 0), (low, top), Print.M3)
    return Printed("arm", body, turn=Rot(90, 0, 0), colour=_COLOUR)


def _recess(layout: Layout) -> Part:
    """Return the recess in the beam's upper side, open at the back, with two bridges over it."""
    (out, low), (inn, high) = (-layout.side, layout.knee), (SEAT, layout.beam_top)
    out, low = out - (inn - out), low - (high - low)  # farther down, so that the recess is open at its end
    drop = math.hypot(inn - out, high - low) / (inn - out)

    def band(deep: float, y: tuple[float, float]) -> Part:
        """Return the space along the beam down to a depth below its upper side."""
        return profile([(out, low + 5), (inn, high + 5), (inn, high - deep * drop), (out, low - deep * drop)], y)

    body = band(_DEEP, (-_BROAD / 2, _WIDE / 2))
    bridge = band(_COVER, (-_BROAD / 2, _WIDE / 2)) + band(_DEEP, (_BROAD / 2, _WIDE / 2))
    for share in (0.1, 0.4):
        place = Pos(inn + share * (out - inn), 0, high + share * (low - high)) * Rot(0, -math.degrees(layout.slope), 0)
        body -= bridge & (place * Box(_LOOP, 2 * _WIDE, 20.0))
        gap = _DEEP - _COVER  # its roof is a gable, so it prints in mid-air
        ridge = Pos(0, _BROAD / 2, -_COVER - gap / 2) * Rot(45, 0, 0)
        body += place * ridge * Box(_LOOP, gap / math.sqrt(2), gap / math.sqrt(2))
    return body


def cover(layout: Layout) -> Printed:
    """Return the strip that slides over the ribbon in the beam's recess, below the bridges."""
    first, last = 12.0, layout.beam - 8.0
    place = Pos(*layout.on_beam((first + last) / 2, 1.5 * _COVER + 0.05)) * Rot(0, -math.degrees(layout.slope), 0)
    body = place * Box(last - first, _BROAD - 2 * Print.FIT, _COVER)
    turn = Rot(0, math.degrees(layout.slope), 0)
    return Printed("cover", body, turn=turn, colour=_COLOUR)


def _slots(layout: Layout, x: tuple[float, float]) -> Part:
    """Return the slots for the two screws: half of the travel in the arm, half in the post, so none is a long roof."""
    made = Part()
    for ends in ((z - Design.ADJUST / 2, z + Design.ADJUST / 2) for z in layout.clamp):
        made += block(x, (-Print.M3 / 2, Print.M3 / 2), ends)
        for z in ends:
            made += rod("x", (0, z), x, Print.M3)
    return made


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
    for at in HOLDER_SCREWS:
        body -= rod("z", (at, 0), (bottom, floor + high), Print.M3)
    return Printed("holder", body, colour=_COLOUR)
