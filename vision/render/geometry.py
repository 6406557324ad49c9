"""Rotations and the pinhole camera: converts points in the tray to pixels, and pixels to rays."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Camera, PlacedDie, Quaternion, Vec3

Array = NDArray[np.float64]

FACE_UP: dict[int, tuple[int, int]] = {1: (0, 1), 2: (1, 1), 3: (2, 1), 4: (2, -1), 5: (1, -1), 6: (0, -1)}
"""The axis (0 x, 1 y, 2 z) and the side of each value on a die. Opposite faces add up to 7, and 1-2-3 run
counter-clockwise around their corner: a right-handed, "western" die."""


_TURNED_UP: dict[int, tuple[Vec3, int]] = {
    1: ((0, 1, 0), -1), 2: ((1, 0, 0), 1), 3: ((1, 0, 0), 0), 4: ((1, 0, 0), 2), 5: ((1, 0, 0), -1), 6: ((0, 1, 0), 1),
}  # fmt: skip
"""The axis about which each value is turned up from a die's own position, and by how many quarters."""


def quaternion(axis: Vec3 | Array, angle_rad: float) -> Quaternion:
    """Return the rotation about `axis` (not zero) by `angle_rad`, counter-clockwise seen against the axis."""
    x, y, z = (float(part) for part in axis)
    length = math.sqrt(x * x + y * y + z * z)
    scale = math.sin(angle_rad / 2) / length
    return (math.cos(angle_rad / 2), x * scale, y * scale, z * scale)


def after(second: Quaternion, first: Quaternion) -> Quaternion:
    """Return the rotation that applies `first` and then `second`."""
    a, b, c, d = second
    w, x, y, z = first
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def matrix(turn: Quaternion) -> Array:
    """Return the 3x3 rotation matrix of a unit quaternion."""
    w, x, y, z = turn
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def lying(value: int, yaw_rad: float) -> Quaternion:
    """Return the orientation of a flat die with `value` on top, rotated by `yaw_rad` about the vertical.

    Raises:
        KeyError: If `value` is not 1 to 6.
    """
    axis, quarters = _TURNED_UP[value]
    return after(quaternion((0, 0, 1), yaw_rad), quaternion(axis, quarters * math.pi / 2))


def corners(die: PlacedDie, shrink: float = 1.0) -> Array:
    """Return the eight corners of the die's cube, shape (8, 3), in millimetres; `shrink` scales it about its centre."""
    half = die.body.size_mm / 2 * shrink
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    return np.asarray((signs * half) @ matrix(die.turn).T + np.array(die.centre))


def resting_height(turn: Quaternion, size_mm: float) -> float:
    """Return the height of a cube's centre in this orientation when its lowest point touches the floor, in mm."""
    return float(np.abs(matrix(turn)[2]).sum()) * size_mm / 2


@dataclass(frozen=True, slots=True)
class View:
    """A camera's calculated position and orientation.

    Attributes:
        position: Place of the lens, (3,), millimetres.
        axes: The picture's right, down and forward in tray axes, as rows, (3, 3).
        focal_px: Focal length in pixels.
        middle: The principal point in pixels, (x, y), with pixel centres at whole numbers.
    """

    position: Array
    axes: Array
    focal_px: float
    middle: tuple[float, float]

    def project(self, points: Array) -> Array:
        """Return the pixels, (..., 2), of points in the tray, (..., 3) in millimetres.

        Points beside or behind the lens count as 1 mm in front of it, which puts them far outside the picture.
        """
        seen = (points - self.position) @ self.axes.T
        depth = np.maximum(seen[..., 2:], 1.0)
        return np.asarray(seen[..., :2] / depth * self.focal_px + np.array(self.middle))

    def rays(self, x: Array, y: Array) -> Array:
        """Return unit directions from the lens through pixels, in tray axes: shape of x plus (3,)."""
        across = (x - self.middle[0]) / self.focal_px
        down = (y - self.middle[1]) / self.focal_px
        seen = np.stack([across, down, np.ones_like(across)], axis=-1)
        seen /= np.sqrt((seen * seen).sum(axis=-1, keepdims=True))
        return np.asarray(seen @ self.axes)

    def onto_plane(self, z_mm: float) -> Array:
        """Return the homography from a level plane at height z (x, y in mm, homogeneous) to pixels, shape (3, 3)."""
        offset = np.array([0.0, 0.0, z_mm]) - self.position
        plane = np.column_stack([self.axes[:, 0], self.axes[:, 1], self.axes @ offset])
        lens = np.array([[self.focal_px, 0, self.middle[0]], [0, self.focal_px, self.middle[1]], [0, 0, 1]])
        return np.asarray(lens @ plane)

    def on_plane(self, x: Array, y: Array, z_mm: float = 0.0) -> Array:
        """Return the points of a level plane at height z at pixels, x and y in millimetres: shape of x plus (2,)."""
        rays = self.rays(x, y)
        steps = (z_mm - self.position[2]) / np.minimum(rays[..., 2:], -1e-3)
        return np.asarray((rays * steps + self.position)[..., :2])


def clip_window(low: Array, high: Array, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    """Return the part of a picture of this shape from `low` to `high` (x, y), as rows and columns; None if outside."""
    left, top = (max(0, int(edge)) for edge in np.clip(low, -1e6, 1e6))
    right, bottom = (int(edge) + 1 for edge in np.clip(high, -1e6, 1e6))
    right, bottom = min(shape[1], right), min(shape[0], bottom)
    return (slice(top, bottom), slice(left, right)) if right > left and bottom > top else None


def view(camera: Camera) -> View:
    """Return the camera's position and orientation."""
    lean, turn = math.radians(camera.lean_deg), math.radians(camera.turn_deg)
    aside = camera.height_mm * math.tan(math.radians(camera.tilt_deg))
    aim = np.array([*camera.aim_mm, 0.0])
    position = aim + np.array([aside * math.cos(lean), aside * math.sin(lean), camera.height_mm])
    forward = (aim - position) / np.linalg.norm(aim - position)
    right = np.array([math.cos(turn), math.sin(turn), 0.0])
    right -= right @ forward * forward
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(forward, right), forward])
    width, height = camera.size
    focal = width / 2 / math.tan(math.radians(camera.field_of_view_deg) / 2)
    return View(position, axes, focal, ((width - 1) / 2, (height - 1) / 2))
