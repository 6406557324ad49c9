"""Trays with dice drawn by hand, straight from above: the simplest pictures a reader must read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from vision.types import Frame

Colour = tuple[int, int, int]
SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
FELT: Colour = (60, 110, 40)
WHITE: Colour = (240, 240, 240)
BLACK: Colour = (25, 25, 25)
PLACES = ((140.0, 120.0), (430.0, 150.0), (180.0, 350.0), (470.0, 340.0), (310.0, 240.0))


def tray(colour: Colour = FELT, size: tuple[int, int] = (640, 480)) -> Frame:
    """An empty tray of one colour with a little grain: (H, W, 3) uint8."""
    return _grained(colour, size).copy()


@cache
def _grained(colour: Colour, size: tuple[int, int]) -> Frame:
    grain = np.random.default_rng(1).normal(0, 2, (size[1], size[0], 3))
    return np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)


def add_die(
    frame: Frame,
    value: int,
    middle: tuple[float, float],
    half: float = 24,
    turn_deg: float = 20,
    body: Colour = WHITE,
    ink: Colour = BLACK,
) -> None:
    """Draw a die into `frame`: `half` is half its side in pixels."""
    angle = np.radians(turn_deg)
    axes = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * half
    fixed = 4  # cv2's binary digits after the point
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ axes.T + middle
    cv2.fillPoly(frame, [np.rint(square * 2**fixed).astype(np.int32)], body, cv2.LINE_AA, fixed)
    for spot in SPOTS[value]:
        x, y = np.array(spot) * 0.52 @ axes.T + middle
        place = round(x * 2**fixed), round(y * 2**fixed)
        cv2.circle(frame, place, round(0.2 * half * 2**fixed), ink, -1, cv2.LINE_AA, fixed)


def tray_with(
    values: Sequence[int], half: float = 24, body: Colour = WHITE, ink: Colour = BLACK, felt: Colour = FELT
) -> Frame:
    """A tray with dice of these values, each turned another way."""
    frame = tray(felt)
    for index, (value, middle) in enumerate(zip(values, PLACES, strict=False)):
        add_die(frame, value, middle, half, 20 + 37 * index, body, ink)
    return cv2.GaussianBlur(frame, (3, 3), 0)
