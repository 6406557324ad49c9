"""The picture of a calibration: the tray's edge, its ninths with their light, the figures and the advice."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures.text import Colour, text_width, write
from vision.tray.calibrate import Measured, TrayFrame
from vision.tray.calibration import Point
from vision.types import Frame

EDGE: Colour = (0, 200, 0)
"""The tray's edge and what is fine (BGR)."""
GRID: Colour = (255, 200, 0)
"""The ninths of the tray and the cross in the picture's middle."""
WORTH: Colour = (0, 200, 255)
"""Advice that is worth following."""
REQUIRED: Colour = (60, 60, 255)
"""Advice without which dice will not be read well."""
TEXT: Colour = (230, 230, 230)
WIDTH = 960
"""Width of the picture in pixels, so that its writing can be read."""
LINE = 26
"""Height of a line of writing in pixels."""


def measured_picture(measured: Measured, advice: Sequence[tuple[str, bool]], figures: tuple[str, ...]) -> Frame:
    """Draw what was understood over the picture that it was measured in.

    Args:
        measured: What was measured.
        advice: What to change: lines of text, each with whether dice will not be read well before it is done.
        figures: Lines of text that stand below the picture, before the advice.

    Returns:
        (H, W, 3) uint8, BGR, 960 wide.
    """
    picture = _enlarged(measured.frame)
    edge = _pixels(measured.calibration.tray, picture)
    left, top = edge.min(axis=0)
    right, bottom = edge.max(axis=0)
    columns, rows = np.linspace(left, right, 4), np.linspace(top, bottom, 4)
    for column in columns[1:3]:
        cv2.line(picture, (round(column), round(top)), (round(column), round(bottom)), GRID, 1, cv2.LINE_AA)
    for row in rows[1:3]:
        cv2.line(picture, (round(left), round(row)), (round(right), round(row)), GRID, 1, cv2.LINE_AA)
    for (row, column), level in np.ndenumerate(measured.parts):
        if np.isfinite(level):
            burnt = measured.burnt[row, column]
            label = f"{level:.0f}" + (f", {100 * burnt:.0f}% white" if burnt >= 0.005 else "")
            write(picture, label, (round(columns[column]) + 12, round(rows[row]) + LINE), GRID)
    _cross(picture)
    _outline(picture, edge)
    lines = [(figure, TEXT) for figure in figures]
    lines += [(text, REQUIRED if is_required else WORTH) for text, is_required in advice] or [("Fine.", EDGE)]
    return _with_lines(picture, lines)


def failed_picture(look: TrayFrame, message: str) -> Frame:
    """Draw a frame in which no tray was found: what looks like a tray is tinted, and the message stands below.

    Returns:
        (H, W, 3) uint8, BGR, 960 wide.
    """
    picture = _enlarged(look.frame)
    share = 0.5 * cv2.resize(look.tray, (picture.shape[1], picture.shape[0]))[..., None]
    tinted = np.asarray(np.rint(picture * (1 - share) + share * np.array(EDGE)), np.uint8)
    return _with_lines(tinted, [(message, REQUIRED)])


def _enlarged(frame: Frame) -> Frame:
    size = WIDTH, max(1, round(WIDTH * frame.shape[0] / frame.shape[1]))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def _pixels(edge: tuple[Point, ...], picture: Frame) -> NDArray[np.float64]:
    return np.array(edge) * (picture.shape[1], picture.shape[0]) - 0.5


def _outline(picture: Frame, edge: NDArray[np.float64]) -> None:
    cv2.polylines(picture, [np.rint(edge).astype(np.int32)], isClosed=True, color=EDGE, thickness=2)


def _cross(picture: Frame) -> None:
    """Mark the picture's middle."""
    x, y = picture.shape[1] // 2, picture.shape[0] // 2
    cv2.drawMarker(picture, (x, y), GRID, cv2.MARKER_CROSS, 24, 2, cv2.LINE_AA)


def _with_lines(picture: Frame, lines: list[tuple[str, Colour]]) -> Frame:
    """Return a picture with lines of text below it; long ones are broken between words."""
    broken = [(part, colour) for text, colour in lines for part in _broken(text, picture.shape[1] - 24)]
    below = np.zeros((LINE * len(broken) + LINE // 2, picture.shape[1], 3), np.uint8)
    for number, (text, colour) in enumerate(broken, 1):
        write(below, text, (12, LINE * number - 4), colour)
    return np.asarray(np.vstack([picture, below]), np.uint8)


def _broken(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer) > width and lines[-1]:
            lines.append("   " + word)
        else:
            lines[-1] = longer if lines[-1] else word
    return lines
