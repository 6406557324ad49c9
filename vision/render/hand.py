"""A hand and forearm above the tray, as a chain of cones with round ends."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Colour, Hand, Limb, Thing

Array = NDArray[np.float64]


def _limb(start: Array, end: Array, radii_mm: tuple[float, float], colour: Colour) -> Limb:
    (ax, ay, az), (bx, by, bz) = start, end
    return Limb((float(ax), float(ay), float(az)), (float(bx), float(by), float(bz)), radii_mm, colour)


def hand_as_thing(hand: Hand) -> Thing:
    """Return the pieces of a hand: fingers, thumb and palm of skin, and the forearm or its sleeve."""
    unit = hand.length_mm / 180.0
    way = math.radians(hand.towards_deg)
    forward = np.array([math.cos(way), math.sin(way), 0.0])
    aside = np.array([-forward[1], forward[0], 0.0]) * (1.0 if hand.is_left else -1.0)
    down = np.array([0.0, 0.0, -1.0])
    palm = np.array(hand.palm_mm)

    def at(ahead: float, across: float, lower: float = 0.0) -> Array:
        return np.asarray(palm + unit * (forward * ahead + aside * across + down * lower))

    skin: list[tuple[Array, Array, float, float]] = []
    for across, radius in ((-28, 16), (-10, 18), (10, 18), (28, 16)):
        skin.append((at(-45, across * 0.6), at(32, across), 19 * unit, radius * unit))
    for number, (across, length) in enumerate(((-31, 62), (-11, 74), (10, 82), (31, 72))):
        fan = (number - 1.5) * 0.22 * hand.spread
        bend = hand.curl * 1.2
        reach = length * 0.5
        knuckle_x, knuckle_y = 38.0, float(across)
        middle_x = knuckle_x + reach * math.cos(bend) * math.cos(fan)
        middle_y = knuckle_y + reach * math.sin(fan)
        low = reach * math.sin(bend)
        tip_bend = bend * 2.0
        tip_x = middle_x + reach * math.cos(tip_bend) * math.cos(fan)
        tip_y = middle_y + reach * math.sin(fan)
        tip_low = low + reach * math.sin(min(tip_bend, math.pi / 2))
        skin.append((at(knuckle_x, knuckle_y), at(middle_x, middle_y, low), 10.5 * unit, 9 * unit))
        skin.append((at(middle_x, middle_y, low), at(tip_x, tip_y, tip_low), 9 * unit, 7 * unit))
    thumb = 0.5 + 0.6 * hand.spread
    base, joint = at(-20, 30), at(5 + 28 * math.cos(thumb), 36 + 26 * math.sin(thumb), 6)
    skin.append((base, joint, 16 * unit, 11 * unit))
    skin.append((joint, joint + unit * (forward * 30 + aside * 8 + down * 5), 11 * unit, 8 * unit))
    wrist = at(-60, 0)
    skin.append((at(-40, 0), wrist, 24 * unit, 22 * unit))
    covered = hand.skin if hand.sleeve is None else hand.sleeve
    arm = _limb(at(-75, 0), at(-420, 0, -60), (31 * unit, 46 * unit), covered)
    return Thing((*(_limb(start, end, (wide, narrow), hand.skin) for start, end, wide, narrow in skin), arm))
