"""Stage 2: what each top face shows, by a second small network, looked at more than once.

Each look is a crop of the frame round the face as from straight above, mirrored, turned or scaled otherwise: a value is
the same in all of them, so that what the network makes of different looks tells how sure it is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import network
from vision.finder import Face, one_each
from vision.params import Look, Marks, Params, ValueParams
from vision.reading import Frame
from vision.stretch import along, axes_of
from vision.upright import Upright, fit, possible

CLASSES = ("1", "2", "3", "4", "5", "6", "cocked", "smeared", "covered", "glare", "emblem", "nothing", "faint")
"""What the network tells apart: six values and what else may be in a crop. `nothing` is no top face at all, `faint` one
whose pips nobody can see."""

CROP_PX, HALF_PX = 64, 14.5
"""Side of a crop, and half side of the top face in it, in pixels: the network was fitted to these."""

_COCKED, _NOTHING = CLASSES.index("cocked"), CLASSES.index("nothing")

PLACES = 5
"""What the network tells beside the classes: where uprights point, where the face is and how large."""

MOST_OFF, MOST_LARGER = 0.6, 0.4
"""A face is moved by so many of its half sides at most, and scaled by the exponential of this: the network was fitted
to no more."""

FACE = slice(round((CROP_PX - 1) / 2 - HALF_PX), round((CROP_PX - 1) / 2 + HALF_PX) + 1)
"""Rows and columns of a crop within the top face."""

_BRUSH, _WIDE_BRUSH = (cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)) for size in (7, 9))
"""What is narrower than this, in pixels of a crop, is painted over: pips are 4 to 8 wide. Of 800 dice that left a doubt
four show another value by dark or light marks alone with the first, 16 with the second."""

WHITE = 235
"""What reaches this level, 0 to 255, in blue, green and red is nearly white, as a lamp's image is on any die."""

_SLIP = 0.05
"""A look may take any die for a leaning one with this probability."""

_LEAST_SCALE = 0.7
"""What is made smaller than this is averaged first, or pixels between those taken would not count."""

_ROOM = 1.25
"""So much larger than in the crops a large face is kept for all looks at it: no look of `zoom` 0.88 and more shrinks it
any further. To shrink it anew for each takes longer than all else about a crop."""

_REACH = 0.8
"""From a crop's middle to the farthest that is seen in it, in its sides: its corners are 0.71 off, and straightening
stretches up to 1.1 times."""


class Looked(NamedTuple):
    """What the looks at some faces tell.

    Attributes:
        faces: The faces, where the network saw them; of those that proved to be one the likeliest.
        chances: Probabilities, shape (len(faces), 13), in the order of `CLASSES`.
        upright: How the camera stands.
    """

    faces: tuple[Face, ...]
    chances: NDArray[np.float32]
    upright: Upright


def read_values(frame: Frame, faces: tuple[Face, ...], params: Params) -> Looked:
    """How likely each class is for each face, where exactly the faces are, and how the camera stands.

    The first look goes by what the finder saw of place, size and uprights. The network sees more of them, and tells, so
    that all other looks are better cut and straightened.

    Args:
        frame: (H, W, 3) uint8, BGR.
        faces: Where to look, in its pixels, the likeliest first.
        params: The tunables.
    """
    size = frame.shape[1], frame.shape[0]
    looks = params.values.looks
    upright = fit(faces, size, params.upright)
    if not faces:
        return Looked((), np.zeros((0, len(CLASSES)), np.float32), upright)
    said = look_at(frame, faces, upright, looks[:1])
    chances = _chances(said, looks[:1], params.values)
    there = 1.0 - chances[:, _NOTHING]
    faces = tuple(
        _seen(face, upright, looks[0], answer) if part > params.values.there else face
        for face, answer, part in zip(faces, said[0], there, strict=True)
    )
    kept = one_each(faces, params.finder)
    faces, said, chances, there = _of(faces, kept), said[:, kept], chances[kept], there[kept]
    doubted = [replace(face, score=float(part)) for face, part in zip(faces, there, strict=True)]
    upright = fit(doubted, size, params.upright)
    seen = np.arange(len(faces))  # which faces are looked at on, and what all looks at them so far said
    for start, stop in itertools.pairwise((1, *params.values.rounds)):
        doubtful = _are_doubtful(chances[seen], params.values)
        seen, said = seen[doubtful], said[:, doubtful]
        if not len(seen):
            break
        said = np.concatenate([said, look_at(frame, _of(faces, seen), upright, looks[start:stop])])
        chances[seen] = _chances(said, looks[:stop], params.values)
        if stop == params.upright.after:
            before, upright = upright, _doubted(frame, faces, chances, upright, params)
            if upright is not before:
                seen = _dice(chances, params.values)
                said = look_at(frame, _of(faces, seen), upright, looks[:stop])
                chances[seen] = _chances(said, looks[:stop], params.values)
    return Looked(faces, chances, upright)


