"""Reads photographs that players take of the dice."""

from __future__ import annotations

import cv2
import numpy as np

from vision.params import Params
from vision.pictures.load import decode
from vision.reader import Look, examine

MOST_PIXELS = 16_000_000
"""The largest photograph, in pixels; the page sends smaller ones."""
LONGEST_PX = 1600
"""The longest side with which a photograph is read, in pixels."""
LOOKS_S = 2.0
"""The processor time after which no further look at a photograph begins, in seconds; there is no next frame."""


def examine_photograph(data: bytes, dice: int) -> Look:
    """Read the dice in a picture file and return what was found.

    Args:
        data: The file's content.
        dice: The number of dice to expect.

    Raises:
        UnreadablePictureError: If it is not a picture, or too large.
    """
    frame = decode(data, "the photograph", MOST_PIXELS, near_px=LONGEST_PX * 3 // 4)
    height, width = frame.shape[:2]
    scale = LONGEST_PX / max(height, width)
    if scale < 1.0:
        size = round(width * scale), round(height * scale)
        frame = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    return examine(frame, None, dice, Params(deadline_s=LOOKS_S))
