"""Measures how clearly a die's pips show: the die as the camera sees it, compared with the same die without pips."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.scenes.faces import on_face, top_face
from vision.render.dice import Patch, draw_die
from vision.render.empty_tray import fill
from vision.render.face_map import pip_places, pip_radius
from vision.render.geometry import Array, View, view
from vision.render.scene import PlacedDie, Scene
from vision.render.sensor import expose, light_left, more_in_shadows

Picture = NDArray[np.float32]

_BURNT = 243.0  # grey level (of 255) of its darkest channel from which a body counts as burnt out
_WITHIN = 0.9  # part of a pip's radius over which it is compared; blur takes half of its rim
_SEEN_PX = 0.5  # pips with fewer visible pixels than this are ignored
_PLACES = 6  # number of places along each side of the face at which the body's own pattern is measured


@dataclass(frozen=True, slots=True)
class Legibility:
    """How clearly the pips of a top face show, in grey levels of 255 except for `clearness`.

    Attributes:
        contrast: The difference between the palest pip and the die without it: the root mean square of the mean
            differences in blue, green and red.
        burnt_contrast: The same for the pips where the body is burnt out to white; 255 if there are none.
        clearness: The contrast divided by the deviation between places of a pip's size on the bare body, from noise and
            the body's own pattern, in the colour in which the pips differ.
        level: The strongest channel of the brightest pip, or of the body in its place.
    """

    contrast: float
    burnt_contrast: float
    clearness: float
    level: float


_NONE = Legibility(contrast=0.0, burnt_contrast=255.0, clearness=0.0, level=0.0)
"""The legibility of a die that is not in the picture."""


def legibility(scene: Scene, die: PlacedDie) -> Legibility:
    """Return how clearly the pips on a die's top face show in the scene's light, through its lens, on its sensor.

    The die is rendered alone and at rest, without hands, objects and motion blur.
    """
    value, _ = top_face(die)
    eye = view(scene.camera)
    with_pips, without = (draw_die(scene, one, eye, 1) for one in (die, _without_pips(die)))
    if with_pips is None or without is None:
        return _NONE
    corner = np.array((with_pips.left, with_pips.top))
    drawn, bare = _developed(scene, eye.project(np.array(die.centre)), with_pips, without)
    pips = [pip for disc in _discs(die, value, eye, corner, bare.shape[:2]) if (pip := _compared(drawn, bare, disc))]
    if not pips:
        return _NONE
    palest = min(pips, key=lambda pip: pip.contrast)
    way = np.mean([pip.difference for pip in pips], axis=0)
    way = way / max(float(np.linalg.norm(way)), 1e-6)
    spots = np.linspace(-0.6, 0.6, _PLACES)
    across, along = (spot.ravel() for spot in np.meshgrid(spots, spots))
    width_px = math.sqrt(palest.pixels)
    pattern = _pattern(bare, eye.project(on_face(die, value, across, along)) - corner, way, width_px)
    level = palest.body.mean(keepdims=True).astype(np.float32)
    noise = scene.sensor.noise * float(more_in_shadows(level)[0]) / width_px
    # All three channels together differ by the square root of 3 times as much as one.
    variation = math.hypot(noise, scene.sensor.blotch, pattern) / math.sqrt(3)
    return Legibility(
        contrast=palest.contrast,
        burnt_contrast=min((pip.contrast for pip in pips if pip.body.min() > _BURNT), default=255.0),
        clearness=palest.contrast / max(variation, 0.05),
        level=max(pip.level for pip in pips),
    )


def _without_pips(die: PlacedDie) -> PlacedDie:
    return replace(die, body=replace(die.body, pip_radius=0.0))


def _developed(scene: Scene, spot: Array, *patches: Patch) -> list[Picture]:
    """Return noiseless camera pictures of a die rendered at a pixel of the tray's floor, in grey levels, (h, w, 3)."""
    sensor = scene.sensor
    off = spot - (np.array(scene.camera.size) - 1) / 2
    left = light_left(np.sum(off * off, keepdims=True), scene.camera.size, sensor.vignette)
    exposure = sensor.exposure * float(left[0])
    calm = replace(sensor, exposure=exposure, vignette=0.0, noise=0.0, blotch=0.0)
    lit = np.array(scene.tray.floor.colour) * (np.array(scene.light.colour) + scene.light.ambient)
    lights = [patch.colour + (1.0 - patch.cover)[..., None] * lit.astype(np.float32) for patch in patches]
    return [expose(light, calm, np.random.default_rng(0)).astype(np.float32) for light in lights]


def _discs(die: PlacedDie, value: int, eye: View, corner: Array, shape: tuple[int, ...]) -> list[Picture]:
    """Return a mask for each pip of a face, 0 to 1, with this shape; its first pixel is the picture's `corner`."""
    turns = np.arange(12) * (math.tau / 12)

    def disc(middle: tuple[float, float], part: float) -> Picture:
        reach = part * pip_radius(die.body, value)
        ring = on_face(die, value, middle[0] + reach * np.cos(turns), middle[1] + reach * np.sin(turns))
        return fill(shape, eye.project(ring) - corner)

    places = pip_places(die.body, value)
    if not die.body.ring:
        return [disc(place, _WITHIN) for place in places]
    return [np.clip(disc(place, _WITHIN) - disc(place, die.body.ring), 0.0, 1.0) for place in places]


class _Pip(NamedTuple):
    """A pip, and the body without it: the means over its disc in grey levels, (3,)."""

    difference: NDArray[np.floating]
    body: NDArray[np.floating]
    level: float
    pixels: float

    @property
    def contrast(self) -> float:
        return float(np.sqrt((self.difference**2).mean()))


def _compared(drawn: Picture, bare: Picture, disc: Picture) -> _Pip | None:
    """Return a pip's means over its disc; None if too little of it is in the picture."""
    pixels = float(disc.sum())
    if pixels < _SEEN_PX:
        return None
    there, body = ((picture * disc[..., None]).sum(axis=(0, 1)) / pixels for picture in (drawn, bare))
    return _Pip(there - body, body, float(max(there.max(), body.max())), pixels)


def _pattern(picture: Picture, spots: Array, way: Array, width_px: float) -> float:
    """Return how much a die without pips varies from place to place.

    Args:
        picture: The die without pips, (H, W, 3).
        spots: Places on its top face in pixels, (n, 2).
        way: The direction of colour that is measured, of length 1, (3,).
        width_px: The side of the square over which each place is averaged, in pixels.

    Returns:
        The standard deviation from a smooth slope of light (a parabola), in grey levels along `way`.
    """
    side = max(1, round(width_px))
    smooth = cv2.blur(picture @ way.astype(np.float32), (side, side))
    height, width = smooth.shape
    column, row = np.rint(spots).astype(int).T
    seen = smooth[row.clip(0, height - 1), column.clip(0, width - 1)].astype(float)
    x, y = (spots - spots.mean(axis=0)).T / max(width, height)
    slope = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    left = seen - slope @ np.linalg.lstsq(slope, seen, rcond=None)[0]
    return float(np.sqrt((left * left).mean()))
