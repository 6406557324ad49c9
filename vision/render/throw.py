"""A roll over time: a hand removes the old dice; new ones fly in, roll, slow down and come to rest.

The caller decides the values. The path of each die is calculated backwards from its final place: along a straight
line, ever slower, rolling without slipping, hopping less and less, and before that a fall in an arc. So the scene is
available for any time, in any order, and is rendered only on request.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.render.geometry import after, quaternion, resting_height
from vision.render.placing import lay_dice
from vision.render.scene import DieBody, Hand, PlacedDie, Quaternion, Scene, Vec3
from vision.render.tray_shape import in_tray

REACH_S = 0.4  # a hand's way in, and its way out; people take 0.3 to 0.6 s
_AWAY_MM = 460.0  # distance of the palm from its goal that is out of any camera's view, arm and all
_TAKE_S = 0.3  # time for which the hand closes around the dice before it lifts, in seconds
_SHAKE_S = 0.5  # time from the hand's leaving with the dice until its return, in seconds
_FALL_S = 0.2  # time from the hand to the first touch of the floor, in seconds: a fall of 20 cm takes 0.2 s
_PLANS = 60  # number of sets of paths tried to find one in which no dice collide


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
class _Path:
    """The path of a die to its final place.

    Attributes:
        final: The die at rest.
        way_rad: Direction in which it rolls.
        roll_mm: Length of its path on the floor.
        roll_s: Time on the floor.
        lands_s: Time of its first touch of the floor.
        drop_mm: Height above the floor at which the hand releases it.
        hop_mm: Height of its first hop.
    """

    final: PlacedDie
    way_rad: float
    roll_mm: float
    roll_s: float
    lands_s: float
    drop_mm: float
    hop_mm: float

    @property
    def starts_s(self) -> float:
        """The time at which the hand releases the die, in seconds."""
        return self.lands_s - _FALL_S

    @property
    def still_s(self) -> float:
        """The time at which the die comes to rest, in seconds."""
        return self.lands_s + self.roll_s

    def _at(self, time_s: float) -> tuple[Vec3, Quaternion]:
        on_floor = min(max(time_s - self.lands_s, 0.0), self.roll_s)
        in_air = max(self.lands_s - time_s, 0.0)
        left = 1.0 - on_floor / self.roll_s
        speed = 2 * self.roll_mm / self.roll_s
        to_go = self.roll_mm * left * left + speed * in_air
        x = self.final.centre[0] - to_go * math.cos(self.way_rad)
        y = self.final.centre[1] - to_go * math.sin(self.way_rad)
        size = self.final.body.size_mm
        axis = (-math.sin(self.way_rad), math.cos(self.way_rad), 0.0)
        turn = after(quaternion(axis, -to_go / (size / 2)), self.final.turn)
        hop = self.hop_mm * left * left * abs(math.sin(3 * math.pi * on_floor / self.roll_s))
        fall = self.drop_mm * (1.0 - (1.0 - in_air / _FALL_S) ** 2) if in_air > 0 else 0.0
        return (x, y, resting_height(turn, size) + hop + fall), turn

    def die_at(self, time_s: float) -> PlacedDie | None:
        """Return the die at a time; None before the hand releases it."""
        if time_s < self.starts_s:
            return None
        if time_s >= self.still_s:
            return self.final
        centre, turn = self._at(time_s)
        step = 0.002
        before, _ = self._at(time_s - step)
        behind, _ = self._at(time_s + step)
        vx, vy, vz = ((end - start) / (2 * step) for start, end in zip(before, behind, strict=True))
        rate = math.hypot(vx, vy) / (self.final.body.size_mm / 2)
        spin = (-math.sin(self.way_rad) * rate, math.cos(self.way_rad) * rate, 0.0)
        return replace(self.final, centre=centre, turn=turn, velocity=(vx, vy, vz), spin=spin)


@dataclass(frozen=True, slots=True)
class Throw:
    """A completely planned roll, which returns the scene at any time.

    Attributes:
        setting: The scene without dice.
        before: The dice in the tray at time 0.
        paths: Paths of the new dice.
        hand: The hand that takes and rolls them; None for no hand.
        still_s: Time from which nothing moves.
        end_s: Length of the film.
    """

    setting: Scene
    before: tuple[PlacedDie, ...]
    paths: tuple[_Path, ...]
    hand: Hand | None
    still_s: float
    end_s: float

    @property
    def dice(self) -> tuple[PlacedDie, ...]:
        """The dice at rest."""
        return tuple(path.final for path in self.paths)

    def scene_at(self, time_s: float) -> Scene:
        """Return the scene at a time in seconds; before 0 the first one, after the end the last one."""
        taken_s = REACH_S + _TAKE_S / 2 if self.hand is not None else 0.0
        dice: tuple[PlacedDie, ...]
        if self.before and time_s < taken_s:
            dice = self.before
        else:
            dice = tuple(die for path in self.paths if (die := path.die_at(time_s)) is not None)
        return replace(self.setting, dice=dice, hand=self._hand_at(time_s))

    def _hand_at(self, time_s: float) -> Hand | None:
        if self.hand is None:
            return None
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


def _paths(rng: np.random.Generator, scene: Scene, way_rad: float, begins_s: float) -> tuple[_Path, ...]:
    """Return a path for each die in the scene, none starting before `begins_s`."""
    paths = []
    for die in scene.dice:
        way = way_rad + float(rng.normal(0, 0.12))
        back = np.array([[-math.cos(way), -math.sin(way)]])
        # Dice roll only on the floor, so the path backwards must end before the wall.
        room = 0.0
        spot = np.array([die.centre[:2]])
        while in_tray(scene.tray, spot + back * (room + 5.0), die.body.size_mm) and room < 140:
            room += 5.0
        roll = min(room, float(rng.uniform(50, 140))) + 4.0
        speed = float(rng.uniform(350, 800))
        lands = begins_s + _FALL_S + float(rng.uniform(0, 0.1))
        paths.append(
            _Path(
                final=die,
                way_rad=way,
                roll_mm=roll,
                roll_s=max(0.15, 2 * roll / speed),
                lands_s=lands,
                drop_mm=float(rng.uniform(60, 110)),
                hop_mm=float(rng.uniform(4, 16)),
            )
        )
    return tuple(paths)


def _nearest(paths: Sequence[_Path]) -> float:
    """Return the least distance between two dice's centres on their way, in sizes of the larger one; 9 for one die."""
    nearest = 9.0
    times = np.arange(min(path.starts_s for path in paths), max(path.still_s for path in paths), 1 / 60)
    for time_s in times:
        dice = [die for path in paths if (die := path.die_at(float(time_s))) is not None]
        for number, die in enumerate(dice):
            for other in dice[:number]:
                apart = math.dist(die.centre, other.centre)
                nearest = min(nearest, apart / max(die.body.size_mm, other.body.size_mm))
    return nearest


