"""Ray-traces dice: where the camera's rays meet a rounded cube, and the light that returns from there.

A die's body is the intersection of a cube with rounded edges and a ball that rounds the corners. A ray enters at the
cube's slabs or at the ball, whichever is later, and from there advances by its distance to the surface ("sphere
tracing", J. C. Hart 1996).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.empty_tray import strengths
from vision.render.face_map import CELL
from vision.render.geometry import FACE_UP, View, clip_window, corners, matrix
from vision.render.scene import DieBody, PlacedDie, Scene, Tray

Array = NDArray[np.float32]

_STEPS = 5  # steps of sphere tracing; after five the error on a rounded edge is below 0.05 mm for a 16 mm die


@dataclass(frozen=True, slots=True)
class Patch:
    """A rendered die before it is put into the picture.

    Attributes:
        left: The first column of the picture that it covers.
        top: The first row of the picture that it covers.
        colour: Light times coverage, float32 BGR, shape (h, w, 3).
        cover: The part of each pixel that the die covers, 0 to 1, shape (h, w).
    """

    left: int
    top: int
    colour: Array
    cover: Array


FACE_OF = np.zeros((3, 2), dtype=np.int64)
for _value, (_axis, _side) in FACE_UP.items():
    FACE_OF[_axis, (_side + 1) // 2] = _value - 1


def _dot(one: Array, other: Array) -> Array:
    """Return the dot products of two times n vectors, (3, n) each, as (n,); NumPy's sum over so few rows is slow."""
    return np.asarray(one[0] * other[0] + one[1] * other[1] + one[2] * other[2])


def distances(points: Array, body: DieBody) -> Array:
    """Return how far points (3, n), in the die's own axes and half sizes, are outside its surface, (n,)."""
    rounding = np.float32(2 * body.edge)
    beyond = np.maximum(np.abs(points) - (1.0 - rounding), 0.0)
    gap = np.sqrt(_dot(beyond, beyond)) - rounding
    return np.asarray(np.maximum(gap, np.sqrt(_dot(points, points)) - np.float32(2 * body.corner)))


def _meet(origin: Array, ways: Array, body: DieBody) -> tuple[Array, Array]:
    """Return which rays meet the die, and where, in its own axes and half sizes.

    Args:
        origin: The position of the lens, shape (3,).
        ways: The unit directions of the rays, shape (3, n).
        body: The die's make.

    Returns:
        Which rays meet it, bool of shape (n,), and where those do, shape (3, m).
    """
    ball = np.float32(2 * body.corner)
    start = origin[:, None]
    inverse = 1.0 / np.where(np.abs(ways) < 1e-6, np.float32(1e-6), ways)
    first, second = (-1.0 - start) * inverse, (1.0 - start) * inverse
    near, far = np.minimum(first, second), np.maximum(first, second)
    enter = np.maximum(np.maximum(near[0], near[1]), near[2])
    leave = np.minimum(np.minimum(far[0], far[1]), far[2])
    along = -_dot(origin, ways)
    inside = along * along - np.float32((origin * origin).sum()) + ball * ball
    maybe = (enter < leave) & (inside > 0)
    ways, along, leave = ways[:, maybe], along[maybe], leave[maybe]
    travelled = np.maximum(enter[maybe], along - np.sqrt(inside[maybe]))
    gap = travelled
    for _ in range(_STEPS):
        gap = distances(start + travelled * ways, body)
        travelled = travelled + gap
    met = (gap < 0.02) & (travelled <= leave + 0.02)
    hit = np.zeros(maybe.shape, dtype=bool)
    hit[maybe] = met
    return hit, np.asarray(start + travelled[met] * ways[:, met], dtype=np.float32)


def normals_at(points: Array, body: DieBody) -> Array:
    """Return the outward unit normals at points of the surface, both of shape (3, n)."""
    flat, ball = np.float32(1.0 - 2 * body.edge), np.float32(2 * body.corner)
    beyond = np.maximum(np.abs(points) - flat, 1e-4)
    length = np.sqrt(_dot(beyond, beyond))
    cube = np.sign(points) * beyond / length
    radius = np.sqrt(_dot(points, points))
    # A real die has no sharp crease between ball and cube.
    share = np.clip(0.5 + ((radius - ball) - (length - 2 * body.edge)) / np.float32(body.crease), 0.0, 1.0)
    mixed = cube * (1.0 - share) + points / radius * share
    if body.dome:
        mixed += np.float32(body.dome) * np.where(np.abs(points) == np.abs(points).max(axis=0), 0.0, points)
    unit: Array = np.asarray(mixed, dtype=np.float32)
    return np.asarray(unit / np.sqrt(_dot(unit, unit)), dtype=np.float32)


