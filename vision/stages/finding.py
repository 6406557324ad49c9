"""Stage 1: finds the dice, the tray and foreign objects with a small network.

The network (`tools/training/nets.py`) sees a reduced picture and returns eight maps at a quarter of its size: the
probability of the centre of a top face, its place in the cell, the size of the face, the inside of the tray, foreign
objects (a hand, anything that is neither die nor tray), and the direction of upright edges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.params import FinderParams
from vision.stages import network
from vision.stages.colours import axes_of, stretched
from vision.types import LIKELY, Box, Frame

CELL = 4  # size of a cell of the maps in pixels of the reduced picture, in each direction

_PIXELS, _MULTIPLE = 320 * 240, 16
"""The size of the reduced picture in pixels, and the divisor of its sides, which the network halves four times."""

_SURELY_TRAY, _NECK, _EDGE = 0.7, 2, 3
"""The probability from which a cell is certainly tray; half the width of a neck between parts of the tray that is cut,
in cells; and the distance from certain cells within which others can be tray, in cells."""

_NEAR = 0.6  # distance from the centre of a face within which another look may find it, in half sides

_CONVEX = 0.87
"""The least part of its convex hull that a tray fills: trays are convex, and less is a table on which things lie."""

Map = NDArray[np.float32]
"""A probability for each cell, 0 to 1, shape (h, w); the cells cover the whole frame."""


@dataclass(frozen=True, slots=True)
class Face:
    """A possible top face of a die.

    Attributes:
        centre: Its centre in pixels of the frame, (x, y).
        half: Half its side in pixels of the frame.
        score: Probability according to the finder, 0 to 1.
        rise: Direction of its upright edges, (x, y), with their length relative to level ones: see `pose.rise`.
        rise_off: Expected error of that direction in each component.
    """

    centre: tuple[float, float]
    half: float
    score: float
    rise: tuple[float, float] = (0.0, 0.0)
    rise_off: float = 0.12

    @property
    def box(self) -> Box:
        """The upright square around the face, in pixels of the frame."""
        (x, y), half = self.centre, self.half
        return (x - half, y - half, x + half, y + half)


@dataclass(frozen=True, slots=True)
class Detections:
    """The finder's result for a frame.

    Attributes:
        faces: Faces with a score of at least `FinderParams.least`, the most likely first.
        tray: Map of the inside of the tray; of everything if no edge of the tray is in view.
        foreign: Map of hands and other foreign objects.
        said: Network output for the faces, (8, h, w).
        whole: Network output for tray and foreign objects, (8, h, w): `said`, or that of a usual look.
        small: The frame as the network saw it, BGR.
        again: Probability of the centre of a top face by the second look alone; None if there was none.
    """

    faces: tuple[Face, ...]
    tray: Map
    foreign: Map
    said: Map
    whole: Map
    small: Frame
    again: Map | None = None

    def score_again(self, face: Face, frame_width: int) -> float:
        """Return the score of a face by the second look alone; 1 if there was none."""
        if self.again is None:
            return 1.0
        cells = self.again.shape[1] / frame_width
        left, top, right, bottom = (max(0, int(edge * cells)) for edge in replace(face, half=_NEAR * face.half).box)
        return float(self.again[top : bottom + 1, left : right + 1].max(initial=0.0))


def find(frame: Frame, params: FinderParams) -> Detections:
    """Return what the network finds in a frame, (H, W, 3) uint8, BGR: places in its pixels."""
    height, width = frame.shape[:2]
    scale = math.sqrt(_PIXELS / (width * height))
    small = _small(frame, (_whole(width * scale), _whole(height * scale)))
    said = network.run("finder", small)
    return _found(frame, said, said, small, params)


def look_again(frame: Frame, found: Detections, params: FinderParams) -> Detections:
    """Return the mean of a look and a second one, because their errors differ.

    The second one is upside down, with stronger colours, so that dice on a patterned floor stand out. If the first one
    was a reduced look, the tray and foreign objects of the usual look before it are kept.

    Args:
        frame: (H, W, 3) uint8, BGR.
        found: The result of the previous looks.
        params: The parameters.
    """
    apart = _set_apart(found.small)
    again = network.run("finder", np.ascontiguousarray(apart[::-1, ::-1]))[:, ::-1, ::-1].copy()
    again[[1, 2, 6, 7]] *= -1  # the offsets within the cell, and the direction of uprights
    said = np.asarray((found.said + again) / 2, np.float32)
    seen = replace(_found(frame, said, said, found.small, params), again=_probability(again[0]))
    is_reduced = found.whole is not found.said
    if not is_reduced:
        return seen
    return replace(seen, tray=np.maximum(seen.tray, found.tray), foreign=np.maximum(seen.foreign, found.foreign))


def with_faces(found: Detections, surely: Sequence[Face], params: FinderParams) -> Detections:
    """Return detections with some faces instead of what was found on the same dice."""
    faces = (*surely, *found.faces)
    return replace(found, faces=tuple(faces[index] for index in one_each(faces, params)))


def look_closer(frame: Frame, found: Detections, params: FinderParams) -> Detections:
    """Return an enlarged, mirrored look with stronger colours, which shows small dice that touch or are hard to see.

    The maps of tray and foreign objects are kept, because the network was trained on whole trays. Arguments as for
    `look_again`.
    """
    rows, columns = found.said.shape[1:]
    largest = max((2 * face.half / frame.shape[1] for face in found.faces), default=0.0)
    closer = min(params.closer, params.large / max(largest, 1e-3))
    small = _set_apart(_small(frame, (_whole(columns * CELL * closer), _whole(rows * CELL * closer))))
    said = network.run("finder", np.ascontiguousarray(small[:, ::-1]))[:, :, ::-1].copy()
    said[[1, 6]] *= -1  # the horizontal offset of the centre, and of the direction of uprights
    return replace(_found(frame, said, found.whole, found.small, params), again=found.again)


def _probability(logits: Map) -> Map:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def _whole(side: float) -> int:
    """Return a side that the network can halve four times."""
    return max(_MULTIPLE, round(side / _MULTIPLE) * _MULTIPLE)


def _set_apart(small: Frame) -> Frame:
    return stretched(small, axes_of(small[::CELL, ::CELL]))


def _small(frame: Frame, size: tuple[int, ...]) -> Frame:
    how = cv2.INTER_AREA if size[0] < frame.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(frame, size, interpolation=how), np.uint8)


def _found(frame: Frame, said: Map, whole: Map, small: Frame, params: FinderParams) -> Detections:
    """Return the detections from the network's outputs: places from `said`, tray and foreign objects from `whole`."""
    rows, columns = said.shape[1:]
    scale_x, scale_y = columns * CELL / frame.shape[1], rows * CELL / frame.shape[0]
    peaks, tray, foreign = (_probability(part) for part in (said[0], whole[4], whole[5]))
    # Not only local maxima: cells of touching dice are neighbours, but they point to different centres.
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
    return Detections(apart, *_without_tables(tray, foreign), said, whole, small)


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


