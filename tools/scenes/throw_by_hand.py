"""Rolls by a hand that takes the old dice away and rolls the new ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from tools.scenes.things import Hand
from vision.render.scene import DieBody, PlacedDie, Scene
from vision.render.throw import Throw, plan_throw

REACH_S = 0.4  # a hand's way in, and its way out; people take 0.3 to 0.6 s
_AWAY_MM = 460.0  # distance of the palm from its goal that is out of any camera's view, arm and all
_TAKE_S = 0.3  # time for which the hand closes around the dice before it lifts, in seconds
_SHAKE_S = 0.5  # time from the hand's leaving with the dice until its return, in seconds


def nearness(time_s: float, stay_s: float) -> float:
    """How near a hand is at a time of a visit that lasts twice `REACH_S` and its stay: 1 there, 0 and less away."""
    return min(1.0, time_s / REACH_S, (2 * REACH_S + stay_s - time_s) / REACH_S)


def reaching(hand: Hand, goal: tuple[float, float], near: float) -> Hand:
    """The hand on its way: `near` is 0 out of view and 1 at the goal, (x, y) in mm, slow at both ends."""
    eased = near * near * (3 - 2 * near)
    back = math.radians(hand.towards_deg + 180)
    away = (1.0 - eased) * _AWAY_MM
    return replace(hand, palm_mm=(goal[0] + away * math.cos(back), goal[1] + away * math.sin(back), hand.palm_mm[2]))


@dataclass(frozen=True, slots=True)
class ThrowByHand(Throw):
    """A roll by a hand.

    Attributes:
        hand: The hand that takes and rolls the dice.
    """

    hand: Hand

    def scene_at(self, time_s: float) -> Scene:
        """Return the scene at a time in seconds; before 0 the first one, after the end the last one."""
        scene, hand = Throw.scene_at(self, time_s), self._hand_at(time_s)
        return scene if hand is None else hand.over(scene)

    def _hand_at(self, time_s: float) -> Hand | None:
        if self.before and 0 < time_s < 2 * REACH_S + _TAKE_S:
            goal = np.mean([die.centre for die in self.before], axis=0)
            closed = min(1.0, max(0.0, (time_s - REACH_S) / _TAKE_S))
            hand = replace(self.hand, curl=0.2 + 0.6 * closed)
            return reaching(hand, (float(goal[0]), float(goal[1])), nearness(time_s, _TAKE_S))
        first = min(path.starts_s for path in self.paths)
        if abs(time_s - first) < REACH_S:
            near = 1.0 - abs(time_s - first) / REACH_S
            back = math.radians(self.hand.towards_deg + 180)
            tray = self.setting.tray
            edge = max(tray.width_mm, tray.depth_mm) / 2 + 60.0
            hand = replace(self.hand, curl=0.7 if time_s < first else 0.1)
            return reaching(hand, (edge * math.cos(back), edge * math.sin(back)), near)
        return None


def plan_throw_by_hand(
    setting: Scene,
    values: Sequence[int],
    rng: np.random.Generator,
    *,
    bodies: Sequence[DieBody],
    hand: Hand,
    before: tuple[PlacedDie, ...] = (),
) -> ThrowByHand:
    """Plan a roll with the given values; arguments and errors as for `plan_throw`. The hand's place is calculated."""
    thrown = plan_throw(
        setting,
        values,
        rng,
        bodies=bodies,
        before=before,
        way_rad=math.radians(hand.towards_deg),
        taken_s=REACH_S + _TAKE_S / 2,
        begins_s=REACH_S + (2 * REACH_S + _TAKE_S + _SHAKE_S if before else 0.0),
    )
    parts = {field.name: getattr(thrown, field.name) for field in fields(Throw)}
    still_s = max(thrown.still_s, min(path.starts_s for path in thrown.paths) + REACH_S)
    return ThrowByHand(**(parts | {"still_s": still_s}), hand=hand)
