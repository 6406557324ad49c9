"""Measures the tilt of a camera from the shape of a rectangular tray in the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.tray.edge import Point, is_in_view

_USUAL_FOCAL = 0.8
"""The usual focal length in widths of the picture, for a horizontal field of view of 64 degrees."""


def tilt_of(edge: Sequence[Point], aspect: float, field_deg: float | None = None) -> float | None:
    """Measure how far the camera is tilted off the vertical, from the shape in which it sees a rectangle.

    The vanishing points of the two pairs of sides give the plane's vanishing line l; the plane's normal is Kᵀl for a
    camera with the matrix K = diag(f, f, 1) (Hartley & Zisserman, "Multiple View Geometry", 2nd edition, 8.6, result
    8.16). The right angles of the rectangle also determine the focal length f (8.8), but not if the camera is tilted
    along one pair of sides, as it usually is.

    Args:
        edge: The polygon, in parts of the picture's width and height.
        aspect: The picture's width / height.
        field_deg: The camera's horizontal field of view in degrees; None if unknown, to assume the usual one.

    Returns:
        The tilt in degrees; None if the polygon does not have four sides or is cut off by the picture.
    """
    if len(edge) != 4 or not is_in_view(edge):
        return None
    focal = _USUAL_FOCAL if field_deg is None else 0.5 / math.tan(math.radians(field_deg / 2))
    corners = [np.array([x - 0.5, (y - 0.5) / aspect, 1.0]) for x, y in edge]
    sides = [np.cross(corners[side], corners[(side + 1) % 4]) for side in range(4)]
    vanishing_line = np.cross(np.cross(sides[0], sides[2]), np.cross(sides[1], sides[3]))
    x, y, z = (vanishing_line * (focal, focal, 1.0)).tolist()
    return math.degrees(math.atan2(math.hypot(x, y), abs(z)))
