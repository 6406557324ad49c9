"""Examples from pictures of another renderer: `python -m tools.training.traced PICTURES OUT`.

PICTURES is a folder made by `python -m tools.training.path_traced PICTURES --learn`. The labels follow from each
picture's seed; only the visibility of pips is measured in the picture, as the path tracer does not report it. A folder
whose labels do not match the seeds' plans is rejected: it was made without `--learn`, or by another version of the
plan.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from tools.scenes.labels import COVERED, Flaw, upright_of
from tools.training.examples import (
    FOUND,
    MAP,
    PICTURE,
    SEEN_LEAST,
    SHARD,
    UNKNOWN,
    Place,
    Shard,
    crop,
    off_dice,
    packed,
)
from tools.training.path_traced.plan import (
    CARD,
    CUP,
    PENCIL,
    PIPS,
    Camera,
    LaidDie,
    Plan,
    Thing,
    Tray,
    axes,
    label,
    plan_to_learn,
    with_room,
)
from vision.pictures.labelled import LABELS, LabelsError, read_labels
from vision.pictures.load import load
from vision.render.empty_tray import fill
from vision.render.geometry import View, behind_cube
from vision.stages.finding import find
from vision.stages.pose import rise
from vision.stages.values import CLASSES
from vision.types import Frame

Array = NDArray[np.float64]

_LEAST_LEVELS = 14.0
"""The least difference in grey levels between face and palest pip, in the best colour channel, for visible pips; about
as large as `tools.scenes.labels.LEGIBLE_LEVELS` for the mean of three."""

_BURNT = 235.0
"""The mean brightness from which a face without visible pips counts as glare; below, it counts as faint."""

_NEAR_EDGE = 0.8
"""The distance from the centre, in half sides, beyond which a face is rounded and differs in brightness."""

_LEVEL_RAD = math.radians(1.0)
"""The largest lean of a die that counts as flat, in radians."""

_STEPS = (np.arange(7) + 0.5) / 7 * 2 - 1
"""The sample points of a top face per axis: their offsets from its middle, in half sides."""


def view(camera: Camera, size: tuple[int, int]) -> View:
    """Return the camera, in centimetres, of a picture of this width and height in pixels."""
    right, up, back = axes(camera)
    focal_px = size[0] / 2 / math.tan(camera.field_rad / 2)
    middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    return View(np.array(camera.place), np.array([right, -up, -back]), focal_px, middle)


class Truth(NamedTuple):
    """The label of a die: see `tools.scenes.labels.DieTruth`."""

    value: int
    centre: tuple[float, float]
    half_px: float
    rise: tuple[float, float]
    seen: float
    flaw: Flaw | None


def turned(die: LaidDie) -> Array:
    """Return the die's own axes, of which the third points out of its top face, as columns of (3, 3).

    The pips of a 2, 3 and 6 are along the first and second as in `PIPS`, or rotated by a quarter turn.
    """
    cos, sin = math.cos(die.turn_rad), math.sin(die.turn_rad)
    level = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    x, y = -math.sin(die.lean_way_rad), math.cos(die.lean_way_rad)
    cross = np.array([[0.0, 0.0, y], [0.0, 0.0, -x], [-y, x, 0.0]])
    # Rodrigues' formula
    lean = np.eye(3) + math.sin(die.lean_rad) * cross + (1 - math.cos(die.lean_rad)) * cross @ cross
    return np.asarray(lean @ level)


def _on_top(die: LaidDie, across: Array, along: Array) -> Array:
    """Return points of the die's top face, (n,) each from -1 to 1, as (n, 3) cm."""
    own = np.stack([across, along, np.ones_like(across)], axis=-1)
    return np.asarray(own * die.look.size_cm / 2 @ turned(die).T + np.array(die.middle))


def _circle(radius: float) -> Array:
    angles = np.arange(64) * (math.tau / 64)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius


def opening(tray: Tray) -> Array | None:
    """Return the inner edge of the wall's top, (n, 3) cm; None for a bare table."""
    if tray.shape == "bare":
        return None
    x, y = tray.wide / 2, tray.deep / 2
    line = np.array([(x, y), (-x, y), (-x, -y), (x, -y)]) if tray.shape == "box" else _circle(tray.wide / 2)
    return np.column_stack([line, np.full(len(line), tray.high)])


def outline(thing: Thing) -> Array:
    """Return points of an object that include all corners of its hull, (n, 3) cm."""
    cos, sin = math.cos(thing.turn_rad), math.sin(thing.turn_rad)
    if thing.kind == "cup":
        radius, high = CUP
        ring = _circle(radius)
        points = np.concatenate([np.insert(ring, 2, z, axis=1) for z in (-high / 2, high / 2)])
    elif thing.kind == "card":
        points = np.array(list(itertools.product((-0.5, 0.5), repeat=3))) * CARD
    else:  # a pencil is along y before its rotation
        radius, long = PENCIL
        ring = _circle(radius)
        points = np.concatenate([np.insert(ring, 1, y, axis=1) for y in (-long / 2, long / 2)])
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(points @ turn.T + np.array(thing.place))


