"""Things that lie beside the dice and touch none: keys, bottle caps, pens, cables, printed cards and cups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from tools.scenes.random_look import any_colour
from tools.scenes.random_things import directions, disc, rectangle, some_object
from tools.scenes.random_things import random_surface as plain_surface
from tools.scenes.textures import PRINTED, RareSurface, photographed
from tools.scenes.things import Limb, Piece, Slab, Thing, vec, with_things
from vision.render.geometry import Array, view
from vision.render.scene import PlacedDie, Scene, Surface

_TRIES = 12  # number of places tried for each thing
_APART = 0.75  # least distance of a thing from a die's centre, in sizes of the die; half a diagonal is 0.71

_UP = np.array([0.0, 0.0, 1.0])

_Photographs = Sequence[Path]


def beside(rng: np.random.Generator, scene: Scene, photographs: _Photographs = ()) -> Scene:
    """Return the scene with up to four things in its tray, or on its table if it has none, that touch no die.

    Args:
        rng: The random generator.
        scene: The scene.
        photographs: What is printed on some of them.
    """
    eye, (width, height) = view(scene.camera), scene.camera.size
    things = []
    for _ in range(int(rng.integers(1, 5))):
        for _ in range(_TRIES):
            x, y = eye.on_plane(np.array(rng.uniform(0, width)), np.array(rng.uniform(0, height)))
            if scene.tray.wall_mm > 0 and scene.tray.room(np.array([[x, y]]))[0] < 0:
                continue
            thing = Thing(_pieces(rng, np.array([x, y, 0.0]), photographs), harmless=True)
            if _touches_none(thing, scene.dice):
                things.append(thing)
                break
    return with_things(scene, *things)


def over(rng: np.random.Generator, scene: Scene, photographs: _Photographs = ()) -> Scene:
    """Return the scene with a thing that lies on one of its dice or is held above it; arguments as for `beside`."""
    x, y, _ = scene.dice[int(rng.integers(len(scene.dice)))].centre
    top = max(die.centre[2] + die.body.size_mm / 2 for die in scene.dice)
    goal = np.array([x + float(rng.normal(0, 12)), y + float(rng.normal(0, 12)), 0.0])
    thing = some_object(rng, goal, top + (float(rng.uniform(0, 60)) if rng.random() < 0.6 else 0.0))
    return with_things(scene, Thing(_printed(rng, thing.pieces, photographs)))


def _printed(rng: np.random.Generator, pieces: Sequence[Piece], photographs: _Photographs) -> tuple[Piece, ...]:
    """Return a thing's pieces with something printed on most of its plates."""
    return tuple(
        replace(piece, surface=_surface(rng, photographs)) if isinstance(piece, Slab) and rng.random() < 0.7 else piece
        for piece in pieces
    )


def _touches_none(thing: Thing, dice: Sequence[PlacedDie]) -> bool:
    """Whether a thing's outline from above keeps clear of the dice."""
    spots: list[tuple[float, float]] = []
    for piece in thing.pieces:
        if isinstance(piece, Slab):
            spots += piece.outline_mm
        elif isinstance(piece, Limb):
            reach = max(piece.radii_mm)
            for x, y, _ in (piece.start_mm, piece.end_mm):
                spots += [(x + reach, y), (x - reach, y), (x, y + reach), (x, y - reach)]
    hull = cv2.convexHull(np.array(spots, np.float32))
    return all(
        cv2.pointPolygonTest(hull, (die.centre[0], die.centre[1]), measureDist=True) < -_APART * die.body.size_mm
        for die in dice
    )


def _surface(rng: np.random.Generator, photographs: _Photographs) -> Surface:
    chance = rng.random()
    if photographs and chance < 0.3:
        shade = float(rng.uniform(0.1, 0.8))
        return photographed(rng, photographs[int(rng.integers(len(photographs)))], Surface((shade, shade, shade)))
    if chance < 0.6:
        strength, seed = float(rng.uniform(0.3, 1.0)), int(rng.integers(1 << 31))
        return RareSurface(any_colour(rng), PRINTED, strength, seed, second=any_colour(rng))
    return plain_surface(rng)


def _pieces(rng: np.random.Generator, goal: Array, photographs: _Photographs) -> tuple[Piece, ...]:
    """Return the pieces of a random thing that lies on the floor around a place, (3,) mm."""
    chance = rng.random()
    for make, share in ((_keys, 0.2), (_cable, 0.1), (_cap, 0.16), (_pen, 0.18)):
        if chance < share:
            return tuple(make(rng, goal))
        chance -= share
    return _printed(rng, some_object(rng, goal).pieces, photographs)


