"""Maps of the paint on a die's six faces: pips, or an emblem in place of them, as distances to their rims.

Distances to a rim are smooth between the map's pixels, so edges are sharp at any scale.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.scene import DieBody
from vision.types import PATTERN

Array = NDArray[np.float32]

CELL = 64  # width of a face in pixels; few are enough because distances are smooth

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ&?!#$%@" + 3 * "123456"
"""The characters that emblems may show; figures are more frequent because some dice have figures instead of pips."""

_DRAWN = 256  # width in pixels of the face on which an emblem is drawn before its distances are computed
_LARGEST_PIP = 0.5  # largest radius of a pip in half sizes: that of a large 1

_ROUND = 0.75
"""The part of its enclosing circle that a spot fills to pass for a pip: more than a square, less than a pentagon."""


def pip_places(body: DieBody, value: int) -> tuple[tuple[float, float], ...]:
    """Return the centres of a face's pips in half sizes, -1 to 1, along the face's two axes."""
    across, along = body.grid[value - 1]
    turned = bool(body.quarter_turns >> (value - 1) & 1)
    places = [(2 * body.spread * column * across, 2 * body.spread * row * along) for column, row in PATTERN[value]]
    return tuple((-row, column) if turned else (column, row) for column, row in places)


def pip_radius(body: DieBody, value: int) -> float:
    """Return the radius of a face's pips in half sizes."""
    return 2 * body.pip_radius * (body.one_scale if value == 1 else 1.0)


def pip_rim(away: NDArray[np.floating], radius: float, ring: float) -> NDArray[np.floating]:
    """Return the distances of points to the rim of a pip, negative inside, in the unit of the arguments.

    Args:
        away: The distances of the points from the pip's centre.
        radius: The pip's outer radius.
        ring: The inner radius relative to the outer one; 0 for a full pip.
    """
    return np.asarray(np.maximum(away - radius, ring * radius - away))


def emblem(rng: np.random.Generator) -> Array:
    """Return a random emblem as distances to its rim in half sizes, negative inside, shape (CELL, CELL).

    It never looks like pips, as a single ring would.
    """
    drawn = _drawing(rng)
    while _passes_for_pips(drawn):
        drawn = _drawing(rng)
    outside = cv2.distanceTransform(255 - drawn, cv2.DIST_L2, 5)
    inside = cv2.distanceTransform(drawn, cv2.DIST_L2, 5)
    rim = (outside - inside) * np.float32(2 / _DRAWN)
    return np.asarray(cv2.resize(rim, (CELL, CELL), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _passes_for_pips(drawn: NDArray[np.uint8]) -> bool:
    """Whether a drawing has only round spots or rings that are not larger than a large pip."""
    rims, _ = cv2.findContours(drawn, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for rim in rims:
        _, radius = cv2.minEnclosingCircle(rim)
        if radius > _LARGEST_PIP * _DRAWN / 2 or cv2.contourArea(rim) < _ROUND * math.pi * radius**2:
            return False
    return True


def _drawing(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a star, letter, figure, polygon, rings, strokes or a blot, white on black, shape (_DRAWN, _DRAWN)."""
    drawn = np.zeros((_DRAWN, _DRAWN), np.uint8)
    middle, reach = _DRAWN // 2, float(rng.uniform(0.35, 0.9)) * _DRAWN / 2
    kind = str(rng.choice(["star", "letter", "polygon", "rings", "strokes", "blot"]))
    thick = round(float(rng.uniform(0.09, 0.23)) * reach)
    if kind == "star":
        points = int(rng.integers(3, 9))
        angles = np.arange(2 * points) * (np.pi / points)
        radii = np.where(np.arange(2 * points) % 2, float(rng.uniform(0.3, 0.6)), 1.0) * reach
        outline = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radii[:, None] + middle
        cv2.fillPoly(drawn, [outline.astype(np.int32)], (255,))
    elif kind == "letter":
        letter = _LETTERS[int(rng.integers(len(_LETTERS)))]
        font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX]))
        (wide, high), _ = cv2.getTextSize(letter, font, 1.0, thick)
        scale = 1.6 * reach / max(wide - thick, high)
        (wide, high), _ = cv2.getTextSize(letter, font, scale, thick)
        cv2.putText(drawn, letter, (middle - wide // 2, middle + high // 2), font, scale, (255,), thick)
    elif kind == "polygon":
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 8))))
        outline = np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach + middle
        if rng.random() < 0.5:
            cv2.fillPoly(drawn, [outline.astype(np.int32)], (255,))
        else:
            cv2.polylines(drawn, [outline.astype(np.int32)], True, (255,), thick)
    elif kind == "rings":
        for _ in range(int(rng.integers(1, 4))):
            x, y = rng.normal(middle, 0.25 * reach, 2)
            axes = (int(rng.uniform(0.35, 0.9) * reach), int(rng.uniform(0.35, 0.9) * reach))
            cv2.ellipse(drawn, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, (255,), thick)
    elif kind == "strokes":
        for _ in range(int(rng.integers(2, 6))):
            (x0, y0), (x1, y1) = rng.uniform(middle - reach, middle + reach, (2, 2))
            cv2.line(drawn, (int(x0), int(y0)), (int(x1), int(y1)), (255,), thick)
    else:
        for _ in range(int(rng.integers(4, 10))):
            x, y = rng.normal(middle, 0.4 * reach, 2)
            axes = (int(rng.uniform(0.15, 0.5) * reach), int(rng.uniform(0.1, 0.4) * reach))
            cv2.ellipse(drawn, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, (255,), -1)
    return drawn


@lru_cache(maxsize=32)
def face_map(body: DieBody) -> Array:
    """Return a map of the paint on all six faces.

    Returns:
        Six cells side by side, float32 of shape (CELL, 6 * CELL, 4): the distance to the nearest rim of paint in half
        sizes, negative inside; the direction from the pip's centre, (u, v), in radii of the pip; and the part of its
        paint that the pip still has.
    """
    across = (np.arange(CELL, dtype=np.float32) + 0.5) / CELL * 2 - 1
    u, v = np.meshgrid(across, across)
    rng = np.random.default_rng(body.seed)
    drawing = emblem(rng) if body.emblem is not None else None
    cells = []
    for value in range(1, 7):
        zero = np.zeros_like(u)
        if value == body.emblem and drawing is not None:
            cells.append(np.stack([drawing, zero, zero, zero + 1], axis=-1))
            continue
        radius = pip_radius(body, value)
        best, way_u, way_v, kept = np.full(u.shape, 9.0, np.float32), zero, zero, zero + 1
        for place_u, place_v in pip_places(body, value) if radius > 0 else ():
            off_u, off_v = u - np.float32(place_u), v - np.float32(place_v)
            way = np.sqrt(off_u * off_u + off_v * off_v)
            rim = pip_rim(way, radius, body.ring)
            nearer = rim < best
            best = np.where(nearer, rim, best)
            way_u, way_v = np.where(nearer, off_u / radius, way_u), np.where(nearer, off_v / radius, way_v)
            lost = body.wear * float(rng.random())
            if value in (3, 5) and math.hypot(place_u, place_v) < radius:
                lost = max(lost, body.middle_wear)
            kept = np.where(nearer, 1.0 - lost, kept)
        cells.append(np.stack([best, way_u, way_v, kept], axis=-1))
    return np.concatenate(cells, axis=1).astype(np.float32)
