"""The tray without dice: floor, walls, rim and table under the light, drawn once for all frames of a film."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.geometry import View, view
from vision.render.scene import Camera, Light, Scene, Surface, Tray
from vision.render.surfaces import texture

Picture = NDArray[np.float32]
Array = NDArray[np.float64]

_SHIFT = 4
"""Bits of a pixel that OpenCV's polygon filler keeps, for edges without stairs."""

_ROUND_SIDES = 72
"""Straight pieces that stand for a round wall; a 250 mm tray is then off its circle by 0.12 mm."""


@dataclass(frozen=True, slots=True)
class EmptyTray:
    """A picture in linear light, kept in two parts because dice take away the lamp's light but not all other.

    Attributes:
        ambient: What light from everywhere shows, float32 BGR, shape (H, W, 3).
        direct: What the lamp adds, same shape.
        ground: How much of each pixel is floor or table, on which shadows fall, 0 to 1, shape (H, W).
        opening: How much of each pixel looks into the tray past its rim, 0 to 1, shape (H, W).
    """

    ambient: Picture
    direct: Picture
    ground: Picture
    opening: Picture


def fill(shape: tuple[int, int], points: Array) -> Picture:
    """A mask of a polygon with soft edges: pixels (x, y), shape (n, 2), to float32 of `shape`, 0 to 1."""
    mask = np.zeros(shape, np.uint8)
    far = 2.0**26  # OpenCV's fixed point overflows for points far out of the picture
    fixed = np.clip(np.round(points * (1 << _SHIFT)), -far, far).astype(np.int32)
    cv2.fillPoly(mask, [fixed], 255, lineType=cv2.LINE_AA, shift=_SHIFT)
    return np.asarray(mask.astype(np.float32) * np.float32(1 / 255))


def outline(tray: Tray, outwards_mm: float, z_mm: float) -> Array:
    """The tray's wall seen from above, counter-clockwise, shape (n, 3), moved outwards by so much."""
    half_x, half_y = tray.width_mm / 2 + outwards_mm, tray.depth_mm / 2 + outwards_mm
    if tray.is_round:
        angle = np.arange(_ROUND_SIDES) * (2 * math.pi / _ROUND_SIDES)
        flat = np.stack([np.cos(angle) * half_x, np.sin(angle) * half_x], axis=1)
    else:
        flat = np.array([(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)])
    return np.column_stack([flat, np.full(len(flat), z_mm)])


def cast_down(points: Array, lamp: Array, z_mm: float = 0.0) -> Array:
    """Where shadows of points fall on a level plane: (n, 3) and the lamp's place to (n, 3)."""
    height = np.maximum(lamp[2] - points[:, 2:], 1.0)
    return np.asarray(points + (points - lamp) * ((points[:, 2:] - z_mm) / height))


def strengths(light: Light, places: Array) -> Array:
    """Light of each lamp point per unit facing area at places: (..., 3) mm to (..., n), summing to 1 mid-floor."""
    lamps = np.array(light.points)
    reference = (lamps * lamps).sum(axis=1)
    # Seen from the middle of the floor each point gives cos(angle)/n of its strength; make that sum to 1.
    cosines = lamps[:, 2] / np.sqrt(reference)
    ways = lamps - places[..., None, :]
    squares = (ways * ways).sum(axis=-1)
    return np.asarray(reference / squares / cosines.sum())


def _ground_light(tray_light: Light, eye: View, size: tuple[int, int]) -> Picture:
    """The lamp's light on the ground plane per pixel, without shadows, shape (H, W)."""
    width, height = size
    x, y = np.meshgrid(np.linspace(0, width - 1, 33), np.linspace(0, height - 1, 25))
    flat = eye.on_plane(x, y)
    places = np.concatenate([flat, np.zeros((*flat.shape[:-1], 1))], axis=-1)
    ways = np.array(tray_light.points) - places[..., None, :]
    cosines = ways[..., 2] / np.sqrt((ways * ways).sum(axis=-1))
    coarse = (strengths(tray_light, places) * cosines).sum(axis=-1).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))


