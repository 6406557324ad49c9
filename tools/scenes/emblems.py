"""Random emblems, as some dice have in place of pips."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.face_map import CELL, Array

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ&?!#$%@" + 3 * "123456"
"""The characters that emblems may show; figures are more frequent because some dice have figures instead of pips."""

_DRAWN = 256  # width in pixels of the face on which an emblem is drawn before its distances are computed
_LARGEST_PIP = 0.5  # largest radius of a pip in half sizes: that of a large 1

_ROUND = 0.75
"""The part of its enclosing circle that a spot fills to pass for a pip: more than a square, less than a pentagon."""


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
