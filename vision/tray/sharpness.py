"""How sharp a picture is, by its edges."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.calibrate_params import CalibrateParams

_Map = NDArray[np.float32]


def blur_of(grey: NDArray[np.uint8], where: NDArray[np.bool_], params: CalibrateParams | None = None) -> float | None:
    """Measure how blurred a picture is, by its edges.

    An ideal edge blurred by b has, after a Gaussian s, a gradient in proportion to 1/√(b² + s²). So the ratio R of the
    gradients at two such scales gives b² = (s₂² - R² s₁²) / (R² - 1), whatever the edge's contrast (after Zhuo & Sim,
    "Defocus map estimation from a single image", Pattern Recognition 44, 2011). The median over all clear edges is
    taken.

    Args:
        grey: (H, W) uint8.
        where: The part of it that counts, (H, W).
        params: The tunables.

    Returns:
        Standard deviation of the blur in pixels, the pixels' own size included; None where there are too few edges.
    """
    params = params or CalibrateParams()
    fine, across, down = _gradient(grey, params.fine_sigma)
    coarse, _, _ = _gradient(grey, params.coarse_sigma)
    beside = np.pad(fine, 1)
    peak = np.where(
        np.abs(across) > np.abs(down),
        (fine >= beside[1:-1, :-2]) & (fine >= beside[1:-1, 2:]),
        (fine >= beside[:-2, 1:-1]) & (fine >= beside[2:, 1:-1]),
    )
    if not where.any():
        return None
    least = max(params.edge_least, params.edge_noise * float(np.median(fine[where])))
    edges = peak & where & (fine > least)
    if int(edges.sum()) < params.edges_least:
        return None
    # Of an unblurred edge R is at most s2/s1; lines and grain, which are no edges, have more.
    ratio = float(np.median(np.minimum(fine[edges] / coarse[edges], params.coarse_sigma / params.fine_sigma)))
    if ratio <= 1.0:
        return None
    square = (params.coarse_sigma**2 - (ratio * params.fine_sigma) ** 2) / (ratio * ratio - 1.0)
    return math.sqrt(max(square, 0.0))


def _gradient(grey: NDArray[np.uint8], sigma: float) -> tuple[_Map, _Map, _Map]:
    """Give a picture's gradient after a Gaussian, grey levels a pixel: its length, its part across, its part down."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma)
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32)
    return np.asarray(cv2.magnitude(across, down), np.float32), across, down
