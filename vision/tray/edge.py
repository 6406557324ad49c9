"""Finds the edge of a tray as a polygon in the finder's map of "inside of the tray".

That map is coarse (80 by 60 cells) but has soft borders. Each side of the edge is a line fitted to the whole length of
the border. So it is accurate to about a fifth of a cell, and the rounded corners of the map do not matter. The sides of
a rectangular tray are then moved to contrasts in the picture (`sides_in_picture`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import LIKELY, Frame

Point = tuple[float, float]
"""A place in the picture: (x, y) as parts of its width and height, 0 to 1 from the left and the top."""

Map = NDArray[np.float32]
"""Probabilities, 0 to 1, shape (h, w) of any size, stretched over the whole frame."""

FINER = 4  # factor by which the map is enlarged before its border is traced, in steps of 0.25 cells
SMALLEST = 0.06  # least part of the picture that a tray covers; 0.02 to 0.2
CLEAR = 0.9  # least overlap (intersection over union) of the edge's inside with the map; 0.85 to 0.95
STRAIGHT = 0.007  # largest distance of the border from its sides, as a part of its length; 0.003 to 0.015
RECTANGLE = 0.9  # least overlap of the border's inside with four sides for a rectangular tray; 0.88 to 0.94
AGREE = 0.8  # least overlap of the tray in one frame with that in all frames if it was not moved; 0.7 to 0.95

_PLACES = np.linspace(0.08, 0.92, 72)
"""The places along a side where its contrast is measured, without the corners, which may be rounded or have joints."""

REACH = 0.04  # largest distance of a side in the picture from that of the map, in widths of the picture; 0.02 to 0.05
SIGMA = 0.025  # distance from the map's side at which a contrast must be clearer by `PULL`, in widths; 0.01 to 0.04
PULL = 0.1  # additional clearness required at that distance, as a part of the greatest clearness; 0.05 to 0.3
CONTRAST = 3.0  # contrast, in grey levels per pixel, that has the greatest clearness; 2 to 12


class CannotCalibrateError(Exception):
    """The tray cannot be calibrated from these frames; the message says why and what to do."""


def common_edge(trays: Sequence[Map]) -> tuple[Point, ...]:
    """Find the edge in the mean of the maps, of which each must agree with it.

    Args:
        trays: The maps of some frames; at least one.

    Returns:
        As `find_edge`.

    Raises:
        CannotCalibrateError: If there is no tray, or it differs between the maps.
    """
    # If the finder sees small dice, it looks again at a larger picture with more cells.
    size = trays[0].shape[1], trays[0].shape[0]
    same = [np.asarray(cv2.resize(tray, size, interpolation=cv2.INTER_AREA), np.float32) for tray in trays]
    mean = np.asarray(np.mean(np.stack(same), axis=0), np.float32)
    edge = find_edge(mean)
    common = edge_mask(edge, size)
    for tray in same:
        if _overlap(tray > LIKELY, common) < AGREE:
            raise CannotCalibrateError(
                "the tray is not at the same place in all pictures: keep camera and tray still, with no hand "
                "over them, and calibrate again"
            )
    return edge


def find_edge(tray: Map) -> tuple[Point, ...]:
    """Return the tray's edge in a map of its inside: a convex polygon, clockwise as seen, in parts of the picture.

    Raises:
        CannotCalibrateError: If there is no tray, or none with a clear edge.
    """
    height, width = tray.shape
    size = width * FINER, height * FINER
    fine = cv2.resize(tray, size, interpolation=cv2.INTER_LINEAR)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((fine > LIKELY).astype(np.uint8))
    areas = stats[1:, cv2.CC_STAT_AREA]
    if count < 2 or areas.max() < SMALLEST * fine.size:
        raise CannotCalibrateError(
            "no tray found: put the tray under the camera, with all of its edge in view and light on it; "
            "without a calibration reading still works"
        )
    largest = (labels == 1 + int(np.argmax(areas))).astype(np.uint8)
    contours, _ = cv2.findContours(largest, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    border = max(contours, key=len).reshape(-1, 2).astype(np.float32) + np.float32(0.5)
    edge = _polygon(border, largest > 0)
    if _overlap(fine > LIKELY, edge_mask(edge, size)) < CLEAR:
        raise CannotCalibrateError(
            "no clear edge of the tray: take everything out of the tray and from beside it, and look at one tray "
            "only; without a calibration reading still works"
        )
    return edge


def edge_mask(edge: Sequence[Point], size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return the inside of an edge as a mask of shape (height, width) for a picture of `size` (width, height)."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(np.array(edge) * size - 0.5).astype(np.int32), (1,))
    return mask.astype(np.bool_)


def is_in_view(edge: Sequence[Point]) -> bool:
    """Whether all corners are within the picture, none at its edge, where it cuts the tray."""
    return all(0 < part < 1 for corner in edge for part in corner)


def cut_by_picture(edge: Sequence[Point]) -> dict[str, float]:
    """Return along how much of each edge of the picture the tray continues beyond it.

    Args:
        edge: The polygon, in parts of the picture's width and height.

    Returns:
        "left", "right", "top" and "bottom", those of them that cut the tray, and along how much of each, 0 to 1.
    """
    shares = {}
    for name, axis, place in (("left", 0, 0.0), ("right", 0, 1.0), ("top", 1, 0.0), ("bottom", 1, 1.0)):
        # Within two pixels of 480, because corners are accurate to about one.
        along = [corner[1 - axis] for corner in edge if abs(corner[axis] - place) < 0.004]
        if len(along) > 1:
            shares[name] = max(along) - min(along)
    return shares


def _polygon(border: NDArray[np.float32], inside: NDArray[np.bool_]) -> tuple[Point, ...]:
    """Return an edge: four sides of a rectangle that is wholly in view, otherwise as many as the border has.

    Args:
        border: The border of the tray's map, (n, 2), in fine cells.
        inside: The inside of that border, (h, w).
    """
    size = inside.shape[1], inside.shape[0]
    hull = cv2.convexHull(border)
    length = cv2.arcLength(hull, True)
    corners, tolerance = hull, 0.001 * length
    while len(corners) > 4:
        corners = cv2.approxPolyDP(hull, tolerance, True)
        tolerance *= 1.2
    edge = exact_edge(_by_sides(border, corners), size)
    if len(edge) == 4 and is_in_view(edge) and _overlap(inside, edge_mask(edge, size)) >= RECTANGLE:
        return edge
    return exact_edge(_by_sides(border, cv2.approxPolyDP(hull, STRAIGHT * length, True)), size)


def exact_edge(corners: NDArray[np.float64], size: tuple[int, int]) -> tuple[Point, ...]:
    """Return corners, (n, 2) in cells or pixels, as an edge: in parts of the picture, and surely convex."""
    # With integer coordinates, in ten-thousandths, the hull is exact.
    places = np.clip(corners / np.array(size), 0.0, 1.0)
    exact = cv2.convexHull(np.rint(places * 10000).astype(np.int32), clockwise=False).reshape(-1, 2)
    return tuple((int(x) / 10000, int(y) / 10000) for x, y in exact)


def _overlap(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """Return the intersection of two masks over their union, 0 to 1."""
    return int((one & other).sum()) / max(1, int((one | other).sum()))


def _by_sides(border: NDArray[np.float32], corners: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return the corners where lines fitted to the border between them meet; (m, 2), in fine cells."""
    start = corners.reshape(-1, 2).astype(np.float64)
    along = np.roll(start, -1, axis=0) - start
    length = np.sqrt((along * along).sum(axis=1))
    offset = border[:, None].astype(np.float64) - start
    share = (offset * along).sum(axis=2) / (length * length)
    away = offset - np.clip(share, 0.0, 1.0)[..., None] * along
    nearest = (away * away).sum(axis=2).argmin(axis=1)
    middle = start.mean(axis=0)
    lines = []
    for side in range(len(start)):
        # The map's corners are rounded, so a side is fitted only to points well between two of them.
        own = border[(nearest == side) & (share[:, side] > 0.1) & (share[:, side] < 0.9)]
        point, direction = start[side], along[side] / length[side]
        if len(own) >= 6:
            fit = cv2.fitLine(own, cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(4).astype(np.float64)
            direction, point = fit[:2], fit[2:]
        outwards = np.array([direction[1], -direction[0]])
        # The border passes through the centres of the outermost fine cells; their edge is half a cell further out.
        point = point + math.copysign(0.5, float(outwards @ (point - middle))) * outwards
        lines.append(np.cross([*point, 1.0], [*(point + direction), 1.0]))
    met = []
    for side, corner in enumerate(start):
        x, y, w = np.cross(lines[side - 1], lines[side])
        meeting = np.array([x, y]) / w if abs(w) > 1e-9 else corner
        # Nearly parallel lines have no useful intersection; then the corner is kept.
        met.append(meeting if float(np.hypot(*(meeting - corner))) < 0.1 * length.max() else corner)
    return np.array(met)


def sides_in_picture(frame: Frame, edge: Sequence[Point]) -> tuple[Point, ...]:
    """Move each of four sides to the clearest straight contrast near it.

    If a wall is seen from the side, the map is some pixels off, too much to measure the camera's tilt. A wall has
    several parallel contrasts: the two edges of the rim, the foot and its shadow. Each has the direction that
    determines the tilt; the one nearest to the map's side counts as the edge.

    Args:
        frame: The empty tray, (H, W, 3) uint8, BGR.
        edge: Four corners, completely in view, from `find_edge`.

    Returns:
        Four corners of the same kind; those of `edge` if the moved sides do not meet in the picture.
    """
    height, width = frame.shape[:2]
    smooth = cv2.GaussianBlur(frame, (0, 0), 1.2).astype(np.float32)
    corners = np.array(edge) * (width, height) - 0.5
    lines = [_moved(smooth, corners[side], corners[(side + 1) % 4]) for side in range(4)]
    meetings = np.array([np.cross(lines[side - 1], lines[side]) for side in range(4)])
    if np.abs(meetings[:, 2]).min() < 1e-9:
        return tuple(edge)
    moved = meetings[:, :2] / meetings[:, 2:] + 0.5
    if not ((moved > 0) & (moved < (width, height))).all():
        return tuple(edge)
    found = exact_edge(moved, (width, height))
    return found if len(found) == 4 else tuple(edge)


def _moved(smooth: NDArray[np.float32], start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the clearest line near the one from `start` to `end`, in homogeneous coordinates, (3,)."""
    width = smooth.shape[1]
    reach = max(2, round(REACH * width))
    direction = (end - start) / np.hypot(*(end - start))
    across = np.array([direction[1], -direction[0]])
    steps = np.arange(-reach, reach + 1)
    middle = start + np.outer(_PLACES, end - start)
    # A strip along the side has a row for each step across it, and one more at either edge for the differences.
    rows = np.arange(-reach - 1, reach + 2)[:, None, None] * across + middle
    strip = cv2.remap(
        smooth,
        rows[..., 0].astype(np.float32),
        rows[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    # A long weak contrast counts more than a short strong one, such as a printed figure.
    contrast = np.clip((strip[2:] - strip[:-2]) / 2, -CONTRAST, CONTRAST)
    at_start, at_end = (each.ravel() for each in np.meshgrid(steps, steps, indexing="ij"))
    along = np.rint(at_start[:, None] + np.outer(at_end - at_start, _PLACES)).astype(np.intp) + reach
    # The contrasts of a texture change sign along a line and cancel out.
    clear = np.abs(contrast[along, np.arange(len(_PLACES))].mean(axis=1)).max(axis=1) / CONTRAST
    away = (at_start**2 + at_end**2) / 2 / (SIGMA * width) ** 2
    best = int((clear - PULL * away).argmax())
    first, last = start + at_start[best] * across, end + at_end[best] * across
    return np.asarray(np.cross([*first, 1.0], [*last, 1.0]))
