"""Random settings: tray, lamps, camera and sensor."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from tools.scenes.lamps import Pane, RoomLight, Shade
from tools.scenes.random_look import bare_table, random_tray
from vision.render.geometry import Array, view
from vision.render.scene import Camera, Light, Scene, Tray, Vec3
from vision.render.sensor import Sensor, noise_of, of_each_channel
from vision.render.surfaces import Picture
from vision.render.table import ring_light
from vision.types import Frame


@dataclass(frozen=True, slots=True)
class LensCamera(Camera):
    """A camera with a lens that distorts.

    Attributes:
        barrel: Barrel distortion, 0 to 0.1. The corners of the picture do not move.
    """

    barrel: float = 0.0

    @property
    def pinhole(self) -> Camera:
        """The camera without the distortion of its lens."""
        return replace(self, barrel=0.0)

    def distorted(self, spots: Array) -> Array:
        """Return the pixels of the lens for those of a pinhole, both of shape (..., 2).

        If r is the distance from the picture's centre and r = 1 at its corners, the pinhole's r is
        r' * (1 + k r'^2) / (1 + k) for the lens's r': the first radial term of D. C. Brown's model (1966), scaled so
        that corners do not move. It is solved for r' by fixed-point iteration, which gains a digit per step for k up to
        0.1.
        """
        if self.barrel == 0:
            return spots
        middle = np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])
        reach = float(np.hypot(*middle))
        # Far outside the picture the model is not monotonic. Nothing shows there, so the pinhole's pixels are used.
        off = (spots - middle) / reach
        far = (off * off).sum(axis=-1, keepdims=True)
        bent = off
        for _ in range(8):
            square = np.minimum((bent * bent).sum(axis=-1, keepdims=True), 1.5)
            bent = off * (1 + self.barrel) / (1 + self.barrel * square)
        return np.asarray(middle + np.where(far > 1.5, off, bent) * reach)

    def bend(self, picture: Picture) -> Picture:
        """Return a pinhole's picture, (H, W) or (H, W, 3), as the lens shows it."""
        if self.barrel == 0:
            return picture
        x, y = _bending(self.size, self.barrel)
        return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@lru_cache(maxsize=4)
def _bending(size: tuple[int, int], barrel: float) -> tuple[Picture, Picture]:
    """Return the pixel of an ideal pinhole that each pixel of the lens shows: x and y, (H, W) each."""
    width, height = size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    off_x, off_y = x - (width - 1) / 2, y - (height - 1) / 2
    corner = ((width - 1) ** 2 + (height - 1) ** 2) / 4
    factor = (1 + barrel * (off_x * off_x + off_y * off_y) / corner) / (1 + barrel)
    return (
        np.asarray(off_x * factor + (width - 1) / 2, dtype=np.float32),
        np.asarray(off_y * factor + (height - 1) / 2, dtype=np.float32),
    )


