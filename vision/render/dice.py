"""Dice, ray by ray: where a ray of the camera meets a rounded cube, and what light comes back from there.

The body is the meeting of a cube with rounded edges and a ball that rounds the corners. A ray enters at the cube's
slabs or at the ball, whichever is later, and from there steps by the distance to the surface ("sphere tracing",
J. C. Hart 1996). Pips are looked up in a picture of distances to the pips' rims, so that their edges stay sharp
at any scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.empty_tray import strengths
from vision.render.geometry import FACE_UP, View, corners, matrix
from vision.render.scene import DieBody, PlacedDie, Scene, Tray

Array = NDArray[np.float32]

_CELL = 64
"""Pixels per face in the map of pips; the distances in it are smooth, so few are enough."""

_STEPS = 5
"""Steps of sphere tracing; after five the error on a rounded edge is below 0.05 mm for a 16 mm die."""

_PATTERN = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Places of the pips on each face, in steps of the die's spread."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A drawn die before it is laid over the picture.

    Attributes:
        left: First column of the picture that it covers.
        top: First row.
        colour: Light times coverage, float32 BGR, shape (h, w, 3).
        cover: How much of each pixel the die covers, 0 to 1, shape (h, w).
    """

    left: int
    top: int
    colour: Array
    cover: Array


@lru_cache(maxsize=32)
def _pip_map(body: DieBody) -> Array:
    """The pips of all six faces, as a map to look points up in.

    Returns:
        Six cells side by side, float32 of shape (_CELL, 6 * _CELL, 3): the distance to the nearest pip's rim in half
        sizes, below 0 inside the pip; and the way from the pip's middle, (u, v), in units of its radius.
    """
    across = (np.arange(_CELL, dtype=np.float32) + 0.5) / _CELL * 2 - 1
    u, v = np.meshgrid(across, across)
    cells = []
    for value in range(1, 7):
        turned = bool(body.quarter_turns >> (value - 1) & 1)
        radius = 2 * body.pip_radius * (body.one_scale if value == 1 else 1.0)
        best = np.full(u.shape, 9.0, np.float32)
        way_u, way_v = np.zeros_like(u), np.zeros_like(u)
        for column, row in _PATTERN[value]:
            place = (-row, column) if turned else (column, row)
            off_u, off_v = u - 2 * body.spread * place[0], v - 2 * body.spread * place[1]
            rim = np.sqrt(off_u * off_u + off_v * off_v) - radius
            nearer = rim < best
            best = np.where(nearer, rim, best)
            way_u, way_v = np.where(nearer, off_u / radius, way_u), np.where(nearer, off_v / radius, way_v)
        cells.append(np.stack([best, way_u, way_v], axis=-1))
    return np.concatenate(cells, axis=1).astype(np.float32)


