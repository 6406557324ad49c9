"""Marks on a top face other than pips: reflections of lamps, flecks, emblems, and what is left of a worn pip."""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.scenes.emblems import emblem
from tools.training.augment import Picture
from vision.render.face_map import CELL, pip_rim

KINDS = {"spot": 0.45, "arc": 0.3, "frame": 0.13, "bar": 0.12}
"""The frequency of each kind. Pip-sized spots are the most dangerous."""

LIGHT_PIPS = 0.6
"""The frequency of those spots on dice with light pips, where some are indistinguishable from a pip."""

MIDDLE = 0.4
"""The share of spots in the middle of the face, where they make a 2 look like a 3 and a 4 like a 5: weights trained
without them misread, or nearly, 16 of 779 dice with a spot."""

MIDDLE_LIKE = 0.04
"""The same for spots of light on dice with light pips, and for flecks like the pips: they are indistinguishable from a
pip, so from too many of them the network only learns to doubt 3s and 5s (with `MIDDLE`, 19 dice of 1,600 scenes instead
of 10)."""

PAIRED = 0.4
"""The share of faces with two specks where no pips are, in another colour."""

_CLEAR_OF_MIDDLE = 0.45
"""The distance from the middle, in half sides, of a mark on a face with a pip there, which stays visible."""

ONE_PIP = 0.35
"""The share of emblems that are a single pip instead."""

RING = 0.3
"""The share of these pips that are a ring, since those 1s are easily taken for emblems."""

_SEEN_INK = 40.0
"""The least difference between pips and body, summed over blue, green and red, for drawing an emblem in place of
pips."""

_FINER = 2
"""The oversampling factor per side for drawing reflections."""

_BESIDE = 0.5
"""The share of marks that continue beyond the top face, as on a die with rounded edges."""


LOST, LEFT = 0.25, (math.log(0.1), math.log(0.7))
"""The share of worn pips of which nothing is left, and the logarithm of the part that is left of others."""

SPREAD = 0.4
"""The share of worn pips whose paint is spread, usually more in one direction."""


class _Levels(NamedTuple):
    """The levels of a top face's darkest parts, of its body and of its lightest parts, 0 to 255."""

    dark: float
    body: float
    light: float

    @property
    def has_dark_pips(self) -> bool:
        """Whether the darkest parts differ more from the body's level than the lightest ones do."""
        return self.body - self.dark > self.light - self.body


def gleam(rng: np.random.Generator, crop: Picture, half_px: float, *, has_middle: bool) -> Picture:
    """Return a die with reflections of lamps in its top face, as on domed and hollow faces.

    Args:
        rng: The random numbers.
        crop: A die, its top face in the middle; it is not changed.
        half_px: Half the side of its top face.
        has_middle: Whether it has a pip in the middle, which no spot may hide: such a 5 would look like a 4.
    """
    side = crop.shape[0]
    fine = np.zeros((side * _FINER, side * _FINER), np.uint8)
    unit = half_px * _FINER
    is_told = _levels(crop, half_px).has_dark_pips
    spots = 1.0 if is_told else LIGHT_PIPS
    for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))):
        kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
        if kind == "spot" and rng.random() >= spots:
            continue
        often = MIDDLE_LIKE if kind == "spot" and not is_told else MIDDLE
        middle = side * _FINER / 2 + _place(rng, often, has_middle=has_middle) * unit
        _draw(rng, fine, kind, middle, unit)
    if rng.random() >= _BESIDE:
        inside = np.zeros_like(fine)
        low, high = int(side * _FINER / 2 - unit), int(side * _FINER / 2 + unit)
        inside[low:high, low:high] = 255
        fine = np.asarray(cv2.min(fine, inside), np.uint8)
    return _lit(rng, crop, fine, float(rng.uniform(30, 320)))


def lamp(rng: np.random.Generator, crop: Picture, half_px: float) -> Picture:
    """Return a 2 or 4 with the reflection of a lamp where a 3 or 5 has its middle pip; arguments as for `gleam`."""
    side = crop.shape[0]
    fine = np.zeros((side * _FINER, side * _FINER), np.uint8)
    unit = half_px * _FINER
    _draw(rng, fine, "spot", side * _FINER / 2 + rng.normal(0, 0.08, 2) * unit, unit)
    return _lit(rng, crop, fine, float(rng.uniform(60, 320)))


