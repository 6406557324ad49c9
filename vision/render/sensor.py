"""Turns light into a picture: lens blur, vignetting, white balance, tone curve, noise and JPEG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Frame

Picture = NDArray[np.float32]

_GAMMA = 1 / 2.2  # exponent of the tone curve; sRGB's exact curve differs by less than the noise

_BANK = 1 << 20
"""The length of the stored noise of which each frame uses parts; new noise would take most of a frame's time."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """The properties of the sensor and the lens.

    Attributes:
        exposure: Factor on all light; 1 shows a white sheet in full light just below white.
        shutter_s: Exposure time, 0.002 to 0.03.
        noise: Standard deviation of the noise at middle grey, in grey levels of 255; 0.5 to 12.
        blur_px: Standard deviation of the lens's blur, 0 to 1.5.
        vignette: Part of the light lost in the picture's corners, 0 to 0.6.
        white: White balance errors, as factors on B, G, R.
        jpeg_quality: JPEG quality, 45 to 100; None for no compression.
    """

    exposure: float = 1.0
    shutter_s: float = 0.008
    noise: float = 1.5
    blur_px: float = 0.5
    vignette: float = 0.15
    white: tuple[float, float, float] = (1.0, 1.0, 1.0)
    jpeg_quality: int | None = 92

    def exposed(self, light: Picture) -> Picture:
        """Return linear light, float32 BGR of shape (H, W, 3), as it reaches the sensor through the lens."""
        height, width = light.shape[:2]
        if self.blur_px > 0:
            light = np.asarray(cv2.GaussianBlur(light, (0, 0), self.blur_px), dtype=np.float32)
        gains = np.array(self.white, dtype=np.float32) * np.float32(self.exposure)
        # Whole rows at once, as in `of_each_channel`: many times as fast as three numbers at a time.
        scaled = (light.reshape(height, -1) * np.tile(gains, width)).reshape(light.shape)
        scaled *= _left_everywhere((width, height), self.vignette)
        return scaled

    def shown(self, light: Picture) -> Picture:
        """Return the camera's picture of linear light without noise: grey levels, float32 BGR, shape (H, W, 3)."""
        scaled = self.exposed(light)
        levels = np.asarray(cv2.pow(np.clip(scaled, 0.0, 1.0, out=scaled), _GAMMA), np.float32)
        levels *= np.float32(255.0)
        return levels

    def noisy(self, levels: Picture, rng: np.random.Generator) -> Frame:
        """Return the camera's frame for these grey levels without noise: see `shown`."""
        levels = levels.copy()
        if self.noise > 0:
            noise = noise_of(rng, levels.size).reshape(levels.shape)
            noise *= np.float32(self.noise)
            noise *= more_in_shadows(levels)
            levels += noise
        frame = np.clip(np.rint(levels, out=levels), 0, 255, out=levels).astype(np.uint8)
        if self.jpeg_quality is not None:
            _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg_quality])
            frame = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
        return np.asarray(frame)

    def frame(self, light: Picture, rng: np.random.Generator) -> Frame:
        """Return the camera's frame for linear light, float32 BGR of shape (H, W, 3)."""
        return self.noisy(self.shown(light), rng)


@lru_cache(maxsize=2)
def _left_everywhere(size: tuple[int, int], vignette: float) -> Picture:
    """Return the part of the light that a lens transmits, in the whole picture, (H, W, 3)."""
    off_x, off_y = (np.arange(side) - (side - 1) / 2 for side in size)
    return of_each_channel(light_left(off_x[None, :], off_y[:, None], size, vignette).astype(np.float32))


def light_left(
    off_x: NDArray[np.floating], off_y: NDArray[np.floating], size: tuple[int, int], vignette: float
) -> NDArray[np.float64]:
    """Return the part of the light that a lens transmits at places: 1 - `vignette` in the corners of the picture.

    Args:
        off_x: How far they are to the right of the picture's middle, in pixels.
        off_y: How far they are below it, in pixels.
        size: The picture's width and height in pixels.
        vignette: See `Sensor`.
    """
    middle = (np.array(size) - 1) / 2
    return np.asarray(1.0 - vignette * (off_x * off_x + off_y * off_y) / float(middle @ middle))


def of_each_channel(values: Picture) -> Picture:
    """Return one value per pixel, (H, W), repeated for each channel, (H, W, 3).

    NumPy is many times as fast with this as with (H, W, 1).
    """
    return np.repeat(values, 3, axis=1).reshape(*values.shape, 3)


@lru_cache(maxsize=1)
def _noise_bank() -> Picture:
    return np.random.default_rng(20240229).standard_normal(_BANK + 4096, dtype=np.float32)


def noise_of(rng: np.random.Generator, count: int) -> Picture:
    """Return Gaussian noise of deviation 1, shape (count,), from random parts of the stored noise."""
    bank = _noise_bank()
    noise = np.empty(count, np.float32)
    done = 0
    while done < count:
        start = int(rng.integers(0, 4096))
        take = min(count - done, len(bank) - start)
        sign = np.float32(rng.choice([-1.0, 1.0]))
        np.multiply(bank[start : start + take], sign, out=noise[done : done + take])
        done += take
    return noise


def more_in_shadows(levels: Picture) -> Picture:
    """Return the noise at grey levels, as a multiple of that at middle grey.

    Photon noise of linear light has the deviation sqrt(light); the slope of the tone curve converts it to grey levels.
    So shadows are noisier than bright parts.
    """
    more = levels * np.float32(0.9 / 128)
    np.subtract(np.float32(1.9), more, out=more)
    return np.clip(more, np.float32(0.35), np.float32(1.9), out=more)
