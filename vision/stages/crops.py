"""Crops of a die, straightened to a view from above, at the size that the values network was trained on.

A crop may be rotated, mirrored and zoomed, show one axis of the die's colours, or lack nearly white marks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stages.colours import along, axes_of
from vision.stages.finding import Face
from vision.stages.pose import Pose
from vision.types import Frame

CROP_PX, HALF_PX = 64, 14.5
"""The side of a crop, and half the side of the top face in it, in pixels. The network was trained on these."""

FACE = slice(round((CROP_PX - 1) / 2 - HALF_PX), round((CROP_PX - 1) / 2 + HALF_PX) + 1)
"""The rows and columns of a crop inside the top face."""

_BRUSH = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
"""The width up to which marks are painted over, in pixels of a crop; pips are 4 to 8 wide."""

WHITE = 235
"""The level from which all channels are nearly white, 0 to 255, as in the reflection of a lamp on any die."""

_LEAST_SCALE = 0.7
"""The scale below which a picture is averaged first; otherwise pixels between the sampled ones would be ignored."""

_ROOM = 1.25
"""The size to which a large face is reduced once for all looks, relative to its size in a crop. Reducing it for each
look would take longer than the rest of a crop. Looks with a `zoom` of at least 0.88 do not reduce it further."""

_REACH = 0.8
"""The largest distance visible from the centre of a crop, in its sides: corners are at 0.71, and straightening
stretches by up to 1.1."""


class Crop(NamedTuple):
    """The kind of a crop.

    Attributes:
        turn_deg: Rotation in degrees.
        is_mirrored: Whether left and right are exchanged.
        zoom: Scale factor.
        axis: Index of the axis of the face's colours that it shows in grey; None for the original colours.
        without_lamps: Whether nearly white marks are painted over.
    """

    turn_deg: float
    is_mirrored: bool
    zoom: float
    axis: int | None = None
    without_lamps: bool = False


def crops_of(crops: tuple[Crop, ...], frame: Frame, face: Face, pose: Pose) -> list[Frame]:
    """Return crops of a face, each of shape (CROP_PX, CROP_PX, 3).

    Args:
        crops: The kinds of crops.
        frame: (H, W, 3) uint8, BGR.
        face: The face, in pixels of the frame.
        pose: The camera's pose.
    """
    straight = pose.straighten(face.centre)
    if face.half > HALF_PX / _LEAST_SCALE:
        frame, face = shrunk(frame, face, _ROOM * HALF_PX, round(_ROOM * CROP_PX))
    seen = []
    for taken in crops:
        way = turned(straight, taken.turn_deg, is_mirrored=taken.is_mirrored)
        one = crop(frame, face, way, taken.zoom)
        if taken.axis is not None:
            one = along(one, axes_of(one[FACE, FACE]), taken.axis)
        seen.append(painted_over(one) if taken.without_lamps else one)
    return seen


def from_above(frame: Frame, face: Face, pose: Pose) -> Frame:
    """Return a face as seen from straight above, shape (CROP_PX, CROP_PX, 3); arguments as for `crops_of`."""
    return crop(frame, face, pose.straighten(face.centre))


def turned(straight: NDArray[np.float64], turn_deg: float, *, is_mirrored: bool) -> NDArray[np.float64]:
    """Return a linear map, (2, 2), followed by a rotation and, if asked for, a reflection of left and right."""
    turn = np.radians(turn_deg)
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ straight
    return np.asarray(way * [[-1.0], [1.0]] if is_mirrored else way)


def crop(
    frame: Frame,
    face: Face,
    way: NDArray[np.float64],
    zoom: float = 1.0,
    *,
    side_px: int = CROP_PX,
    half_px: float = HALF_PX,
) -> Frame:
    """Return a face's surroundings at a given scale, shape (side_px, side_px, 3).

    Args:
        frame: (H, W, 3) uint8, BGR; beyond its edges the edge is repeated.
        face: In its pixels.
        way: How it is straightened, turned and mirrored, (2, 2); areas stay.
        zoom: Factor on the scale.
        side_px: Side of the crop; the network's by default.
        half_px: Half side of the top face in it; what the network was fitted to by default.
    """
    if half_px * zoom < _LEAST_SCALE * face.half:
        frame, face = shrunk(frame, face, half_px * zoom, side_px)
    scale = half_px / face.half * zoom
    offset = (side_px - 1) / 2 - scale * way @ face.centre
    whole = np.column_stack([scale * way, offset])
    size = (side_px, side_px)
    return np.asarray(
        cv2.warpAffine(frame, whole, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def shrunk(frame: Frame, face: Face, half_px: float, side_px: int = CROP_PX) -> tuple[Frame, Face]:
    """Return a face's surroundings reduced by averaging: a crop alone would skip pixels.

    Args:
        frame: (H, W, 3) uint8, BGR.
        face: In its pixels.
        half_px: Half side that the face is to have.
        side_px: Side of a crop that is to be taken of it.

    Returns:
        As much of the frame as may be seen in such a crop, and the face in its pixels.
    """
    scale = half_px / face.half
    reach = _REACH * side_px / scale
    x, y = face.centre
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    window = frame[top : int(y + reach) + 1, left : int(x + reach) + 1]
    small = np.asarray(cv2.resize(window, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    across, down = small.shape[1] / window.shape[1], small.shape[0] / window.shape[0]
    place = (x - left + 0.5) * across - 0.5, (y - top + 0.5) * down - 0.5
    return small, replace(face, centre=place, half=half_px)


def painted_over(seen: Frame) -> Frame:
    """Return a crop whose nearly white marks are painted over with what is round them."""
    lamps = cv2.dilate(whiteness(seen, WHITE), np.ones((3, 3), np.uint8))
    painted = cv2.morphologyEx(seen, cv2.MORPH_OPEN, _BRUSH)
    return np.where(lamps[..., None] > 0, painted, seen).astype(np.uint8)


def whiteness(seen: Frame, least: int) -> NDArray[np.uint8]:
    """Return where a picture reaches a level, 0 to 255, in blue, green and red: shape (H, W), 0 or 1."""
    blue, green, red = cv2.split(seen)  # many times as fast as NumPy over three channels
    return np.asarray(cv2.min(cv2.min(blue, green), red) >= least, np.uint8)
