"""Finds the edge of a tray as a polygon in the finder's map of "inside of the tray".

That map is coarse (80 by 60 cells) but has soft borders. Each side of the edge is a line fitted to the whole length of
the border. So it is accurate to about a fifth of a cell, and the rounded corners of the map do not matter. The sides of
a rectangular tray are then moved to contrasts in the picture (`vision.tray.sides`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import LIKELY

Point = tuple[float, float]
"""A place in the picture: (x, y) as parts of its width and height, 0 to 1 from the left and the top."""

Map = NDArray[np.float32]
"""Probabilities, 0 to 1, shape (h, w) of any size, stretched over the whole frame."""

FINER = 4
"""The factor by which the map is enlarged before its border is traced, in steps of 0.25 cells."""

SMALLEST = 0.06
"""The least part of the picture that a tray covers; 0.02 to 0.2."""

KNOB = 0.25
"""The width below which appendages of the tray are cut off, in sides of a square of the same area; 0.1 to 0.4."""

CLEAR = 0.9
"""Least overlap (intersection over union) of the edge's inside with the map; 0.85 to 0.95."""

STRAIGHT = 0.007
"""The largest distance of the border from its sides, as a part of its length; 0.003 to 0.015."""

MOST_SIDES = 8
"""The number of sides above which a border is round; 6 to 9."""

ROUND_CORNERS = 24
"""The largest number of corners of a round edge; 16 to 48."""

RECTANGLE = 0.9
"""The least overlap of the border's inside with four sides for a rectangular tray; 0.88 to 0.94."""

AGREE = 0.8
"""The least overlap of the tray in one frame with that in all frames if it was not moved; 0.7 to 0.95."""

NO_CLEAR_EDGE = (
    "no clear edge of the tray: take everything out of the tray and from beside it, and look at one tray only; "
    "without a calibration reading still works"
)


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
        own = tray > LIKELY
        if (own & common).sum() < AGREE * (own | common).sum():
            raise CannotCalibrateError(
                "the tray is not at the same place in all pictures: keep camera and tray still, with no hand "
                "over them, and calibrate again"
            )
    return edge


def find_edge(tray: Map) -> tuple[Point, ...]:
    """Find the tray's edge in a map of its inside.

    Args:
        tray: The map.

    Returns:
        A convex polygon of 3 to 24 corners, clockwise as seen, in parts of the picture's width and height.

    Raises:
        CannotCalibrateError: If there is no tray, or none with a clear edge.
    """
    height, width = tray.shape
    fine = cv2.resize(tray, (width * FINER, height * FINER), interpolation=cv2.INTER_LINEAR)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((fine > LIKELY).astype(np.uint8))
    areas = stats[1:, cv2.CC_STAT_AREA]
    if count < 2 or areas.max() < SMALLEST * fine.size:
        raise CannotCalibrateError(
            "no tray found: put the tray under the camera, with all of its edge in view and light on it; "
            "without a calibration reading still works"
        )
    largest = (labels == 1 + int(np.argmax(areas))).astype(np.uint8)
    contours, _ = cv2.findContours(
        _without_knobs(largest, KNOB * math.sqrt(areas.max())), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    if not contours:
        raise CannotCalibrateError(NO_CLEAR_EDGE)
    border = max(contours, key=len).reshape(-1, 2).astype(np.float32) + np.float32(0.5)
    size = width * FINER, height * FINER
    edge = _rectangle(border, size) or _any_shape(border, size)
    if _overlap(fine > LIKELY, edge_mask(edge, size)) < CLEAR:
        raise CannotCalibrateError(NO_CLEAR_EDGE)
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


def _without_knobs(mask: NDArray[np.uint8], width: float) -> NDArray[np.uint8]:
    """Return a mask without attached parts narrower than this, such as a thing beside the tray."""

    def disc(radius: float) -> NDArray[np.uint8]:
        size = 2 * round(radius) + 1
        return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)

    # A tray that the picture cuts off is assumed to continue beyond it, so that it keeps its corners there.
    pad = 2 * round(width) + 1
    padded = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    opened = cv2.morphologyEx(padded, cv2.MORPH_OPEN, disc(width / 2))
    # Opening with a disc rounds right angles by 0.41 of its radius, which is undone here.
    whole = cv2.min(cv2.dilate(opened, disc(0.45 * width / 2)), padded)
    return np.ascontiguousarray(whole[pad:-pad, pad:-pad], np.uint8)


