"""A hand and forearm above the tray, as a soft surface over a chain of balls seen by the camera.

Each limb is a cone between two balls. Seen from the lens it is a strip with two round ends whose height off the tray
swells to the middle; the highest strip wins at each pixel, and the light on it comes from the surface's slope.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.geometry import View
from vision.render.scene import Hand, Scene

Array = NDArray[np.float64]
Picture = NDArray[np.float32]
Limb = tuple[Array, Array, float, float]
"""A cone: start and end in millimetres, and the radius at each."""

_SPARE = 2
"""The hand is smooth, so it is worked out at a half of the picture's size."""


def _limbs(hand: Hand) -> tuple[list[Limb], list[Limb]]:
    """Cones of skin and cones of sleeve (or forearm)."""
    unit = hand.length_mm / 180.0
    way = math.radians(hand.towards_deg)
    forward = np.array([math.cos(way), math.sin(way), 0.0])
    aside = np.array([-forward[1], forward[0], 0.0]) * (1.0 if hand.is_left else -1.0)
    down = np.array([0.0, 0.0, -1.0])
    palm = np.array(hand.palm_mm)

    def at(ahead: float, across: float, lower: float = 0.0) -> Array:
        return np.asarray(palm + unit * (forward * ahead + aside * across + down * lower))

    skin: list[Limb] = []
    for across, radius in ((-28, 16), (-10, 18), (10, 18), (28, 16)):
        skin.append((at(-45, across * 0.6), at(32, across), 19 * unit, radius * unit))
    for number, (across, length) in enumerate(((-31, 62), (-11, 74), (10, 82), (31, 72))):
        fan = (number - 1.5) * 0.22 * hand.spread
        bend = hand.curl * 1.2
        reach = length * 0.5
        knuckle_x, knuckle_y = 38.0, float(across)
        middle_x = knuckle_x + reach * math.cos(bend) * math.cos(fan)
        middle_y = knuckle_y + reach * math.sin(fan)
        low = reach * math.sin(bend)
        tip_bend = bend * 2.0
        tip_x = middle_x + reach * math.cos(tip_bend) * math.cos(fan)
        tip_y = middle_y + reach * math.sin(fan)
        tip_low = low + reach * math.sin(min(tip_bend, math.pi / 2))
        skin.append((at(knuckle_x, knuckle_y), at(middle_x, middle_y, low), 10.5 * unit, 9 * unit))
        skin.append((at(middle_x, middle_y, low), at(tip_x, tip_y, tip_low), 9 * unit, 7 * unit))
    thumb = 0.5 + 0.6 * hand.spread
    base, joint = at(-20, 30), at(5 + 28 * math.cos(thumb), 36 + 26 * math.sin(thumb), 6)
    skin.append((base, joint, 16 * unit, 11 * unit))
    skin.append((joint, joint + unit * (forward * 30 + aside * 8 + down * 5), 11 * unit, 8 * unit))
    wrist = at(-60, 0)
    skin.append((at(-40, 0), wrist, 24 * unit, 22 * unit))
    arm: list[Limb] = [(at(-75, 0), at(-420, 0, -60), 31 * unit, 46 * unit)]
    return skin, arm


