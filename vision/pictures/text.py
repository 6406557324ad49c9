"""Draws text into the pictures that explain a reading or a calibration."""

from __future__ import annotations

import cv2

from vision.types import Frame

Colour = tuple[int, int, int]
"""BGR."""

_FONT, _SCALE = cv2.FONT_HERSHEY_SIMPLEX, 0.55
"""The font scale for a picture 960 pixels wide."""


def write(picture: Frame, text: str, place: tuple[int, int], colour: Colour) -> None:
    """Draw a text on a dark background, so it is legible anywhere; `place` is the start of its baseline."""
    (width, height), below = cv2.getTextSize(text, _FONT, _SCALE, 1)
    x, y = place
    cv2.rectangle(picture, (x - 2, y - height - 2), (x + width + 2, y + below), (0, 0, 0), -1)
    cv2.putText(picture, text, place, _FONT, _SCALE, colour, 1, cv2.LINE_AA)
