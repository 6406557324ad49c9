"""Renders a scene: the empty tray, shadows, dice and objects, then the effects of the camera."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.dice import Patch, draw_die
from vision.render.empty_tray import EmptyTray, cast_down, empty_tray, fill
from vision.render.geometry import Array, View, after, clip_window, corners, quaternion, view
from vision.render.scene import Camera, Light, PlacedDie, Scene, Tray
from vision.render.sensor import Sensor
from vision.types import Frame

Picture = NDArray[np.float32]

_RAYS = 2  # rays per pixel and axis on a still die; a moving one is smooth because several moments are averaged

_SMEAR_STEP_PX = 2.5
"""The distance in pixels between the moments at which a moving die is rendered; their mean is its motion blur."""

_MOST_MOMENTS = 7  # largest number of moments in one frame; a faster die is only a streak


def _moments(scene: Scene, die: PlacedDie, eye: View) -> list[PlacedDie]:
    """Return the die at some moments of the exposure; only once if it hardly moves."""
    speed = float(np.linalg.norm(die.velocity)) + float(np.linalg.norm(die.spin)) * die.body.size_mm / 2
    depth = max(20.0, float(eye.position[2]) - die.centre[2])
    way_px = speed * scene.sensor.shutter_s * eye.focal_px / depth
    count = min(_MOST_MOMENTS, max(1, math.ceil(way_px / _SMEAR_STEP_PX)))
    if count == 1:
        return [die]
    moments = []
    for share in (np.arange(count) + 0.5) / count - 0.5:
        time_s = float(share) * scene.sensor.shutter_s
        x, y, z = (place + speed * time_s for place, speed in zip(die.centre, die.velocity, strict=True))
        rate = float(np.linalg.norm(die.spin))
        turn = after(quaternion(die.spin, rate * time_s), die.turn) if rate > 0 else die.turn
        moments.append(replace(die, centre=(x, y, z), turn=turn))
    return moments


def _mean_patch(patches: list[Patch]) -> Patch:
    if len(patches) == 1:
        return patches[0]
    left, top = min(patch.left for patch in patches), min(patch.top for patch in patches)
    right = max(patch.left + patch.cover.shape[1] for patch in patches)
    bottom = max(patch.top + patch.cover.shape[0] for patch in patches)
    colour = np.zeros((bottom - top, right - left, 3), np.float32)
    cover = np.zeros((bottom - top, right - left), np.float32)
    for patch in patches:
        rows = slice(patch.top - top, patch.top - top + patch.cover.shape[0])
        columns = slice(patch.left - left, patch.left - left + patch.cover.shape[1])
        colour[rows, columns] += patch.colour / np.float32(len(patches))
        cover[rows, columns] += patch.cover / np.float32(len(patches))
    return Patch(left, top, colour, cover)


def _shadow(scene: Scene, pieces: list[Array], eye: View) -> tuple[slice, slice, Picture] | None:
    """Return the part of the lamp's light that reaches the ground: the rows and columns affected, and the part there.

    Args:
        scene: The scene; only its lamp and picture size are used.
        pieces: The corners of the convex pieces of all objects, (n, 3) mm each.
        eye: The camera's view.
    """
    lamps = np.array(scene.light.points)
    # All points at once: NumPy calls for a few points each would take longer than the points themselves.
    points, ends = np.concatenate(pieces), np.cumsum([len(piece) for piece in pieces])[:-1]
    outlines: list[list[Array]] = []
    for lamp in lamps:
        fallen = cast_down(points, lamp)[:, :2].astype(np.float32)
        hulls = [cv2.convexHull(piece).reshape(-1, 2) for piece in np.split(fallen, ends)]
        corners_of = np.cumsum([len(hull) for hull in hulls])[:-1]
        flat = np.concatenate(hulls)
        outlines.append(np.split(eye.project(np.column_stack([flat, np.zeros(len(flat))])), corners_of))
    everything = np.concatenate([outline for cast in outlines for outline in cast])
    spread = max(1.0, 0.8 * eye.focal_px / scene.camera.height_mm)
    margin = math.ceil(3 * spread) + 1
    part = clip_window(everything.min(axis=0) - margin, everything.max(axis=0) + margin, scene.camera.size[::-1])
    if part is None:
        return None
    rows, columns = part
    lit = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
    for cast in outlines:
        dark = np.zeros(lit.shape, np.uint8)
        for outline in cast:
            fixed = np.clip((outline - (columns.start, rows.start)) * 16, -(2.0**20), 2.0**20).astype(np.int32)
            cv2.fillConvexPoly(dark, fixed, (1,), shift=4)
        lit += dark == 0
    soft = np.asarray(cv2.GaussianBlur(lit / np.float32(len(lamps)), (0, 0), spread), dtype=np.float32)
    return rows, columns, soft


def _dim_ground(picture: Picture, direct: Picture, scene: Scene, bare: EmptyTray, eye: View) -> None:
    """Darken the ground by shadows and by the contact shadow under objects, in place."""
    pieces = [corners(die, 0.94) for die in scene.dice] + scene.shadow_pieces()
    if not pieces:
        return
    fallen = _shadow(scene, pieces, eye)
    if fallen is not None:
        rows, columns, lit = fallen
        lost = (1.0 - lit) * bare.ground[rows, columns]
        picture[rows, columns] -= lost[..., None] * direct[rows, columns]
    for die in scene.dice:
        darken_around(picture, die, bare.ground, eye, 0.0)


def darken_around(picture: Picture, die: PlacedDie, ground: Picture, eye: View, level_mm: float) -> None:
    """Darken the ground around a die's base, where little ambient light arrives, in place.

    Args:
        picture: The linear picture, (H, W, 3).
        die: The die.
        ground: The part of each pixel that is darkened, (H, W).
        eye: The camera's view.
        level_mm: The height of the surface on which the die lies.
    """
    lift = float(corners(die)[:, 2].min()) - level_mm
    if lift > die.body.size_mm:
        return
    foot = corners(die, 1.05)
    foot[:, 2] = level_mm
    spots = cv2.convexHull(eye.project(foot).astype(np.float32)).reshape(-1, 2).astype(np.float64)
    spread = max(1.0, 0.22 * die.body.size_mm * eye.focal_px / float(eye.position[2] - level_mm))
    margin = 3 * spread
    part = clip_window(spots.min(axis=0) - margin, spots.max(axis=0) + margin, ground.shape)
    if part is None:
        return
    rows, columns = part
    shape = rows.stop - rows.start, columns.stop - columns.start
    near = cv2.GaussianBlur(fill(shape, spots - (columns.start, rows.start)), (0, 0), spread)
    strength = 0.75 * (1.0 - max(0.0, lift) / die.body.size_mm)
    picture[rows, columns] *= 1.0 - (strength * near * ground[rows, columns])[..., None]


# Most frames of a film show the same tray, so the last results are kept.
@lru_cache(maxsize=2)
def _ground(camera: Camera, tray: Tray, light: Light) -> tuple[Picture, Picture]:
    """Return the empty tray in a light, and the lamp's part of it, both (H, W, 3); they must not be changed."""
    bare = empty_tray(Scene(camera, tray, light, Sensor()))
    lamp = np.array(light.colour, dtype=np.float32)
    direct = bare.direct * lamp
    if bare.sheen.any():
        direct += bare.sheen[..., None] * lamp
    width, height = camera.size
    x, y = np.meshgrid(np.arange(0, width + 3, 4.0), np.arange(0, height + 3, 4.0))
    if (lit := light.lit_part(view(camera).on_plane(x, y))) is not None:
        direct *= cv2.resize(lit.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
    return bare.ambient * np.array(light.ambient, dtype=np.float32) + direct, direct


def _lay(picture: Picture, patch: Patch, mask: Picture | None) -> None:
    """Put a rendered die into the picture, in place, where the mask does not hide it."""
    rows = slice(patch.top, patch.top + patch.cover.shape[0])
    columns = slice(patch.left, patch.left + patch.cover.shape[1])
    window = picture[rows, columns]
    if mask is None:
        window[:] = window * (1.0 - patch.cover)[..., None] + patch.colour
    else:
        seen = mask[rows, columns]
        window[:] = window * (1.0 - patch.cover * seen)[..., None] + patch.colour * seen[..., None]


def light_of(scene: Scene) -> Picture:
    """Return the light that reaches the sensor, linear, float32 BGR, shape (H, W, 3), without the sensor's faults."""
    eye = view(scene.camera)
    bare = empty_tray(scene)
    ground, direct = _ground(scene.camera, scene.tray, scene.light)
    picture = ground.copy()
    _dim_ground(picture, direct, scene, bare, eye)
    scene.paint_things(picture, bare.body, above_dice=False)
    by_distance = sorted(scene.dice, key=lambda die: -float(np.linalg.norm(eye.position - np.array(die.centre))))
    for die in by_distance:
        moments = _moments(scene, die, eye)
        finer = _RAYS if len(moments) == 1 else 1
        patches = [patch for moment in moments if (patch := draw_die(scene, moment, eye, finer)) is not None]
        if patches:
            _lay(picture, _mean_patch(patches), _wall_mask(scene, die, bare, eye))
    scene.paint_things(picture, bare.body, above_dice=True)
    return scene.camera.bend(picture)


def _wall_mask(scene: Scene, die: PlacedDie, bare: EmptyTray, eye: View) -> Picture | None:
    """Return where the tray does not hide a die: in its opening or outside it; None for a die above the rim.

    The part of the die that is higher than the wall is in front of the rim.
    """
    if die.centre[2] >= scene.tray.wall_mm:
        return None
    inside = scene.tray.room(np.array([die.centre]))[0] > 0
    mask = bare.opening if inside else np.asarray(1.0 - bare.body)
    above = _above(die, scene.tray.wall_mm)
    if not inside or not len(above):
        return mask
    outline = cv2.convexHull(eye.project(above).astype(np.float32))[:, 0]
    return np.asarray(np.maximum(mask, fill(mask.shape, outline.astype(np.float64))))


def _above(die: PlacedDie, height_mm: float) -> Array:
    """Return the corners of the part of a die's cube above a height, (n, 3) mm, with those where edges cross it."""
    points = corners(die)
    found = [point for point in points if point[2] > height_mm]
    for low, high in ((first, first | bit) for first in range(8) for bit in (1, 2, 4) if not first & bit):
        one, other = points[low], points[high]
        if (one[2] > height_mm) != (other[2] > height_mm):
            found.append(one + (height_mm - one[2]) / (other[2] - one[2]) * (other - one))
    return np.array(found).reshape(-1, 3)


def draw(scene: Scene, seed: int | np.random.Generator = 0) -> Frame:
    """Return the frame that the scene's camera takes; the seed determines only its noise.

    Returns:
        The frame, uint8, shape (H, W, 3), BGR, with the size of the scene's camera.
    """
    return scene.sensor.noisy(_noiseless(scene), np.random.default_rng(seed))


# Frames of a scene at rest differ only in their noise, so the last picture is kept.
@lru_cache(maxsize=2)
def _noiseless(scene: Scene) -> Picture:
    """Return the frame that the scene's camera would take without noise; it must not be changed."""
    return scene.sensor.shown(light_of(scene))
