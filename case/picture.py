"""Pictures of parts: shaded triangles with outlines, drawn without a graphics library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from build123d import Part
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Array = NDArray[np.float64]
Colour = tuple[float, float, float]

Point = tuple[float, float, float]

_SIZE, _FINE = (900, 700), 2
"""The width and height in pixels, and the oversampling factor along each side."""

_PAPER = 250
_LIGHT = np.array([-0.35, 0.45, 0.82])
"""The direction to the light: right, up and towards the viewer."""


class Decal(NamedTuple):
    """An image on a flat surface: its lower left corner, its sides to the right and up, and its pixels, (h, w, 3)."""

    corner: Point
    right: Point
    up: Point
    pixels: Array


class Notes(NamedTuple):
    """What is written into a picture.

    Attributes:
        numbers: Texts in circles with the points that they belong to.
        lines: Dashed lines between two points.
        legend: Lines of text in the lower left corner.
    """

    numbers: Sequence[tuple[str, Point]] = ()
    lines: Sequence[tuple[Point, Point]] = ()
    legend: Sequence[str] = ()


_NONE = Notes()


def draw(
    parts: list[tuple[Part, Colour]],
    path: Path,
    *,
    turn: float = -35.0,
    rise: float = 30.0,
    decal: Decal | None = None,
    notes: Notes = _NONE,
) -> None:
    """Write a parallel projection of parts as PNG.

    Args:
        parts: Pairs of a part and its colour.
        path: The file to write.
        turn: The direction of view, in degrees about the vertical; 0 is from the front, 90 from the right.
        rise: The angle of that direction above the horizon in degrees.
        decal: An image on a surface.
        notes: Numbers, lines and a legend.
    """
    axes = _axes(np.radians(turn), np.radians(rise))
    meshes = [(_triangles(part) @ axes.T, np.array(colour)) for part, colour in parts]
    points = np.concatenate([mesh.reshape(-1, 3) for mesh, _ in meshes])
    low, high = points.min(axis=0), points.max(axis=0)
    width, height = (side * _FINE for side in _SIZE)
    foot = 2 * _FINE * _TEXT * len(notes.legend)  # room for the legend
    scale = 0.92 * min(width / (high[0] - low[0]), (height - foot) / (high[1] - low[1]))
    shift = np.array([width / 2, (height + foot) / 2]) - scale * (low + high)[:2] / 2
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
    if decal:
        _stick(decal, axes, scale, shift, (depth, shade))
    small = shade.reshape(_SIZE[1], _FINE, _SIZE[0], _FINE, 3).mean(axis=(1, 3))
    image = Image.fromarray(np.rint(255 * small[::-1]).astype(np.uint8))

    def place(point: Point) -> tuple[float, float]:
        x, y = (scale * (axes @ np.array(point))[:2] + shift) / _FINE
        return float(x), _SIZE[1] - float(y)

    _write(image, notes, place)
    image.quantize(96).save(path, optimize=True)


_TEXT = 17
"""The size of the text in pixels."""


def _stick(decal: Decal, axes: Array, scale: float, shift: Array, buffers: tuple[Array, Array]) -> None:
    """Paint an image over what is drawn, except where something is nearer."""
    depth, shade = buffers
    corner, right, up = (axes @ np.array(part) for part in decal[:3])
    y, x = np.indices(depth.shape)
    at = np.stack([x + 0.5, y + 0.5], axis=-1) - (scale * corner[:2] + shift)
    share = at @ np.linalg.inv(scale * np.array([right[:2], up[:2]]))
    inside = ((share >= 0) & (share < 1)).all(axis=-1)
    inside &= depth < corner[2] + share @ np.array([right[2], up[2]]) + 0.5
    high, wide = decal.pixels.shape[:2]
    rows = np.floor((1 - share[inside, 1]) * high).astype(int).clip(0, high - 1)
    shade[inside] = decal.pixels[rows, np.floor(share[inside, 0] * wide).astype(int)]


def _write(image: Image.Image, notes: Notes, place: Callable[[Point], tuple[float, float]]) -> None:
    """Write numbers in circles beside their points, dashed lines, and the legend."""
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(_TEXT)
    for start, end in notes.lines:
        a, b = np.array(place(start)), np.array(place(end))
        steps = max(int(np.hypot(*(b - a)) / 6), 1)
        for n in range(0, steps, 2):
            pen.line([*(a + (b - a) * n / steps), *(a + (b - a) * (n + 1) / steps)], fill=(90, 90, 90))
    taken: list[tuple[float, float]] = []
    for text, point in notes.numbers:
        x, y = place(point)
        spots = [(x + r * np.cos(w), y + r * np.sin(w)) for r in (32, 48, 64) for w in np.arange(12) * np.pi / 6 - 0.8]
        free = [spot for spot in spots if all(np.hypot(spot[0] - u, spot[1] - v) > 34 for u, v in taken)]
        u, v = min(max((free or spots)[0][0], 16), image.width - 16), max((free or spots)[0][1], 16)
        taken += [(u, v), (x, y)]
        pen.line([x, y, u, v], fill=(200, 40, 40), width=2)
        pen.ellipse([x - 3, y - 3, x + 3, y + 3], fill=(200, 40, 40))
        pen.ellipse([u - 14, v - 14, u + 14, v + 14], fill=(255, 255, 255), outline=(200, 40, 40), width=2)
        pen.text((u, v), text, font=font, fill=(30, 30, 30), anchor="mm")
    for line, text in enumerate(reversed(notes.legend)):
        pen.text((14, image.height - (1.5 * line + 1) * _TEXT), text, font=font, fill=(30, 30, 30), anchor="lm")


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
