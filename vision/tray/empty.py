"""The empty tray as it is remembered: how it looks, and where it is.

It is known from a calibration, and anew each time that a box sees its tray empty between two throws: then whatever has
changed since, the light or a card that stays beside the dice, belongs to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tray.calibration import EMPTY_SIZE, Calibration, same_shape
from vision.tray.edge import edge_mask
from vision.types import Frame


@dataclass(frozen=True, slots=True, eq=False)
class EmptyTray:
    """An empty tray under its camera.

    Attributes:
        picture: How it looks: the whole frame made small, uint8 BGR of shape (60, 80, 3).
        inside: Where in it the inside of the tray is, shape (60, 80).
        frame_size: Width and height in pixels of the frames that it was seen in.
    """

    picture: NDArray[np.uint8]
    inside: NDArray[np.bool_]
    frame_size: tuple[int, int]

    def fits(self, frame_size: tuple[int, int]) -> bool:
        """Tell whether frames of this width and height have the shape of those that it was seen in."""
        return same_shape(frame_size, self.frame_size)


def made_small(frame: Frame) -> NDArray[np.uint8]:
    """The whole frame as an empty tray's picture has it: uint8 BGR of shape (60, 80, 3)."""
    return np.asarray(cv2.resize(frame, EMPTY_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def as_learnt(calibration: Calibration) -> EmptyTray | None:
    """The empty tray that a calibration keeps; None where it was never seen empty."""
    picture = calibration.empty_picture()
    if picture is None:
        return None
    return EmptyTray(picture, edge_mask(calibration.tray, EMPTY_SIZE), calibration.frame_size)


def as_seen(frame: Frame, tray: NDArray[np.float32]) -> EmptyTray:
    """The empty tray that a frame shows.

    Args:
        frame: (H, W, 3) uint8, BGR; nothing is in the tray.
        tray: How likely each part of it is inside of the tray, 0 to 1, of any shape (`finding.Found.tray`).
    """
    inside = cv2.resize(tray, EMPTY_SIZE, interpolation=cv2.INTER_AREA) > 0.5
    return EmptyTray(made_small(frame), np.asarray(inside, np.bool_), (frame.shape[1], frame.shape[0]))