def look_at(frame: Frame, faces: tuple[Face, ...], upright: Upright, looks: tuple[Look, ...]) -> NDArray[np.float32]:
    """What the network says of each look at each face, (looks, faces, 18): see `training/nets.py`."""
    said = np.zeros((len(looks), len(faces), len(CLASSES) + PLACES), np.float32)
    for number, face in enumerate(faces):
        straight = upright.straighten(face.centre)
        is_large = face.half > HALF_PX / _LEAST_SCALE
        near, there = shrunk(frame, face, _ROOM * HALF_PX) if is_large else (frame, face)
        for place, look in enumerate(looks):
            seen = crop(near, there, turned(straight, look.turn_deg, is_mirrored=look.is_mirrored), look.zoom)
            if look.axis is not None:
                seen = along(seen, axes_of(seen[FACE, FACE]), look.axis)
            if look.marks is not None:
                seen = with_one_kind(seen, look.marks)
            said[place, number] = network.run("values", seen)
    return said


def levelled(frame: Frame, dice: tuple[Face, ...], upright: Upright, params: Params) -> Upright:
    """How the camera stands if it makes several dice seem to lean: so that all of them lean the least, or as it was.

    Uprights are told wrongly where, say, the shadow beside each die passes for its side.

    Args:
        frame: (H, W, 3) uint8, BGR.
        dice: The top faces of all dice in it, those that do not seem to lean too.
        upright: What the dice told.
        params: The tunables.
    """
    looks = tuple(look for look in params.values.looks if look.axis is None)[: params.upright.looks]

    def cost(tried: Upright) -> float:
        level = 1.0 - mean_chances(look_at(frame, dice, tried, looks))[:, _COCKED]
        off = math.dist(tried.up, upright.up) / params.upright.off
        return 0.5 * off**2 - float(np.log(level + _SLIP).sum())

    best = upright, cost(upright)
    for step in params.upright.steps:
        ways = [step * np.array([math.cos(way), math.sin(way)]) for way in np.arange(8) * (math.tau / 8)]
        tried = [replace(best[0], up=tuple(possible(np.array(best[0].up) + way))) for way in ways]
        best = min([best, *((one, cost(one)) for one in tried)], key=lambda pair: pair[1])
    return best[0]


def _doubted(
    frame: Frame, faces: tuple[Face, ...], chances: NDArray[np.float32], upright: Upright, params: Params
) -> Upright:
    """How the camera stands, asked anew where several of a few dice seem to lean: they come to one at a time."""
    dice = _dice(chances, params.values)
    leaning = int((chances[:, _COCKED] > params.upright.leaning).sum())
    if leaning < params.upright.several or len(dice) > params.upright.most:
        return upright
    return levelled(frame, _of(faces, dice), upright, params)


def _dice(chances: NDArray[np.float32], params: ValueParams) -> NDArray[np.intp]:
    """The numbers of the faces that are likely to be some: all but what shows nothing."""
    return np.flatnonzero(1.0 - chances[:, _NOTHING] > params.there)


def _of(faces: Sequence[Face], numbers: Sequence[int] | NDArray[np.intp]) -> tuple[Face, ...]:
    """The faces of these numbers."""
    return tuple(faces[number] for number in numbers)


def _seen(face: Face, upright: Upright, look: Look, said: NDArray[np.float32]) -> Face:
    """The face as one look at it saw it: its place, its size and where its uprights point in the picture."""
    zoom = look.zoom
    back = np.linalg.inv(turned(upright.straighten(face.centre), look.turn_deg, is_mirrored=look.is_mirrored))
    rise_x, rise_y, x, y, larger = (float(part) for part in said[len(CLASSES) :])
    off = back @ (x, y)
    off *= min(1.0, MOST_OFF / max(float(np.hypot(*off)), 1e-9)) * face.half / zoom
    return Face(
        centre=(face.centre[0] + float(off[0]), face.centre[1] + float(off[1])),
        half=face.half * float(np.exp(np.clip(larger, -MOST_LARGER, MOST_LARGER))) / zoom,
        score=face.score,
        rise=tuple(back @ (rise_x, rise_y)),
    )


def _chances(said: NDArray[np.float32], looks: Sequence[Look], params: ValueParams) -> NDArray[np.float32]:
    """What the network said of some looks, (looks, faces, 18), as probabilities, (faces, 13).

    How likely a face shows a value at all, and what is wrong with it, is the mean of the looks in the picture's own
    colours. Which value it is they and the looks along each axis tell as witnesses who know nothing of one another:
    what each holds likely is multiplied, to a power that is the less the less it seems to see a value.
    """
    plain = mean_chances([answer for answer, look in zip(said, looks, strict=True) if look.axis is None])
    shown = plain[:, :6].sum(axis=1, keepdims=True)
    # A network that was shown much it could not know is less sure than it may be (C. Guo et al. 2017, "temperature").
    power = params.blunter + (params.sharper - params.blunter) * shown
    likely = power * _likely(plain)
    for axis in sorted({look.axis for look in looks if look.axis is not None}):
        seen = mean_chances([answer for answer, look in zip(said, looks, strict=True) if look.axis == axis])
        likely += params.trust * seen[:, :6].sum(axis=1, keepdims=True) ** 2 * _likely(seen)
    return np.concatenate([_normal(likely) * shown, plain[:, 6:]], axis=1).astype(np.float32)


