"""Colour axes, which show differences of colour alone."""

from __future__ import annotations

import cv2
import numpy as np

from vision.stages.colours import along, axes_of, lab

RNG = np.random.default_rng(0)
BODY, PIP = np.array([60.0, 140.0, 120.0]), np.array([130.0, 90.0, 100.0])
"""Two colours, BGR, that are equally light."""


def marbled() -> tuple[np.ndarray, np.ndarray]:
    """A face with broad bands of light and shade and a pip as light as its body, and where the pip is."""
    rows, columns = np.mgrid[:40, :40]
    pip = (rows - 20) ** 2 + (columns - 20) ** 2 < 16
    bands = 35.0 * np.sin(columns / 3.0)
    face = np.where(pip[..., None], PIP, BODY) + bands[..., None] + RNG.normal(0, 2, (40, 40, 3))
    return np.clip(face, 0, 255).astype(np.uint8), pip


def clearness(picture: np.ndarray, where: np.ndarray) -> float:
    """By how many deviations of the rest a part of a picture differs from it."""
    grey = picture.mean(axis=2)
    return float(abs(grey[where].mean() - grey[~where].mean()) / max(grey[~where].std(), 1e-6))


def test_a_pip_hidden_by_bands_of_shade_is_visible_along_the_second_axis():
    face, pip = marbled()
    assert clearness(face, pip) < 1
    assert clearness(along(face, axes_of(face), 0), pip) < 1
    assert clearness(along(face, axes_of(face), 1), pip) > 6


def test_lab_differs_from_that_of_opencv_by_less_than_half_a_unit():
    picture = RNG.integers(0, 256, (50, 50, 3), dtype=np.uint8)
    by_opencv = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    assert float(np.abs(lab(picture) - by_opencv).max()) < 0.5