def _hull(eye: View, points: Array) -> NDArray[np.float32]:
    """Return the outline in the picture of the convex hull of points, (n, 3) cm: (m, 1, 2) pixels."""
    return np.asarray(cv2.convexHull(eye.project(points).astype(np.float32)), np.float32)


def areas(made: Plan, eye: View, size: tuple[int, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the share of each pixel inside of the tray, and that covered by a foreign object: (H, W) each, 0 to 1."""
    shape = size[::-1]
    edge = opening(made.tray)
    tray = np.ones(shape, np.float32) if edge is None else fill(shape, _hull(eye, edge)[:, 0].astype(np.float64))
    foreign = (
        np.zeros(shape, np.float32)
        if made.thing is None
        else fill(shape, _hull(eye, outline(made.thing))[:, 0].astype(np.float64))
    )
    return tray, foreign


def _seen_at(frame: Frame, spots: Array) -> NDArray[np.float32]:
    """Return the picture's colours at pixels (n, 2), interpolated: (n, 3)."""
    x, y = spots.T.astype(np.float32)
    return np.asarray(
        cv2.remap(frame, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0], np.float32
    )


def _plainness(frame: Frame, eye: View, die: LaidDie) -> tuple[float, float]:
    """Return the difference between face and palest pip, and the face's brightness, in grey levels of 255.

    A pip may differ in one colour channel only, so the difference is the largest of the three.
    """
    ring = _circle(1.0)[::4]
    radius = 2 * (die.look.one if die.value == 1 else die.look.pip)
    disc = np.concatenate([ring * radius * part for part in (0.0, 0.35, 0.65)])
    plainest, brightness = 0.0, 0.0
    # The plan does not give the orientation of the pattern, so both are tried; the one with visible pips is right.
    for is_turned in (False, True):
        off, levels = [], []
        for x, y in np.array(PIPS[die.value], float) * 2 * die.look.spread:
            pip = np.array((-y, x) if is_turned else (x, y))
            around = pip + ring * radius * 1.45
            around = around[np.abs(around).max(axis=1) < _NEAR_EDGE]
            inner, outer = (_seen_at(frame, eye.project(_on_top(die, *part.T))) for part in (pip + disc, around))
            off.append(float(np.abs(inner.mean(axis=0) - np.median(outer, axis=0)).max()))
            levels.append(float(outer.mean()))
        if min(off) >= plainest:
            plainest, brightness = min(off), float(np.mean(levels))
    return plainest, brightness


def truth(made: Plan, eye: View, frame: Frame) -> list[Truth]:
    """Return the label of each die of a picture, in the plan's order."""
    edge = opening(made.tray)
    covers = [] if made.thing is None else [_hull(eye, outline(made.thing))]
    walls = [] if edge is None else [_hull(eye, edge)]
    across, along = (part.ravel() for part in np.meshgrid(_STEPS * 0.92, _STEPS * 0.92))
    found = []
    for die in made.dice:
        points = _on_top(die, across, along)
        spots = eye.project(points)
        shown = ((spots >= 0) & (spots <= np.array(frame.shape[1::-1]) - 1)).all(axis=1)
        shown &= np.array(
            [all(cv2.pointPolygonTest(hull, spot, measureDist=False) < 0 for hull in covers) for spot in spots]
        )
        # A wall hides everything that is lower than its top and outside the tray's opening in the picture.
        shown &= np.array(
            [
                point[2] > made.tray.high
                or all(cv2.pointPolygonTest(hull, spot, measureDist=False) >= 0 for hull in walls)
                for point, spot in zip(points, spots, strict=True)
            ]
        )
        for other in made.dice:
            if other is not die:
                shown &= ~behind_cube(eye.position, points, other.middle, turned(other), other.look.size_cm)
        square = eye.project(_on_top(die, np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])))
        x, y = square.T
        half_px = math.sqrt(abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2) / 2  # the shoelace formula
        centre = eye.project(_on_top(die, np.zeros(1), np.zeros(1)))[0]
        own_up = eye.axes @ turned(die)[:, 2]
        own = rise(own_up[:2], (centre - np.array(eye.middle)) / eye.focal_px)
        seen = float(shown.mean())
        flaw = _flaw(die, seen, *_plainness(frame, eye, die))
        at, off = (float(centre[0]), float(centre[1])), (float(own[0]), float(own[1]))
        found.append(Truth(die.value, at, half_px, off, seen, flaw))
    return found