def _without_tables(tray: Map, foreign: Map) -> tuple[Map, Map]:
    """Return the maps of the tray, in one piece, and of foreign objects.

    What is not convex is a table and no tray: then the whole picture counts as tray, and objects beside that table do
    not count as foreign.
    """
    piece = _in_one_piece(tray)
    shape = (piece > LIKELY).astype(np.uint8)
    outlines, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return piece, foreign
    hull, filled = np.zeros_like(shape), np.zeros_like(shape)
    cv2.fillConvexPoly(hull, cv2.convexHull(np.concatenate(outlines)), (1,))
    cv2.drawContours(filled, outlines, -1, (1,), cv2.FILLED)
    if filled.sum() >= _CONVEX * hull.sum():
        return piece, foreign
    return np.ones_like(piece), np.where(shape > 0, foreign, np.float32(0.0))


def _in_one_piece(tray: Map) -> Map:
    """Return the map of the tray without parts separate from the largest one.

    Around a die on the table the network often sees tray, connected to the real one by a neck. Shrinking the certain
    cells cuts necks. The largest part is the tray, and all cells near it are kept.
    """
    neck, near = (
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * cells + 1, 2 * cells + 1)) for cells in (_NECK, _NECK + _EDGE)
    )
    core = cv2.erode((tray > _SURELY_TRAY).astype(np.uint8), neck, borderType=cv2.BORDER_REPLICATE)
    count, pieces, facts, _ = cv2.connectedComponentsWithStats(core, connectivity=4)
    if count < 2:  # no cell is certainly tray
        return tray
    largest = 1 + int(facts[1:, cv2.CC_STAT_AREA].argmax())
    kept = cv2.dilate((pieces == largest).astype(np.uint8), near)
    return np.where(kept > 0, tray, np.float32(0.0))


def look_farther(frame: Frame, found: Detections, params: FinderParams, part: float) -> Detections:
    """Return a look at a reduced frame, for large dice.

    A cell is tray, or foreign unless a face is there, if either look says so: the reduced one hardly sees fingers.
    Arguments as for `look_again`; `part` is the factor on the sides of the usual look's picture, below 1.
    """
    height, width = found.small.shape[:2]
    small = _small(found.small, (_whole(width * part), _whole(height * part)))
    said = network.run("finder", small)
    reduced = _found(frame, said, said, small, params)
    before = cv2.resize(found.tray, reduced.tray.shape[::-1], interpolation=cv2.INTER_AREA)
    tray = np.asarray(np.maximum(reduced.tray, before), np.float32)
    foreign = cv2.resize(found.foreign, reduced.foreign.shape[::-1], interpolation=cv2.INTER_AREA)
    cells = foreign.shape[1] / frame.shape[1]
    for face in reduced.faces:
        x, y = (int(cells * place) for place in face.centre)
        cv2.circle(foreign, (x, y), round(2.2 * cells * face.half), (0.0,), cv2.FILLED)
    return replace(reduced, tray=tray, foreign=np.maximum(reduced.foreign, foreign), whole=found.whole)


def is_large(face: Face, frame_width: int, params: FinderParams) -> bool:
    """Whether a face is large in a picture of this width."""
    return 2 * face.half > params.large * frame_width
