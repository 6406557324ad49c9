"""A model of a small camera: exposure, white balance, noise, a little blur, eight bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 30
"""The number of iterations of the exposure, as overexposed pixels count no more than white."""

_MOST_GAIN = 1e6
"""The largest gain: no camera can make a picture of almost no light."""


def developed(rng: np.random.Generator, light: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return a picture of linear light, (H, W, 3) red, green, blue, as eight bits each.

    Args:
        rng: The random numbers for brightness, remaining tint, noise and blur.
        light: As rendered, at least 0.
    """
    mean = float(rng.uniform(0.16, 0.3))
    gain = 1.0 / max(float(light.mean()), 1e-6)
    for _ in range(_ROUNDS):
        gain *= (mean / max(float(np.clip(light * gain, 0, 1).mean()), 1e-6)) ** 0.7
        gain = min(gain, _MOST_GAIN)
    tint = np.maximum(light.reshape(-1, 3).mean(axis=0), 1e-6)
    undone = 0.0 if rng.random() < 0.4 else float(rng.uniform(0.3, 0.8))
    shown = light * gain * (tint.mean() / tint) ** undone
    noise = float(rng.uniform(0.002, 0.012))
    # Photon noise, proportional to the square root of the light, and read-out noise.
    shown = shown + rng.standard_normal(shown.shape) * np.sqrt(4 * noise**2 * shown + (noise / 2) ** 2)
    shown = np.clip(shown, 0, 1)
    shown = np.where(shown < 0.0031308, 12.92 * shown, 1.055 * shown ** (1 / 2.4) - 0.055)  # sRGB, IEC 61966-2-1
    if rng.random() < 0.5:
        shown = _blurred(shown, float(rng.uniform(0.3, 0.8)))
    return np.asarray(np.rint(255 * np.clip(shown, 0, 1)), np.uint8)


def _blurred(picture: NDArray[np.float64], deviation: float) -> NDArray[np.float64]:
    steps = np.arange(-3, 4)
    kernel = np.exp(-0.5 * (steps / deviation) ** 2)
    kernel /= kernel.sum()
    for axis in (0, 1):
        padded = np.pad(picture, [(3, 3) if axis == one else (0, 0) for one in range(3)], mode="edge")
        size = picture.shape[axis]
        picture = sum(part * padded.take(range(at, at + size), axis) for at, part in enumerate(kernel))
    return picture
