"""Pictures of parts: shaded triangles with outlines, drawn without a graphics library."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from build123d import Part
from numpy.typing import NDArray
from PIL import Image

Array = NDArray[np.float64]
Colour = tuple[float, float, float]

_FINE = 2
"""The oversampling factor along each side."""

_PAPER = 250
_LIGHT = np.array([-0.35, 0.45, 0.82])
"""The direction to the light: right, up and towards the viewer."""


def draw(
    parts: list[tuple[Part, Colour]],
    path: Path,
    *,
    turn: float = -35.0,
    rise: float = 30.0,
    size: tuple[int, int] = (900, 700),
) -> None:
    """Write a parallel projection of parts as PNG.

    Args:
        parts: Pairs of a part and its colour.
        path: The file to write.
        turn: The direction of view, in degrees about the vertical; 0 is from the front, 90 from the right.
        rise: The angle of that direction above the horizon in degrees.
        size: The width and height in pixels.
    """
    axes = _axes(np.radians(turn), np.radians(rise))
    meshes = [(_triangles(part) @ axes.T, np.array(colour)) for part, colour in parts]
    points = np.concatenate([mesh.reshape(-1, 3) for mesh, _ in meshes])
    low, high = points.min(axis=0), points.max(axis=0)
    width, height = (side * _FINE for side in size)
    scale = 0.92 * min(width / (high[0] - low[0]), height / (high[1] - low[1]))
    shift = np.array([width / 2, height / 2]) - scale * (low + high)[:2] / 2
    depth = np.full((height, width), -np.inf)
    shade = np.full((height, width, 3), _PAPER / 255)
    facing = np.zeros((height, width, 3))
    for mesh, colour in meshes:
        normals = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        light = 0.45 + 0.6 * np.clip(normals @ _LIGHT, 0, 1)
        for corners, normal, lit in zip(mesh, normals, light, strict=True):
            if normal[2] > 0:
                flat = scale * corners[:, :2] + shift
                _fill(flat, corners[:, 2], (depth, shade, facing), np.clip(colour * lit, 0, 1), normal)
    shade[_outlines(depth, facing)] *= 0.35
    small = shade.reshape(size[1], _FINE, size[0], _FINE, 3).mean(axis=(1, 3))
    Image.fromarray(np.rint(255 * small[::-1]).astype(np.uint8)).quantize(96).save(path, optimize=True)


def _axes(turn: float, rise: float) -> Array:
    """Return right, up and towards the viewer, as rows."""
    towards = np.array([np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise)])
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    return np.array([right, np.cross(towards, right), towards])


def _triangles(part: Part) -> Array:
    """Return the part's surface as triangles, (n, 3, 3)."""
    points, corners = part.tessellate(0.1, 0.3)
    made: Array = np.array([(point.X, point.Y, point.Z) for point in points])[np.array(corners)]
    return made


def _fill(flat: Array, far: Array, buffers: tuple[Array, Array, Array], colour: Array, normal: Array) -> None:
    """Fill a triangle, except behind nearer ones: `flat` has its corners in pixels, `far` their nearness."""
    depth, shade, facing = buffers
    (x0, y0), (x1, y1) = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int) + 1
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, depth.shape[1]), min(y1, depth.shape[0])
    (ax, ay), (bx, by), (cx, cy) = flat
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9 or x0 >= x1 or y0 >= y1:
        return
    x, y = np.arange(x0, x1) + 0.5, (np.arange(y0, y1) + 0.5)[:, None]
    second = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    third = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    near = far[0] + second * (far[1] - far[0]) + third * (far[2] - far[0])
    window = (slice(y0, y1), slice(x0, x1))
    shown = (second >= 0) & (third >= 0) & (second + third <= 1) & (near > depth[window])
    depth[window][shown], shade[window][shown], facing[window][shown] = near[shown], colour, normal


def _outlines(depth: Array, facing: Array) -> NDArray[np.bool_]:
    """Return the pixels where the surface bends, or where something farther begins."""
    line = np.zeros(depth.shape, bool)
    deep = np.where(np.isinf(depth), -1e4, depth)
    for axis in (0, 1):
        bent = np.abs(np.diff(facing, axis=axis)).sum(axis=2) > 0.6
        line[tuple(slice(0, -1) if axis == at else slice(None) for at in (0, 1))] |= bent | (
            np.abs(np.diff(deep, axis=axis)) > 4.0
        )
    return line
