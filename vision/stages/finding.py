"""Stage 1: where the dice are, and what of the picture is tray and what is foreign, by one small network.

The network sees the whole picture small and gives eight maps at a quarter of that size (`training/nets.py`): how likely
the middle of a die's top face is, where in the cell, how large the face is; what is inside of the tray; what is a
hand or another thing that is neither die nor tray; and where upright edges point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.stages import network
from vision.stages.colours import axes_of, stretched
from vision.types import Box, Frame

CELL = 4
"""Pixels of the small picture per cell of the maps, in each direction."""

_PIXELS, _MULTIPLE = 320 * 240, 16
"""Size of the picture that the network sees, and what its sides are multiples of: it halves them four times."""

_SURELY, _NECK, _EDGE = 0.7, 2, 3
"""Probability from which a cell surely is tray; half the width in cells of a neck between two parts of the tray that is
cut; distance in cells from what surely is tray within which a cell can be tray."""

Map = NDArray[np.float32]
"""A probability for each cell, 0 to 1, shape (h, w); the cells cover the whole frame."""


@dataclass(frozen=True, slots=True)
class FinderParams:
    """The tunables of finding.

    Attributes:
        closer: Factor on its sides for a look from closer; 1.4 to 2.
        large: Width of a top face, as a part of the picture's, above which it fills much of it; 0.12 to 0.2.
        farther: Factors on its sides for looks at such dice, one after another; 0.15 to 0.5.
        least: Score from which a place is looked at; 0.02 to 0.3.
        apart: Distance within which two places are one die, in half sides of the larger; 0.8 to 1.5.
    """

    closer: float = 1.75
    large: float = 0.15
    farther: tuple[float, ...] = (0.35, 0.25)
    least: float = 0.2
    apart: float = 1.1


@dataclass(frozen=True, slots=True)
class Face:
    """What may be a die's top face.

    Attributes:
        centre: Its middle in pixels of the frame, (x, y).
        half: Half its side, in pixels of the frame.
        score: How likely the network holds it to be one, 0 to 1.
        rise: Where its upright edges point, (x, y), and how long they are beside level ones: `vision.stages.pose.rise`.
    """

    centre: tuple[float, float]
    half: float
    score: float
    rise: tuple[float, float] = (0.0, 0.0)

    @property
    def box(self) -> Box:
        """The upright square about it, in pixels of the frame."""
        (x, y), half = self.centre, self.half
        return (x - half, y - half, x + half, y + half)


@dataclass(frozen=True, slots=True)
class Detections:
    """What the finder makes of a frame.

    Attributes:
        faces: The likeliest first, each with a score of `FinderParams.least` at least.
        tray: The map of what is inside of the tray; of everything if no tray's edge is in view.
        foreign: The map of hands and other things.
        said: The output of the network from which the faces follow, shape (8, h, w).
        whole: The output from which tray and foreign follow, shape (8, h, w): `said`, or a usual look's.
        small: The frame as the network saw it, BGR.
    """

    faces: tuple[Face, ...]
    tray: Map
    foreign: Map
    said: Map
    whole: Map
    small: Frame


def find(frame: Frame, params: FinderParams) -> Detections:
    """Return what the network finds in a frame, (H, W, 3) uint8, BGR: places in its pixels."""
    height, width = frame.shape[:2]
    scale = math.sqrt(_PIXELS / (width * height))
    small = _small(frame, (_whole(width * scale), _whole(height * scale)))
    said = network.run("finder", small)
    return _found(frame, said, said, small, params)


def look_again(frame: Frame, found: Detections, params: FinderParams) -> Detections:
    """Look at a frame again and take the mean of both looks: their errors are not the same.

    The second is upside down and with its colours set apart: dice on a figured floor stand out. What the usual look
    took for tray before a reduced one stays tray.

    Args:
        frame: (H, W, 3) uint8, BGR.
        found: What the first look found in it.
        params: The tunables of this stage.
    """
    apart = _set_apart(found.small)
    again = network.run("finder", np.ascontiguousarray(apart[::-1, ::-1]))[:, ::-1, ::-1].copy()
    again[[1, 2, 6, 7]] *= -1  # the offsets within the cell, and where uprights point
    said = np.asarray((found.said + again) / 2, np.float32)
    seen = _found(frame, said, said, found.small, params)
    is_reduced = found.whole is not found.said
    return replace(seen, tray=np.maximum(seen.tray, found.tray)) if is_reduced else seen


def look_closer(frame: Frame, found: Detections, params: FinderParams) -> Detections:
    """Return a look from closer, mirrored, its colours set apart: it shows small dice that touch or hardly stand out.

    What is tray and what foreign stays as it was: the network was fitted to whole trays.

    Args:
        frame: (H, W, 3) uint8, BGR.
        found: What the looks before found.
        params: The tunables of this stage.
    """
    rows, columns = found.said.shape[1:]
    largest = max((2 * face.half / frame.shape[1] for face in found.faces), default=0.0)
    closer = min(params.closer, params.large / max(largest, 1e-3))
    small = _set_apart(_small(frame, (_whole(columns * CELL * closer), _whole(rows * CELL * closer))))
    said = network.run("finder", np.ascontiguousarray(small[:, ::-1]))[:, :, ::-1].copy()
    said[[1, 6]] *= -1  # how far a middle lies to the right, and how far uprights point there
    return _found(frame, said, found.whole, found.small, params)


def _whole(side: float) -> int:
    """Return a side that the network can halve four times."""
    return max(_MULTIPLE, round(side / _MULTIPLE) * _MULTIPLE)


def _set_apart(small: Frame) -> Frame:
    return stretched(small, axes_of(small[::CELL, ::CELL]))


def _small(frame: Frame, size: tuple[int, ...]) -> Frame:
    how = cv2.INTER_AREA if size[0] < frame.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(frame, size, interpolation=how), np.uint8)


def _found(frame: Frame, said: Map, whole: Map, small: Frame, params: FinderParams) -> Detections:
    """Return what the network's outputs mean: places by `said`, tray and foreign things by `whole`."""
    rows, columns = said.shape[1:]
    scale_x, scale_y = columns * CELL / frame.shape[1], rows * CELL / frame.shape[0]
    peaks, tray, foreign = (1 / (1 + np.exp(-np.clip(part, -30, 30))) for part in (said[0], whole[4], whole[5]))
    # Not only local maxima: cells of touching dice are neighbours, and what each cell points to keeps them apart.
    row, column = np.nonzero(peaks >= params.least)
    likeliest_first = np.argsort(-peaks[row, column], kind="stable")
    row, column = row[likeliest_first], column[likeliest_first]
    _, off_x, off_y, log_half, _, _, rise_x, rise_y = said[:, row, column]
    xs = (column + off_x + 0.5) * CELL / scale_x - 0.5
    ys = (row + off_y + 0.5) * CELL / scale_y - 0.5
    halves = np.exp(np.clip(log_half, -2, 4)) * CELL / np.sqrt(scale_x * scale_y)
    numbers = (each.tolist() for each in (xs, ys, halves, peaks[row, column], rise_x, rise_y))
    faces = [Face((x, y), half, score, (to_x, to_y)) for x, y, half, score, to_x, to_y in zip(*numbers, strict=True)]
    apart = tuple(faces[index] for index in one_each(faces, params))
    return Detections(apart, _in_one_piece(tray), foreign, said, whole, small)


