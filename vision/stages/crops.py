"""Crops of a die, straightened to a view from above, at the size that the values network was trained on.

A crop may be rotated, mirrored and zoomed, or show one axis of the die's colours.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import Crop
from vision.stages.colours import along, axes_of
from vision.stages.finding import Face
from vision.stages.pose import straighten_at
from vision.types import Frame, Pose

CROP_PX, HALF_PX = 64, 14.5
"""The side of a crop, and half the side of the top face in it, in pixels. The network was trained on these."""

FACE = slice(round((CROP_PX - 1) / 2 - HALF_PX), round((CROP_PX - 1) / 2 + HALF_PX) + 1)
"""The rows and columns of a crop inside the top face."""

_LEAST_SCALE = 0.7
"""The scale below which a picture is smoothed first; otherwise pixels between the sampled ones would be ignored."""

_TOO_LONG = 32_767  # a picture's side in pixels that OpenCV does not warp

_SMOOTHER = 0.65
"""The standard deviation of that smoothing in pixels, relative to the root of 1 / scale² - 1. It blurs as much as
averaging to the size of a crop would, in a quarter of the time."""

_REACH = 0.8
"""The largest distance visible from the centre of a crop, in its sides: corners are at 0.71, and straightening
stretches by up to 1.1."""


def crops_of(crops: tuple[Crop, ...], frame: Frame, face: Face, pose: Pose) -> list[Frame]:
    """Return crops of a face, each of shape (CROP_PX, CROP_PX, 3).

    Args:
        crops: The kinds of crops.
        frame: (H, W, 3) uint8, BGR.
        face: The face, in pixels of the frame.
        pose: The camera's pose.
    """
    straight = straighten_at(pose, face.centre)
    frame, face = smoothed(frame, face, HALF_PX)
    seen = []
    for taken in crops:
        matrix = turned(straight, taken.turn_deg, is_mirrored=taken.is_mirrored)
        one = _warped(frame, face, matrix, HALF_PX * taken.zoom)
        if taken.axis is not None:
            one = along(one, axes_of(one[FACE, FACE]), taken.axis)
        seen.append(one)
    return seen


def from_above(frame: Frame, face: Face, pose: Pose) -> Frame:
    """Return a face as seen from straight above, shape (CROP_PX, CROP_PX, 3); arguments as for `crops_of`."""
    return crop(frame, face, straighten_at(pose, face.centre))


def body_of(seen: Frame) -> NDArray[np.float32]:
    """Return the colour of a die's body in a crop, BGR (3,): the median of its top face."""
    return np.asarray(np.median(seen[FACE, FACE].reshape(-1, 3), axis=0), np.float32)


def turned(straight: NDArray[np.float64], turn_deg: float, *, is_mirrored: bool) -> NDArray[np.float64]:
    """Return a linear map, (2, 2), followed by a rotation and, if asked for, a reflection of left and right."""
    turn = math.radians(turn_deg)
    matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) @ straight
    return np.asarray(matrix * [[-1.0], [1.0]] if is_mirrored else matrix)


def crop(
    frame: Frame,
    face: Face,
    matrix: NDArray[np.float64],
    zoom: float = 1.0,
    *,
    side_px: int = CROP_PX,
    half_px: float = HALF_PX,
) -> Frame:
    """Return a face's surroundings at a given scale, shape (side_px, side_px, 3).

    Args:
        frame: (H, W, 3) uint8, BGR; beyond its edges the edge is repeated.
        face: In its pixels.
        matrix: How it is straightened, turned and mirrored, (2, 2); areas stay.
        zoom: Factor on the scale.
        side_px: Side of the crop; the network's by default.
        half_px: Half side of the top face in it; what the network was fitted to by default.
    """
    frame, face = smoothed(frame, face, half_px * zoom, side_px)
    return _warped(frame, face, matrix, half_px * zoom, side_px)


def _warped(frame: Frame, face: Face, matrix: NDArray[np.float64], half_px: float, side_px: int = CROP_PX) -> Frame:
    """Return a crop with a face of this size; the other arguments as for `crop`."""
    scale = half_px / face.half
    offset = (side_px - 1) / 2 - scale * matrix @ face.centre
    whole = np.column_stack([scale * matrix, offset])
    size = (side_px, side_px)
    return np.asarray(
        cv2.warpAffine(frame, whole, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def smoothed(frame: Frame, face: Face, half_px: float, side_px: int = CROP_PX) -> tuple[Frame, Face]:
    """Return a large face's surroundings smoothed, and halved, or more, if possible: a crop alone would skip pixels.

    Args:
        frame: (H, W, 3) uint8, BGR.
        face: In its pixels.
        half_px: Half side that the face has in a crop.
        side_px: Side of the crop.

    Returns:
        As much of the frame as may be seen in such a crop, and the face in its pixels; both unchanged if it is small.
    """
    scale = half_px / face.half
    if scale >= _LEAST_SCALE and max(frame.shape) < _TOO_LONG:
        return frame, face
    reach = _REACH * side_px / scale
    x, y = face.centre
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    small, smaller = frame[top : int(y + reach) + 1, left : int(x + reach) + 1], 1
    if scale >= _LEAST_SCALE:
        return small, replace(face, centre=(x - left, y - top))
    while scale * smaller <= 0.5 and min(small.shape[:2]) > 1:  # OpenCV halves many times as fast as it averages
        height, width = small.shape[0] // 2, small.shape[1] // 2
        whole = small[: 2 * height, : 2 * width]
        small = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        smaller *= 2
    place = (x - left + 0.5) / smaller - 0.5, (y - top + 0.5) / smaller - 0.5
    soft = cv2.GaussianBlur(small, (3, 3), _SMOOTHER * math.sqrt(1 / (scale * smaller) ** 2 - 1 + 1e-9))
    return np.asarray(soft, np.uint8), replace(face, centre=place, half=face.half / smaller)