@dataclass(frozen=True, slots=True)
class RoughSensor(Sensor):
    """A sensor with a dusty lens, and software that changes its pictures.

    Attributes:
        haze: Light that a dusty lens or a bright room spreads over the whole picture, 0 to 0.2 of white.
        blotch: Standard deviation of slow colour noise, some pixels wide, in grey levels of 255; 0 to 6.
        sharpen: Strength of the camera's sharpening, 0 to 1.
        saturation: Colour saturation, 0 (grey) to 1.4 (lurid).
    """

    haze: float = 0.0
    blotch: float = 0.0
    sharpen: float = 0.0
    saturation: float = 1.0

    def exposed(self, light: Picture) -> Picture:
        """Return linear light as it reaches the sensor, with haze, in paler or stronger colours."""
        scaled = Sensor.exposed(self, light)
        if self.haze > 0:
            scaled *= np.float32(1.0 - self.haze)
            scaled += np.float32(self.haze)
        if self.saturation != 1.0:
            # Rec. 709's weights of blue, green and red.
            grey = of_each_channel(scaled @ np.array([0.0722, 0.7152, 0.2126], dtype=np.float32))
            scaled -= grey
            scaled *= np.float32(self.saturation)
            scaled += grey
        return scaled

    def shown(self, light: Picture) -> Picture:
        """Return the camera's picture of linear light without noise, sharpened."""
        levels = Sensor.shown(self, light)
        if self.sharpen > 0:
            finest = levels - cv2.GaussianBlur(levels, (0, 0), 1.2)
            finest *= np.float32(self.sharpen)
            levels += finest
        return levels

    def noisy(self, levels: Picture, rng: np.random.Generator) -> Frame:
        """Return the camera's frame for these grey levels, with noise of both kinds."""
        if self.blotch > 0:
            height, width = levels.shape[:2]
            coarse = noise_of(rng, (height // 6 + 1) * (width // 6 + 1) * 3).reshape(height // 6 + 1, width // 6 + 1, 3)
            slow = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
            levels = np.asarray(levels + np.float32(self.blotch) * slow, np.float32)
        return Sensor.noisy(self, levels, rng)


def _patch(rng: np.random.Generator, middle: Array, spread_mm: float, count: int) -> tuple[Vec3, ...]:
    points = middle + rng.uniform(-0.5, 0.5, (count, 3)) * spread_mm
    return tuple((float(x), float(y), max(float(z), 120.0)) for x, y, z in points)


def random_light(rng: np.random.Generator, camera: Camera) -> RoomLight:
    """Return a ring, a ceiling lamp, a window at one side, a warm bulb, a near point, two lamps or a coloured lamp."""
    kind = str(
        rng.choice(
            ["ring", "ceiling", "window", "bulb", "point", "two", "colour"], p=[0.2, 0.2, 0.18, 0.14, 0.1, 0.1, 0.08]
        )
    )
    angle = float(rng.uniform(0, math.tau))
    aside = np.array([math.cos(angle), math.sin(angle), 0.0])
    if kind == "ring":
        points = ring_light(camera.height_mm * float(rng.uniform(0.9, 1.2)), float(rng.uniform(35, 110)))
        tint, lamp, around = (1.0, 1.0, 1.0), 0.75, 0.3
    elif kind == "ceiling":
        middle = aside * float(rng.uniform(0, 900)) + np.array([0, 0, 1700.0])
        points = _patch(rng, middle, float(rng.uniform(150, 700)), 8)
        tint, lamp, around = (0.93, 0.98, 1.0), 0.65, 0.35
    elif kind == "window":
        middle = aside * float(rng.uniform(500, 1100)) + np.array([0, 0, float(rng.uniform(450, 800))])
        points = _patch(rng, middle, 450.0, 9)
        tint, lamp, around = (1.08, 1.02, 0.95), 0.6, 0.4
    elif kind == "two":
        other = float(rng.uniform(0, math.tau))
        second = np.array([math.cos(other), math.sin(other), 0.0]) * float(rng.uniform(150, 600))
        middle = aside * float(rng.uniform(150, 600)) + np.array([0, 0, float(rng.uniform(400, 900))])
        points = _patch(rng, middle, 50.0, 3) + _patch(rng, second + np.array([0, 0, 600.0]), 50.0, 3)
        tint, lamp, around = (0.9, 0.97, 1.0), 0.7, 0.25
    else:
        middle = aside * float(rng.uniform(100, 450)) + np.array([0, 0, float(rng.uniform(450, 800))])
        points = _patch(rng, middle, 60.0, 1 if kind == "point" else 5)
        tint, lamp, around = (0.55, 0.80, 1.0), 0.75, 0.22
        if kind == "point" and rng.random() < 0.5:
            tint = (1.0, 1.0, 1.0)
        if kind == "colour":
            blue, green, red = rng.uniform(0.45, 1.1, 3)
            tint = (float(blue), float(green), float(red))
    lamp *= float(rng.uniform(0.7, 1.25))
    around *= float(rng.uniform(0.5, 1.4))
    panes: tuple[Pane, ...] = ()
    if rng.random() < 0.4:
        panes = tuple(
            Pane(
                (float(x), float(y), float(rng.uniform(350, 1800))),
                (float(rng.uniform(40, 500)), float(rng.uniform(40, 500))),
                float(rng.uniform(0, 180)),
                math.exp(float(rng.uniform(0.0, math.log(25)))),
                int(rng.choice([0, 0, 1, 2])),
            )
            for x, y in rng.uniform(-500, 500, (int(rng.integers(1, 3)), 2))
        )
    return RoomLight(
        points=points,
        colour=(tint[0] * lamp, tint[1] * lamp, tint[2] * lamp),
        ambient=(around * (0.5 + tint[0] / 2), around * (0.5 + tint[1] / 2), around),
        panes=panes,
    )


def _with_rings(rng: np.random.Generator, light: RoomLight, camera: Camera) -> RoomLight:
    """Return the light; every second time with a ring, frame, disc or bar that only shiny dice reflect."""
    if rng.random() < 0.5:
        return light
    reach = camera.height_mm * np.exp(rng.uniform(np.log(0.02), np.log(0.6), 2))
    is_round = bool(rng.random() < 0.6)
    x, y = camera.height_mm * rng.normal(0, 0.15, 2)
    pane = Pane(
        (float(x), float(y), camera.height_mm * float(rng.uniform(0.7, 1.3))),
        (float(reach[0]), float(reach[0] if is_round and rng.random() < 0.7 else reach[1])),
        float(rng.uniform(0, 180)),
        math.exp(float(rng.uniform(math.log(6), math.log(120)))),
        is_round=is_round,
        hole=float(rng.uniform(0.5, 0.93)) if rng.random() < 0.6 else 0.0,
    )
    return replace(light, panes=(*light.panes, pane))


def random_camera(rng: np.random.Generator, tray: Tray, size: tuple[int, int]) -> Camera:
    """Return a camera tilted by up to 20 degrees and turned arbitrarily, to which a 16 mm die is 18 to 100 pixels wide.

    These are pixels of a picture of 640 by 480; pictures of other sizes show the same.
    """
    field = float(rng.choice([22.0, 35.0, 50.0, 62.2, 66.0, 90.0, 102.0], p=[0.04, 0.07, 0.1, 0.33, 0.29, 0.09, 0.08]))
    focal = size[0] / 2 / math.tan(math.radians(field) / 2)
    if rng.random() < 0.6:
        # The whole tray is in view, as in a box that is set up.
        px_per_mm = size[1] / (max(tray.width_mm, tray.depth_mm) * float(rng.uniform(0.95, 1.4)))
        stray_mm = 12.0
    else:
        px_per_mm = math.exp(float(rng.uniform(math.log(18), math.log(100)))) / 16 * size[0] / 640
        stray_mm = min(tray.width_mm, tray.depth_mm) * 0.25
    return LensCamera(
        size=size,
        height_mm=max(110.0, focal / px_per_mm),
        field_of_view_deg=field,
        aim_mm=(float(rng.uniform(-1, 1)) * stray_mm, float(rng.uniform(-1, 1)) * stray_mm),
        tilt_deg=float(rng.uniform(0, 20)) * float(rng.random() < 0.8),
        lean_deg=float(rng.uniform(0, 360)),
        turn_deg=float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 8))
        if rng.random() < 0.5
        else float(rng.uniform(0, 360)),
        barrel=float(rng.uniform(0.01, 0.08)) if rng.random() < 0.3 else 0.0,
    )


