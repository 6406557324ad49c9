"""A hand's way in to the dice, its stay there, and its way out again."""

from __future__ import annotations

import math
from dataclasses import replace

from vision.render.scene import Hand

REACH_S = 0.4
"""A hand's way in, and its way out; people take 0.3 to 0.6 s."""

_AWAY_MM = 460.0
"""The palm this far from where it goes is out of any camera's view, arm and all."""


def nearness(time_s: float, stay_s: float) -> float:
    """How near a hand is at a time of a visit that lasts twice `REACH_S` and its stay: 1 there, 0 and less away."""
    return min(1.0, time_s / REACH_S, (2 * REACH_S + stay_s - time_s) / REACH_S)


def reaching(hand: Hand, goal: tuple[float, float], near: float) -> Hand:
    """The hand on its way: `near` is 0 out of view and 1 at the goal, (x, y) in mm, slow at both ends."""
    eased = near * near * (3 - 2 * near)
    back = math.radians(hand.towards_deg + 180)
    away = (1.0 - eased) * _AWAY_MM
    return replace(hand, palm_mm=(goal[0] + away * math.cos(back), goal[1] + away * math.sin(back), hand.palm_mm[2]))
