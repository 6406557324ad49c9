"""Patterns of floors, tables and walls, as pictures from straight above."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Surface, Texture

Picture = NDArray[np.float32]


def _cloud(rng: np.random.Generator, shape: tuple[int, int], across: float, along: float) -> Picture:
    """Return noise with mean 0 and deviation 1 whose blobs are `across` by `along` pixels (y, x), shape (H, W)."""
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


def _marble(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    flow = _cloud(rng, shape, 45 * scale, 45 * scale) + 0.5 * _cloud(rng, shape, 14 * scale, 14 * scale)
    veins = 1.0 - np.abs(np.sin(2.2 * flow))
    return np.asarray(veins**5 + 0.25 * np.clip(flow, 0, 1), dtype=np.float32)


def _striped(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    step, share = float(rng.uniform(4, 40)) * scale, float(rng.uniform(0.15, 0.6))
    angle = float(rng.choice([0.0, 0.5, 1.0])) * np.pi / 2
    rows, columns = (np.arange(count, dtype=np.float32) for count in shape)
    along = rows[:, None] * np.float32(np.cos(angle)) + columns[None, :] * np.float32(np.sin(angle))
    return np.asarray(along / np.float32(step) % 1.0 < share, dtype=np.float32)


def _grid(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    step, thick = float(rng.uniform(8, 30)) * scale, max(1.0, float(rng.uniform(0.4, 1.6)) * scale)
    rows, columns = (np.arange(count, dtype=np.float32) % np.float32(step) < thick for count in shape)
    return np.asarray(rows[:, None] | columns[None, :], dtype=np.float32)


def _carpet(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    loop = float(rng.uniform(0.9, 2.4)) * scale
    loops = _cloud(rng, shape, loop, loop * float(rng.uniform(1, 2.5)))
    return np.asarray(np.clip(0.5 + 0.8 * loops, 0.0, 1.0), dtype=np.float32)


def _spotted(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    drawn = np.zeros(shape, np.uint8)
    count = int(shape[0] * shape[1] / (scale * float(rng.uniform(7, 25))) ** 2)
    radius = float(rng.uniform(0.5, 2.2)) * scale
    varied = float(rng.uniform(0.0, 0.6))
    for _ in range(min(count, 1500)):
        x, y = rng.uniform(0, shape[1]), rng.uniform(0, shape[0])
        size = max(1.0, radius * float(rng.uniform(1 - varied, 1 + varied)))
        cv2.circle(drawn, (int(16 * x), int(16 * y)), int(16 * size), (255,), -1, cv2.LINE_AA, 4)
    return np.asarray(drawn.astype(np.float32) / 255)


def _printed(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    drawn = np.zeros(shape, np.uint8)
    height, width = shape
    thick = max(1, round(float(rng.uniform(0.5, 2.5)) * scale))
    if rng.random() < 0.5:
        inset = int(float(rng.uniform(4, 20)) * scale)
        cv2.rectangle(drawn, (inset, inset), (width - inset, height - inset), (255,), thick, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 14))):
        x, y = int(rng.uniform(0.1, 0.9) * width), int(rng.uniform(0.1, 0.9) * height)
        reach = max(2, int(float(rng.uniform(3, 45)) * scale))
        kind = int(rng.integers(5))
        filled = -1 if rng.random() < 0.5 else thick
        ink = (int(rng.choice([255, 255, 170, 100])),)
        if kind == 0:
            cv2.circle(drawn, (x, y), reach, ink, filled, cv2.LINE_AA)
        elif kind == 1:
            text = "".join(rng.choice(list("ABCDEFGHIKLMNOPRSTUVWXYZ0123456789"), int(rng.integers(1, 9))))
            font = int(
                rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX])
            )
            cv2.putText(drawn, text, (x - 2 * reach, y), font, reach / 20, ink, thick, cv2.LINE_AA)
        elif kind == 2:
            angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 9))))
            outline = np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach + (x, y)
            if filled < 0:
                cv2.fillPoly(drawn, [outline.astype(np.int32)], ink, cv2.LINE_AA)
            else:
                cv2.polylines(drawn, [outline.astype(np.int32)], True, ink, thick, cv2.LINE_AA)
        elif kind == 3:
            x1, y1 = int(rng.uniform(0, width)), int(rng.uniform(0, height))
            cv2.line(drawn, (x, y), (x1, y1), ink, thick, cv2.LINE_AA)
        else:
            reaches = (reach, max(1, int(reach * rng.uniform(0.3, 0.9))))
            cv2.ellipse(drawn, (x, y), reaches, float(rng.uniform(0, 180)), 0, 360, ink, filled)
    return np.asarray(drawn.astype(np.float32) / 255)


def _worn(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    scuffs = _cloud(rng, shape, 9 * scale, 9 * scale) + _cloud(rng, shape, 50 * scale, 50 * scale)
    return np.asarray(np.clip(0.35 * scuffs, 0.0, 1.0), dtype=np.float32)


_MIXTURES = {
    Texture.MARBLE: _marble,
    Texture.STRIPED: _striped,
    Texture.GRID: _grid,
    Texture.CARPET: _carpet,
    Texture.SPOTTED: _spotted,
    Texture.PRINTED: _printed,
    Texture.WORN: _worn,
}
"""Patterns of two colours: the part of the second colour at each place, 0 to 1."""

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
    """Return the surface as a picture of reflectances, BGR float32, shape (depth, width, 3) in pixels, read only."""
    shape = (max(2, round(depth_mm * px_per_mm)), max(2, round(width_mm * px_per_mm)))
    colour = np.array(surface.colour, dtype=np.float32)
    rng = np.random.default_rng(surface.seed)
    if surface.texture is Texture.PLAIN:
        picture = np.broadcast_to(colour, (*shape, 3)).copy()
    elif surface.texture in _MIXTURES:
        second = np.array(surface.second if surface.second is not None else [0.2 * part for part in surface.colour])
        share = surface.contrast * _MIXTURES[surface.texture](rng, shape, px_per_mm)
        weave = 1.0 + 0.05 * _felt(rng, shape, px_per_mm)
        mixed = (colour + share[..., None] * (second - colour).astype(np.float32)) * weave[..., None]
        picture = np.asarray(np.clip(mixed, 0.0, 0.95), dtype=np.float32)
    else:
        pattern = _PATTERNS[surface.texture](rng, shape, px_per_mm)
        # Dark parts keep some light, and light parts stay below a white sheet.
        factor = np.clip(1.0 + surface.contrast * pattern, 0.1, 2.5)
        picture = np.asarray(np.minimum(factor[..., None] * colour, 0.95), dtype=np.float32)
    picture.setflags(write=False)
    return picture