def mean_chances(answers: Sequence[NDArray[np.float32]] | NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of some looks' logits, each (faces, 18), as probabilities, (faces, 13)."""
    return _normal(np.mean(answers, axis=0)[:, : len(CLASSES)])


def with_one_kind(seen: Frame, marks: Marks) -> Frame:
    """A crop on which only small marks of one kind are left, the others painted over with what is round them."""
    if marks is Marks.DULL:
        lamps = cv2.dilate(whiteness(seen, WHITE), np.ones((3, 3), np.uint8))
        painted = cv2.morphologyEx(seen, cv2.MORPH_OPEN, _WIDE_BRUSH)
        return np.where(lamps[..., None] > 0, painted, seen).astype(np.uint8)
    how = cv2.MORPH_OPEN if marks is Marks.DARK else cv2.MORPH_CLOSE
    return np.asarray(cv2.morphologyEx(seen, how, _BRUSH), np.uint8)


def whiteness(seen: Frame, least: int) -> NDArray[np.uint8]:
    """Where a picture reaches a level, 0 to 255, in blue, green and red: shape (H, W), 0 or 1."""
    blue, green, red = cv2.split(seen)  # many times as fast as NumPy over three channels
    return np.asarray(cv2.min(cv2.min(blue, green), red) >= least, np.uint8)


def _normal(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logits as probabilities: each row adds up to 1."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def _likely(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """The logarithms of the six values' probabilities, (faces, 6), if the face shows one."""
    values = np.maximum(chances[:, :6], 1e-12)
    return np.asarray(np.log(values / values.sum(axis=1, keepdims=True)), np.float32)


def _are_doubtful(chances: NDArray[np.float32], params: ValueParams) -> NDArray[np.bool_]:
    """Which faces may show a value, (n, 13), but leave a doubt: shape (n,)."""
    values = chances[:, :6]
    shown = values.sum(axis=1)
    is_plain = (values.max(axis=1) >= params.plain * shown) & (shown >= params.whole)
    return np.asarray(~is_plain & (shown > params.hopeless))


def turned(straight: NDArray[np.float64], turn_deg: float, *, is_mirrored: bool) -> NDArray[np.float64]:
    """A linear map, (2, 2), and then a turn, and then left and right exchanged or not."""
    turn = np.radians(turn_deg)
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ straight
    return np.asarray(way * [[-1.0], [1.0]] if is_mirrored else way)


def crop(
    frame: Frame,
    face: Face,
    way: NDArray[np.float64],
    zoom: float = 1.0,
    *,
    side_px: int = CROP_PX,
    half_px: float = HALF_PX,
) -> Frame:
    """A look at a face: its surroundings at a scale of their own, shape (side_px, side_px, 3).

    Args:
        frame: (H, W, 3) uint8, BGR; beyond its edges the edge is repeated.
        face: In its pixels.
        way: How it is straightened, turned and mirrored, (2, 2); areas stay.
        zoom: Factor on the scale.
        side_px: Side of the crop; the network's by default.
        half_px: Half side of the top face in it; what the network was fitted to by default.
    """
    if half_px * zoom < _LEAST_SCALE * face.half:
        frame, face = shrunk(frame, face, half_px * zoom, side_px)
    scale = half_px / face.half * zoom
    offset = (side_px - 1) / 2 - scale * way @ face.centre
    whole = np.column_stack([scale * way, offset])
    size = (side_px, side_px)
    return np.asarray(
        cv2.warpAffine(frame, whole, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def shrunk(frame: Frame, face: Face, half_px: float, side_px: int = CROP_PX) -> tuple[Frame, Face]:
    """A face's surroundings made smaller, pixels averaged: where many of them make one, a crop takes but a few.

    Args:
        frame: (H, W, 3) uint8, BGR.
        face: In its pixels.
        half_px: Half side that the face is to have.
        side_px: Side of a crop that is to be taken of it.

    Returns:
        As much of the frame as may be seen in such a crop, and the face in its pixels.
    """
    scale = half_px / face.half
    reach = _REACH * side_px / scale
    x, y = face.centre
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    window = frame[top : int(y + reach) + 1, left : int(x + reach) + 1]
    small = np.asarray(cv2.resize(window, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    across, down = small.shape[1] / window.shape[1], small.shape[0] / window.shape[0]
    place = (x - left + 0.5) * across - 0.5, (y - top + 0.5) * down - 0.5
    return small, replace(face, centre=place, half=half_px)
