"""A shadow over a part of the tray."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Shade

Array = NDArray[np.float64]


def lit_part(shade: Shade, places: Array) -> Array:
    """Return the part of the lamp's light that a shadow leaves at places, (..., 2 or 3) mm: (...), 0 to 1."""
    towards = math.radians(shade.towards_deg)
    along = places[..., 0] * math.cos(towards) + places[..., 1] * math.sin(towards) - shade.from_mm
    half = shade.width_mm / 2
    within = np.clip(0.5 + (half - np.abs(along - half)) / max(shade.soft_mm, 0.1), 0.0, 1.0)
    return np.asarray(1.0 - shade.depth * within)
