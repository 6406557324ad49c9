"""Augmentation of any picture, beyond what the renderer varies: other colours, light, lenses and noise."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.stages.colours import along, axes_of, stretched

Picture = NDArray[np.uint8]
"""Shape (H, W, 3), BGR."""

STRETCHED, GREY = 0.12, 0.05
"""The shares of pictures with decorrelated colours, and of those along the main axis of their colours."""

_GRAIN = 1 << 20
"""The number of noise values drawn in advance and reused from random offsets, because fresh noise takes longer than
all other steps together."""


def disturb(rng: np.random.Generator, picture: Picture, *, blur: float) -> Picture:
    """Return the picture with other colours, other light, and another camera.

    Args:
        rng: The random numbers.
        picture: The picture, which is not changed.
        blur: The largest blur, as a standard deviation in pixels.
    """
    return resense(rng, relight(rng, recolour(rng, picture)), blur=blur)


def set_apart(rng: np.random.Generator, picture: Picture, sample: Picture, *, grey: bool) -> Picture:
    """Return the picture, sometimes as `colour_axes` shows it: the reader retries doubtful pictures in that form.

    Args:
        rng: The random numbers.
        picture: The picture, which is not changed.
        sample: The part whose contrast should be highest.
        grey: Whether it may also be shown along the main axis of its colours, never along another one, which shows no
            pips on most dice.
    """
    chance = rng.random()
    if chance < STRETCHED:
        return stretched(picture, axes_of(sample), 1.0 if rng.random() < 0.5 else float(rng.uniform(0.3, 1.0)))
    if grey and chance < STRETCHED + GREY:
        return along(picture, axes_of(sample), 0)
    return picture


def recolour(rng: np.random.Generator, picture: Picture) -> Picture:
    """Return the picture with channels exchanged, mixed, faded or inverted, and other gain, gamma and contrast."""
    mixing = np.eye(3) + rng.normal(0, 0.08, (3, 3))
    if rng.random() < 0.2:
        mixing = mixing[rng.permutation(3)]
    if rng.random() < 0.3:
        share = rng.uniform(0, 1) * (rng.random() < 0.7)
        mixing = mixing * share + mixing.mean(axis=0) * (1 - share)
    mixing /= np.maximum(mixing.sum(axis=1, keepdims=True), 0.3)
    levels = np.arange(256) / 255
    if rng.random() < 0.08:
        levels = 1 - levels
    levels = 255 * levels ** np.exp(rng.normal(0, 0.22))
    levels = levels[:, None] * np.clip(
        np.exp(rng.normal(0, 0.2, 3) * (rng.random() < 0.4) + rng.normal(0, 0.2)), 0.4, 1.7
    )
    if rng.random() < 0.25:
        level = rng.uniform(20, 200)
        levels = level + (levels - level) * rng.uniform(0.6, 1.15)
    mixed = cv2.transform(picture, mixing)
    return np.asarray(cv2.LUT(mixed, np.clip(levels, 0, 255).astype(np.uint8)[None]), np.uint8)


@lru_cache(maxsize=4)
def _ways(height: int, width: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return x / width - 0.5, y / height - 0.5


def relight(rng: np.random.Generator, picture: Picture) -> Picture:
    """Return the picture with gradients of light, edges of shadows and spots of glare."""
    x, y = _ways(*picture.shape[:2])
    if rng.random() < 0.35:
        angle, soft, dark = rng.uniform(0, 2 * np.pi), 10 ** rng.uniform(-1.8, 0.3), rng.uniform(0.4, 0.9)
        along = (np.cos(angle) * x + np.sin(angle) * y - np.float32(rng.uniform(-0.4, 0.4))) * np.float32(2 / soft)
        light = dark + (1 - dark) * (0.5 - 0.5 * np.tanh(along))
        picture = np.clip(picture * light[..., None], 0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        dx, dy = x - np.float32(rng.uniform(-0.5, 0.5)), y - np.float32(rng.uniform(-0.5, 0.5))
        size, stretch = 10 ** rng.uniform(-1.6, -0.5), np.exp(rng.normal(0, 0.5))
        spot = rng.uniform(30, 140) * np.exp(-(dx * dx * stretch + dy * dy / stretch) / size**2)
        picture = np.clip(picture + spot[..., None], 0, 255).astype(np.uint8)
    return picture


@lru_cache(maxsize=1)
def _noise() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(_GRAIN, dtype=np.float32)


def resense(rng: np.random.Generator, sensed: Picture, *, blur: float) -> Picture:
    """Return the picture with blur, larger pixels, sharpening, noise and compression."""
    height, width = sensed.shape[:2]
    picture: MatLike = sensed
    if rng.random() < 0.35:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, blur))
    if rng.random() < 0.15:
        length, angle = rng.uniform(1, 2.6) * blur, rng.uniform(0, 2 * np.pi)
        kernel = np.zeros((9, 9), np.float32)
        for step in np.linspace(-0.5, 0.5, 9):
            kernel[round(4 + length * step * np.sin(angle)), round(4 + length * step * np.cos(angle))] += 1
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    if rng.random() < 0.2:
        scale = rng.uniform(0.55, 0.95)
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = cv2.resize(
            small, (width, height), interpolation=cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
        )
    if rng.random() < 0.15:
        part = rng.uniform(0.3, 1.2)
        picture = cv2.addWeighted(picture, 1 + part, cv2.GaussianBlur(picture, (0, 0), 1.2), -part, 0)
    if rng.random() < 0.5:
        channels = 3 if rng.random() < 0.6 else 1
        start = int(rng.integers(_GRAIN - height * width * channels))
        grain: MatLike = _noise()[start : start + height * width * channels].reshape(height, width, channels)
        if rng.random() < 0.4:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7).reshape(height, width, channels) * 2
        picture = np.clip(picture + np.float32(10 ** rng.uniform(0, 1.0)) * grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))])
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert decoded is not None
        picture = decoded
    return np.asarray(picture, np.uint8)