_FACE_OF = np.zeros((3, 2), dtype=np.int64)
for _value, (_axis, _side) in FACE_UP.items():
    _FACE_OF[_axis, (_side + 1) // 2] = _value - 1


def _meet(origin: Array, ways: Array, body: DieBody) -> tuple[Array, Array]:
    """Where rays meet the die, in its own axes and half sizes.

    Args:
        origin: The lens, shape (3,).
        ways: Unit directions, shape (3, n).
        body: How the die is made.

    Returns:
        Which rays meet it, bool of shape (n,), and where those do, shape (3, m).
    """
    rounding, ball = np.float32(2 * body.edge), np.float32(2 * body.corner)
    start = origin[:, None]
    inverse = 1.0 / np.where(np.abs(ways) < 1e-6, np.float32(1e-6), ways)
    first, second = (-1.0 - start) * inverse, (1.0 - start) * inverse
    enter = np.minimum(first, second).max(axis=0)
    leave = np.maximum(first, second).min(axis=0)
    along = -(start * ways).sum(axis=0)
    inside = along * along - np.float32((origin * origin).sum()) + ball * ball
    maybe = (enter < leave) & (inside > 0)
    ways, along, leave = ways[:, maybe], along[maybe], leave[maybe]
    travelled = np.maximum(enter[maybe], along - np.sqrt(inside[maybe]))
    flat = 1.0 - rounding
    gap = travelled
    for _ in range(_STEPS):
        points = start + travelled * ways
        beyond = np.maximum(np.abs(points) - flat, 0.0)
        gap = np.sqrt((beyond * beyond).sum(axis=0)) - rounding
        gap = np.maximum(gap, np.sqrt((points * points).sum(axis=0)) - ball)
        travelled = travelled + gap
    met = (gap < 0.02) & (travelled <= leave + 0.02)
    hit = np.zeros(maybe.shape, dtype=bool)
    hit[maybe] = met
    return hit, np.asarray(start + travelled[met] * ways[:, met], dtype=np.float32)


def _normals(points: Array, body: DieBody) -> Array:
    """Unit vectors off the surface at points on it, both of shape (3, n)."""
    flat, ball = np.float32(1.0 - 2 * body.edge), np.float32(2 * body.corner)
    beyond = np.maximum(np.abs(points) - flat, 1e-4)
    length = np.sqrt((beyond * beyond).sum(axis=0))
    cube = np.sign(points) * beyond / length
    radius = np.sqrt((points * points).sum(axis=0))
    # Where ball and cube meet there is no hard crease on a real die: blend over a tenth of a millimetre or so.
    share = np.clip(0.5 + ((radius - ball) - (length - 2 * body.edge)) / 0.03, 0.0, 1.0)
    mixed = cube * (1.0 - share) + points / radius * share
    return np.asarray(mixed / np.sqrt((mixed * mixed).sum(axis=0)), dtype=np.float32)


def _paint(points: Array, normals: Array, body: DieBody, pixel: float) -> tuple[Array, Array, Array]:
    """Colour at points: reflectance (n, 3), normals bent by the pips' bowls (3, n), and how much is pip (n,)."""
    axis = np.abs(points).argmax(axis=0)
    index = np.arange(points.shape[1])
    side = (points[axis, index] > 0).astype(np.int64)
    face = _FACE_OF[axis, side]
    u_axis, v_axis = (axis + 1) % 3, (axis + 2) % 3
    u, v = points[u_axis, index], points[v_axis, index]
    column = (face * _CELL + (u + 1) * (_CELL / 2) - 0.5).astype(np.float32)
    row = ((v + 1) * (_CELL / 2) - 0.5).astype(np.float32)
    # cv2.remap wants pictures narrower than 32768: fold the points into rows.
    fold = 4096
    filled = -len(column) % fold
    found = cv2.remap(
        _pip_map(body),
        np.pad(column, (0, filled)).reshape(-1, fold),
        np.pad(row, (0, filled)).reshape(-1, fold),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).reshape(-1, 3)[: len(column)]
    pip = np.clip(0.5 - found[:, 0] / max(pixel, 0.01), 0.0, 1.0)
    colours = np.array([body.pip] * 6, dtype=np.float32)
    colours[0] = body.pip if body.one is None else body.one
    base = np.array(body.body, dtype=np.float32)
    if body.grain > 0:
        streaks = np.sin(points[0] * 9 + 2.5 * np.sin(points[1] * 2.1 + points[2] * 1.3))
        clouds = np.sin(points[1] * 4.7 + points[2] * 3.1 + 1.7 * np.sin(points[0] * 3.3))
        shade = 1.0 + np.float32(body.grain) * (0.6 * streaks + 0.5 * clouds)
        ground = np.clip(shade[:, None] * base, 0.0, 0.95)
    else:
        ground = np.broadcast_to(base, (len(column), 3))
    colour = ground + pip[:, None] * (colours[face] * (1 - 0.25 * body.pip_depth) - ground)
    bent = normals
    if body.pip_depth > 0:
        bent = normals.copy()
        strength = np.float32(0.7 * body.pip_depth) * pip
        bent[u_axis, index] -= strength * found[:, 1]
        bent[v_axis, index] -= strength * found[:, 2]
        bent /= np.sqrt((bent * bent).sum(axis=0))
    return colour.astype(np.float32), bent, pip.astype(np.float32)


def _reach(tray: Tray, places: Array, lamp: Array) -> Array:
    """How much of the lamp's light passes the wall's top edge on its way to places, (n, 3) mm to (n,), 0 to 1."""
    ways = lamp - places
    up = np.maximum(tray.wall_mm - places[:, 2], 0.0) / np.maximum(ways[:, 2], 1.0)
    x, y = places[:, 0] + ways[:, 0] * up, places[:, 1] + ways[:, 1] * up
    if tray.is_round:
        spare = tray.width_mm / 2 - np.hypot(x, y)
    else:
        spare = np.minimum(tray.width_mm / 2 - np.abs(x), tray.depth_mm / 2 - np.abs(y))
    return np.asarray(np.clip(0.5 + spare / 4.0, 0.0, 1.0), dtype=np.float32)


def _shine(
    scene: Scene, die: PlacedDie, *, points: Array, normals: Array, ways: Array, base: Array, pip: Array
) -> Array:
    """Light that comes back from points on the die (its own axes, half sizes), BGR, shape (n, 3)."""
    turn = matrix(die.turn).astype(np.float32)
    half = die.body.size_mm / 2
    centre = np.array(die.centre)
    lamps = np.array(scene.light.points)
    to_lamps = lamps - centre
    shares = strengths(scene.light, centre).astype(np.float32)
    own_lamps = ((to_lamps / np.linalg.norm(to_lamps, axis=1, keepdims=True)) @ turn).astype(np.float32)
    places = (points.T * np.float32(half)) @ turn.T + centre.astype(np.float32)

    diffuse = shares @ np.maximum(own_lamps @ normals, 0.0)
    open_to_lamp = _shade_by_others(scene, die, places.astype(np.float32))
    up = turn[2] @ normals
    low = np.clip(places[:, 2] / die.body.size_mm, 0.0, 1.0)
    around = (0.5 + 0.5 * up) * (0.55 + 0.45 * low)
    floor = np.array(scene.tray.floor.colour, dtype=np.float32)
    lamp_colour = np.array(scene.light.colour, dtype=np.float32)
    sky = np.array(scene.light.ambient, dtype=np.float32)
    bounce = (0.5 - 0.5 * up)[:, None] * (floor * (lamp_colour * 0.6 + sky * 0.5))
    incoming = (diffuse * open_to_lamp)[:, None] * lamp_colour + around[:, None] * sky + bounce
    light = base * incoming

    gloss = die.body.gloss
    if gloss > 0:
        facing = -(normals * ways).sum(axis=0)
        mirrored = ways + 2 * facing * normals
        sharp = np.float32(8.0 * 30.0**gloss)
        glint = shares @ np.maximum(own_lamps @ mirrored, 0.0) ** sharp
        # Schlick's approximation for a plastic of refractive index 1.5.
        fresnel = 0.04 + 0.96 * np.clip(1.0 - facing, 0.0, 1.0) ** 5
        sky_seen = np.clip(0.5 + 0.5 * (turn[2] @ mirrored), 0.0, 1.0) * (1.0 - 0.5 * pip)
        light = light + (gloss * fresnel * (sharp + 2) / 8 * glint * open_to_lamp)[:, None] * lamp_colour
        light = light + (gloss * fresnel * sky_seen)[:, None] * sky
    return np.asarray(light, dtype=np.float32)


def _shade_by_others(scene: Scene, die: PlacedDie, places: Array) -> Array:
    """How much of the lamp reaches places on a die past the wall and past other dice (taken as balls), (n,)."""
    lamp = np.array(scene.light.points).mean(axis=0)
    reach = _reach(scene.tray, places, lamp.astype(np.float32))
    towards = ((lamp - np.array(die.centre)) / np.linalg.norm(lamp - np.array(die.centre))).astype(np.float32)
    for other in scene.dice:
        apart = np.array(other.centre) - np.array(die.centre)
        if other is die or float(np.linalg.norm(apart)) > 4 * die.body.size_mm:
            continue
        ways = np.array(other.centre, dtype=np.float32) - places
        ahead = ways @ towards
        aside = np.sqrt(np.maximum((ways * ways).sum(axis=1) - ahead * ahead, 0.0))
        radius = other.body.size_mm * 0.58
        blocked = np.clip((radius - aside) / (0.25 * radius), 0.0, 1.0) * np.clip(ahead / 4.0, 0.0, 1.0)
        reach = reach * (1.0 - blocked)
    return np.asarray(reach, dtype=np.float32)


def draw_die(scene: Scene, die: PlacedDie, eye: View, finer: int) -> Patch | None:
    """One die in linear light, with `finer` by `finer` rays per pixel; None if it is out of the picture."""
    width, height = scene.camera.size
    spots = eye.project(corners(die))
    left, top = (max(0, math.floor(float(edge)) - 1) for edge in spots.min(axis=0))
    right = min(width, math.ceil(float(spots[:, 0].max())) + 2)
    bottom = min(height, math.ceil(float(spots[:, 1].max())) + 2)
    if right <= left or bottom <= top:
        return None
    half = die.body.size_mm / 2
    turn = matrix(die.turn)
    origin = ((eye.position - np.array(die.centre)) @ turn / half).astype(np.float32)
    xs = left + (np.arange((right - left) * finer, dtype=np.float64) + 0.5) / finer - 0.5
    ys = top + (np.arange((bottom - top) * finer, dtype=np.float64) + 0.5) / finer - 0.5
    grid_x, grid_y = np.meshgrid(xs.astype(np.float32), ys.astype(np.float32))
    across = ((grid_x.ravel() - eye.middle[0]) / eye.focal_px).astype(np.float32)
    down = ((grid_y.ravel() - eye.middle[1]) / eye.focal_px).astype(np.float32)
    own_axes = (eye.axes @ turn).astype(np.float32)
    ways = across * own_axes[0][:, None] + down * own_axes[1][:, None] + own_axes[2][:, None]
    ways /= np.sqrt((ways * ways).sum(axis=0))
    hit, points = _meet(origin, ways, die.body)
    fine = np.zeros((grid_x.size, 4), np.float32)
    if points.shape[1]:
        seen = ways[:, hit]
        pixel = float(np.linalg.norm(origin)) / eye.focal_px / finer
        base, bent, pip = _paint(points, _normals(points, die.body), die.body, pixel)
        fine[hit, :3] = _shine(scene, die, points=points, normals=bent, ways=seen, base=base, pip=pip)
        fine[hit, 3] = 1.0
    layered = fine.reshape(len(ys), len(xs), 4)
    small = np.asarray(
        cv2.resize(layered, (right - left, bottom - top), interpolation=cv2.INTER_AREA), dtype=np.float32
    )
    return Patch(left, top, small[..., :3], small[..., 3])