def fleck(rng: np.random.Generator, crop: Picture, half_px: float, *, has_middle: bool) -> Picture:
    """Return a die with specks of dirt or paint of about a pip's size, one or two on opposite sides of the middle.

    Most are of the other kind, light among dark pips, or differ from the body at most half as much as the pips do.

    The arguments are those of `gleam`.
    """
    side, levels = crop.shape[0], _levels(crop, half_px)
    is_like = rng.random() < 0.2
    places = [_place(rng, MIDDLE_LIKE if is_like else MIDDLE, has_middle=has_middle)]
    if not is_like and rng.random() < PAIRED:
        angle, far = float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0.7, 0.1))
        pair = [far * np.array([np.cos(way), np.sin(way)]) for way in (angle, angle + np.pi)]
        places = pair if all(_is_bare(crop, place, half_px, levels) for place in pair) else places
    radius = float(rng.uniform(0.08, 0.32)) * half_px
    mask = np.zeros((side * _FINER, side * _FINER), np.uint8)
    for x, y in places:
        spot = round((side / 2 + x * half_px) * _FINER), round((side / 2 + y * half_px) * _FINER)
        cv2.circle(mask, spot, max(1, round(radius * _FINER)), (255,), -1, cv2.LINE_AA)
    share = _softened(rng, mask, 1.2) * rng.uniform(0.5, 1.0)
    colour = rng.uniform(0, 255, 3)
    if not is_like:
        dark, body, light = levels
        reach = ((body + dark) / 2, 255.0) if levels.has_dark_pips else (0.0, (body + light) / 2)
        colour = 0.2 * colour + 0.8 * float(rng.uniform(*reach))
    return np.asarray(crop + (colour - crop) * share, np.uint8)


def drawn_over(rng: np.random.Generator, crop: Picture, half_px: float) -> tuple[Picture, str] | None:
    """Return a die with an emblem in the colour of its pips instead of them, small or large; or with one pip.

    Pictures of real dice contain few emblems, and a network without these examples takes figures for 1s. The single
    pips keep the removal of the others from being a sign of an emblem.

    Args:
        rng: The random numbers.
        crop: A die that shows a value, its top face in the middle; it is not changed.
        half_px: Half the side of its top face.

    Returns:
        The die and its new class; None if its pips differ too little from its body.
    """
    side, away = crop.shape[0], _away(crop, half_px)
    on_face = away < 0.9
    body = np.median(crop[away < 0.7], axis=0)
    off = np.linalg.norm(crop - body, axis=2)
    paint = off >= np.percentile(off[on_face], 95)
    ink = np.asarray(crop[paint & on_face].mean(axis=0))
    if np.linalg.norm(ink - body) < _SEEN_INK:
        return None
    pips = ((off > 0.3 * np.linalg.norm(ink - body)) & on_face).astype(np.uint8)
    bare = cv2.inpaint(crop, cv2.dilate(pips, np.ones((3, 3), np.uint8)), 3, cv2.INPAINT_TELEA)
    turn = float(rng.uniform(0, 2 * np.pi))
    if rng.random() < ONE_PIP:
        shown, radius = "1", float(rng.uniform(0.13, 0.34))
        is_ring = rng.random() < RING
        rim = pip_rim(away, radius, float(rng.uniform(0.35, 0.6))) if is_ring else away - radius
    else:
        shown = "emblem"
        cos, sin = np.cos(turn) * CELL / 2 / half_px, np.sin(turn) * CELL / 2 / half_px
        way = np.array([[cos, sin], [-sin, cos]])
        middle = np.full(2, (side - 1) / 2)
        whole = np.column_stack([way, np.full(2, (CELL - 1) / 2) - way @ middle])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        turned = cv2.warpAffine(
            emblem(rng), whole, (side, side), flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=(9.0,)
        )
        rim = np.asarray(turned, np.float64)
    soft = float(rng.uniform(0.6, 1.6))
    share = (np.clip(0.5 - rim * half_px / soft, 0, 1) * on_face)[..., None]
    return np.asarray(bare + (ink - bare) * share + 0.5, np.uint8), shown


def worn(rng: np.random.Generator, crop: Picture, half_px: float) -> tuple[Picture, bool]:
    """Return a 3 or 5 whose middle pip has lost most of its paint or, so that its traces are no sign, all of it.

    The arguments are those of `drawn_over`; the second part of the result is whether something is left.
    """
    hidden = (_away(crop, half_px) < rng.uniform(0.27, 0.4)).astype(np.uint8)
    bare = cv2.inpaint(crop, hidden, 3, cv2.INPAINT_TELEA)
    left = 0.0 if rng.random() < LOST else math.exp(float(rng.uniform(*LEFT)))
    paint = crop.astype(np.float32) - bare
    if rng.random() < SPREAD:
        paint = np.asarray(cv2.GaussianBlur(paint, (0, 0), *(half_px * rng.uniform(0.02, 0.2, 2))), np.float32)
    return np.asarray(np.clip(bare + left * paint + 0.5, 0, 255), np.uint8), left > 0