def random_sensor(rng: np.random.Generator, tray: Tray, light: Light, *, dark: bool = False) -> RoughSensor:
    """Return a sensor for pictures 640 pixels wide with the usual faults, well exposed or far too dark."""
    # A camera meters the mean of the picture; half of it represents objects of medium brightness.
    floor = 0.7 * sum(tray.floor.colour) / 3 + 0.08
    lit = (sum(light.colour) + sum(light.ambient)) / 3
    exposure = math.exp(float(rng.normal(0, 0.3))) * min(2.2, 0.28 / (floor * lit + 0.08))
    white = rng.normal(1.0, 0.06, 3)
    noise = float(rng.choice([0.8, 1.5, 3.0, 5.0, 8.0], p=[0.25, 0.3, 0.25, 0.12, 0.08]))
    if rng.random() < 0.08:
        # Dim but readable: too little light, with noise.
        exposure, noise = exposure * float(rng.uniform(0.06, 0.3)), float(rng.uniform(3, 8))
    if dark:
        exposure, noise = exposure * float(rng.uniform(0.003, 0.010)), float(rng.uniform(4, 10))
    rare = rng.random(5)
    return RoughSensor(
        exposure=exposure,
        shutter_s=float(rng.uniform(0.003, 0.016)),
        noise=noise,
        blur_px=float(rng.uniform(0.3, 0.9)) if rare[0] < 0.8 else float(rng.uniform(0.9, 2.2)),
        vignette=float(rng.uniform(0.0, 0.4)),
        white=(float(white[0]), 1.0, float(white[2])),
        jpeg_quality=None if rng.random() < 0.3 else int(rng.integers(45, 96)),
        haze=float(rng.uniform(0.01, 0.12)) if rare[1] < 0.2 else 0.0,
        blotch=float(rng.uniform(0.5, 4.0)) if rare[2] < 0.25 else 0.0,
        sharpen=float(rng.uniform(0.2, 1.2)) if rare[3] < 0.35 else 0.0,
        saturation=float(rng.uniform(0.6, 1.4)) if rare[4] < 0.5 else 1.0 if rare[4] < 0.96 else 0.0,
    )


def random_setting(rng: np.random.Generator, size: tuple[int, int], *, dark: bool, bare: bool | None = None) -> Scene:
    """Return a scene with camera, tray, light and sensor but no dice; `size` is the picture's size in pixels.

    If `bare`, it is a table without a tray; None for one scene in eight.
    """
    tray = random_tray(rng)
    camera = random_camera(rng, tray, size)
    is_bare = rng.random() < 0.12
    if is_bare if bare is None else bare:
        seen = view(camera).on_plane(np.array([0.0, 0, size[0], size[0]]), np.array([0.0, size[1], 0, size[1]]))
        tray = bare_table(rng, min(1500.0, 2.1 * float(np.abs(seen).max())))
    light = random_light(rng, camera)
    shade = None
    if rng.random() < 0.12:
        shade = Shade(
            float(rng.uniform(0, 360)),
            float(rng.uniform(-60, 60)),
            float(rng.choice([40.0, 1e4])),
            float(rng.choice([2.0, 15.0, 50.0])),
            float(rng.uniform(0.3, 0.95)),
        )
    # From a generator of their own, so that the rest of the scene does not depend on them.
    light = _with_rings(np.random.default_rng(tray.floor.seed + 1), replace(light, shade=shade), camera)
    sensor = random_sensor(rng, tray, light, dark=dark)
    sensor = replace(sensor, blur_px=sensor.blur_px * size[0] / 640)
    return Scene(camera, tray, light, sensor)
