"""The ordinary tray of the simulated box: green felt, ivory dice and a ring light, always the same."""

from __future__ import annotations

import math

from vision.render.scene import Camera, DieBody, Light, Scene, Surface, Tray, Vec3, colour
from vision.render.sensor import Sensor
from vision.render.surfaces import FELT, WOOD

IVORY = DieBody(
    size_mm=16.0,
    body=colour("#e9dfc4"),
    pip=colour("#17130f"),
    edge=0.07,
    corner=0.77,
    pip_radius=0.092,
    spread=0.25,
    pip_depth=0.6,
    gloss=0.35,
)
"""A 16 mm die as supplied with most games."""


def ring_light(height_mm: float, radius_mm: float = 60.0) -> tuple[Vec3, ...]:
    """Return eight points of a ring around the lens, in mm."""
    angles = (math.tau * part / 8 for part in range(8))
    return tuple((radius_mm * math.cos(angle), radius_mm * math.sin(angle), height_mm) for angle in angles)


def table_scene(size: tuple[int, int] = (640, 480)) -> Scene:
    """Return the ordinary tray without dice, seen by a Camera Module 2 from 26 cm, slightly tilted.

    Args:
        size: The size of the picture in pixels.
    """
    camera = Camera(size=size, height_mm=262.0, tilt_deg=5.0, lean_deg=250.0, turn_deg=2.0)
    tray = Tray(
        width_mm=210.0,
        depth_mm=190.0,
        wall_mm=26.0,
        rim_mm=9.0,
        floor=Surface(colour("#1f6b41"), FELT, 0.07, seed=7),
        wall=Surface(colour("#6f4526"), WOOD, 0.08, seed=3),
        table=Surface(colour("#b39a78"), WOOD, 0.06, seed=5),
    )
    light = Light(ring_light(270.0, 70.0), colour=(0.72, 0.75, 0.78), ambient=(0.3, 0.3, 0.3))
    sensor = Sensor(exposure=1.0, shutter_s=0.008, noise=1.2, blur_px=0.4, vignette=0.12)
    return Scene(camera, tray, light, sensor)