def _flaw(die: LaidDie, seen: float, plainness: float, brightness: float) -> Flaw | None:
    if die.lean_rad > _LEVEL_RAD or die.middle[2] > 0.51 * die.look.size_cm:
        return Flaw.COCKED
    if seen < COVERED:
        return Flaw.COVERED
    if plainness < _LEAST_LEVELS:
        return Flaw.GLARE if brightness > _BURNT else Flaw.FAINT
    return None


def _decoys(rng: np.random.Generator, frame: Frame, dice: list[Truth]) -> list[Place]:
    """Return places without a top face: false candidates of the finder, places beside dice, and random ones."""
    height, width = frame.shape[:2]
    usual = float(np.median([die.half_px for die in dice]))
    places = [(face.centre, face.half) for face in find(frame, FOUND).faces]
    for die in dice:
        angle, far = float(rng.uniform(0, math.tau)), float(rng.uniform(0.75, 1.6)) * die.half_px
        if rng.random() < 0.4:
            x, y = die.centre[0] + far * math.cos(angle), die.centre[1] + far * math.sin(angle)
            places.append(((x, y), die.half_px * float(rng.uniform(0.5, 1.4))))
    places.append(((float(rng.uniform(0, width)), float(rng.uniform(0, height))), usual * float(rng.uniform(0.6, 1.5))))
    return off_dice(places, [(die.centre, die.half_px) for die in dice], (width, height))


def planned(folder: Path) -> list[tuple[Path, Plan]]:
    """Return the labelled pictures of a folder, by name, with their plans.

    Raises:
        LabelsError: If there are no labels, or a picture does not match the current plan for its seed, its name.
    """
    names = [one.path.name for one in read_labels(folder)]
    entries = [json.loads(line) for line in (folder / LABELS).read_text(encoding="utf-8").splitlines() if line.strip()]
    found = []
    for name, entry in sorted(zip(names, entries, strict=True), key=lambda pair: pair[0]):
        path = folder / name
        made = with_room(plan_to_learn, np.random.default_rng(int(path.stem))) if path.stem.isdigit() else None
        if made is None or entry != label(name, made):
            raise LabelsError(
                f"{path}: shows something else than a picture to learn from with this seed; "
                "draw it into another folder with python -m tools.training.path_traced --learn"
            )
        found.append((path, made))
    return found


def shard(pairs: list[tuple[Path, Plan]]) -> Shard:
    """Return the examples of some pictures with their plans."""
    pictures, maps, dice, stands, crops, classes = [], [], [], [], [], []
    for index, (path, made) in enumerate(pairs):
        frame = load(path)
        size = (frame.shape[1], frame.shape[0])
        eye = view(made.camera, size)
        upright = upright_of(eye)
        rng = np.random.default_rng((int(path.stem), 1))
        found, scale = truth(made, eye, frame), PICTURE[0] / frame.shape[1]
        pictures.append(np.asarray(cv2.resize(frame, PICTURE, interpolation=cv2.INTER_AREA), np.uint8))
        parts = [cv2.resize(part, MAP, interpolation=cv2.INTER_AREA) for part in areas(made, eye, size)]
        known = np.ones_like(parts[0])
        maps.append(np.rint(np.stack([*parts, known, known], axis=-1) * 255).astype(np.uint8))
        stands.append((*upright.up, upright.per_px / scale))
        places: list[tuple[tuple[float, float], float, str, tuple[float, float]]] = []
        for die in found:
            x, y = ((part + 0.5) * scale - 0.5 for part in die.centre)
            dice.append((index, x, y, die.half_px * scale, die.seen, 1.0, die.flaw is not Flaw.COCKED))
            if die.seen >= SEEN_LEAST:
                name = str(die.value) if die.flaw is None else die.flaw.value
                places.append((die.centre, die.half_px, name, die.rise))
        places += [(*decoy, "nothing", UNKNOWN) for decoy in _decoys(rng, frame, found)]
        for place, half, name, own in places:
            crops.append(crop(frame, place, half, float(rng.uniform(0, math.tau)), upright, own))
            classes.append(CLASSES.index(name))
    return packed(pictures, maps, dice, stands, crops, classes)


def main() -> None:
    """Write the shards."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    try:
        pairs = planned(args.pictures)
    except LabelsError as error:
        print(f"tools.training.traced: {error}", file=sys.stderr)
        sys.exit(2)
    args.out.mkdir(parents=True, exist_ok=True)
    for start in track(range(0, len(pairs), SHARD), description="cutting pictures"):
        made = shard(pairs[start : start + SHARD])
        name = args.out / f"{pairs[start][0].stem}.npz"
        np.savez(name, **{part: getattr(made, part) for part in Shard.__dataclass_fields__})


if __name__ == "__main__":
    main()
