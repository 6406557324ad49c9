"""The debug picture: what each stage found, drawn over the frame from the evidence alone."""

from __future__ import annotations

import cv2
import numpy as np

from vision.read import Evidence
from vision.reading import Frame

Colour = tuple[int, int, int]
PIP: Colour = (255, 200, 0)
"""Spots of stage 1, thin (BGR)."""
SURE: Colour = (0, 200, 0)
DOUBTFUL: Colour = (0, 140, 255)
TEXT: Colour = (255, 255, 255)
SHORTEST_SIDE = 960
"""The debug picture is at least this wide or high in pixels, so that its writing can be read."""


def debug_picture(evidence: Evidence) -> Frame:
    """Draw what was found: every spot, the rim, pips and value of each die, and the verdict above.

    Args:
        evidence: What `vision.read.examine` returned.

    Returns:
        (H, W, 3) uint8, BGR: the working picture, enlarged where it is small, with a line of text on top.
    """
    work = evidence.work
    zoom = max(1, -(-SHORTEST_SIDE // max(work.shape[:2])))
    size = work.shape[1] * zoom, work.shape[0] * zoom
    picture = np.asarray(cv2.resize(work, size, interpolation=cv2.INTER_CUBIC), np.uint8)

    def at(point: np.ndarray[tuple[int], np.dtype[np.float32]]) -> tuple[float, float]:
        return (float(point[0]) + 0.5) * zoom - 0.5, (float(point[1]) + 0.5) * zoom - 0.5

    pips = evidence.pips
    for index in range(len(pips)):
        stretch = float(np.sqrt(pips.aspect[index]))
        axes = 2 * zoom * float(pips.radius[index]) / stretch, 2 * zoom * float(pips.radius[index]) * stretch
        cv2.ellipse(picture, (at(pips.xy[index]), axes, float(np.degrees(pips.along[index]))), PIP, 1, cv2.LINE_AA)
    for top in evidence.kept:
        colour = SURE if evidence.reading.ok else DOUBTFUL
        corners = np.array([at(corner) for corner in top.body.corners])
        cv2.polylines(picture, [np.rint(corners).astype(np.int32)], isClosed=True, color=colour, thickness=2)
        for index in top.face.pips:
            x, y = at(pips.xy[index])
            cv2.circle(picture, (round(x), round(y)), 3, colour, -1)
        x, y = corners.min(axis=0)
        label = f"{top.face.value} {top.confidence:.2f}" + (f" or {top.rival}" if top.rival else "")
        _write(picture, label, (round(float(x)), round(float(y)) - 6), colour)
    reading = evidence.reading
    verdict = " ".join(str(value) for value in reading.values) if reading.ok else f"{reading.reason}: {reading.detail}"
    banner = np.zeros((28, picture.shape[1], 3), np.uint8)
    _write(banner, verdict, (6, 20), SURE if reading.ok else DOUBTFUL)
    return np.asarray(np.vstack([banner, picture]), np.uint8)


def _write(picture: Frame, text: str, place: tuple[int, int], colour: Colour) -> None:
    """Write with a dark edge, legible on any ground."""
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.55, (0, 0, 0), 4, cv2.LINE_AA)
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.55, colour, 1, cv2.LINE_AA)
