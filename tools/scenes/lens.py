"""A camera whose lens distorts, as most wide lenses do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.geometry import Array
from vision.render.scene import Camera

Picture = NDArray[np.float32]


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
