"""The colour of a die's body, by which dice of different colours are told apart."""

from __future__ import annotations

import numpy as np

from vision.types import Box, Colour, Frame

INNER = 0.7
"""How much of the top face is looked at, from its middle: a square of this part of its side lies within the face
however the die is turned (1 / √2)."""


def body_colour(frame: Frame, box: Box) -> Colour | None:
    """Give the colour of the body round a top face's pips.

    Of each channel the median is taken: pips cover at most two fifths of the inner face (six of a fifth of its side
    each), and a small glare is left out the same way.

    Args:
        frame: (H, W, 3) uint8, BGR.
        box: The upright square about the top face, in its pixels.

    Returns:
        Red, green and blue, 0 to 255 each; None where the face is outside of the frame.
    """
    x0, y0, x1, y1 = box
    x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, INNER * (x1 - x0) / 2
    left, top = max(0, round(x - half)), max(0, round(y - half))
    part = frame[top : max(0, round(y + half) + 1), left : max(0, round(x + half) + 1)]
    if not part.size:
        return None
    blue, green, red = np.median(part.reshape(-1, 3), axis=0)
    return int(red), int(green), int(blue)
