"""Patterns and photographs on floors, tables and walls, beside the felt and the wood of the simulated box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from vision.pictures import load
from vision.render.empty_tray import strengths
from vision.render.geometry import Array
from vision.render.scene import Colour, Light, Scene, Surface, Texture
from vision.render.surfaces import FELT, Picture, cloud

_LEAST_PART = 0.15
"""The least part of a photograph's width that one surface shows."""

_BRIGHTEST = 0.85
"""The largest mean reflectance of a channel."""


def _leather(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    grains = np.abs(cloud(rng, shape, 2.0 * scale, 2.0 * scale))
    return np.asarray(1.3 * (grains - 0.8) + 0.4 * cloud(rng, shape, 50 * scale, 50 * scale), dtype=np.float32)


def _speckled(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    spots = cloud(rng, shape, 1.2 * scale, 1.2 * scale)
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
    return np.asarray(1.2 * rows * columns + 0.6 * cloud(rng, shape, step, step), dtype=np.float32)


def _marble(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
    flow = cloud(rng, shape, 45 * scale, 45 * scale) + 0.5 * cloud(rng, shape, 14 * scale, 14 * scale)
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
    loops = cloud(rng, shape, loop, loop * float(rng.uniform(1, 2.5)))
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
    scuffs = cloud(rng, shape, 9 * scale, 9 * scale) + cloud(rng, shape, 50 * scale, 50 * scale)
    return np.asarray(np.clip(0.35 * scuffs, 0.0, 1.0), dtype=np.float32)


LEATHER, SPECKLED, CHECKED, WOVEN = _leather, _speckled, _checked, _woven
MARBLE, STRIPED, GRID, CARPET, SPOTTED, PRINTED, WORN = OF_TWO_COLOURS = (
    _marble, _striped, _grid, _carpet, _spotted, _printed, _worn
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RareSurface(Surface):
    """A surface that may have a second colour or gloss.

    Patterns of two colours return the part of the second one, 0 to 1; `contrast` is its opacity, 0 to 1.

    Attributes:
        second: Second colour of such patterns; None for a fifth of `colour`.
        gloss: Strength of reflections of lamps, 0 (matt) to 1 (lacquered).
    """

    second: Colour | None = None
    gloss: float = 0.0

    def reflectances(self, shape: tuple[int, int], px_per_mm: float) -> Picture:
        """Return the surface from straight above, BGR float32, shape (H, W, 3)."""
        if self.texture not in OF_TWO_COLOURS:
            return Surface.reflectances(self, shape, px_per_mm)
        rng, colour = np.random.default_rng(self.seed), np.array(self.colour, dtype=np.float32)
        second = np.array(self.second if self.second is not None else [0.2 * part for part in self.colour])
        share = self.contrast * self.texture(rng, shape, px_per_mm)
        weave = 1.0 + 0.05 * FELT(rng, shape, px_per_mm)
        mixed = (colour + share[..., None] * (second - colour).astype(np.float32)) * weave[..., None]
        return np.asarray(np.clip(mixed, 0.0, 0.95), dtype=np.float32)

    def sheen(self, light: Light, eye: Array, places: Array) -> Array | None:
        """Return the lamp's brightness that the level surface mirrors to an eye (half vectors, Blinn and Phong)."""
        if self.gloss <= 0:
            return None
        to_lamp = np.array(light.points) - places[..., None, :]
        to_lamp /= np.sqrt((to_lamp * to_lamp).sum(axis=-1, keepdims=True))
        to_eye = eye - places
        to_eye /= np.sqrt((to_eye * to_eye).sum(axis=-1, keepdims=True))
        half = to_lamp + to_eye[..., None, :]
        upright = half[..., 2] / np.sqrt((half * half).sum(axis=-1))
        sharp = 20.0 * 40.0**self.gloss
        mirrored = (strengths(light, places) * upright**sharp).sum(axis=-1)
        return np.asarray(mirrored * (0.02 * self.gloss * sharp / 8))


def one_of(rng: np.random.Generator, textures: Sequence[Texture | None]) -> Texture | None:
    """Return one of the textures; None is a plain one."""
    return textures[int(rng.integers(len(textures)))]


# Photographs show what no drawn pattern does. They are not part of this repository.


@lru_cache(maxsize=4)
def _reflectances(path: Path) -> Picture:
    return np.asarray((load(path).astype(np.float32) / 255) ** 2.2 + 0.002, np.float32)


@dataclass(frozen=True, slots=True)
class _Photograph:
    """The pattern of a photograph: its part of the mean of each channel, less 1."""

    path: Path

    def __call__(self, rng: np.random.Generator, shape: tuple[int, int], scale: float) -> Picture:
        """Return a random part of the photograph in this shape, (H, W, 3); the scale is ignored."""
        whole = np.rot90(_reflectances(self.path), int(rng.integers(4)))
        most = min(whole.shape[0] / shape[0], whole.shape[1] / shape[1])
        part = most * float(np.exp(rng.uniform(np.log(_LEAST_PART), 0)))
        height, width = (max(1, int(side * part)) for side in shape)
        top, left = (int(rng.integers(room + 1)) for room in np.subtract(whole.shape[:2], (height, width)))
        seen = np.ascontiguousarray(whole[top : top + height, left : left + width])
        how = cv2.INTER_AREA if part > 1 else cv2.INTER_CUBIC
        resized = cv2.resize(seen, shape[::-1], interpolation=how)
        return np.asarray(resized / whole.mean(axis=(0, 1)) - 1, np.float32)


def photographed(rng: np.random.Generator, path: Path, surface: Surface) -> Surface:
    """Return a surface that shows a random part of a photograph, about as bright as the given one."""
    mean = _reflectances(path).mean(axis=(0, 1))
    colour = mean * min(sum(surface.colour) / float(mean.sum()), _BRIGHTEST / float(mean.max()))
    blue, green, red = map(float, colour)
    return replace(
        surface, colour=(blue, green, red), texture=_Photograph(path), contrast=1.0,
        seed=int(rng.integers(1 << 31)),
    )  # fmt: skip


def on_photographs(rng: np.random.Generator, scene: Scene, paths: Sequence[Path]) -> Scene:
    """Return the scene with photographs as its floor, its table or both; a bare table stays one surface."""
    tray = scene.tray
    floor, table = (photographed(rng, paths[int(rng.integers(len(paths)))], one) for one in (tray.floor, tray.table))
    if tray.wall_mm <= 0:
        return replace(scene, tray=replace(tray, floor=floor, wall=floor, table=floor))
    which = int(rng.integers(3))
    tray = replace(tray, floor=tray.floor if which == 1 else floor, table=tray.table if which == 2 else table)
    return replace(scene, tray=tray)