def _keys(rng: np.random.Generator, goal: Array) -> list[Piece]:
    """Return one to three keys: a round head with a hole, a shaft and teeth."""
    pieces: list[Piece] = []
    for _ in range(int(rng.integers(1, 4))):
        forward, aside = directions(rng)
        shade = float(rng.uniform(0.15, 0.6))
        metal = RareSurface((shade * float(rng.uniform(0.5, 1)), shade * 0.9, shade), gloss=0.6)
        half_long, half_wide = float(rng.uniform(12, 20)), float(rng.uniform(2.5, 4.5))
        pieces.append(disc(goal, float(rng.uniform(9, 14)), 2.2, 2.2, metal))
        shaft = rectangle(goal + forward * (10 + half_long), forward, (half_long, half_wide))
        pieces.append(Slab(shaft, 2.2, 2.2, metal))
        for _ in range(int(rng.integers(2, 6))):
            tooth = goal + forward * (14 + half_long * float(rng.uniform(1, 1.9))) + aside * half_wide
            pieces.append(Slab(rectangle(tooth, forward, (float(rng.uniform(1, 2)), 2.5)), 2.2, 2.2, metal))
        hole = Surface(any_colour(rng, 0.3))
        pieces.append(disc(goal - forward * 4, float(rng.uniform(2, 4)), 0.1, 2.4, hole))
        goal = goal + np.array((*rng.normal(0, 6, 2), 0.0))
    return pieces


def _cable(rng: np.random.Generator, goal: Array) -> list[Piece]:
    shade, thick = any_colour(rng), float(rng.uniform(1.5, 4))
    way, bend = float(rng.uniform(0, math.tau)), float(rng.normal(0, 0.35))
    spots = [goal + thick * _UP]
    for _ in range(int(rng.integers(4, 16))):
        way += bend + float(rng.normal(0, 0.2))
        spots.append(spots[-1] + float(rng.uniform(10, 25)) * np.array((math.cos(way), math.sin(way), 0.0)))
    return [Limb(vec(one), vec(two), (thick, thick), shade) for one, two in pairwise(spots)]


def _cap(rng: np.random.Generator, goal: Array) -> list[Piece]:
    """Return a bottle cap, a coin or a lens: rings around a middle, each of another shade."""
    radius, high = float(rng.uniform(7, 22)), float(rng.uniform(1.5, 12))
    shade, part, pieces = np.array(any_colour(rng)), 1.0, list[Piece]()
    for ring in range(int(rng.integers(2, 6))):
        seen = vec(np.clip(shade * float(rng.uniform(0.4, 1.3)), 0.01, 0.95)) if rng.random() < 0.8 else any_colour(rng)
        surface = Surface(seen) if rng.random() < 0.6 else replace(plain_surface(rng), colour=seen)
        pieces.append(disc(goal, radius * part, 0.1 if ring else high, high + 0.15 * ring, surface))
        part *= float(rng.uniform(0.45, 0.92))
    return pieces


def _pen(rng: np.random.Generator, goal: Array) -> list[Piece]:
    """Return a pen, a pencil or a battery: a rod of several colours, with a point and perhaps a clip."""
    forward, _ = directions(rng)
    radius, body, pieces = float(rng.uniform(2.5, 6)), any_colour(rng), list[Piece]()
    spot = goal + radius * _UP - forward * float(rng.uniform(20, 80))
    for _ in range(int(rng.integers(2, 7))):
        is_ring = rng.random() < 0.5
        end = spot + forward * (float(rng.uniform(2, 8)) if is_ring else float(rng.uniform(10, 60)))
        thick = radius * float(rng.uniform(0.75, 1.1))
        pieces.append(Limb(vec(spot), vec(end), (thick, thick), body if rng.random() < 0.5 else any_colour(rng)))
        spot = end
    point = spot + forward * float(rng.uniform(4, 14))
    pieces.append(Limb(vec(spot), vec(point), (0.9 * radius, 0.7), any_colour(rng)))
    if rng.random() < 0.5:
        clip = goal + 2 * radius * _UP - forward * 20
        pieces.append(Limb(vec(clip), vec(clip + forward * 35), (1.2, 1.2), any_colour(rng)))
    return pieces
