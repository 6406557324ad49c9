"""Stage 3: bodies. Is there the rim of a die around a face, and where?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

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


def _rim(points: int) -> Floats:
    """Points on the sides of the square from -1 to 1, (4, points, 2), leaving out the corners, which are round."""
    along = np.linspace(-0.7, 0.7, points)
    one = np.ones(points)
    sides = [(along, -one), (one, along), (along, one), (-one, along)]
    return np.stack([np.stack(side, axis=1) for side in sides]).astype(np.float32)


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
    for which, angles, halves in ((ones, turns, sizes_of_one), (others, np.zeros(1), sizes)):
        if not which:
            continue
        cos, sin = np.cos(angles), np.sin(angles)
        turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
        shapes = (turn[:, None] * halves[None, :, None, None]).reshape(-1, 2, 2)
        units = np.stack([np.eye(2) * faces[i].radius if faces[i].value == 1 else faces[i].basis for i in which])
        bases = np.einsum("fij,bjk->fbik", units, shapes).astype(np.float32)
        centres = np.stack([faces[i].centre for i in which])
        grounds = np.stack([faces[i].ground for i in which])
        sides = _edges(frame, centres, bases, grounds, params)
        support = sides.mean(axis=2)
        for row, index in enumerate(which):
            best = int(np.argmax(support[row]))
            bodies[index] = Body(faces[index].centre, bases[row, best], float(support[row, best]), sides[row, best])
    return [bodies[index] for index in range(len(faces))]


def _edges(frame: Frame, centres: Floats, bases: Floats, grounds: Floats, params: BodyParams) -> Floats:
    """Measure how much of each side of each square is an edge.

    Args:
        frame: (H, W, 3) uint8.
        centres: (F, 2) middles.
        bases: (F, B, 2, 2) squares to try around each.
        grounds: (F, 3) colour of the body.
        params: The tunables of this stage.

    Returns:
        (F, B, 4) shares, 0 to 1.
    """
    # Just inside and just outside the rim, on the line from the middle.
    lengths = np.array([1 - params.gap, 1 + params.gap], np.float32)
    rim = (_rim(params.points)[:, :, None] * lengths[:, None]).reshape(-1, 2)
    where = np.matmul(bases, rim.T).transpose(0, 1, 3, 2) + centres[:, None, None]
    flat = where.reshape(-1, len(rim), 2)
    seen = cv2.remap(frame, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colours = seen.reshape(*bases.shape[:2], 4, params.points, 2, 3).astype(np.int16)
    inside, outside = colours[..., 0, :], colours[..., 1, :]
    change = np.abs(outside - inside).max(axis=-1)
    home = np.abs(inside - grounds[:, None, None, None].astype(np.int16)).max(axis=-1)
    edge = np.minimum(change / np.float32(params.edge), 1) * (home < params.homely)
    return np.asarray(edge.mean(axis=3), np.float32)
