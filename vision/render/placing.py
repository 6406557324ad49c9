"""Where dice come to lie: flat at random places, or in the ways that make a throw invalid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.render.geometry import Array, View, after, corners, lying, quaternion, resting_height, top_face, view
from vision.render.scene import Camera, DieBody, PlacedDie, Scene, Tray

_TRIES = 4000
"""Places tried for a die before the tray counts as full."""

_CLEARANCE_MM = 0.2
"""Dice that touch are drawn with this gap, so that none is ever inside another."""

_PUSH_MM = 0.5
"""Step in which a die is pushed on until it touches something."""


def _outline(die: PlacedDie) -> Array:
    """The die's shadow straight down: the convex corners of a die that lies flat, shape (4, 2), in order."""
    points = corners(die)
    low = points[np.argsort(points[:, 2])[:4], :2]
    middle = low.mean(axis=0)
    return np.asarray(low[np.argsort(np.arctan2(low[:, 1] - middle[1], low[:, 0] - middle[0]))])


def gap(first: Array, second: Array) -> float:
    """The widest gap between two convex outlines, (n, 2) each, along any of their sides; below 0 they overlap.

    This is the separating-axis test: convex outlines are apart exactly if one of their sides' normals tells so.
    """
    widest = -math.inf
    for shape in (first, second):
        sides = np.roll(shape, -1, axis=0) - shape
        normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        for normal in normals:
            one, other = first @ normal, second @ normal
            widest = max(widest, float(max(one.min() - other.max(), other.min() - one.max())))
    return widest


def in_tray(tray: Tray, points: Array, spare_mm: float = 0.0) -> bool:
    """Whether all points, (n, 2 or 3) in mm, are inside the tray's wall and `spare_mm` off it."""
    if tray.is_round:
        return bool(np.hypot(points[:, 0], points[:, 1]).max() < tray.width_mm / 2 - spare_mm)
    halves = np.array([tray.width_mm, tray.depth_mm]) / 2 - spare_mm
    return bool(np.all(np.abs(points[:, :2]) < halves))


def _in_view(eye: View, camera: Camera, die: PlacedDie) -> bool:
    spots = eye.project(corners(die))
    return bool(np.all(spots > 2) and np.all(spots < np.array(camera.size) - 3))


def lay_dice(
    rng: np.random.Generator,
    scene: Scene,
    bodies: Sequence[DieBody],
    values: Sequence[int],
    *,
    touching: float = 0.2,
) -> Scene:
    """The scene with dice laid flat at random places: in the tray, in view, never into one another.

    Args:
        rng: Decides the places.
        scene: Dice that are in it already are replaced.
        bodies: The dice.
        values: What shows on top of each.
        touching: The chance for each die to be pushed against another one or the wall.

    Raises:
        ValueError: If there is no room for the dice in what the camera sees of the tray.
    """
    eye = view(scene.camera)
    placed: list[PlacedDie] = []

    def free(die: PlacedDie) -> bool:
        shape = _outline(die)
        return (
            in_tray(scene.tray, shape, _CLEARANCE_MM)
            and _in_view(eye, scene.camera, die)
            and all(gap(shape, _outline(other)) >= _CLEARANCE_MM for other in placed)
        )

    def pushed(die: PlacedDie) -> PlacedDie:
        if placed and rng.random() < 0.7:
            goal = placed[int(rng.integers(len(placed)))].centre
            way = math.atan2(goal[1] - die.centre[1], goal[0] - die.centre[0])
        else:
            way = float(rng.uniform(0, math.tau))
        step_x, step_y = _PUSH_MM * math.cos(way), _PUSH_MM * math.sin(way)
        while True:
            x, y, z = die.centre
            further = replace(die, centre=(x + step_x, y + step_y, z))
            if not free(further):
                return die
            die = further

    for body, value in zip(bodies, values, strict=True):
        for _ in range(_TRIES):
            x = float(rng.uniform(-0.5, 0.5)) * scene.tray.width_mm
            y = float(rng.uniform(-0.5, 0.5)) * scene.tray.depth_mm
            die = PlacedDie(body, (x, y, body.size_mm / 2), lying(value, float(rng.uniform(0, math.tau))))
            if free(die):
                placed.append(pushed(die) if rng.random() < touching else die)
                break
        else:
            raise ValueError(f"no room for {len(bodies)} dice after {_TRIES} tries: is the tray in view?")
    return replace(scene, dice=tuple(placed))


