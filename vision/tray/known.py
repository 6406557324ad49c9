"""Compares a frame with the known empty tray: where nothing has changed, there is neither a die nor a hand.

Printed figures, stains and seams, which the networks may take for a die or an object, are also in the empty tray. A
change may be a die, a shadow, or a new object (`vision.tray.new_things`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import FinderParams, KnownTrayParams
from vision.stages.finding import find
from vision.tray.edge import Point, cut_by_picture, edge_mask
from vision.types import Frame, Pose

EMPTY_SIZE = (80, 60)  # width and height of the picture of the empty tray, pixels

Cells = NDArray[np.bool_]
"""A mask over the whole frame, shape (60, 80)."""

EDGE_MARGIN = 0.008
"""The distance beyond the tray's edge from which a point is certainly outside, as a part of the picture's width; 0.003
to 0.015."""

SAME_SHAPE = 0.02  # relative difference in width / height up to which frames have the same shape
MOST_CUT = 1.0  # total length of picture edges, of 4, that may cut off a tray whose edge counts; 0.8 to 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Tray:
    """What is known about a tray under a camera, from its calibration or from the last time it was seen empty.

    Attributes:
        frame_size: Width and height in pixels of the frames that show it.
        edge: Edge of its inside, a convex polygon in parts of the picture; None if unknown.
        empty: Picture of the empty tray, (60, 80, 3) uint8, BGR; None if it was never seen empty.
        inside: Mask of its inside in that picture, (60, 80); None if it was never seen empty.
        pose: Camera's pose, for frames of `frame_size`, from an earlier roll; None if unknown.
    """

    frame_size: tuple[int, int]
    edge: tuple[Point, ...] | None = None
    empty: NDArray[np.uint8] | None = None
    inside: Cells | None = None
    pose: Pose | None = None

    @classmethod
    def learnt(cls, frame_size: tuple[int, int], edge: tuple[Point, ...], empty: NDArray[np.uint8] | None) -> Tray:
        """Return the tray that a calibration has measured; `empty` as for `Tray`."""
        return cls(frame_size, edge, empty, edge_mask(edge, EMPTY_SIZE))

    def pose_in(self, frame_size: tuple[int, int]) -> Pose | None:
        """Return the camera's pose for frames of another size but the same shape; None if unknown."""
        return (
            None if self.pose is None or not self.fits(frame_size) else _resized(self.pose, self.frame_size, frame_size)
        )

    def fits(self, frame_size: tuple[int, int]) -> bool:
        """Whether frames of this width and height have the same shape as those that showed the tray."""
        (width, height), (own_width, own_height) = frame_size, self.frame_size
        return abs(width * own_height / (height * own_width) - 1.0) < SAME_SHAPE

    def outside(self, points: Sequence[Point], frame_size: tuple[int, int]) -> list[bool]:
        """Return which points of a frame, in its pixels, lie beyond the edge by more than `EDGE_MARGIN`.

        All False if the edge is unknown or mostly out of view, or if the frame has another shape and thus comes from
        another camera.
        """
        if self.edge is None or not self.fits(frame_size) or sum(cut_by_picture(self.edge).values()) > MOST_CUT:
            return [False] * len(points)
        width, height = frame_size
        edge = np.array(self.edge, np.float32) * np.array([width, height], np.float32)
        limit = -EDGE_MARGIN * width
        return [cv2.pointPolygonTest(edge, (float(x), float(y)), measureDist=True) < limit for x, y in points]


def remembered(frame: Frame, tray: Tray | None) -> Tray:
    """Return what is known about a tray after a frame, (H, W, 3) uint8, BGR, has shown it empty."""
    size = frame.shape[1], frame.shape[0]
    chances = find(frame, FinderParams()).tray
    inside = cv2.resize(chances, EMPTY_SIZE, interpolation=cv2.INTER_AREA) > 0.5
    edge = tray.edge if tray is not None and tray.fits(size) else None
    pose = None if tray is None else tray.pose_in(size)
    return Tray(size, edge, made_small(frame), np.asarray(inside, np.bool_), pose)


def with_pose(tray: Tray | None, pose: Pose, frame_size: tuple[int, int]) -> Tray:
    """Return what is known about a tray after dice have shown the camera's pose, in frames of this size."""
    if tray is None or not tray.fits(frame_size):
        return Tray(frame_size, pose=pose)
    return replace(tray, pose=_resized(pose, frame_size, tray.frame_size))


def _resized(pose: Pose, old: tuple[int, int], new: tuple[int, int]) -> Pose:
    """Return a camera's pose, converted from frames of the old size to frames of the new size with the same shape."""
    return Pose.centred(pose.up, pose.per_px * old[0] / new[0], new)


def made_small(frame: Frame) -> NDArray[np.uint8]:
    """Return the whole frame reduced to the size of the picture of an empty tray: (60, 80, 3) uint8, BGR."""
    return np.asarray(cv2.resize(frame, EMPTY_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def unchanged(frame: Frame, tray: Tray, params: KnownTrayParams) -> Cells | None:
    """Return which cells of a frame, (H, W, 3) uint8, BGR, look like the empty tray, in light of any brightness.

    None if the tray was never seen empty or the frame has another shape.
    """
    if tray.empty is None or not tray.fits((frame.shape[1], frame.shape[0])):
        return None
    now, before = (
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32) for picture in (made_small(frame), tray.empty)
    )
    brighter = float(np.median((now + params.levels) / (before + params.levels)))
    same = np.abs(now - brighter * before) <= np.maximum(params.levels, params.part * brighter * before)
    return np.asarray(same, np.bool_)


def is_tray_hidden(same: Cells | None, params: KnownTrayParams) -> bool:
    """Whether so few cells are unchanged that something fills the picture or the lighting has changed."""
    return same is not None and float(same.mean()) < params.least