def _warped(
    surface: Surface,
    tray_size: tuple[float, float],
    px_per_mm: float,
    eye: View,
    size: tuple[int, int],
    z_mm: float = 0.0,
) -> Picture:
    picture = texture(surface, tray_size[0], tray_size[1], px_per_mm)
    depth, width = picture.shape[:2]
    to_mm = np.array([[1 / px_per_mm, 0, -tray_size[0] / 2], [0, -1 / px_per_mm, tray_size[1] / 2], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(
            picture, eye.onto_plane(z_mm) @ to_mm, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
    )


def _wall_light(light: Light, corner: Array, following: Array) -> tuple[float, float]:
    """Ambient and lamp light on the inner side of a wall piece between two of its points."""
    along = following - corner
    inwards = np.array([-along[1], along[0], 0.0]) / max(float(np.hypot(along[0], along[1])), 1e-9)
    middle = (corner + following) / 2
    ways = np.array(light.points) - middle
    cosines = np.maximum(ways @ inwards / np.sqrt((ways * ways).sum(axis=1)), 0.0)
    return 0.7, float((strengths(light, middle) * cosines).sum())


@lru_cache(maxsize=4)
def _draw(camera: Camera, tray: Tray, light: Light) -> EmptyTray:
    eye, size = view(camera), camera.size
    shape = (size[1], size[0])
    px_per_mm = min(eye.focal_px / camera.height_mm, 4.0)
    ambient_colour = np.array(light.ambient, dtype=np.float32)
    lamp_colour = np.array(light.colour, dtype=np.float32)

    floor_bottom = eye.project(outline(tray, 0.0, 0.0))
    inner_top, outer_top = outline(tray, 0.0, tray.wall_mm), outline(tray, tray.rim_mm, tray.wall_mm)
    outer_bottom = outline(tray, tray.rim_mm, 0.0)
    opening = fill(shape, eye.project(inner_top))
    rim = fill(shape, eye.project(outer_top))
    # The outer side of the wall lies between the feet and the top edge; its hull covers both.
    hull = cv2.convexHull(eye.project(np.concatenate([outer_top, outer_bottom])).astype(np.float32))
    body = fill(shape, hull.reshape(-1, 2).astype(np.float64))
    floor = fill(shape, floor_bottom) * opening

    # Which part of the lamp reaches the ground: the wall shades the floor inside and the table outside.
    lit = np.zeros(shape, np.float32)
    for lamp in np.array(light.points):
        inside = fill(shape, eye.project(cast_down(inner_top, lamp)))
        shade = cv2.convexHull(cast_down(outer_top, lamp)[:, :2].astype(np.float32)).reshape(-1, 2)
        outside = 1.0 - fill(shape, eye.project(np.column_stack([shade, np.zeros(len(shade))])))
        lit += floor * inside + (1.0 - floor) * outside
    lit /= len(light.points)
    lit = cv2.GaussianBlur(lit, (0, 0), max(0.6, 1.5 * px_per_mm))
    ground = _ground_light(light, eye, size) * lit

    table = _warped(tray.table, (3 * tray.width_mm, 3 * tray.depth_mm), min(px_per_mm, 1.5), eye, size)
    floor_colour = _warped(tray.floor, (tray.width_mm, tray.depth_mm), px_per_mm, eye, size)
    # Light from everywhere is less in the corner of floor and wall.
    soft = cv2.GaussianBlur(fill(shape, floor_bottom), (0, 0), max(1.0, 0.35 * tray.wall_mm * px_per_mm))
    openness = 0.45 + 0.55 * np.clip(soft, 0, 1) if tray.wall_mm > 0 else np.ones(shape, np.float32)
    ambient = table * ambient_colour
    direct = table * (ground[..., None] * lamp_colour)

    def cover(mask: Picture, colour: Picture, ambient_part: Picture | float, lamp_part: Picture | float) -> None:
        soft_mask = mask[..., None]
        part = np.asarray(ambient_part, dtype=np.float32)
        lamp = np.asarray(lamp_part, dtype=np.float32)
        part = part[..., None] if part.ndim == 2 else part
        lamp = lamp[..., None] if lamp.ndim == 2 else lamp
        ambient[:] += soft_mask * (colour * (part * ambient_colour) - ambient)
        direct[:] += soft_mask * (colour * (lamp * lamp_colour) - direct)

    rim_colour = _warped(
        tray.wall, (tray.width_mm + 60, tray.depth_mm + 60), min(px_per_mm, 2.0), eye, size, tray.wall_mm
    )
    level = strengths(light, np.array([0.0, 0.0, tray.wall_mm])).sum()
    cover(body, rim_colour, 0.6, 0.3 * float(level))
    cover(rim, rim_colour, 1.0, float(level) * 0.95)
    cover(opening, rim_colour, 0.5, 0.1)
    foot, top = outline(tray, 0.0, 0.0), inner_top
    for here in range(len(foot)):
        after = (here + 1) % len(foot)
        piece = np.stack([foot[here], foot[after], top[after], top[here]])
        around, lamp_light = _wall_light(light, (foot[here] + top[here]) / 2, (foot[after] + top[after]) / 2)
        cover(fill(shape, eye.project(piece)) * opening, rim_colour, around, lamp_light)
    cover(floor, floor_colour, openness, ground)
    ground_mask = np.asarray((floor + (1.0 - body)).clip(0, 1), dtype=np.float32)
    for part in (ambient, direct, ground_mask, opening):
        part.setflags(write=False)
    return EmptyTray(ambient, direct, ground_mask, opening)


def empty_tray(scene: Scene) -> EmptyTray:
    """The scene without dice and hand; the last few trays are kept, so a film pays for it once. Read only."""
    return _draw(scene.camera, scene.tray, scene.light)
