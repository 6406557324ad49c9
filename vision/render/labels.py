"""What is true of a scene: the labels that a reader's result is compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.reading import Box
from vision.render.geometry import FACE_UP, Array, corners, matrix, top_face, view
from vision.render.scene import PlacedDie, Scene


@dataclass(frozen=True, slots=True)
class DieTruth:
    """One die as it lies.

    Attributes:
        value: Of the face that looks most upwards, 1 to 6.
        tilt_deg: How far that face leans off level.
        centre: The die's middle in pixels, (x, y).
        top: Box of the top face in pixels.
        box: Box of the whole die with its visible sides, in pixels.
    """

    value: int
    tilt_deg: float
    centre: tuple[float, float]
    top: Box
    box: Box


def _box(points: Array) -> Box:
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return (float(x0), float(y0), float(x1), float(y1))


def _shown_part(die: PlacedDie) -> float:
    """How far the rounding leaves the cube's corners, as a part of the way from the middle."""
    by_edge = 1.0 - 2 * die.body.edge * (1.0 - 1.0 / math.sqrt(3.0))
    return min(by_edge, die.body.corner * 2.0 / math.sqrt(3.0))


def truth(scene: Scene) -> tuple[DieTruth, ...]:
    """What is true of each die of the scene, in the scene's order."""
    eye = view(scene.camera)
    labels = []
    for die in scene.dice:
        value, tilt = top_face(die)
        shown = corners(die, _shown_part(die))
        axis, side = FACE_UP[value]
        off_middle = (shown - np.array(die.centre)) @ matrix(die.turn)[:, axis]
        spots = eye.project(shown)
        middle = eye.project(np.array(die.centre))
        labels.append(
            DieTruth(
                value=value,
                tilt_deg=math.degrees(tilt),
                centre=(float(middle[0]), float(middle[1])),
                top=_box(spots[off_middle * side > 0]),
                box=_box(spots),
            )
        )
    return tuple(labels)
