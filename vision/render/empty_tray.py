"""Renders the tray without dice: floor, walls, rim and table in the light, once for all frames of a film."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.geometry import View, clip_window, view
from vision.render.scene import Camera, Light, Scene, Surface, Tray
from vision.render.surfaces import texture

Picture = NDArray[np.float32]
Array = NDArray[np.float64]

_SHIFT = 4  # fractional bits of a pixel that OpenCV's polygon filler uses, for smooth edges

_FINEST = 4.0
"""The largest resolution of the floor's texture in pixels per mm; a Pi camera cannot see anything finer in felt."""


@dataclass(frozen=True, slots=True)
class EmptyTray:
    """The tray's effect on light, separate for each source of light, because the light can change during a film.

    Attributes:
        ambient: The part of the ambient light that returns, float32 BGR, shape (H, W, 3).
        direct: The part of the lamp's light that returns, float32 BGR, shape (H, W, 3).
        sheen: The lamp's reflection in a glossy floor, in the lamp's colour, shape (H, W).
        ground: The part of each pixel that is floor or table, where shadows fall, 0 to 1, shape (H, W).
        opening: The part of each pixel that looks into the tray past its rim, 0 to 1, shape (H, W).
        body: The part of each pixel that shows the tray including its walls, 0 to 1, shape (H, W).
    """

    ambient: Picture
    direct: Picture
    sheen: Picture
    ground: Picture
    opening: Picture
    body: Picture


def fill(shape: tuple[int, ...], points: Array) -> Picture:
    """Return a mask of a polygon with smooth edges: pixels (x, y), shape (n, 2), to float32 of `shape`, 0 to 1."""
    mask = np.zeros(shape, np.uint8)
    far = 2.0**26  # OpenCV's fixed point overflows for points far outside the picture
    fixed = np.clip(np.round(points * (1 << _SHIFT)), -far, far).astype(np.int32)
    cv2.fillPoly(mask, [fixed], (255,), lineType=cv2.LINE_AA, shift=_SHIFT)
    return np.asarray(mask.astype(np.float32) * np.float32(1 / 255))


def outline(tray: Tray, outwards_mm: float, z_mm: float) -> Array:
    """Return the tray's wall from above, moved outwards, counter-clockwise, shape (n, 3) in mm."""
    flat = tray.wall_line(outwards_mm)
    return np.column_stack([flat, np.full(len(flat), z_mm)])


def cast_down(points: Array, lamp: Array) -> Array:
    """Return where a lamp at a place (3,) casts the shadows of points (n, 3) on the floor: (n, 3) mm."""
    height = np.maximum(lamp[2] - points[:, 2:], 1.0)
    return np.asarray(points + (points - lamp) * (points[:, 2:] / height))


def strengths(light: Light, places: Array) -> Array:
    """Return the light of each lamp point at places per unit of facing area: (..., 3) mm to (..., n).

    The values at the middle of the floor add up to 1.
    """
    lamps = np.array(light.points)
    reference = (lamps * lamps).sum(axis=1)
    # At the middle of the floor each point gives cos(angle) / n of its strength; scale so that the sum is 1.
    cosines = lamps[:, 2] / np.sqrt(reference)
    ways = lamps - places[..., None, :]
    squares = (ways * ways).sum(axis=-1)
    return np.asarray(reference / squares / cosines.sum())


def _ground_places(eye: View, size: tuple[int, int], finer: int) -> Array:
    """Return the places on the floor at a grid of about `finer` times 4 by 3 pixels: (rows, columns, 3) mm."""
    width, height = size
    x, y = np.meshgrid(np.linspace(0, width - 1, 4 * finer + 1), np.linspace(0, height - 1, 3 * finer + 1))
    flat = eye.on_plane(x, y)
    return np.concatenate([flat, np.zeros((*flat.shape[:-1], 1))], axis=-1)


