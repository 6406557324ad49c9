"""From light to a picture: lens blur, vignetting, white balance, tone curve, noise and JPEG."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Frame
from vision.render.scene import Sensor

_GAMMA = 1 / 2.2
"""Display tone curve; sRGB's exact curve differs by less than the noise."""

_BANK = 1 << 20
"""Length of the stored noise from which each frame takes a piece; drawing it anew would cost most of a frame."""


def light_left(size: tuple[int, int], vignette: float, places: NDArray[np.floating]) -> NDArray[np.float64]:
    """The part of the light that a lens leaves at pixels, (..., 2) as x and y, of a picture of this width and height.

    It falls with the square of how far off the middle they are, to 1 - `vignette` in the corners; shape (...).
    """
    middle = (np.array(size) - 1) / 2
    off = places - middle
    return np.asarray(1.0 - vignette * (off * off).sum(axis=-1) / float(middle @ middle))


@lru_cache(maxsize=2)
def _light_left_everywhere(size: tuple[int, int], vignette: float) -> NDArray[np.float32]:
    columns, rows = np.meshgrid(*(np.arange(side) for side in size))
    return light_left(size, vignette, np.stack([columns, rows], axis=-1)).astype(np.float32)[..., None]


@lru_cache(maxsize=1)
def _noise_bank() -> NDArray[np.float32]:
    return np.random.default_rng(20240229).standard_normal(_BANK + 4096, dtype=np.float32)


def _noise(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Gaussian noise of deviation 1, shape (count,), from pieces of the bank at random places."""
    bank = _noise_bank()
    pieces = []
    while count > 0:
        start = int(rng.integers(0, 4096))
        take = min(count, len(bank) - start)
        pieces.append(bank[start : start + take] * np.float32(rng.choice([-1.0, 1.0])))
        count -= take
    return np.concatenate(pieces)


def _more_in_shadows(shown: NDArray[np.float32]) -> NDArray[np.float32]:
    """Noise at grey levels of 255, as a multiple of that at middle grey.

    Photon noise of linear light has the deviation sqrt(light); the slope of the tone curve carries it to grey levels.
    That makes shadows noisier than bright parts, as the clipped factor does here.
    """
    return np.asarray(np.clip(1.9 - shown * np.float32(0.9 / 128), 0.35, 1.9), np.float32)


def noise_at(sensor: Sensor, level: float) -> float:
    """The noise of a pixel at a grey level of 255: deviation in grey levels."""
    return sensor.noise * float(_more_in_shadows(np.array(level, np.float32)))


def expose(light: NDArray[np.float32], sensor: Sensor, rng: np.random.Generator) -> Frame:
    """Turn linear light (float32 BGR, shape (H, W, 3)) into the frame that the camera would give."""
    height, width = light.shape[:2]
    if sensor.blur_px > 0:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.blur_px), dtype=np.float32)
    gains = np.array(sensor.white, dtype=np.float32) * np.float32(sensor.exposure)
    scaled = light * gains * _light_left_everywhere((width, height), sensor.vignette)
    if sensor.haze > 0:
        scaled = scaled * np.float32(1.0 - sensor.haze) + np.float32(sensor.haze)
    if sensor.saturation != 1.0:
        # Rec. 709's weights of blue, green and red.
        grey = scaled @ np.array([0.0722, 0.7152, 0.2126], dtype=np.float32)
        scaled = grey[..., None] + np.float32(sensor.saturation) * (scaled - grey[..., None])
    shown = cv2.pow(np.clip(scaled, 0.0, 1.0), _GAMMA) * 255.0
    if sensor.sharpen > 0:
        shown += np.float32(sensor.sharpen) * (shown - cv2.GaussianBlur(shown, (0, 0), 1.2))
    if sensor.blotch > 0:
        coarse = _noise(rng, (height // 6 + 1) * (width // 6 + 1) * 3).reshape(height // 6 + 1, width // 6 + 1, 3)
        shown += np.float32(sensor.blotch) * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    if sensor.noise > 0:
        shown += _more_in_shadows(shown) * (np.float32(sensor.noise) * _noise(rng, shown.size).reshape(shown.shape))
    frame = np.clip(np.rint(shown), 0, 255).astype(np.uint8)
    if sensor.jpeg_quality is not None:
        done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality])
        if not done:
            raise RuntimeError("OpenCV could not write a JPEG into memory")
        frame = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    return np.asarray(frame)
