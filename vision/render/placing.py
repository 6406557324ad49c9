"""Places dice: flat at random places, or in the ways that make a roll invalid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.render.geometry import (
    Array,
    View,
    after,
    corners,
    distorted,
    lying,
    quaternion,
    resting_height,
    top_face,
    view,
)
from vision.render.scene import Camera, DieBody, PlacedDie, Scene
from vision.render.tray_shape import in_tray, room, wall_line

_TRIES = 4000
"""The number of places tried for a die before the tray counts as full."""

_CLEARANCE_MM = 0.2
"""The gap between dice that touch, in mm, so that none overlaps another."""

_PUSH_MM = 8.0
"""The first step by which a die is pushed until it touches something, in mm. It is less than the smallest die, so a die
cannot jump over another one. At each contact the step is halved, down to `_TOUCH_MM`."""

_TOUCH_MM = 0.25
"""The last step of pushing, in mm: dice that touch are this close, apart from the gap."""


def _yaw(die: PlacedDie) -> float:
    """Return the direction of a level side of a flat die, in radians."""
    ups = corners(die)
    low = ups[np.argsort(ups[:, 2])[:4], :2]
    apart = low - low[0]
    side = apart[np.argsort((apart * apart).sum(axis=1))[1]]
    return math.atan2(side[1], side[0])


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


def in_view(eye: View, camera: Camera, die: PlacedDie) -> bool:
    """Whether the whole die is in the picture."""
    spots = distorted(camera, eye.project(corners(die)))
    return bool(np.all(spots > 2) and np.all(spots < np.array(camera.size) - 3))


def _top_in_sight(eye: View, scene: Scene, top: Array) -> bool:
    """Whether points below the wall's top edge, (n, 3) mm, are visible through the tray's opening."""
    rise = scene.tray.wall_mm - top[:, 2:]
    if scene.tray.wall_mm <= 0 or rise.max() <= 0:
        return True
    ways = eye.position - top
    return bool(room(scene.tray, top + ways * (rise / np.maximum(ways[:, 2:], 1.0))).min() > 0)


def _spot_in_view(rng: np.random.Generator, eye: View, camera: Camera) -> Array:
    """Return the place on the floor at a random pixel, (2,) mm."""
    x, y = rng.uniform(0, camera.size[0]), rng.uniform(0, camera.size[1])
    return eye.on_plane(np.array(x), np.array(y))


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
            near = 1.4143 * (half + other[2]) + _CLEARANCE_MM
            dx, dy = x - other[0], y - other[1]
            if dx * dx + dy * dy < near * near and _apart(square, other) < _CLEARANCE_MM:
                return False
        c, s = half * math.cos(yaw), half * math.sin(yaw)
        foot = np.array((x, y)) + np.array([(c - s, s + c), (-c - s, c - s), (s - c, -s - c), (c + s, s - c)])
        if not in_tray(scene.tray, foot, _CLEARANCE_MM):
            return False
        top = np.column_stack([foot, np.full(4, 2 * half)])
        spots = distorted(scene.camera, eye.project(np.concatenate([top, top - (0.0, 0.0, 2 * half)])))
        if spots.min() <= 2 or (spots.max(axis=0) >= np.array(scene.camera.size) - 3).any():
            return False
        return _top_in_sight(eye, scene, top)

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
        for _ in range(_TRIES):
            x, y = (float(part) for part in _spot_in_view(rng, eye, scene.camera))
            yaw = float(rng.uniform(0, math.tau))
            if free(x, y, half, yaw):
                if rng.random() < touching:
                    x, y = pushed(x, y, half, yaw)
                placed.append(PlacedDie(body, (x, y, half), lying(value, yaw)))
                squares.append((x, y, half, yaw))
                break
        else:
            raise ValueError(f"no room for {len(bodies)} dice after {_TRIES} tries: is the tray in view?")
    return replace(scene, dice=tuple(placed))


def _leaning(die: PlacedDie, way_rad: float, tilt_rad: float, wall_at: tuple[float, float]) -> PlacedDie:
    """Return the die tipped towards an upright plane through `wall_at` in direction `way_rad`, touching it."""
    value, _ = top_face(die)
    level = lying(value, way_rad)
    turn = after(quaternion((-math.sin(way_rad), math.cos(way_rad), 0.0), tilt_rad), level)
    size = die.body.size_mm
    reach = size / 2 * (math.cos(tilt_rad) + math.sin(tilt_rad)) + _CLEARANCE_MM
    x = wall_at[0] - reach * math.cos(way_rad)
    y = wall_at[1] - reach * math.sin(way_rad)
    return replace(die, centre=(x, y, resting_height(turn, size)), turn=turn)


def _on_top(rng: np.random.Generator, die: PlacedDie, under: PlacedDie) -> PlacedDie:
    """Return the die lying flat on another flat one."""
    shift = rng.uniform(-0.35, 0.35, 2) * under.body.size_mm
    x, y = under.centre[0] + float(shift[0]), under.centre[1] + float(shift[1])
    turn = lying(top_face(die)[0], float(rng.uniform(0, math.tau)))
    return replace(die, centre=(x, y, under.centre[2] + (under.body.size_mm + die.body.size_mm) / 2), turn=turn)


def lean_on_wall(rng: np.random.Generator, scene: Scene, die: PlacedDie, tilt_rad: float) -> PlacedDie:
    """Return the die tipped by this angle towards any side of the tray's wall, with its edge touching it."""
    line = wall_line(scene.tray)
    side = int(rng.integers(len(line)))
    here, following = line[side], line[(side + 1) % len(line)]
    share = 0.5 if scene.tray.is_round else float(rng.uniform(0.15, 0.85))
    spot = here + share * (following - here)
    along = following - here
    return _leaning(die, math.atan2(-along[0], along[1]), tilt_rad, (float(spot[0]), float(spot[1])))