def _raise(heights: Picture, limb: Limb, eye: View, finer: float) -> None:
    """Lay one cone into a picture of heights, in place; units are millimetres above the floor."""
    start, end, radius_start, radius_end = limb
    a, b = eye.project(np.stack([start, end])) * finer
    depth_a, depth_b = ((point - eye.position) @ eye.axes[2] for point in (start, end))
    wide_a = radius_start * eye.focal_px / max(float(depth_a), 20.0) * finer
    wide_b = radius_end * eye.focal_px / max(float(depth_b), 20.0) * finer
    margin = max(wide_a, wide_b) + 1
    rows, columns = heights.shape
    left, right = max(0, int(min(a[0], b[0]) - margin)), min(columns, int(max(a[0], b[0]) + margin) + 1)
    top, bottom = max(0, int(min(a[1], b[1]) - margin)), min(rows, int(max(a[1], b[1]) + margin) + 1)
    if right <= left or bottom <= top:
        return
    x, y = np.meshgrid(np.arange(left, right, dtype=np.float32), np.arange(top, bottom, dtype=np.float32))
    axis = b - a
    along = np.clip(((x - a[0]) * axis[0] + (y - a[1]) * axis[1]) / max(float(axis @ axis), 1e-6), 0.0, 1.0)
    off = np.hypot(x - a[0] - along * axis[0], y - a[1] - along * axis[1])
    part = off / (wide_a + (wide_b - wide_a) * along)
    radius = radius_start + (radius_end - radius_start) * along
    surface = start[2] + (end[2] - start[2]) * along + radius * np.sqrt(np.maximum(1.0 - part * part, 0.0))
    window = heights[top:bottom, left:right]
    np.maximum(window, np.where(part < 1.0, surface, -np.inf).astype(np.float32), out=window)


def draw_hand(scene: Scene, hand: Hand, eye: View) -> tuple[Picture, Picture]:
    """The hand in linear light, float32 BGR (H, W, 3), and how much of each pixel it covers, (H, W)."""
    width, height = scene.camera.size
    small = ((height + _SPARE - 1) // _SPARE, (width + _SPARE - 1) // _SPARE)
    skin, arm = _limbs(hand)
    layers = []
    for limbs in (skin, arm):
        heights = np.full(small, -np.inf, np.float32)
        for limb in limbs:
            _raise(heights, limb, eye, 1 / _SPARE)
        layers.append(heights)
    covered = [np.isfinite(layer) for layer in layers]
    is_arm = covered[1] & (~covered[0] | (layers[1] > layers[0]))
    heights = np.where(covered[0] | covered[1], np.maximum(layers[0], layers[1]), 0.0).astype(np.float32)
    cover = (covered[0] | covered[1]).astype(np.float32)
    # Slopes inside the outline only: weigh the smoothing by the cover.
    weight = cv2.GaussianBlur(cover, (0, 0), 1.5)
    smooth = cv2.GaussianBlur(heights * cover, (0, 0), 1.5) / np.maximum(weight, 1e-3)
    mm_per_px = _SPARE * max(20.0, scene.camera.height_mm - hand.palm_mm[2]) / eye.focal_px
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8) / mm_per_px
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8) / mm_per_px
    normal = np.stack([-slope_x, -slope_y, -np.ones_like(slope_x)], axis=-1)
    normal /= np.sqrt((normal * normal).sum(axis=-1, keepdims=True))
    lamps = np.array(scene.light.points) - np.array(hand.palm_mm)
    seen = ((lamps / np.linalg.norm(lamps, axis=1, keepdims=True)) @ eye.axes.T).astype(np.float32)
    diffuse = np.maximum(normal @ seen.T, 0.0).mean(axis=-1)
    facing = 0.55 - 0.45 * normal[..., 2]
    lamp_colour = np.array(scene.light.colour, dtype=np.float32)
    sky = np.array(scene.light.ambient, dtype=np.float32)
    skin_colour = np.array(hand.skin, dtype=np.float32)
    arm_colour = np.array(hand.skin if hand.sleeve is None else hand.sleeve, dtype=np.float32)
    colour = np.where(is_arm[..., None], arm_colour, skin_colour)
    light = colour * (diffuse[..., None] * lamp_colour + facing[..., None] * sky)
    size = (width, height)
    shown = cv2.resize(light.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    mask = cv2.resize(cv2.GaussianBlur(cover, (0, 0), 0.7), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(shown), np.asarray(np.clip(mask, 0.0, 1.0))


def hand_outlines(hand: Hand) -> list[tuple[Array, Array]]:
    """Straight pieces that throw the hand's shadow: start and end of each limb with its radius, (2, 3) and (2,)."""
    skin, arm = _limbs(hand)
    return [
        (np.stack([start, end]), np.array([radius_start, radius_end]))
        for start, end, radius_start, radius_end in skin + arm
    ]