def _ground_light(tray_light: Light, eye: View, size: tuple[int, int]) -> Picture:
    """Return the lamp's light on the ground plane for each pixel, without shadows, shape (H, W)."""
    places = _ground_places(eye, size, 8)
    ways = np.array(tray_light.points) - places[..., None, :]
    cosines = ways[..., 2] / np.sqrt((ways * ways).sum(axis=-1))
    coarse = (strengths(tray_light, places) * cosines).sum(axis=-1).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC))


def _warped(
    surface: Surface,
    eye: View,
    size: tuple[int, int],
    *,
    spread: tuple[float, float, float],
    z_mm: float,
) -> Picture:
    """Return a level surface as the camera sees it; `spread` is its width and depth in mm and its pixels per mm."""
    width_mm, depth_mm, px_per_mm = spread
    picture = texture(surface, width_mm, depth_mm, px_per_mm)
    to_mm = np.array([[1 / px_per_mm, 0, -width_mm / 2], [0, -1 / px_per_mm, depth_mm / 2], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(
            picture, eye.onto_plane(z_mm) @ to_mm, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
    )


def _wall_light(light: Light, corner: Array, following: Array) -> float:
    """Return the lamp's light on the inner side of the wall between two of its corners."""
    along = following - corner
    inwards = np.array([-along[1], along[0], 0.0]) / max(float(np.hypot(along[0], along[1])), 1e-9)
    middle = (corner + following) / 2
    ways = np.array(light.points) - middle
    cosines = np.maximum(ways @ inwards / np.sqrt((ways * ways).sum(axis=1)), 0.0)
    return float((strengths(light, middle) * cosines).sum())


def _reached(tray: Tray, light: Light, eye: View, floor: Picture) -> Picture:
    """Return the part of the lamp's light that the wall lets through to the floor and the table, (H, W)."""
    inner_top, outer_top = outline(tray, 0.0, tray.wall_mm), outline(tray, tray.rim_mm, tray.wall_mm)
    inside, outside = np.zeros_like(floor), np.zeros_like(floor)
    for lamp in np.array(light.points):
        inside += fill(floor.shape, eye.project(cast_down(inner_top, lamp)))
        shade = cv2.convexHull(cast_down(outer_top, lamp)[:, :2].astype(np.float32)).reshape(-1, 2)
        outside += 1.0 - fill(floor.shape, eye.project(np.column_stack([shade, np.zeros(len(shade))])))
    return np.asarray((outside + floor * (inside - outside)) / np.float32(len(light.points)), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Levels:
    """The light at each pixel, as pictures of shape (H, W); later layers cover earlier ones.

    Attributes:
        around: The part of the ambient light.
        lamp: The part of the lamp's light.
    """

    around: Picture
    lamp: Picture

    def cover(self, mask: Picture, around: Picture | float, lamp: Picture | float) -> None:
        """Cover the pixels of a mask with a layer, in place."""
        self.around[:] += mask * (around - self.around)
        self.lamp[:] += mask * (lamp - self.lamp)


def _wall(tray: Tray, light: Light, eye: View, opening: Picture, levels: _Levels) -> None:
    """Light the inner sides of the wall, piece by piece, in place."""
    foot, top = eye.project(outline(tray, 0.0, 0.0)), eye.project(outline(tray, 0.0, tray.wall_mm))
    halfway = outline(tray, 0.0, tray.wall_mm / 2)
    for here in range(len(foot)):
        following = (here + 1) % len(foot)
        piece = np.stack([foot[here], foot[following], top[following], top[here]])
        part = clip_window(np.floor(piece.min(axis=0)) - 1, np.ceil(piece.max(axis=0)) + 1, opening.shape)
        if part is None:
            continue
        corner = part[1].start, part[0].start
        mask = fill(opening[part].shape, piece - corner) * opening[part]
        lamp = _wall_light(light, halfway[here], halfway[following])
        _Levels(levels.around[part], levels.lamp[part]).cover(mask, 0.7, lamp)


@lru_cache(maxsize=4)
def _draw(camera: Camera, tray: Tray, light: Light) -> EmptyTray:
    eye, size = view(camera), camera.size
    shape = (size[1], size[0])
    px_per_mm = min(eye.focal_px / camera.height_mm, _FINEST)

    floor_foot = eye.project(outline(tray, 0.0, 0.0))
    outer_top = outline(tray, tray.rim_mm, tray.wall_mm)
    opening = fill(shape, eye.project(outline(tray, 0.0, tray.wall_mm)))
    rim = fill(shape, eye.project(outer_top))
    # The outer side of the wall lies between its foot and its top edge, so their hull covers both.
    both = np.concatenate([outer_top, outline(tray, tray.rim_mm, 0.0)])
    hull = cv2.convexHull(eye.project(both).astype(np.float32)).reshape(-1, 2)
    body = fill(shape, hull.astype(np.float64))
    whole_floor = fill(shape, floor_foot)
    floor = whole_floor * opening

    reached = cv2.GaussianBlur(_reached(tray, light, eye, floor), (0, 0), max(0.6, 1.5 * px_per_mm))
    ground = np.asarray(_ground_light(light, eye, size) * reached, dtype=np.float32)
    # Less ambient light reaches the corner between floor and wall.
    corner_px = min(60.0, max(1.0, 0.35 * tray.wall_mm * px_per_mm))
    openness = 0.45 + 0.55 * cv2.GaussianBlur(whole_floor, (0, 0), corner_px) if tray.wall_mm > 0 else whole_floor

    levels = _Levels(np.ones(shape, np.float32), ground.copy())
    level = float(strengths(light, np.array([0.0, 0.0, tray.wall_mm])).sum())
    levels.cover(body, 0.6, 0.3 * level)
    levels.cover(rim, 1.0, 0.95 * level)
    levels.cover(opening, 0.5, 0.1)
    _wall(tray, light, eye, opening, levels)
    levels.cover(floor, np.asarray(openness, dtype=np.float32), ground)

    table_spread = (3 * tray.width_mm, 3 * tray.depth_mm, min(px_per_mm, 1.0))
    rim_spread = (tray.width_mm + 60, tray.depth_mm + 60, min(px_per_mm, 1.5))
    floor_spread = (tray.width_mm, tray.depth_mm, px_per_mm)
    colour = _warped(tray.table, eye, size, spread=table_spread, z_mm=0.0)
    colour += body[..., None] * (_warped(tray.wall, eye, size, spread=rim_spread, z_mm=tray.wall_mm) - colour)
    colour += floor[..., None] * (_warped(tray.floor, eye, size, spread=floor_spread, z_mm=0.0) - colour)
    for block in tray.fittings:
        mask = fill(shape, eye.project(np.array(block)))[..., None]
        colour += mask * (np.array(tray.fitting, dtype=np.float32) - colour)
    ambient = colour * levels.around[..., None]
    direct = colour * levels.lamp[..., None]
    sheen = np.zeros(shape, np.float32)
    if (mirrored := tray.floor.sheen(light, eye.position, _ground_places(eye, size, 16))) is not None:
        fine = np.asarray(cv2.resize(mirrored.astype(np.float32), size, interpolation=cv2.INTER_CUBIC)).clip(0)
        sheen = np.asarray(fine * floor * reached, dtype=np.float32)
    ground_mask = np.asarray((floor + (1.0 - body)).clip(0, 1), dtype=np.float32)
    for part in (ambient, direct, sheen, ground_mask, opening, body):
        part.setflags(write=False)
    return EmptyTray(ambient, direct, sheen, ground_mask, opening, body)


def empty_tray(scene: Scene) -> EmptyTray:
    """Return the scene's empty tray, read only; the last few are kept, so a film renders it once."""
    return _draw(scene.camera.pinhole, scene.tray, Light(scene.light.points))
