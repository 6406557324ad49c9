"""Measures the pose of a camera from the shape of a rectangular tray in the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.stages.pose import Pose
from vision.tray.edge import Point, is_in_view

USUAL_FOCAL = 0.8
"""The usual focal length in widths of the picture, for a horizontal field of view of 64 degrees."""

_MOST = 0.5
"""The sine of the largest tilt; beyond it, the tray is not rectangular or its edge is wrong."""


def tilt_of(edge: Sequence[Point], aspect: float, field_deg: float | None = None) -> float | None:
    """Measure how far the camera is tilted off the vertical, from the shape in which it sees a rectangle.

    Args:
        edge: The polygon, in parts of the picture's width and height.
        aspect: The picture's width / height.
        field_deg: The camera's horizontal field of view in degrees; None if unknown, to assume the usual one.

    Returns:
        The tilt in degrees; None if the polygon does not have four sides or is cut off by the picture.
    """
    if len(edge) != 4 or not is_in_view(edge):
        return None
    focal = USUAL_FOCAL if field_deg is None else 0.5 / math.tan(math.radians(field_deg / 2))
    x, y, z = _normal(edge, aspect, focal)
    return math.degrees(math.atan2(math.hypot(x, y), z))


def pose_over(edge: Sequence[Point], frame_size: tuple[int, int]) -> Pose | None:
    """Return the camera's pose from the shape in which it sees a rectangular tray, with the usual field of view.

    Args:
        edge: The polygon, in parts of the picture's width and height.
        frame_size: Width and height of the picture in pixels.

    Returns:
        The pose; None if the polygon does not have four sides or is cut off by the picture, or if the tilt would be
        unrealistic.
    """
    if len(edge) != 4 or not is_in_view(edge):
        return None
    width, height = frame_size
    x, y, _ = _normal(edge, width / height, USUAL_FOCAL)
    if math.hypot(x, y) > _MOST:
        return None
    # A pose's vector points towards the camera.
    return Pose((-x, -y), ((width - 1) / 2, (height - 1) / 2), 1 / (USUAL_FOCAL * width))


def _normal(edge: Sequence[Point], aspect: float, focal: float) -> tuple[float, float, float]:
    """Return the unit normal of a rectangle's plane, away from the camera; the focal length is in widths.

    The vanishing points of the two pairs of sides give the plane's vanishing line l; the plane's normal is Kᵀl for a
    camera with the matrix K = diag(f, f, 1) (Hartley & Zisserman, "Multiple View Geometry", 2nd edition, 8.6, result
    8.16). The right angles of the rectangle also determine the focal length (8.8), but not if the camera is tilted
    along one pair of sides, as it usually is.
    """
    corners = [np.array([x - 0.5, (y - 0.5) / aspect, 1.0]) for x, y in edge]
    sides = [np.cross(corners[side], corners[(side + 1) % 4]) for side in range(4)]
    vanishing_line = np.cross(np.cross(sides[0], sides[2]), np.cross(sides[1], sides[3]))
    normal = vanishing_line * (focal, focal, 1.0)
    x, y, z = normal / math.copysign(float(np.linalg.norm(normal)), float(normal[2]))
    return float(x), float(y), float(z)
