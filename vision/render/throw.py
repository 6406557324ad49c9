"""A roll over time: dice fly into an empty tray, roll, slow down and come to rest.

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
from vision.render.scene import DieBody, PlacedDie, Quaternion, Scene, Vec3

_FALL_S = 0.2  # time from the hand to the first touch of the floor, in seconds: a fall of 20 cm takes 0.2 s
_PLANS = 60  # number of sets of paths tried to find one in which no dice collide


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
        paths: Paths of the dice.
        still_s: Time from which nothing moves.
    """

    setting: Scene
    paths: tuple[_Path, ...]
    still_s: float

    def scene_at(self, time_s: float) -> Scene:
        """Return the scene at a time in seconds; after `still_s` the last one."""
        dice = tuple(die for path in self.paths if (die := path.die_at(time_s)) is not None)
        return replace(self.setting, dice=dice)


def _paths(rng: np.random.Generator, scene: Scene, way_rad: float, begins_s: float) -> tuple[_Path, ...]:
    """Return a path for each die in the scene, none starting before `begins_s`."""
    paths = []
    for die in scene.dice:
        way = way_rad + float(rng.normal(0, 0.12))
        back = np.array([[-math.cos(way), -math.sin(way)]])
        # Dice roll only on the floor, so the path backwards must end before the wall.
        room = 0.0
        spot = np.array([die.centre[:2]])
        while scene.tray.holds(spot + back * (room + 5.0), die.body.size_mm) and room < 140:
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
    way_rad: float | None = None,
    begins_s: float = 0.3,
) -> Throw:
    """Plan a roll with the given values.

    Args:
        setting: Camera, tray, light and sensor.
        values: The final values, at least one.
        rng: The random generator of places and paths.
        bodies: The makes of the dice, one for each value.
        way_rad: The direction of the roll; None for a random one.
        begins_s: The time at which the first of the dice may leave the hand.

    Raises:
        ValueError: If there is no room for the dice.
    """
    way = float(rng.uniform(0, math.tau)) if way_rad is None else way_rad
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
    return Throw(setting, best, max(path.still_s for path in best))
