"""The full set's lamp: a channel outside the tray's wall, LEDs on its back and a diffuser in a groove at its front."""

from __future__ import annotations

from build123d import Rot

from case.layout import LAMP_RIM, LAMP_WIRE, Layout
from case.parameters import Design, Print
from case.shapes import Printed, block, profile, rod

_LIP, _HOLD = 1.6, 1.0
"""The thickness in front of and behind the groove, and how far the diffuser reaches into it."""

_WINDOW = 16.0
"""The distances from the lamp's middle and ends to the windows below its channel, which save plastic."""


def lamp(layout: Layout) -> Printed:
    """Return the lamp, drawn beside the tray; both copies are turned, in front of the tray and behind it."""
    groove = layout.lamp + Design.GROOVE
    front, back, side = layout.lamp - _LIP, layout.lamp_back, layout.lamp_side
    ends = (-layout.lamp_length / 2, layout.lamp_length / 2)
    low, top = layout.lamp_low - LAMP_RIM, layout.lamp_top + LAMP_RIM
    foot = layout.floor
    body = block((back, side), ends, (foot, top))
    body += block((front, side), ends, (low, low + Design.WALL))
    body += block((front, side), ends, (top - Design.WALL, top))
    for wall, tip in ((low + Design.WALL, layout.lamp_low), (top - Design.WALL, layout.lamp_top)):
        out = abs(tip - wall)  # the lips' sides that face the printer's bed slope by 45 degrees
        for near, far in ((front, layout.lamp), (groove, groove + _LIP)):
            body += profile([(near, wall), (near, tip), (far, tip), (far + out, wall)], ends)
    body += block((groove, side), (ends[0], ends[0] + Design.WALL), (low, top))  # the closed end
    body += block((layout.lamp, side), ends, (foot, foot + Design.FLOOR))  # the foot on the ears
    for end in ((ends[0], ends[0] + Design.WALL), (ends[1] - Design.WALL, ends[1])):
        body += block((layout.lamp, side), end, (foot, low + Design.WALL))
    for y in layout.ears:
        body -= rod("z", (layout.ear_screw, y), (foot, low), Print.M3)
    for i in (-1, 1):  # wires leave the channel downwards, and go on through a window in the back plate
        body -= rod("z", (back - 6.0, i * LAMP_WIRE), (low, low + Design.WALL), 6.0)
        body -= block((back, side), (i * _WINDOW, i * (ends[1] - _WINDOW)), (foot + 12.0, low - 6.0))
    return Printed("lamp", body, turn=Rot(0, 90, 0), places=_BOTH, colour=(0.16, 0.17, 0.19))


def diffuser(layout: Layout) -> Printed:
    """Return the diffuser, which can also be cut from a sheet of opal acrylic."""
    x = layout.lamp + Design.GROOVE - Design.DIFFUSER - 0.1
    y = (-layout.lamp_length / 2 + Design.WALL, layout.lamp_length / 2)
    z = (layout.lamp_low - _HOLD, layout.lamp_top + _HOLD)
    plate = block((x, x + Design.DIFFUSER), y, z)
    return Printed("diffuser", plate, turn=Rot(0, 90, 0), places=_BOTH, colour=(0.95, 0.95, 0.9))


_BOTH = (Rot(0, 0, -90), Rot(0, 0, 90))