def _leaning(die: PlacedDie, way_rad: float, tilt_rad: float, wall_at: tuple[float, float]) -> PlacedDie:
    """The die tipped towards an upright plane through `wall_at` in direction `way_rad`, its edge touching it."""
    value, _ = top_face(die)
    level = lying(value, way_rad)
    turn = after(quaternion((-math.sin(way_rad), math.cos(way_rad), 0.0), tilt_rad), level)
    size = die.body.size_mm
    reach = size / 2 * (math.cos(tilt_rad) + math.sin(tilt_rad)) + _CLEARANCE_MM
    x = wall_at[0] - reach * math.cos(way_rad)
    y = wall_at[1] - reach * math.sin(way_rad)
    return replace(die, centre=(x, y, resting_height(turn, size)), turn=turn)


def cock(rng: np.random.Generator, scene: Scene) -> Scene:
    """The scene with its last die leaning on the wall or on another die, or lying on another die.

    Raises:
        ValueError: If the scene has fewer than two dice, or no try finds a free place.
    """
    *others, last = scene.dice
    if not others:
        raise ValueError("a cocked die needs another one beside it in the scene")
    eye = view(scene.camera)
    for _ in range(_TRIES):
        kind = str(rng.choice(["wall", "die", "stack"]))
        tilt = math.radians(float(rng.uniform(10, 40)))
        side = math.tau * int(rng.integers(4)) / 4
        under = others[int(rng.integers(len(others)))]
        if kind == "wall":
            half_x, half_y = scene.tray.width_mm / 2, scene.tray.depth_mm / 2
            along = float(rng.uniform(-0.7, 0.7)) * (half_y if side % math.pi < 1 else half_x)
            out = half_x if side % math.pi < 1 else half_y
            along *= not scene.tray.is_round  # a round wall is met square on
            c, s = math.cos(side), math.sin(side)
            tipped = _leaning(last, side, tilt, (out * c - along * s, out * s + along * c))
        elif kind == "die":
            foot = _outline(under)
            edge = foot[1] - foot[0]
            way = math.atan2(edge[1], edge[0]) + side
            half = under.body.size_mm / 2
            touch = (under.centre[0] - half * math.cos(way), under.centre[1] - half * math.sin(way))
            tipped = _leaning(last, way, tilt, touch)
        else:
            shift = rng.uniform(-0.35, 0.35, 2) * under.body.size_mm
            x, y = under.centre[0] + float(shift[0]), under.centre[1] + float(shift[1])
            turn = lying(top_face(last)[0], float(rng.uniform(0, math.tau)))
            z = under.body.size_mm + last.body.size_mm / 2
            tipped = replace(last, centre=(x, y, z), turn=turn)
        in_the_way = [other for other in others if kind == "wall" or other is not under]
        shape = corners(tipped)
        hull = shape[:, :2]
        clear = all(
            math.dist(tipped.centre[:2], other.centre[:2]) > 0.9 * (tipped.body.size_mm + other.body.size_mm)
            for other in in_the_way
        )
        if clear and in_tray(scene.tray, hull) and _in_view(eye, scene.camera, tipped):
            return replace(scene, dice=(*others, tipped))
    raise ValueError("no free place for a cocked die")


def stray(rng: np.random.Generator, scene: Scene) -> Scene:
    """The scene with its last die on the table beside the tray, wholly or partly in view.

    Raises:
        ValueError: If the scene has no die, or the camera sees nothing of the table.
    """
    if not scene.dice:
        raise ValueError("no die to stray")
    *others, last = scene.dice
    eye = view(scene.camera)
    wide, high = scene.camera.size
    outside = scene.tray.rim_mm + last.body.size_mm
    for _ in range(_TRIES):
        x = float(rng.uniform(-1, 1)) * (scene.tray.width_mm / 2 + 60)
        y = float(rng.uniform(-1, 1)) * (scene.tray.depth_mm / 2 + 60)
        spot = np.array([[x, y]])
        if in_tray(scene.tray, spot, -outside):
            continue
        moved = replace(last, centre=(x, y, last.body.size_mm / 2))
        seen = eye.project(np.array(moved.centre))
        if 0 < seen[0] < wide and 0 < seen[1] < high:
            return replace(scene, dice=(*others, moved))
    raise ValueError("the camera sees nothing of the table beside the tray")
