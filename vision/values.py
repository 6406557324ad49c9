"""Stage 2: what each top face shows, by a second small network, looked at more than once.

Each look is a crop of the frame round the face, turned, mirrored or scaled otherwise: a value is the same in all of
them, so that what the network makes of different looks tells how sure it is.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import network
from vision.finder import Face
from vision.params import ValueParams
from vision.reading import Frame

CLASSES = ("1", "2", "3", "4", "5", "6", "cocked", "smeared", "covered", "glare", "emblem", "nothing")
"""What the network tells apart: six values and what else may be in a crop. `nothing` is no top face at all."""

CROP_PX, HALF_PX = 64, 14.5
"""Side of a crop, and half side of the top face in it, in pixels: the network was fitted to these."""


def read_values(frame: Frame, faces: tuple[Face, ...], params: ValueParams) -> NDArray[np.float32]:
    """How likely each class is for each face.

    Args:
        frame: (H, W, 3) uint8, BGR.
        faces: Where to look, in its pixels.
        params: The tunables of this stage.

    Returns:
        Probabilities, shape (len(faces), 12), in the order of `CLASSES`.
    """
    if not faces:
        return np.zeros((0, len(CLASSES)), np.float32)
    logits = _look(frame, faces, params.looks[: params.first])
    chances = _chances(logits)
    values = chances[:, :6]
    shown = values.sum(axis=1)
    doubtful = np.flatnonzero((values.max(axis=1) < params.plain * shown) | (shown < params.whole))
    if len(doubtful) and len(params.looks) > params.first:
        more = _look(frame, tuple(faces[index] for index in doubtful), params.looks[params.first :])
        chances[doubtful] = _chances(np.concatenate([logits[:, doubtful], more]))
    return chances


def _look(frame: Frame, faces: tuple[Face, ...], looks: tuple[tuple[float, bool, float], ...]) -> NDArray[np.float32]:
    """The logits of each look at each face, shape (looks, faces, classes)."""
    crops = [crop(frame, face, *look) for look in looks for face in faces]
    logits = [network.run("values", one) for one in crops]
    return np.array(logits, np.float32).reshape(len(looks), len(faces), len(CLASSES))


def _chances(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of all looks' logits as probabilities, (looks, faces, classes) to (faces, classes)."""
    mean = logits.mean(axis=0)
    raised = np.exp(mean - mean.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def crop(
    frame: Frame,
    face: Face,
    turn_deg: float = 0.0,
    is_mirrored: bool = False,
    zoom: float = 1.0,
    *,
    side_px: int = CROP_PX,
    half_px: float = HALF_PX,
) -> Frame:
    """A look at a face: its surroundings at a scale of their own, shape (side_px, side_px, 3).

    Args:
        frame: (H, W, 3) uint8, BGR; beyond its edges the edge is repeated.
        face: In its pixels.
        turn_deg: How far it is turned.
        is_mirrored: Whether left and right are exchanged.
        zoom: Factor on the scale.
        side_px: Side of the crop; the network's by default.
        half_px: Half side of the top face in it; what the network was fitted to by default.
    """
    scale = half_px / face.half * zoom
    source, centre = frame, np.array(face.centre)
    if scale < 0.7:
        # Many pixels make one: average them first, over the part of the frame that is needed.
        reach = side_px / scale
        left, top = (max(0, int(edge - reach)) for edge in centre)
        window = frame[top : int(centre[1] + reach) + 1, left : int(centre[0] + reach) + 1]
        source = np.asarray(cv2.resize(window, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        ratio = np.array([source.shape[1] / window.shape[1], source.shape[0] / window.shape[0]])
        centre = (centre - (left, top) + 0.5) * ratio - 0.5
        scale = 1.0
    turn = np.radians(turn_deg)
    way = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if is_mirrored:
        way[0] *= -1
    offset = (side_px - 1) / 2 - way @ centre
    whole = np.column_stack([way, offset])
    size = (side_px, side_px)
    return np.asarray(
        cv2.warpAffine(source, whole, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
