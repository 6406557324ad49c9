"""Patterns of floors, tables and walls, as pictures from straight above."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Surface

Picture = NDArray[np.float32]


def cloud(rng: np.random.Generator, shape: tuple[int, int], across: float, along: float) -> Picture:
    """Return noise with mean 0 and deviation 1 whose blobs are `across` by `along` pixels (y, x), shape (H, W)."""
    small = (max(2, round(shape[0] / across)), max(2, round(shape[1] / along)))
    noise = rng.standard_normal(small, dtype=np.float32)
    grown = cv2.resize(noise, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    deviation = float(grown.std()) or 1.0
    return np.asarray((grown - grown.mean()) / deviation, dtype=np.float32)


def _felt(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    fibres = cloud(rng, shape, 0.5 * scale, 0.5 * scale)
    return np.asarray(0.7 * fibres + 0.7 * cloud(rng, shape, 30 * scale, 30 * scale), dtype=np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    bend = cloud(rng, shape, 40 * scale, 120 * scale) * 4.0
    rows = np.arange(shape[0], dtype=np.float32)[:, None] / scale
    rings = np.sin((rows + bend * 2.0) * float(rng.uniform(0.5, 1.3)))
    streaks = cloud(rng, shape, 0.8 * scale, 40 * scale)
    return np.asarray(0.6 * rings + 0.8 * streaks, dtype=np.float32)


FELT, WOOD = _felt, _wood


@lru_cache(maxsize=8)
def texture(surface: Surface, width_mm: float, depth_mm: float, px_per_mm: float) -> Picture:
    """Return the surface as a picture of reflectances, BGR float32, shape (depth, width, 3) in pixels, read only."""
    shape = (max(2, round(depth_mm * px_per_mm)), max(2, round(width_mm * px_per_mm)))
    picture = surface.reflectances(shape, px_per_mm)
    picture.setflags(write=False)
    return picture
