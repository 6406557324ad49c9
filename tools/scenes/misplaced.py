"""Places the last die of a scene in one of the ways that make a roll invalid."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tools.scenes.faces import top_face
from tools.scenes.trays import ShapedTray
from vision.render.geometry import Array, View, after, corners, lying, quaternion, resting_height, view
from vision.render.placing import CLEARANCE_MM, TRIES, top_in_sight
from vision.render.scene import Camera, PlacedDie, Scene


def in_view(eye: View, camera: Camera, die: PlacedDie) -> bool:
    """Whether the whole die is in the picture."""
    spots = camera.distorted(eye.project(corners(die)))
    return bool(np.all(spots > 2) and np.all(spots < np.array(camera.size) - 3))


def is_apart(die: PlacedDie, others: Iterable[PlacedDie], share: float = 0.72) -> bool:
    """Whether a die is clear of others from above: their centres are farther apart than this share of both sizes."""
    return all(
        math.dist(die.centre[:2], other.centre[:2]) > share * (die.body.size_mm + other.body.size_mm)
        for other in others
    )


def _yaw(die: PlacedDie) -> float:
    """Return the direction of a level side of a flat die, in radians."""
    ups = corners(die)
    low = ups[np.argsort(ups[:, 2])[:4], :2]
    apart = low - low[0]
    side = apart[np.argsort((apart * apart).sum(axis=1))[1]]
    return math.atan2(side[1], side[0])


def _leaning(die: PlacedDie, way_rad: float, tilt_rad: float, wall_at: tuple[float, float]) -> PlacedDie:
    """Return the die tipped towards an upright plane through `wall_at` in direction `way_rad`, touching it."""
    value, _ = top_face(die)
    level = lying(value, way_rad)
    turn = after(quaternion((-math.sin(way_rad), math.cos(way_rad), 0.0), tilt_rad), level)
    size = die.body.size_mm
    reach = size / 2 * (math.cos(tilt_rad) + math.sin(tilt_rad)) + CLEARANCE_MM
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
    line = scene.tray.wall_line()
    side = int(rng.integers(len(line)))
    here, following = line[side], line[(side + 1) % len(line)]
    is_round = isinstance(scene.tray, ShapedTray) and scene.tray.is_round
    share = 0.5 if is_round else float(rng.uniform(0.15, 0.85))
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
    for _ in range(TRIES):
        under = others[int(rng.integers(len(others)))]
        tipped, on_it = _tipped(rng, scene, last, under)
        beside = [other for other in others if not (on_it and other is under)]
        is_free = is_apart(tipped, beside) and scene.tray.holds(corners(tipped), -0.5)
        if is_free and in_view(eye, scene.camera, tipped):
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
    for _ in range(TRIES):
        pixel = rng.uniform(0, 1, 2) * (wide, high)
        x, y = (float(part) for part in eye.on_plane(pixel[0], pixel[1], height))
        out = -float(scene.tray.room(np.array([[x, y]]))[0])
        if on_rim and not 0.2 * scene.tray.rim_mm < out < 0.8 * scene.tray.rim_mm:
            continue
        if not on_rim and out < scene.tray.rim_mm + 2.9 * half:
            continue
        moved = replace(last, centre=(x, y, height))
        if on_rim or not hidden_by_tray(eye, scene, np.array([moved.centre])).any():
            return replace(scene, dice=(*others, moved))
    raise ValueError("the camera sees nothing of the table beside the tray")


def hidden_by_tray(eye: View, scene: Scene, points: Array) -> np.ndarray:
    """Return which points in or beside the tray, (n, 3) mm, its wall hides from the camera: bool, (n,)."""
    tray = scene.tray
    rise = tray.wall_mm - points[:, 2]
    ways = eye.position - points
    at_top = points + ways * (np.maximum(rise, 0.0) / np.maximum(ways[:, 2], 1.0))[:, None]
    inside = tray.room(points) >= 0
    hidden = inside & (tray.room(at_top) < 0)
    for share in (0.25, 0.5, 0.75, 1.0):
        crossing = points + share * (at_top - points)
        hidden |= ~inside & (tray.room(crossing, tray.rim_mm) > 0)
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
    for _ in range(TRIES // 20):
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
        if is_apart(moved, others) and scene.tray.holds(top, CLEARANCE_MM) and top_in_sight(eye, scene, top):
            return replace(scene, dice=(*others, moved))
    raise ValueError("the tray does not reach to the picture's edge")
