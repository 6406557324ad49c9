"""Learning a tray under its camera: its edge, the empty tray, the light, the sharpness and the scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import Look, examine
from vision.tray.edge import CannotCalibrateError, Map, Point, common_edge, cut_by_picture, edge_mask, is_in_view
from vision.tray.known import Tray, made_small
from vision.tray.sharpness import blur_of
from vision.tray.sides import sides_in_picture
from vision.tray.tilt import tilt_of
from vision.types import LIKELY, Box, Frame, Pose
from vision.verdict.foreign import covered

WORKING_WIDTH = 640
"""The width to which wider frames are reduced, so that a pixel means the same for every camera."""

BURNT = 250
"""The level of the darkest channel from which a pixel counts as burnt out; 245 to 255."""

RIM = 0.02
"""The distance beyond the tray's edge to which sharpness is measured, in widths of the picture; 0.01 to 0.03."""

NO_EDGE = 0.5
"""The part of each picture edge along which the tray is cut off if no tray edge is in view; 0.4 to 0.8."""


@dataclass(frozen=True, slots=True)
class TrayFrame:
    """A frame and the reader's result for it.

    Attributes:
        frame: (H, W, 3) uint8, BGR.
        tray: Probability of "inside of the tray".
        dice: The boxes of the dice's top faces, in pixels of the frame.
        is_covered: Whether a hand or another foreign object is over the tray.
        field_deg: The camera's horizontal field of view in degrees; None if unknown.
        pose: The camera's pose; None if the dice do not show it.
    """

    frame: Frame
    tray: Map
    dice: tuple[Box, ...] = ()
    is_covered: bool = False
    field_deg: float | None = None
    pose: Pose | None = None

    @classmethod
    def of(cls, evidence: Look, field_deg: float | None) -> TrayFrame:
        """Return what the reader has found in a frame, with `field_deg` as for `TrayFrame`."""
        dice = tuple(die.box for die in evidence.reading.dice if die.confidence >= LIKELY)
        is_covered = covered(evidence) is not None
        pose = evidence.reading.certain_pose
        return cls(evidence.frame, evidence.detections.tray, dice, is_covered, field_deg, pose)


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of a tray: what the reader uses, and figures for the advice.

    Attributes:
        tray: What is to be stored.
        edge: Edge of the inside of the tray, a convex polygon, clockwise as seen in the picture.
        die_side: Side of a die as a part of the picture's width; None if no dice were seen.
        brightness: Mean grey level of the inside, 0 to 255.
        glare: Part of the inside that is burnt out to white, 0 to 1.
        blur_px: Standard deviation of the blur, in pixels of a frame 640 wide; None if no edge could be measured.
        frame: Picture for the measurements, at most 640 wide: the mean of all frames of the empty tray, or of all
            frames if there are none.
        burnt: Part of each ninth of the tray that is burnt out to white, (3, 3), rows from the top; NaN outside it.
        white: Level that the brightest 2 % of the picture reach in their brightest channel, 0 to 255.
        is_covered: Whether something foreign is over the tray in all frames.
        tilt_deg: Tilt of the camera from the vertical by the shape of the tray; None if the tray is not rectangular or
            not completely in view.
        is_field_known: Whether the camera's field of view is known; otherwise the tilt is an estimate.
        cut: Edges of the picture that cut off the tray ("left", "right", "top", "bottom"), with the part of that edge
            along which they do, 0 to 1.
        has_edge: Whether any edge of the tray is in view; otherwise there is nothing to store.
    """

    tray: Tray
    edge: tuple[Point, ...]
    die_side: float | None
    brightness: float
    glare: float
    blur_px: float | None
    frame: Frame
    burnt: NDArray[np.float64]
    white: float
    is_covered: bool
    tilt_deg: float | None
    is_field_known: bool
    cut: dict[str, float]
    has_edge: bool


def look_at(frame: Frame, *, field_deg: float | None = None) -> TrayFrame:
    """Look at a frame with the reader, for any number of dice.

    Args:
        frame: (H, W, 3) uint8, BGR.
        field_deg: The camera's horizontal field of view in degrees; None if unknown.

    Raises:
        ValueError: If the array has another shape or type.
    """
    return TrayFrame.of(examine(frame, dice=None), field_deg)


def measure(looks: Sequence[TrayFrame]) -> Measured:
    """Learn a tray from some frames of it, most of them of the empty tray; dice give the scale and the camera's pose.

    Args:
        looks: The frames, at least one, from the same camera at the same place and of the same size.

    Raises:
        CannotCalibrateError: If no tray is found, or it is not at the same place in all frames.
        ValueError: If there are no looks.
    """
    if not looks:
        raise ValueError("measure needs at least one look")
    height, width = looks[0].frame.shape[:2]
    for look in looks:
        if look.frame.shape != looks[0].frame.shape:
            raise CannotCalibrateError(
                f"the pictures are of different sizes, {width}x{height} and {look.frame.shape[1]}x"
                f"{look.frame.shape[0]}: take all with one camera in one place"
            )
    edge = common_edge([look.tray for look in looks])
    without_dice = [look for look in looks if not look.dice]
    # If every frame looks covered, the floor is probably printed or stained, and the tray empty as requested. If it is
    # a hand after all, the tray never looks like this again, so no harm is done.
    empty = [look for look in without_dice if not look.is_covered] or without_dice
    frames = [_at_working_width(look.frame) for look in (empty or looks)]
    frame = np.asarray(np.rint(np.mean(np.stack(frames), axis=0, dtype=np.float32)), np.uint8)
    if is_in_view(edge) and len(edge) == 4:
        edge = sides_in_picture(frame, edge)
    grey = np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    size = grey.shape[1], grey.shape[0]
    inside = edge_mask(edge, size)
    white_out = frame.min(axis=2) >= BURNT
    # The rim beside the edge always has contrast.
    reach = 2 * round(RIM * size[0]) + 1
    with_rim = cv2.dilate(inside.astype(np.uint8), np.ones((reach, reach), np.uint8)).astype(np.bool_)
    blur = blur_of(grey, with_rim)
    sides = [math.sqrt((x1 - x0) * (y1 - y0)) / width for look in looks for x0, y0, x1, y1 in look.dice]
    cut = cut_by_picture(edge)
    tray = Tray.learnt((width, height), edge, made_small(frame) if empty else None)
    return Measured(
        tray=replace(tray, pose=next((look.pose for look in looks if look.pose is not None), None)),
        edge=edge,
        die_side=median(sides) if sides else None,
        brightness=float(grey[inside].mean()),
        glare=float(white_out[inside].mean()),
        blur_px=None if blur is None else blur * WORKING_WIDTH / size[0],
        frame=frame,
        burnt=_by_ninth(white_out, inside),
        white=float(np.percentile(frame.max(axis=2), 98)),
        is_covered=all(look.is_covered for look in looks),
        tilt_deg=tilt_of(edge, width / height, looks[0].field_deg),
        is_field_known=looks[0].field_deg is not None,
        cut=cut,
        has_edge=len(cut) < 4 or min(cut.values()) <= NO_EDGE,
    )


def _at_working_width(frame: Frame) -> Frame:
    """Return a frame at most `WORKING_WIDTH` wide."""
    height, width = frame.shape[:2]
    if width <= WORKING_WIDTH:
        return frame
    size = WORKING_WIDTH, max(1, round(height * WORKING_WIDTH / width))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _by_ninth(values: NDArray[np.generic], inside: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the mean of an (h, w) array in each ninth of the tray's bounding box, (3, 3); NaN outside the tray."""
    x, y, width, height = cv2.boundingRect(inside.astype(np.uint8))
    total, share = (
        cv2.resize(each[y : y + height, x : x + width].astype(np.float64), (3, 3), interpolation=cv2.INTER_AREA)
        for each in (values * inside, inside)
    )
    return np.asarray(np.divide(total, share, out=np.full((3, 3), math.nan), where=share > 0), np.float64)