def one_each(faces: Sequence[Face], params: FinderParams) -> list[int]:
    """Return the indices of the faces that are not on the same die as an earlier, likelier one."""
    kept: list[int] = []
    for index, face in enumerate(faces):
        if all(
            math.dist(face.centre, faces[other].centre) > params.apart * max(face.half, faces[other].half)
            for other in kept
        ):
            kept.append(index)
    return kept


def _in_one_piece(tray: Map) -> Map:
    """Return the map of the tray without what lies apart from most of it.

    Round a die on the table the network sees tray, often with a neck to the tray itself: what is surely tray is made
    narrower, which parts necks; the largest piece is the tray, and near it all is kept.
    """
    neck, near = (
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * cells + 1, 2 * cells + 1)) for cells in (_NECK, _NECK + _EDGE)
    )
    core = cv2.erode((tray > _SURELY).astype(np.uint8), neck, borderType=cv2.BORDER_REPLICATE)
    count, pieces, facts, _ = cv2.connectedComponentsWithStats(core, connectivity=4)
    if count < 2:  # nothing is surely tray
        return tray
    largest = 1 + int(facts[1:, cv2.CC_STAT_AREA].argmax())
    kept = cv2.dilate((pieces == largest).astype(np.uint8), near)
    return np.where(kept > 0, tray, np.float32(0.0))


def look_farther(frame: Frame, found: Detections, params: FinderParams, part: float) -> Detections:
    """Return a look at a frame reduced, for dice that fill much of it; what either look takes for tray is tray.

    Args:
        frame: (H, W, 3) uint8, BGR.
        found: What the usual look found in it.
        params: The tunables.
        part: Factor on the sides of the picture that the usual look saw, below 1.
    """
    height, width = found.small.shape[:2]
    small = _small(found.small, (_whole(width * part), _whole(height * part)))
    said = network.run("finder", small)
    reduced = _found(frame, said, said, small, params)
    before = cv2.resize(found.tray, reduced.tray.shape[::-1], interpolation=cv2.INTER_AREA)
    tray = np.asarray(np.maximum(reduced.tray, before), np.float32)
    return replace(reduced, tray=tray, whole=found.whole)


def is_large(face: Face, frame_width: int, params: FinderParams) -> bool:
    """Whether a face fills much of a picture of this width."""
    return 2 * face.half > params.large * frame_width
