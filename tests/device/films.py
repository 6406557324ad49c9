"""Films for the tests of OpenCV's cameras, and pictures that show their number."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

SIZE = (320, 240)
_STEP = 4


def numbered(number: int) -> np.ndarray:
    """A grey picture whose level is its number, and the same at the top as at the bottom."""
    return np.full((SIZE[1], SIZE[0], 3), 16 + _STEP * (number % 56), np.uint8)


def number_of(frame) -> int:
    """The number of a picture, also after JPEG; up to 55."""
    return round((float(frame.mean()) - 16) / _STEP)


def written_film(file: Path, frames, frames_per_s: float = 15.0) -> Path:
    """Write a film of JPEGs."""
    writer = None
    for frame in frames:
        if writer is None:
            size = (frame.shape[1], frame.shape[0])
            writer = cv2.VideoWriter(str(file), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"MJPG"), frames_per_s, size)
        writer.write(frame)
    writer.release()
    return file
