"""Turns light into a picture: lens blur, vignetting, white balance, tone curve, noise and JPEG."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Sensor
from vision.types import Frame

_GAMMA = 1 / 2.2  # exponent of the tone curve; sRGB's exact curve differs by less than the noise

_BANK = 1 << 20
"""The length of the stored noise of which each frame uses parts; new noise would take most of a frame's time."""


@lru_cache(maxsize=2)
def light_left(size: tuple[int, int], vignette: float) -> NDArray[np.float32]:
    """Return the part of the light that a lens transmits, (H, W, 3): 1 - `vignette` in the corners of the picture."""
    middle = (np.array(size) - 1) / 2
    off_x, off_y = (np.arange(side) - half for side, half in zip(size, middle, strict=True))
    square = (off_x * off_x)[None, :] + (off_y * off_y)[:, None]
    return _of_each_channel((1.0 - vignette * square / float(middle @ middle)).astype(np.float32))


def _of_each_channel(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return one value per pixel, (H, W), repeated for each channel, (H, W, 3).

    NumPy is many times as fast with this as with (H, W, 1).
    """
    return np.repeat(values, 3, axis=1).reshape(*values.shape, 3)


@lru_cache(maxsize=1)
def _noise_bank() -> NDArray[np.float32]:
    return np.random.default_rng(20240229).standard_normal(_BANK + 4096, dtype=np.float32)


def _noise(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
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


def more_in_shadows(levels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the noise at grey levels, as a multiple of that at middle grey.

    Photon noise of linear light has the deviation sqrt(light); the slope of the tone curve converts it to grey levels.
    So shadows are noisier than bright parts.
    """
    more = levels * np.float32(0.9 / 128)
    np.subtract(np.float32(1.9), more, out=more)
    return np.clip(more, np.float32(0.35), np.float32(1.9), out=more)


def expose(light: NDArray[np.float32], sensor: Sensor, rng: np.random.Generator) -> Frame:
    """Return the camera's frame for linear light, float32 BGR of shape (H, W, 3)."""
    return noisy(shown(light, sensor), sensor, rng)


def shown(light: NDArray[np.float32], sensor: Sensor) -> NDArray[np.float32]:
    """Return the camera's picture of linear light without noise: grey levels, float32 BGR, shape (H, W, 3)."""
    height, width = light.shape[:2]
    if sensor.blur_px > 0:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.blur_px), dtype=np.float32)
    gains = np.array(sensor.white, dtype=np.float32) * np.float32(sensor.exposure)
    # Whole rows at once, as in `_of_each_channel`: many times as fast as three numbers at a time.
    scaled = (light.reshape(height, -1) * np.tile(gains, width)).reshape(light.shape)
    scaled *= light_left((width, height), sensor.vignette)
    if sensor.haze > 0:
        scaled *= np.float32(1.0 - sensor.haze)
        scaled += np.float32(sensor.haze)
    if sensor.saturation != 1.0:
        # Rec. 709's weights of blue, green and red.
        grey = _of_each_channel(scaled @ np.array([0.0722, 0.7152, 0.2126], dtype=np.float32))
        scaled -= grey
        scaled *= np.float32(sensor.saturation)
        scaled += grey
    levels = np.asarray(cv2.pow(np.clip(scaled, 0.0, 1.0, out=scaled), _GAMMA), np.float32)
    levels *= np.float32(255.0)
    if sensor.sharpen > 0:
        finest = levels - cv2.GaussianBlur(levels, (0, 0), 1.2)
        finest *= np.float32(sensor.sharpen)
        levels += finest
    return levels


def noisy(levels: NDArray[np.float32], sensor: Sensor, rng: np.random.Generator) -> Frame:
    """Return the camera's frame for these grey levels without noise: see `shown`."""
    height, width = levels.shape[:2]
    levels = levels.copy()
    if sensor.blotch > 0:
        coarse = _noise(rng, (height // 6 + 1) * (width // 6 + 1) * 3).reshape(height // 6 + 1, width // 6 + 1, 3)
        levels += np.float32(sensor.blotch) * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    if sensor.noise > 0:
        noise = _noise(rng, levels.size).reshape(levels.shape)
        noise *= np.float32(sensor.noise)
        noise *= more_in_shadows(levels)
        levels += noise
    frame = np.clip(np.rint(levels, out=levels), 0, 255, out=levels).astype(np.uint8)
    if sensor.jpeg_quality is not None:
        done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality])
        if not done:
            raise RuntimeError("OpenCV could not write a JPEG into memory")
        frame = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return np.asarray(frame)