def plan_throw(
    setting: Scene,
    values: Sequence[int],
    rng: np.random.Generator,
    *,
    bodies: Sequence[DieBody],
    before: tuple[PlacedDie, ...] = (),
    hand: Hand | None = None,
    rest_s: float = 1.0,
) -> Throw:
    """Plan a roll with the given values.

    Args:
        setting: Camera, tray, light and sensor.
        values: The final values, at least one.
        rng: The random generator of places and paths.
        bodies: The makes of the dice, one for each value.
        before: The dice in the tray at the start.
        hand: The hand that takes and rolls them; its place is calculated here. None: the old dice just disappear.
        rest_s: The length of the film after all dice have come to rest.

    Raises:
        ValueError: If there are no values, or no room for the dice.
    """
    if not values:
        raise ValueError("a throw needs at least one die")
    begins_s = 0.3
    if hand is not None:
        begins_s = REACH_S + (2 * REACH_S + _TAKE_S + _SHAKE_S if before else 0.0)
    way = math.radians(hand.towards_deg) if hand is not None else float(rng.uniform(0, math.tau))
    best: tuple[_Path, ...] = ()
    best_distance = -1.0
    for _ in range(_PLANS):
        laid = lay_dice(rng, setting, bodies, values, touching=0.15)
        paths = _paths(rng, laid, way, begins_s)
        distance = _nearest(paths)
        if distance > best_distance:
            best, best_distance = paths, distance
        if distance >= 1.0:
            break
    still = max(path.still_s for path in best)
    if hand is not None:
        still = max(still, min(path.starts_s for path in best) + REACH_S)
    return Throw(setting, before, best, hand, still, still + rest_s)
