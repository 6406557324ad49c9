"""Dice in the case's own tray, under its camera and lamps, with the variation between builders."""

from __future__ import annotations

import math

import numpy as np

from case.layout import Layout
from case.parameters import Design
from tools.scenes.labels import truth_by_die
from tools.scenes.random_cases import one_make, tried
from tools.scenes.random_look import pick
from tools.scenes.random_scene import is_legible
from tools.scenes.random_setting import random_sensor
from vision.render.placing import lay_dice
from vision.render.scene import Camera, Light, Scene, Surface, Tray, colour
from vision.render.surfaces import FELT, WOOD

_FELTS = ("#3c8c5a", "#4a7fb0", "#a8524a", "#808488", "#8a6a9a", "#a08058", "#5a9a9a", "#6f7f4f")
"""Felts of medium lightness, as the guide recommends: on dark ones the exposure is so long that pale dice are
overexposed."""

_PLASTICS = ("#141414", "#303438", "#6b6e72", "#17306e", "#7a1020", "#0e5a34")
"""The plastics of the tray."""

_AWRY_MM, _AWRY_DEG = 2.0, 1.0
"""Standard deviations of the lens's position and tilt, from printing and assembly."""

_ROOM = (0.05, 0.5)
"""The room's light on the tray, relative to that of the lamps."""

_LAMPS = ((0.42, 0.72, 1.0), (0.88, 0.95, 1.0), (1.0, 0.93, 0.85))
"""The colours of the lamps: warm, white, daylight."""

_LIGHTS = 5  # points of which a lamp's strip consists


@tried
def in_the_case(rng: np.random.Generator, layout: Layout) -> Scene | None:
    """Return a scene with four flat dice in the case's tray; None if a person could not read them."""
    light = _light(rng, layout)
    tray = _tray(rng, layout)
    setting = Scene(_camera(rng, layout), tray, light, random_sensor(rng, tray, light))
    values = [int(value) for value in rng.integers(1, 7, 4)]
    scene = lay_dice(rng, setting, one_make(rng, 4), values)
    return scene if is_legible(scene, truth_by_die(scene)) else None


def _tray(rng: np.random.Generator, layout: Layout) -> Tray:
    felt = Surface(pick(rng, _FELTS), FELT, 0.08, int(rng.integers(1 << 31)))
    wide = layout.choice.tray
    wood = Surface(colour("#8a6a42"), WOOD, 0.1)
    return Tray(wide, wide, Design.TRAY_WALL, Design.WALL, felt, Surface(pick(rng, _PLASTICS)), wood)


def _camera(rng: np.random.Generator, layout: Layout) -> Camera:
    x, y, z = (float(part) for part in rng.normal(0, _AWRY_MM, 3))
    high = layout.lens + z
    aside = high * np.tan(np.radians(rng.normal(0, _AWRY_DEG, 2)))
    return Camera(
        height_mm=high,
        field_of_view_deg=2 * math.degrees(math.atan(4 / 3 * math.tan(math.radians(layout.camera.field) / 2))),
        aim_mm=(x + float(aside[0]), y + float(aside[1])),
        tilt_deg=math.degrees(math.atan(float(np.hypot(*aside)) / high)),
        lean_deg=math.degrees(math.atan2(-aside[1], -aside[0])),
        turn_deg=90.0,  # the short side of the picture is along x
    )


def _light(rng: np.random.Generator, layout: Layout) -> Light:
    """Return the two strips, along x, and the room's light."""
    along = (np.arange(_LIGHTS) + 0.5) / _LIGHTS - 0.5
    high = (layout.lamp_top + layout.lamp_low) / 2
    points = tuple(
        (float(part) * layout.lamp_length, side * layout.lamp, high) for side in (-1.0, 1.0) for part in along
    )
    blue, green, red = _LAMPS[int(rng.integers(len(_LAMPS)))]
    room = float(rng.uniform(*_ROOM))
    return Light(points, (0.8 * blue, 0.8 * green, 0.8 * red), (0.8 * room,) * 3)
