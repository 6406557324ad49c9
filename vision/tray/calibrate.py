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
from vision.tray.edge import (
    CannotCalibrateError,
    Map,
    Point,
    common_edge,
    cut_by_picture,
    edge_mask,
    is_in_view,
    sides_in_picture,
)
from vision.tray.known import Tray, made_small
from vision.types import LIKELY, Box, Frame, Pose
from vision.verdict.foreign import covered

WORKING_WIDTH = 640  # width to which wider frames are reduced, so that a pixel means the same for every camera
BURNT = 250  # level of the darkest channel from which a pixel counts as burnt out; 245 to 255
RIM = 0.02  # distance beyond the tray's edge to which sharpness is measured, in widths of the picture; 0.01 to 0.03
NO_EDGE = 0.5  # part of each picture edge along which the tray is cut off if no tray edge is in view; 0.4 to 0.8
FINE = 1.5  # blur at which the gradient is measured, in pixels; 1 to 2
COARSE = 3.0  # blur at which the gradient is measured again, in pixels: twice as much
EDGE_NOISE = 4.0  # least gradient of an edge, in multiples of the picture's median; 3 to 6
EDGE_LEAST = 1.5  # least gradient of an edge, in grey levels per pixel; 1 to 4
EDGES_LEAST = 30  # least number of edge pixels for a measurement; 20 to 100


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
    """
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


def blur_of(grey: NDArray[np.uint8], where: NDArray[np.bool_]) -> float | None:
    """Measure how blurred a picture is, by its edges.

    After a Gaussian s, an ideal edge blurred by b has a gradient proportional to 1/√(b² + s²). So the ratio R of the
    gradients at two such scales gives b² = (s₂² - R² s₁²) / (R² - 1), whatever the edge's contrast (after Zhuo & Sim,
    "Defocus map estimation from a single image", Pattern Recognition 44, 2011). The result is the median over all clear
    edges.

    Args:
        grey: (H, W) uint8.
        where: Mask of the part to measure, (H, W).

    Returns:
        Standard deviation of the blur in pixels, the pixels' own size included; None if there are too few edges.
    """
    fine, across, down = _gradient(grey, FINE)
    coarse, _, _ = _gradient(grey, COARSE)
    beside = np.pad(fine, 1)
    peak = np.where(
        np.abs(across) > np.abs(down),
        (fine >= beside[1:-1, :-2]) & (fine >= beside[1:-1, 2:]),
        (fine >= beside[:-2, 1:-1]) & (fine >= beside[2:, 1:-1]),
    )
    if not where.any():
        return None
    least = max(EDGE_LEAST, EDGE_NOISE * float(np.median(fine[where])))
    edges = peak & where & (fine > least)
    if int(edges.sum()) < EDGES_LEAST:
        return None
    # For an edge, R is at most s2/s1 (without blur); lines and grain have more.
    ratio = float(np.median(np.minimum(fine[edges] / coarse[edges], COARSE / FINE)))
    if ratio <= 1.0:
        return None
    square = (COARSE**2 - (ratio * FINE) ** 2) / (ratio * ratio - 1.0)
    return math.sqrt(max(square, 0.0))


def _gradient(grey: NDArray[np.uint8], sigma: float) -> tuple[Map, Map, Map]:
    """Return the gradient after a Gaussian, in grey levels per pixel: length, horizontal and vertical part."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma)
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32)
    return np.asarray(cv2.magnitude(across, down), np.float32), across, down


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
    focal = 0.8 if field_deg is None else 0.5 / math.tan(math.radians(field_deg / 2))  # usually 64 degrees
    corners = [np.array([x - 0.5, (y - 0.5) / aspect, 1.0]) for x, y in edge]
    sides = [np.cross(corners[side], corners[(side + 1) % 4]) for side in range(4)]
    vanishing_line = np.cross(np.cross(sides[0], sides[2]), np.cross(sides[1], sides[3]))
    x, y, z = (vanishing_line * (focal, focal, 1.0)).tolist()
    return math.degrees(math.atan2(math.hypot(x, y), abs(z)))


EDGE_COLOUR = (0, 200, 0)  # colour of the tray's edge in a picture of it, BGR


def measured_picture(measured: Measured) -> Frame:
    """Draw the edge over the picture that it was measured in.

    Returns:
        (H, W, 3) uint8, BGR, 960 wide.
    """
    frame = measured.frame
    size = 960, max(1, round(960 * frame.shape[0] / frame.shape[1]))
    picture = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    edge = np.rint(np.array(measured.edge) * size - 0.5).astype(np.int32)
    cv2.polylines(picture, [edge], isClosed=True, color=EDGE_COLOUR, thickness=2)
    return picture
