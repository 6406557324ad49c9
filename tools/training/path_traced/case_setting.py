"""The case's own tray, camera and lamps as a setting for the dice, with the variation between builders."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from case.layout import Layout
from case.parameters import Design
from tools.training.path_traced.plan import DAY, WARM, WHITE, Camera, Lamp, Material, Setting, Tray, linear, one_of

_FELTS = "3c8c5a 4a7fb0 a8524a 808488 8a6a9a a08058 5a9a9a 6f7f4f"
"""Felts of medium lightness, as the guide recommends: on dark ones the exposure is so long that pale dice are
overexposed."""

_PLASTICS = "141414 303438 6b6e72 17306e 7a1020 0e5a34"
"""The plastics of the tray."""

_AWRY_MM, _AWRY_DEG = 2.0, 1.0
"""Standard deviations of the lens's position and tilt, from printing and assembly."""

_ROOM = (0.05, 0.5)
"""The room's light on the tray, relative to that of the lamps."""


def in_the_case(layout: Layout) -> Callable[[np.random.Generator], Setting]:
    """Return a function that chooses the case's tray, camera and lamps, in cm."""

    def setting(rng: np.random.Generator) -> Setting:
        return (_tray(rng, layout), _camera(rng, layout), *_lamps(rng, layout))

    return setting


def _tray(rng: np.random.Generator, layout: Layout) -> Tray:
    felt, plastic = one_of(rng, _FELTS), one_of(rng, _PLASTICS)
    wide = layout.choice.tray / 10
    red, green, blue = (0.9 * part + 0.1 for part in felt)
    return Tray(
        shape="box",
        wide=wide,
        deep=wide,
        high=Design.TRAY_WALL / 10,
        thick=Design.WALL / 10,
        floor=Material(felt, 0.95, "noise", (red, green, blue), float(rng.uniform(20, 60)), bump=0.3),
        walls=Material(plastic, float(rng.uniform(0.4, 0.7))),
        table=Material(linear("8a6a42"), 0.5, "wood", linear("5a3a22"), 8.0),
    )


def _camera(rng: np.random.Generator, layout: Layout) -> Camera:
    x, y, z = (float(part) for part in rng.normal(0, _AWRY_MM / 10, 3))
    high = layout.lens / 10 + z
    aside = high * np.tan(np.radians(rng.normal(0, _AWRY_DEG, 2)))
    return Camera(
        place=(x, y, high),
        target=(x + float(aside[0]), y + float(aside[1]), 0.0),
        turn_rad=math.pi / 2,  # the short side of the picture is along x
        field_rad=2 * math.atan(4 / 3 * math.tan(math.radians(layout.camera.field) / 2)),
        f_stop=None,
    )


def _lamps(rng: np.random.Generator, layout: Layout) -> tuple[tuple[Lamp, ...], float]:
    """Return two strips, and the ambient light."""
    colour = (WARM, WHITE, DAY)[int(rng.integers(3))]
    long, high = layout.lamp_length / 10, Design.LAMP_HIGH / 10
    far, middle = layout.lamp / 10, (layout.lamp_top + layout.lamp_low) / 20
    radiance = 1.0
    watts = math.pi * long * high * radiance
    strips = [Lamp((side * far, 0.0, middle), long, watts, colour, high=high) for side in (-1, 1)]
    # The light of the strips at the middle of the floor; the room's light is relative to it.
    lit = 2 * radiance * long * high * far * middle / (far**2 + middle**2) ** 2
    room = lit * float(rng.uniform(*_ROOM))
    return tuple(strips), room / math.pi
