"""Photographs as floors and tables: what no drawn pattern shows. They are not part of this repository."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures.load import load
from vision.render.scene import Scene, Surface, Texture

_LEAST_PART = 0.15
"""The least part of a photograph's width that one surface shows."""

_BRIGHTEST = 0.85
"""The largest mean reflectance of a channel."""


@lru_cache(maxsize=4)
def _reflectances(path: Path) -> NDArray[np.float32]:
    return np.asarray((load(path).astype(np.float32) / 255) ** 2.2 + 0.002, np.float32)


@dataclass(frozen=True, slots=True)
class _Photograph:
    """The pattern of a photograph: its part of the mean of each channel, less 1."""

    path: Path

    def __call__(self, rng: np.random.Generator, shape: tuple[int, int], scale: float) -> NDArray[np.float32]:
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
        surface, colour=(blue, green, red), texture=Texture(_Photograph(path)), contrast=1.0, second=None,
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