def _place(rng: np.random.Generator, middle: float, *, has_middle: bool) -> NDArray[np.float64]:
    """Return a random place on the face, in half sides off its middle, (x, y)."""
    if not has_middle and rng.random() < middle:
        return np.asarray(rng.normal(0, 0.08, 2))
    while True:
        place = rng.normal(0, 0.4, 2)
        if not has_middle or np.hypot(*place) > _CLEAR_OF_MIDDLE:
            return np.asarray(place)


def _is_bare(crop: Picture, place: NDArray[np.float64], half_px: float, levels: _Levels) -> bool:
    """Whether the body is visible at a place of the top face, since a speck must not hide a pip."""
    x, y = (round(crop.shape[0] / 2 + part * half_px) for part in place)
    seen = float(crop[y - 1 : y + 2, x - 1 : x + 2].mean())
    return abs(seen - levels.body) < 0.35 * max(levels.body - levels.dark, levels.light - levels.body)


def _inner(crop: Picture, half_px: float) -> Picture:
    """Return the part of a crop that is on the top face at any rotation."""
    low, high = round(crop.shape[0] / 2 - 0.7 * half_px), round(crop.shape[0] / 2 + 0.7 * half_px)
    return crop[low:high, low:high]


def _away(crop: Picture, half_px: float) -> NDArray[np.float64]:
    """Return the distance of each pixel of a crop from its middle, in half sides of the top face."""
    rows, columns = np.mgrid[: crop.shape[0], : crop.shape[1]] - (crop.shape[0] - 1) / 2
    return np.asarray(np.hypot(rows, columns) / half_px)


def _levels(crop: Picture, half_px: float) -> _Levels:
    dark, body, light = np.percentile(_inner(crop, half_px).mean(axis=2), [5, 50, 95])
    return _Levels(float(dark), float(body), float(light))


def _lit(rng: np.random.Generator, crop: Picture, fine: NDArray[np.uint8], level: float) -> Picture:
    """Return a crop with the reflections drawn in `fine`, see `_softened`, up to `level` grey levels brighter.

    On a polished face the reflection of a lamp saturates the sensor on any colour of die; on others it is only lighter.
    """
    light = _softened(rng, fine, 1.6)
    return np.asarray(np.clip(crop + light * level * rng.uniform(0.85, 1.0, 3), 0, 255), np.uint8)


def _softened(rng: np.random.Generator, fine: NDArray[np.uint8], most: float) -> NDArray[np.float64]:
    """Return the part of each pixel that marks cover, 0 to 1, with soft edges: (side, side, 1).

    Args:
        rng: The random numbers.
        fine: The marks, white on black, at `_FINER` times the crop's size.
        most: The largest standard deviation of the blur, in pixels of the crop.
    """
    soft = cv2.GaussianBlur(fine, (0, 0), float(rng.uniform(0.3, most)) * _FINER)
    side = fine.shape[0] // _FINER
    return np.asarray(cv2.resize(soft, (side, side), interpolation=cv2.INTER_AREA)[..., None] / 255, np.float64)


def _draw(
    rng: np.random.Generator, fine: NDArray[np.uint8], kind: str, middle: NDArray[np.float64], unit: float
) -> None:
    """Draw one reflection, white on black, at a place; `unit` is half a side of the top face."""
    place = (round(middle[0]), round(middle[1]))
    angle = float(rng.uniform(0, 360))
    if kind == "spot":
        radius = float(rng.uniform(0.06, 0.35)) * unit
        narrow = 1.0 if rng.random() < 0.6 else float(rng.uniform(0.2, 1.0))
        reach = (max(1, round(radius)), max(1, round(radius * narrow)))
        cv2.ellipse(fine, place, reach, angle, 0, 360, (255,), -1, cv2.LINE_AA)
        return
    thick = max(1, round(float(rng.uniform(0.04, 0.2)) * unit))
    if kind == "arc":
        radius = float(rng.uniform(0.1, 1.0)) * unit
        reach = (round(radius), round(radius * rng.uniform(0.5, 1.0)))
        span = 360.0 if rng.random() < 0.3 else float(rng.uniform(40, 300))
        cv2.ellipse(fine, place, reach, angle, 0, span, (255,), thick, cv2.LINE_AA)
        return
    long, wide = rng.uniform(0.1, 1.0, 2) * unit
    corners = [(-long, -wide), (long, -wide), (long, wide), (-long, wide), (-long, -wide)]
    seen = corners[: int(rng.integers(3, 6))] if kind == "frame" else [(-long, 0.0), (long, 0.0)]
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    line = np.array(seen) @ np.array([[c, s], [-s, c]]) + middle
    cv2.polylines(fine, [line.astype(np.int32)], False, (255,), thick, cv2.LINE_AA)