@lru_cache(maxsize=32)
def _face_map(body: DieBody) -> Array:
    """Return the maps of the paint on all six faces side by side, (CELL, 6 * CELL, 4)."""
    return np.concatenate(body.face_maps(), axis=1).astype(np.float32)


def looked_up(body: DieBody, face: NDArray[np.int64], u: NDArray[np.floating], v: NDArray[np.floating]) -> Array:
    """Return the values of the paint's map at places (u, v) of faces (value - 1), all of shape (n,): shape (n, 4)."""
    column = (face * CELL + (u + 1) * (CELL / 2) - 0.5).astype(np.float32)
    row = ((v + 1) * (CELL / 2) - 0.5).astype(np.float32)
    # cv2.remap requires pictures narrower than 32768, so fold the points into rows.
    fold = 4096
    filled = -len(column) % fold
    found = cv2.remap(
        _face_map(body),
        np.pad(column, (0, filled)).reshape(-1, fold),
        np.pad(row, (0, filled)).reshape(-1, fold),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(found.reshape(-1, 4)[: len(column)], np.float32)


def paint_at(points: Array, normals: Array, ways: Array, body: DieBody, pixel: float) -> tuple[Array, Array, Array]:
    """Return the reflectance (n, 3), the normals bent by the pips' hollows (3, n), and the share of pip (n,) at points.

    Args:
        points: Points of the surface in the die's own axes and half sizes, (3, n).
        normals: The outward unit normals there, (3, n).
        ways: The unit directions from the camera to the points, (3, n).
        body: The die's make.
        pixel: The width of a ray's pixel on the die, in half sizes.
    """
    axis = np.abs(points).argmax(axis=0)
    index = np.arange(points.shape[1])
    side = (points[axis, index] > 0).astype(np.int64)
    face = FACE_OF[axis, side]
    u_axis, v_axis = (axis + 1) % 3, (axis + 2) % 3
    u, v = points[u_axis, index], points[v_axis, index]
    found = looked_up(body, face, u, v)
    pip = np.clip(0.5 - found[:, 0] / max(pixel, 0.01), 0.0, 1.0) * found[:, 3]
    ground, colours = body.ground(points, ways), body.pip_colours()
    colour = ground + pip[:, None] * (colours[face] * (1 - 0.25 * body.pip_depth) - ground)
    bent = normals
    if body.pip_depth > 0:
        bent = normals.copy()
        strength = np.float32(0.7 * body.pip_depth) * pip
        bent[u_axis, index] -= strength * found[:, 1]
        bent[v_axis, index] -= strength * found[:, 2]
        bent /= np.sqrt(_dot(bent, bent))
    return colour.astype(np.float32), bent, pip.astype(np.float32)


def _reach(tray: Tray, places: Array, lamp: Array) -> Array:
    """Return the part of a lamp's light that passes the wall's top edge on its way to places: (n, 3) mm to (n,)."""
    ways = lamp - places
    up = np.maximum(tray.wall_mm - places[:, 2], 0.0) / np.maximum(ways[:, 2], 1.0)
    x, y = places[:, 0] + ways[:, 0] * up, places[:, 1] + ways[:, 1] * up
    spare = tray.room(np.stack([x, y], axis=1))
    return np.asarray(np.clip(0.5 + spare / 4.0, 0.0, 1.0), dtype=np.float32)


def _shine(
    scene: Scene, die: PlacedDie, *, points: Array, normals: Array, ways: Array, base: Array, pip: Array
) -> Array:
    """Return the light that points on the die (its own axes, half sizes) send to the camera, BGR, shape (n, 3)."""
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
    if (lit := scene.light.lit_part(places)) is not None:
        open_to_lamp = (open_to_lamp * lit).astype(np.float32)
    up = turn[2] @ normals
    low = np.clip(places[:, 2] / die.body.size_mm, 0.0, 1.0)
    around = (0.5 + 0.5 * up) * (0.55 + 0.45 * low)
    floor = np.array(scene.tray.floor.colour, dtype=np.float32)
    lamp_colour = np.array(scene.light.colour, dtype=np.float32)
    sky = np.array(scene.light.ambient, dtype=np.float32)
    bounce = (0.5 - 0.5 * up)[:, None] * (floor * (lamp_colour * 0.6 + sky * 0.5))
    incoming = (diffuse * open_to_lamp)[:, None] * lamp_colour + around[:, None] * sky + bounce
    facing = -_dot(normals, ways)
    clear = np.float32(die.body.translucency)
    if clear > 0:
        # Light that enters the body leaves it diffusely, mostly on the side away from the lamp and at the rims,
        # where its path is short. Some of the floor is also seen through the body.
        through = 0.45 - 0.35 * (shares @ (own_lamps @ points)) / max(float(shares.sum()), 1e-6)
        rims = 0.5 * np.abs(points).max(axis=0) * (1.0 - np.clip(facing, 0.0, 1.0))
        inner = (np.clip(through, 0.05, 1.0) + rims)[:, None] * (lamp_colour + sky)
        inner = inner + 0.35 * floor * (lamp_colour + sky)
        incoming = (1.0 - clear) * incoming + clear * np.where(pip[:, None] > 0.5, 0.6, 1.0) * inner
    light = base * incoming

    gloss = die.body.gloss
    if gloss > 0:
        mirrored = ways + 2 * facing * normals
        sharp = np.float32(8.0 * 30.0**gloss)
        glint = shares @ np.maximum(own_lamps @ mirrored, 0.0) ** sharp
        # Schlick's approximation for plastic with a refractive index of 1.5.
        fresnel = 0.04 + 0.96 * np.clip(1.0 - facing, 0.0, 1.0) ** 5
        sky_seen = np.clip(0.5 + 0.5 * (turn[2] @ mirrored), 0.0, 1.0) * (1.0 - 0.5 * pip)
        # Metal reflects more, and in its own colour.
        tint = (1.0 - die.body.metal) * fresnel[:, None] + die.body.metal * base * (1.0 - 0.7 * pip[:, None])
        mirror = gloss * tint
        light = light * (1.0 - 0.6 * die.body.metal)
        light = light + mirror * ((sharp + 2) / 8 * glint * open_to_lamp)[:, None] * lamp_colour
        light = light + mirror * sky_seen[:, None] * (sky + die.body.metal * 0.5 * lamp_colour)
        for brightness, shown in scene.light.panes_seen(places, (turn @ mirrored).T, 0.02 + 0.25 * (1.0 - gloss)):
            light = light + mirror * (brightness * (1.0 - 0.5 * pip) * shown)[:, None]
    return np.asarray(light, dtype=np.float32)


def _shade_by_others(scene: Scene, die: PlacedDie, places: Array) -> Array:
    """Return the part of the lamp's light at places on a die that wall and other dice (as balls) do not block, (n,)."""
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
    """Return a die in linear light, with `finer` by `finer` rays per pixel; None if it is outside the picture."""
    spots = eye.project(corners(die))
    low, high = np.floor(spots.min(axis=0)) - 1, np.ceil(spots.max(axis=0)) + 1
    part = clip_window(low, high, scene.camera.size[::-1])
    if part is None:
        return None
    (top, bottom), (left, right) = ((each.start, each.stop) for each in part)
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
    ways /= np.sqrt(_dot(ways, ways))
    hit, points = _meet(origin, ways, die.body)
    fine = np.zeros((grid_x.size, 4), np.float32)
    if points.shape[1]:
        seen = ways[:, hit]
        pixel = float(np.linalg.norm(origin)) / eye.focal_px / finer
        base, bent, pip = paint_at(points, normals_at(points, die.body), seen, die.body, pixel)
        fine[hit, :3] = _shine(scene, die, points=points, normals=bent, ways=seen, base=base, pip=pip)
        fine[hit, 3] = 1.0
    layered = fine.reshape(len(ys), len(xs), 4)
    small = np.asarray(
        cv2.resize(layered, (right - left, bottom - top), interpolation=cv2.INTER_AREA), dtype=np.float32
    )
    return Patch(left, top, small[..., :3], small[..., 3])