def _rectangle(border: NDArray[np.float32], size: tuple[int, int]) -> tuple[Point, ...] | None:
    """Find the four sides of a rectangular tray that is wholly in view.

    Args:
        border: The border of the tray's map, (n, 2), in fine cells.
        size: Width and height of the map in fine cells.

    Returns:
        Four corners as `find_edge` returns them; None if the border has another shape or reaches the picture's edge.
    """
    corners = _reduced(np.asarray(cv2.convexHull(border), np.float32), 4)
    # When a corner moves, points near it belong to the other side, so the lines are fitted again.
    for _ in range(3):
        corners = _by_sides(border, corners.astype(np.float32))
    edge = exact_edge(corners, size)
    own = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(own, [border.astype(np.int32)], (1,))
    is_in_view = bool(((corners > 0) & (corners < np.array(size))).all())
    return edge if len(edge) == 4 and is_in_view and _overlap(own > 0, edge_mask(edge, size)) >= RECTANGLE else None


def _reduced(hull: NDArray[np.float32], most: int) -> NDArray[np.float64]:
    """Return a convex polygon reduced to at most this many corners (Douglas and Peucker), (n, 2)."""
    corners, tolerance = hull, 0.001 * cv2.arcLength(hull, True)
    while len(corners) > most:
        corners = np.asarray(cv2.approxPolyDP(hull, tolerance, True), np.float32)
        tolerance *= 1.2
    return corners.reshape(-1, 2).astype(np.float64)


def _any_shape(border: NDArray[np.float32], size: tuple[int, int]) -> tuple[Point, ...]:
    """Return the edge of a tray of any shape, or of one that the picture cuts; see `_rectangle`."""
    hull = cv2.convexHull(border)
    sides = np.asarray(cv2.approxPolyDP(hull, STRAIGHT * cv2.arcLength(hull, True), True), np.float32)
    sides = sides.reshape(-1, 2)
    corners = _by_sides(border, sides) if len(sides) <= MOST_SIDES else _rounded(border, ROUND_CORNERS)
    return exact_edge(corners, size)


def exact_edge(corners: NDArray[np.float64], size: tuple[int, int]) -> tuple[Point, ...]:
    """Return corners, (n, 2) in cells or pixels, as an edge: in parts of the picture, and surely convex."""
    # With integer coordinates, in ten-thousandths, the hull is exact.
    places = np.clip(corners / np.array(size), 0.0, 1.0)
    exact = cv2.convexHull(np.rint(places * 10000).astype(np.int32), clockwise=False).reshape(-1, 2)
    return tuple((int(x) / 10000, int(y) / 10000) for x, y in exact)


def _overlap(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """Return the intersection of two masks over their union, 0 to 1."""
    return float((one & other).sum() / max(1, (one | other).sum()))


def _by_sides(border: NDArray[np.float32], corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the corners where lines fitted to the border between them meet; (n, 2) to (m, 2), in fine cells."""
    start = corners.astype(np.float64)
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
        point, way = start[side], along[side] / length[side]
        if len(own) >= 6:
            fit = cv2.fitLine(own, cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(4).astype(np.float64)
            way, point = fit[:2], fit[2:]
        outwards = np.array([way[1], -way[0]])
        # The border passes through the centres of the outermost fine cells; their edge is half a cell further out.
        point = point + math.copysign(0.5, float(outwards @ (point - middle))) * outwards
        lines.append(np.cross([*point, 1.0], [*(point + way), 1.0]))
    met = []
    for side, corner in enumerate(start):
        x, y, w = np.cross(lines[side - 1], lines[side])
        meeting = np.array([x, y]) / w if abs(w) > 1e-9 else corner
        # Nearly parallel lines have no useful intersection; then the corner is kept.
        met.append(meeting if float(np.hypot(*(meeting - corner))) < 0.1 * length.max() else corner)
    return np.array(met)


def _rounded(border: NDArray[np.float32], most: int) -> NDArray[np.float64]:
    """Return a round border reduced to at most this many corners; (n, 2) to (m, 2)."""
    # A third of what lies between two corners is averaged: less noise, and corners at the picture's edge stay.
    window = max(1, len(border) // (3 * most))
    around = np.concatenate([border[-window:], border, border[:window]]).astype(np.float64)
    kernel = np.full(window, 1.0 / window)
    smooth = np.stack([np.convolve(around[:, axis], kernel, "same")[window:-window] for axis in (0, 1)], axis=1)
    return _reduced(np.asarray(cv2.convexHull(smooth.astype(np.float32)), np.float32), most)
