"""Rendered trays, and looks at them: the frame, and the maps of a perfect finder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from tools.scenes.labels import masks
from tools.scenes.lamps import Pane, in_room
from vision import reader
from vision.render.draw import draw
from vision.render.geometry import lying
from vision.render.scene import DieBody, PlacedDie, Scene
from vision.render.table import table_scene
from vision.stages.finding import Detections
from vision.tray.calibrate import TrayFrame
from vision.tray.edge import Map
from vision.types import Box

CELLS = (80, 60)


def one_die_under(pane: Pane, body: DieBody, value: int, turn_rad: float) -> Scene:
    """The everyday tray with one die in its middle, under a lamp and no other that it mirrors."""
    scene = table_scene()
    die = PlacedDie(body, (0.0, 0.0, body.size_mm / 2), lying(value, turn_rad))
    return replace(scene, light=replace(in_room(scene.light), panes=(pane,)), dice=(die,))


def coarse(mask: Map) -> Map:
    """A mask of the frame as a map of cells with soft borders."""
    return cv2.GaussianBlur(cv2.resize(mask, CELLS, interpolation=cv2.INTER_AREA), (0, 0), 0.8)


def noisy(probability: Map, rng: np.random.Generator) -> Map:
    """The map with smooth noise of deviation 0.4 in its logits."""
    clear = np.clip(probability, 1e-3, 1 - 1e-3)
    logits = np.log(clear / (1 - clear)) + 2 * cv2.GaussianBlur(rng.normal(0, 1, clear.shape), (0, 0), 1.5)
    return (1 / (1 + np.exp(-logits))).astype(np.float32)


def tray_map(scene: Scene, seed: int = 0) -> Map:
    """The map of the tray's inside."""
    return noisy(coarse(masks(scene).tray), np.random.default_rng(seed))


def look_of(scene: Scene, seed: int = 0, dice: tuple[Box, ...] = ()) -> TrayFrame:
    """What a reader would see in a scene."""
    return TrayFrame(
        draw(scene, seed), tray_map(scene, seed), dice, is_covered=bool(masks(scene).foreign.mean() > 0.02)
    )


def looks_at(scene: Scene, count: int = 2, dice: tuple[Box, ...] = ()) -> list[TrayFrame]:
    """Some looks at the same scene, each with its own noise."""
    return [look_of(scene, seed, dice) for seed in range(count)]


def in_each_look(
    monkeypatch, change: Callable[[Detections], Detections], names: tuple[str, ...] = ("find", "look_again")
) -> None:
    """Have the finder's looks at a picture find what this makes of what they have found."""
    for name in names:
        look = getattr(reader, name)
        monkeypatch.setattr(reader, name, lambda *told, look=look: change(look(*told)))
