"""Measures the sharpness of a picture from its edges."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

_Map = NDArray[np.float32]

FINE = 1.5
"""The blur at which the gradient is measured, in pixels; 1 to 2."""

COARSE = 3.0
"""The blur at which the gradient is measured again, in pixels: twice as much."""

EDGE_NOISE = 4.0
"""The least gradient of an edge, in multiples of the picture's median; 3 to 6."""

EDGE_LEAST = 1.5
"""The least gradient of an edge, in grey levels per pixel; 1 to 4."""

EDGES_LEAST = 30
"""The least number of edge pixels for a measurement; 20 to 100."""


def blur_of(grey: NDArray[np.uint8], where: NDArray[np.bool_]) -> float | None:
    """Measure how blurred a picture is, by its edges.

    After a Gaussian s, an ideal edge blurred by b has a gradient proportional to 1/√(b² + s²). So the ratio R of the
    gradients at two such scales gives b² = (s₂² - R² s₁²) / (R² - 1), whatever the edge's contrast (after Zhuo & Sim,
    "Defocus map estimation from a single image", Pattern Recognition 44, 2011). The result is the median over all clear
    edges.

    Args:
        grey: (H, W) uint8.
        where: Mask of the part to measure, (H, W).

    Returns:
        Standard deviation of the blur in pixels, the pixels' own size included; None if there are too few edges.
    """
    fine, across, down = _gradient(grey, FINE)
    coarse, _, _ = _gradient(grey, COARSE)
    beside = np.pad(fine, 1)
    peak = np.where(
        np.abs(across) > np.abs(down),
        (fine >= beside[1:-1, :-2]) & (fine >= beside[1:-1, 2:]),
        (fine >= beside[:-2, 1:-1]) & (fine >= beside[2:, 1:-1]),
    )
    if not where.any():
        return None
    least = max(EDGE_LEAST, EDGE_NOISE * float(np.median(fine[where])))
    edges = peak & where & (fine > least)
    if int(edges.sum()) < EDGES_LEAST:
        return None
    # For an edge, R is at most s2/s1 (without blur); lines and grain have more.
    ratio = float(np.median(np.minimum(fine[edges] / coarse[edges], COARSE / FINE)))
    if ratio <= 1.0:
        return None
    square = (COARSE**2 - (ratio * FINE) ** 2) / (ratio * ratio - 1.0)
    return math.sqrt(max(square, 0.0))


def _gradient(grey: NDArray[np.uint8], sigma: float) -> tuple[_Map, _Map, _Map]:
    """Return the gradient after a Gaussian, in grey levels per pixel: length, horizontal and vertical part."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma)
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32)
    return np.asarray(cv2.magnitude(across, down), np.float32), across, down
