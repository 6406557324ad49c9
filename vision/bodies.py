"""Stage 3: bodies. Is there the rim of a die around a face, and where?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import Face
from vision.params import BodyParams
from vision.pips import Floats
from vision.reading import Frame


@dataclass(frozen=True, slots=True)
class Body:
    """The square rim of a die's face in the picture.

    Attributes:
        centre: (2,) its middle in pixels.
        basis: (2, 2) columns reach from the middle to the middle of the right and of the lower side, in pixels.
        support: Share of the rim at which the picture has an edge, 0 to 1.
        sides: (4,) that share for each side.
    """

    centre: Floats
    basis: Floats
    support: float
    sides: Floats

    @property
    def corners(self) -> Floats:
        """The four corners, (4, 2), in order around."""
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
        return (square @ self.basis.T + self.centre).astype(np.float32)

    @property
    def half(self) -> float:
        """Half the side in pixels (geometric mean of both directions)."""
        return float(np.sqrt(abs(np.linalg.det(self.basis))))


def find_bodies(frame: Frame, faces: list[Face], params: BodyParams) -> list[Body]:
    """Find the rim of the die around each face.

    Squares of several sizes (for a lone pip also turned to several angles) are laid around the face; the one at
    whose sides the colour changes most from inside to outside is the rim.

    Args:
        frame: (H, W, 3) uint8, the picture the faces were found in.
        faces: Face hypotheses.
        params: The tunables of this stage.

    Returns:
        One body for each face, in the same order.
    """
    bodies: dict[int, Body] = {}
    ones = [index for index, face in enumerate(faces) if face.value == 1]
    others = [index for index, face in enumerate(faces) if face.value > 1]
    turns = np.arange(params.turns) * (np.pi / 2 / params.turns)
    sizes_of_one = np.geomspace(params.least_half_of_one, params.most_half_of_one, params.sizes_of_one)
    sizes = np.linspace(params.least_half, params.most_half, params.sizes)
    for which, angles, halves, least_ratio in (
        (ones, turns, sizes_of_one, params.least_ratio_of_one),
        (others, np.zeros(1), sizes, params.least_ratio),
    ):
        if not which:
            continue
        cos, sin = np.cos(angles), np.sin(angles)
        turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
        units = np.stack([np.eye(2) * faces[i].radius if faces[i].value == 1 else faces[i].basis for i in which])
        bases = np.matmul(units[:, None], turn).astype(np.float32)
        centres = np.stack([faces[i].centre for i in which])
        grounds = np.stack([faces[i].ground for i in which])
        sides = _edges(frame, centres, bases, halves.astype(np.float32), grounds, params)
        # Opposite sides are equally far from the middle; across and down may differ as perspective makes them.
        pairs = sides[:, :, (0, 1)] + sides[:, :, (2, 3)]
        support = (pairs[:, :, 0, :, None] + pairs[:, :, 1, None, :]) / 4
        long = np.linalg.norm(bases, axis=2)[..., None] * halves
        ratio = long[:, :, 0, :, None] / long[:, :, 1, None, :]
        support[(ratio < least_ratio) | (ratio > 1 / least_ratio)] = 0
        for row, index in enumerate(which):
            best = np.unravel_index(int(np.argmax(support[row])), support[row].shape)
            across, down = best[1], best[2]
            shares = sides[row, best[0]][[0, 1, 2, 3], [across, down, across, down]]
            basis = bases[row, best[0]] * np.array([halves[across], halves[down]], np.float32)
            bodies[index] = Body(faces[index].centre, basis, float(support[row][best]), shares)
    return [bodies[index] for index in range(len(faces))]


# The middles of the sides to the right, below, to the left and above, and the direction along each.
_OUT = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)], np.float32)
_ALONG = np.array([(0, 1), (1, 0), (0, 1), (1, 0)], np.float32)


def _edges(frame: Frame, centres: Floats, bases: Floats, halves: Floats, grounds: Floats, params: BodyParams) -> Floats:
    """Measure how much of each side of each square is an edge.

    Args:
        frame: (H, W, 3) uint8.
        centres: (F, 2) middles.
        bases: (F, T, 2, 2) the directions to try around each, as columns.
        halves: (S,) the half sides to try, in lengths of the basis.
        grounds: (F, 3) colour of the body.
        params: The tunables of this stage.

    Returns:
        (F, T, 4, S) shares, 0 to 1; the sides are right, lower, left, upper.
    """
    # The corners of dice are round: only the middle 70 % of a side is looked at.
    along = np.linspace(-0.7, 0.7, params.points).astype(np.float32)
    gaps = np.array([1 - params.gap, 1 + params.gap], np.float32)
    # Just inside and just outside the rim: (4, S, points, 2, 2).
    rim = (_OUT[:, None, None, None] * gaps[:, None] + _ALONG[:, None, None, None] * along[:, None, None]) * halves[
        :, None, None, None
    ]
    flat = rim.reshape(-1, 2)
    where = np.matmul(bases, flat.T).transpose(0, 1, 3, 2) + centres[:, None, None]
    where = where.reshape(-1, len(flat), 2)
    seen = cv2.remap(frame, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(*bases.shape[:2], *rim.shape[:4], 3).astype(np.int16)
    inside, outside = colours[..., 0, :], colours[..., 1, :]
    change = _largest(np.abs(outside - inside))
    home = _largest(np.abs(inside - grounds[:, None, None, None, None].astype(np.int16)))
    edge = np.minimum(change / np.float32(params.edge), 1) * (home < params.homely)
    return np.asarray(edge.mean(axis=-1), np.float32)


def _largest(channels: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the largest of the three channels; (..., 3) gives (...). Much faster than max over so short an axis."""
    largest: NDArray[np.int16] = np.maximum(np.maximum(channels[..., 0], channels[..., 1]), channels[..., 2])
    return largest
