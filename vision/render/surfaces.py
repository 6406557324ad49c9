"""Patterns of floors, tables and walls, as pictures seen straight from above."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Surface, Texture

Picture = NDArray[np.float32]


def _cloud(rng: np.random.Generator, shape: tuple[int, int], across: float, along: float) -> Picture:
    """Noise with mean 0 and deviation 1 whose blobs are `across` by `along` pixels (y, x), shape (H, W)."""
    small = (max(2, round(shape[0] / across)), max(2, round(shape[1] / along)))
    noise = rng.standard_normal(small, dtype=np.float32)
    grown = cv2.resize(noise, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    deviation = float(grown.std()) or 1.0
    return np.asarray((grown - grown.mean()) / deviation, dtype=np.float32)


def _felt(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    fibres = _cloud(rng, shape, 0.5 * scale, 0.5 * scale)
    return np.asarray(0.7 * fibres + 0.7 * _cloud(rng, shape, 30 * scale, 30 * scale), dtype=np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    bend = _cloud(rng, shape, 40 * scale, 120 * scale) * 4.0
    rows = np.arange(shape[0], dtype=np.float32)[:, None] / scale
    rings = np.sin((rows + bend * 2.0) * float(rng.uniform(0.5, 1.3)))
    streaks = _cloud(rng, shape, 0.8 * scale, 40 * scale)
    return np.asarray(0.6 * rings + 0.8 * streaks, dtype=np.float32)


def _leather(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    grains = np.abs(_cloud(rng, shape, 2.0 * scale, 2.0 * scale))
    return np.asarray(1.3 * (grains - 0.8) + 0.4 * _cloud(rng, shape, 50 * scale, 50 * scale), dtype=np.float32)


def _speckled(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    spots = _cloud(rng, shape, 1.2 * scale, 1.2 * scale)
    return np.asarray(np.where(spots > 1.3, 2.0, -0.2) * np.float32(rng.choice([-1, 1])), dtype=np.float32)


def _checked(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    step = float(rng.uniform(8, 30)) * scale
    rows = np.arange(shape[0])[:, None] // step
    columns = np.arange(shape[1])[None, :] // step
    return np.asarray(np.where((rows + columns) % 2 == 0, 1.0, -1.0), dtype=np.float32)


def _woven(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    step = float(rng.uniform(1.5, 4.0)) * scale
    rows = np.sin(np.arange(shape[0], dtype=np.float32) * (np.pi / step))[:, None]
    columns = np.sin(np.arange(shape[1], dtype=np.float32) * (np.pi / step))[None, :]
    return np.asarray(1.2 * rows * columns + 0.6 * _cloud(rng, shape, step, step), dtype=np.float32)


_PATTERNS = {
    Texture.FELT: _felt,
    Texture.WOOD: _wood,
    Texture.LEATHER: _leather,
    Texture.SPECKLED: _speckled,
    Texture.CHECKED: _checked,
    Texture.WOVEN: _woven,
}


@lru_cache(maxsize=8)
def texture(surface: Surface, width_mm: float, depth_mm: float, px_per_mm: float) -> Picture:
    """The surface as a picture of reflectances, BGR float32, shape (depth, width, 3) in pixels, read only."""
    shape = (max(2, round(depth_mm * px_per_mm)), max(2, round(width_mm * px_per_mm)))
    colour = np.array(surface.colour, dtype=np.float32)
    if surface.texture is Texture.PLAIN:
        plain = np.broadcast_to(colour, (*shape, 3)).copy()
        plain.setflags(write=False)
        return plain
    rng = np.random.default_rng(surface.seed)
    pattern = _PATTERNS[surface.texture](rng, shape, px_per_mm)
    # Dark parts keep a little light, and light parts stay below a white sheet.
    factor = np.clip(1.0 + surface.contrast * pattern, 0.1, 2.5)
    picture = np.asarray(np.minimum(factor[..., None] * colour, 0.95), dtype=np.float32)
    picture.setflags(write=False)
    return picture