def _tipped(rng: np.random.Generator, scene: Scene, die: PlacedDie, under: PlacedDie) -> tuple[PlacedDie, bool]:
    """Return the die leaning or raised in one of the possible ways, and whether it does so on the other die."""
    kind = str(rng.choice(["wall", "die", "stack"])) if scene.tray.wall_mm > 0 else str(rng.choice(["die", "stack"]))
    tilt = math.radians(float(rng.uniform(6, 44)))
    if kind == "wall":
        return lean_on_wall(rng, scene, die, tilt), False
    if kind == "die":
        way = _yaw(under) + math.tau * int(rng.integers(4)) / 4
        half = under.body.size_mm / 2
        touch = (under.centre[0] - half * math.cos(way), under.centre[1] - half * math.sin(way))
        return _leaning(die, way, tilt, touch), True
    return _on_top(rng, die, under), True


def cock(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with its last die leaning on the wall or another die, or lying on one or two dice.

    Raises:
        ValueError: If the scene has fewer than two dice, or no attempt finds a free place.
    """
    *others, last = scene.dice
    if not others:
        raise ValueError("a cocked die needs another one beside it in the scene")
    eye = view(scene.camera)
    if len(others) > 2 and rng.random() < 0.1:
        base, middle = others[0], _on_top(rng, others[1], others[0])
        tower = (base, middle, *others[2:], _on_top(rng, last, middle))
        if all(in_view(eye, scene.camera, die) for die in tower):
            return replace(scene, dice=tower)
    for _ in range(_TRIES):
        under = others[int(rng.integers(len(others)))]
        tipped, on_it = _tipped(rng, scene, last, under)
        clear = all(
            math.dist(tipped.centre[:2], other.centre[:2]) > 0.72 * (tipped.body.size_mm + other.body.size_mm)
            for other in others
            if not (on_it and other is under)
        )
        if clear and in_tray(scene.tray, corners(tipped), -0.5) and in_view(eye, scene.camera, tipped):
            return replace(scene, dice=(*others, tipped))
    raise ValueError("no free place for a cocked die")


def stray(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with its last die outside the tray, in view: on the table beside it, or flat on its rim.

    Raises:
        ValueError: If the scene has no die, or the table is not in view.
    """
    if not scene.dice:
        raise ValueError("no die to stray")
    *others, last = scene.dice
    eye = view(scene.camera)
    wide, high = scene.camera.size
    half = last.body.size_mm / 2
    on_rim = scene.tray.rim_mm > 0.6 * last.body.size_mm and rng.random() < 0.4
    height = scene.tray.wall_mm + half if on_rim else half
    for _ in range(_TRIES):
        pixel = rng.uniform(0, 1, 2) * (wide, high)
        x, y = (float(part) for part in eye.on_plane(pixel[0], pixel[1], height))
        out = -float(room(scene.tray, np.array([[x, y]]))[0])
        if on_rim and not 0.2 * scene.tray.rim_mm < out < 0.8 * scene.tray.rim_mm:
            continue
        if not on_rim and out < scene.tray.rim_mm + 2.9 * half:
            continue
        moved = replace(last, centre=(x, y, height))
        if on_rim or _in_sight_outside(eye, scene, np.array([moved.centre])):
            return replace(scene, dice=(*others, moved))
    raise ValueError("the camera sees nothing of the table beside the tray")


def _in_sight_outside(eye: View, scene: Scene, points: Array) -> bool:
    """Whether no point beside the tray, (n, 3) mm, is hidden by its wall."""
    return not bool(hidden_by_tray(eye, scene, points).any())


def hidden_by_tray(eye: View, scene: Scene, points: Array) -> np.ndarray:
    """Return which points in or beside the tray, (n, 3) mm, its wall hides from the camera: bool, (n,)."""
    tray = scene.tray
    rise = tray.wall_mm - points[:, 2]
    ways = eye.position - points
    at_top = points + ways * (np.maximum(rise, 0.0) / np.maximum(ways[:, 2], 1.0))[:, None]
    inside = room(tray, points) >= 0
    hidden = inside & (room(tray, at_top) < 0)
    for share in (0.25, 0.5, 0.75, 1.0):
        crossing = points + share * (at_top - points)
        hidden |= ~inside & (room(tray, crossing, tray.rim_mm) > 0)
    return np.asarray(hidden & (rise > 0))


def cut_off(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with its last die flat across the picture's edge, with a third to nine tenths of it in view.

    Raises:
        ValueError: If the scene has no die, or the tray does not reach the picture's edge.
    """
    if not scene.dice:
        raise ValueError("no die to cut off")
    *others, die = scene.dice
    eye = view(scene.camera)
    wide, high = scene.camera.size
    for _ in range(_TRIES // 20):
        along = float(rng.uniform(0.1, 0.9))
        share = float(rng.uniform(-0.15, 0.35)) * die.body.size_mm * eye.focal_px / scene.camera.height_mm
        edges = (
            (share, along * high),
            (wide - share, along * high),
            (along * wide, share),
            (along * wide, high - share),
        )
        spot = edges[int(rng.integers(4))]
        x, y = (float(part) for part in eye.on_plane(np.array(spot[0]), np.array(spot[1]), die.centre[2]))
        moved = replace(die, centre=(x, y, die.centre[2]))
        top = corners(moved)[corners(moved)[:, 2] > die.centre[2]]
        apart = all(
            math.dist((x, y), other.centre[:2]) > 0.72 * (die.body.size_mm + other.body.size_mm) for other in others
        )
        if apart and in_tray(scene.tray, top, _CLEARANCE_MM) and _top_in_sight(eye, scene, top):
            return replace(scene, dice=(*others, moved))
    raise ValueError("the tray does not reach to the picture's edge")
