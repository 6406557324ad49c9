"""Places dice flat at random places in the tray."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.render.geometry import Array, View, lying, view
from vision.render.scene import DieBody, PlacedDie, Scene

TRIES = 4000  # number of places tried for a die before the tray counts as full
CLEARANCE_MM = 0.2  # gap between dice that touch, in mm, so that none overlaps another

_PUSH_MM = 8.0
"""The first step by which a die is pushed until it touches something, in mm. It is less than the smallest die, so a die
cannot jump over another one. At each contact the step is halved, down to `_TOUCH_MM`."""

_TOUCH_MM = 0.25  # last step of pushing, in mm: dice that touch are this close, apart from the gap


def _apart(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """Return the widest gap between two squares (x, y, half side, yaw) along any side; negative if they overlap.

    This is the separating axis test (convex shapes are apart exactly if they are apart along the normal of one of their
    sides) for squares, whose reach along an axis at angle a is half * (|cos a| + |sin a|).
    """
    dx, dy = other[0] - one[0], other[1] - one[1]
    turned = abs(math.cos(other[3] - one[3])) + abs(math.sin(other[3] - one[3]))
    widest = -math.inf
    for yaw, own, reaching in ((one[3], one[2], other[2]), (other[3], other[2], one[2])):
        c, s = math.cos(yaw), math.sin(yaw)
        widest = max(widest, max(abs(dx * c + dy * s), abs(dy * c - dx * s)) - own - reaching * turned)
    return widest


def top_in_sight(eye: View, scene: Scene, top: Array) -> bool:
    """Whether points below the wall's top edge, (n, 3) mm, are visible through the tray's opening."""
    rise = scene.tray.wall_mm - top[:, 2:]
    if scene.tray.wall_mm <= 0 or rise.max() <= 0:
        return True
    ways = eye.position - top
    return bool(scene.tray.room(top + ways * (rise / np.maximum(ways[:, 2:], 1.0))).min() > 0)


def lay_dice(
    rng: np.random.Generator,
    scene: Scene,
    bodies: Sequence[DieBody],
    values: Sequence[int],
    *,
    touching: float = 0.2,
) -> Scene:
    """Return the scene with flat dice at random places in the tray, in view, without overlaps.

    The wall hides no top face. Rendering the same tray with other dice takes a tenth of the time of a new tray, so put
    dice into a scene that has been rendered before.

    Args:
        rng: The random generator of the places.
        scene: The scene, whose dice are replaced.
        bodies: The makes of the dice.
        values: The values on top.
        touching: The probability that a die is pushed against another one or the wall.

    Raises:
        ValueError: If there is no room for the dice in what the camera sees of the tray.
    """
    eye = view(scene.camera)
    placed: list[PlacedDie] = []
    squares: list[tuple[float, float, float, float]] = []

    def free(x: float, y: float, half: float, yaw: float) -> bool:
        square = (x, y, half, yaw)
        for other in squares:
            near = 1.4143 * (half + other[2]) + CLEARANCE_MM
            dx, dy = x - other[0], y - other[1]
            if dx * dx + dy * dy < near * near and _apart(square, other) < CLEARANCE_MM:
                return False
        c, s = half * math.cos(yaw), half * math.sin(yaw)
        foot = np.array((x, y)) + np.array([(c - s, s + c), (-c - s, c - s), (s - c, -s - c), (c + s, s - c)])
        if not scene.tray.holds(foot, CLEARANCE_MM):
            return False
        top = np.column_stack([foot, np.full(4, 2 * half)])
        spots = scene.camera.distorted(eye.project(np.concatenate([top, top - (0.0, 0.0, 2 * half)])))
        if spots.min() <= 2 or (spots.max(axis=0) >= np.array(scene.camera.size) - 3).any():
            return False
        return top_in_sight(eye, scene, top)

    def pushed(x: float, y: float, half: float, yaw: float) -> tuple[float, float]:
        if squares and rng.random() < 0.7:
            goal = squares[int(rng.integers(len(squares)))]
            way = math.atan2(goal[1] - y, goal[0] - x)
        else:
            way = float(rng.uniform(0, math.tau))
        step = _PUSH_MM
        while step >= _TOUCH_MM:
            further = (x + step * math.cos(way), y + step * math.sin(way))
            if free(*further, half, yaw):
                x, y = further
            else:
                step /= 2
        return x, y

    for body, value in zip(bodies, values, strict=True):
        half = body.size_mm / 2
        for _ in range(TRIES):
            pixel = np.array(rng.uniform(0, scene.camera.size[0])), np.array(rng.uniform(0, scene.camera.size[1]))
            x, y = (float(part) for part in eye.on_plane(*pixel))
            yaw = float(rng.uniform(0, math.tau))
            if free(x, y, half, yaw):
                if rng.random() < touching:
                    x, y = pushed(x, y, half, yaw)
                placed.append(PlacedDie(body, (x, y, half), lying(value, yaw)))
                squares.append((x, y, half, yaw))
                break
        else:
            raise ValueError(f"no room for {len(bodies)} dice after {TRIES} tries: is the tray in view?")
    return replace(scene, dice=tuple(placed))
