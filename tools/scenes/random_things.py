"""Random hands and other objects: over the tray, in it, or on the table beside it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tools.scenes.random_look import TWO_COLOURED, any_colour, pick
from tools.scenes.textures import WOVEN, RareSurface, one_of
from tools.scenes.things import Ellipsoid, Hand, Limb, Slab, Thing, vec, with_things
from vision.render.geometry import Array, after, quaternion, view
from vision.render.scene import Colour, PlacedDie, Quaternion, Scene, Surface, Tray, colour
from vision.render.surfaces import FELT

SKINS = ("#e6b998", "#c98e68", "#f0cdb4", "#8d5a3c", "#5a3825", "#d8a888", "#3c261a", "#f4efe8", "#b98a55")
"""Colours of hands: skin from pale to dark, a white glove and a wooden hand."""

SLEEVES = ("#22262e", "#7a1f24", "#e4e2dc", "#24447a", "#4b5a3a", "#888c92")


def random_hand(rng: np.random.Generator, tray: Tray) -> Hand:
    """Return a hand somewhere over the tray, from any side, in one of several poses."""
    half = min(tray.width_mm, tray.depth_mm) / 2
    towards = float(rng.uniform(0, 360))
    back = math.radians(towards + 180)
    out = half * float(rng.uniform(-0.2, 0.6))
    return Hand(
        palm_mm=(out * math.cos(back), out * math.sin(back), float(rng.uniform(25, 90))),
        towards_deg=towards + float(rng.normal(0, 15)),
        length_mm=float(rng.uniform(150, 195)),
        spread=float(rng.uniform(0, 1)),
        curl=float(rng.uniform(0, 0.8)),
        skin=pick(rng, SKINS),
        sleeve=None if rng.random() < 0.4 else pick(rng, SLEEVES),
        is_left=bool(rng.random() < 0.3),
    )


def _skin(rng: np.random.Generator) -> Colour:
    return pick(rng, SKINS) if rng.random() < 0.8 else any_colour(rng)


def directions(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return a random level direction and the one to its left, (3,) each."""
    angle = float(rng.uniform(0, math.tau))
    forward = np.array([math.cos(angle), math.sin(angle), 0.0])
    return forward, np.array([-forward[1], forward[0], 0.0])


def _along(way: Array, dip_rad: float = 0.0) -> Quaternion:
    """Return the rotation that points the x axis along a level direction, tipped down by `dip_rad`, as a quaternion."""
    yaw = quaternion((0, 0, 1), math.atan2(way[1], way[0]))
    return after(quaternion((-way[1], way[0], 0.0), dip_rad), yaw)


def _ellipsoid_hand(rng: np.random.Generator, goal: Array) -> Thing:
    """Return a hand made of a thick ellipsoid and thin tapered ones, with `goal` between its fingers, (3,) mm."""
    forward, aside = directions(rng)
    skin = _skin(rng)
    wide, long = float(rng.uniform(32, 48)), float(rng.uniform(40, 60))
    palm = goal - forward * float(rng.uniform(20, 90)) + (0.0, 0.0, float(rng.uniform(15, 60)))
    pieces = [Ellipsoid(vec(palm), _along(forward), (long, wide, float(rng.uniform(12, 28))), skin)]
    dip, fan = float(rng.uniform(-0.1, 0.7)), float(rng.uniform(0.0, 0.35))
    for number in range(int(rng.integers(3, 6))):
        share = (number - 1.7) / 2
        way = forward + aside * share * fan * 2
        way /= np.linalg.norm(way)
        length = float(rng.uniform(26, 50))
        root = palm + forward * long * 0.8 + aside * share * wide * 0.95
        middle = root + way * length * 0.8 - (0.0, 0.0, length * 0.8 * math.sin(dip))
        thick = float(rng.uniform(6, 10))
        pieces.append(Ellipsoid(vec(middle), _along(way, dip), (length, thick, thick), skin))
    arm: tuple[Limb, ...] = ()
    if rng.random() < 0.7:
        sleeve = skin if rng.random() < 0.5 else any_colour(rng)
        start, end = palm - forward * long * 0.7, palm - forward * 450 + aside * float(rng.uniform(-80, 80))
        arm = (Limb(vec(start), vec(end), (float(rng.uniform(20, 32)), float(rng.uniform(28, 50))), sleeve),)
    return Thing((*pieces, *arm))


def _fist(rng: np.random.Generator, goal: Array) -> Thing:
    forward, aside = directions(rng)
    skin = _skin(rng)
    middle = goal + np.array((0.0, 0.0, float(rng.uniform(20, 80))))
    pieces: list[Limb | Ellipsoid] = [Ellipsoid(vec(middle), _along(forward), (45.0, 42.0, 28.0), skin)]
    for number in range(4):
        spot = middle + forward * 34 + aside * (number - 1.5) * 19 - (0.0, 0.0, 6.0)
        pieces.append(Ellipsoid(vec(spot), _along(forward), (16.0, 10.0, 16.0), skin))
    sleeve = skin if rng.random() < 0.5 else any_colour(rng)
    pieces.append(Limb(vec(middle - forward * 40), vec(middle - forward * 450), (28.0, 42.0), sleeve))
    return Thing(tuple(pieces))


def _arm(rng: np.random.Generator, goal: Array) -> Thing:
    """Return an arm or sleeve across the whole picture, or another long object such as a rod or cable."""
    forward, _ = directions(rng)
    wide = float(rng.choice([3.0, 8.0, 22.0, 40.0])) * float(rng.uniform(0.8, 1.3))
    middle = goal + np.array((0.0, 0.0, wide + float(rng.uniform(16, 90))))
    shade = _skin(rng) if rng.random() < 0.5 else any_colour(rng)
    reach = 500.0
    return Thing(
        (
            Limb(
                vec(middle - forward * reach),
                vec(middle + forward * (reach if rng.random() < 0.5 else float(rng.uniform(0, 60)))),
                (wide * float(rng.uniform(0.9, 1.3)), wide),
                shade,
            ),
        )
    )


def _fingers(rng: np.random.Generator, goal: Array) -> Thing:
    """Return one to four fingertips that point at a place, (3,) mm, from one side."""
    forward, aside = directions(rng)
    skin = _skin(rng)
    count, thick = int(rng.integers(1, 5)), float(rng.uniform(6, 10))
    pieces = []
    for number in range(count):
        tip = goal + aside * (number - (count - 1) / 2) * 2.1 * thick - forward * float(rng.uniform(0, 12))
        tip = tip + np.array((0.0, 0.0, thick + float(rng.uniform(0, 6))))
        knuckle = tip - forward * float(rng.uniform(30, 50)) + (0.0, 0.0, float(rng.uniform(5, 40)))
        pieces.append(Limb(vec(tip), vec(knuckle), (thick, 1.15 * thick), skin))
        pieces.append(Limb(vec(knuckle), vec(knuckle - forward * 60 + (0.0, 0.0, 10.0)), (1.2 * thick, 12.0), skin))
    back = goal - forward * 150 + (0.0, 0.0, 60.0)
    pieces.append(Limb(vec(back), vec(back - forward * 350), (32.0, 45.0), skin))
    return Thing(tuple(pieces))


def _pinch(rng: np.random.Generator, die: PlacedDie) -> Thing:
    """Return a thumb and a finger that hold a die from two sides."""
    forward, aside = directions(rng)
    skin, thick = _skin(rng), float(rng.uniform(6, 9))
    centre = np.array(die.centre)
    apart = 0.7 * die.body.size_mm + thick
    back = centre - forward * float(rng.uniform(50, 80)) + (0.0, 0.0, float(rng.uniform(40, 80)))
    pieces = []
    for side in (-1.0, 1.0):
        tip = centre + aside * side * apart
        knuckle = (tip + back) / 2 + aside * side * 14 + (0.0, 0.0, 10.0)
        pieces += [
            Limb(vec(tip), vec(knuckle), (thick, 1.2 * thick), skin),
            Limb(vec(knuckle), vec(back), (1.2 * thick, 1.6 * thick), skin),
        ]
    pieces.append(Limb(vec(back), vec(back - forward * 60), (26.0, 32.0), skin))
    sleeve = skin if rng.random() < 0.5 else any_colour(rng)
    pieces.append(Limb(vec(back - forward * 60), vec(back - forward * 400), (30.0, 45.0), sleeve))
    return Thing(tuple(pieces))


def random_surface(rng: np.random.Generator) -> RareSurface:
    """Return the surface of a sheet, a card or a cloth."""
    kinds = (None, None, FELT, WOVEN, *TWO_COLOURED)
    kind = one_of(rng, kinds)
    shade = colour("#f0efe9") if rng.random() < 0.3 else any_colour(rng)
    strength = float(rng.uniform(0.4, 1.0)) if kind in TWO_COLOURED else 0.1
    return RareSurface(shade, kind, strength, int(rng.integers(1 << 31)), second=any_colour(rng))


def rectangle(middle: Array, way: Array, half_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Return the corners from above of a rectangle along a level direction, whose half sides are given."""
    aside = np.array([-way[1], way[0], 0.0])
    corners = [middle + way * x * half_mm[0] + aside * y * half_mm[1] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return tuple((float(x), float(y)) for x, y, _ in corners)


def slab(rng: np.random.Generator, goal: Array, half_mm: tuple[float, float], thick_mm: float, top_mm: float) -> Slab:
    """Return a rectangle of random look, randomly turned, around a place."""
    forward, _ = directions(rng)
    return Slab(rectangle(goal, forward, half_mm), top_mm, thick_mm, random_surface(rng))


def disc(goal: Array, radius_mm: float, thick_mm: float, top_mm: float, surface: Surface) -> Slab:
    """Return a round plate around a place."""
    angles = np.arange(28) * (math.tau / 28)
    outline = tuple(
        (float(goal[0] + radius_mm * math.cos(a)), float(goal[1] + radius_mm * math.sin(a))) for a in angles
    )
    return Slab(outline, top_mm, thick_mm, surface)


def _cloth(rng: np.random.Generator, goal: Array, top_mm: float) -> Slab:
    """Return a sheet with an irregular convex outline."""
    angles = np.sort(rng.uniform(0, math.tau, 24))
    wide, long = rng.uniform(25, 110, 2)
    spots = goal[:2] + np.stack([np.cos(angles) * wide, np.sin(angles) * long], axis=1)
    return Slab(tuple((float(x), float(y)) for x, y in spots), top_mm, 1.0, random_surface(rng))


_FLAT = ("card", "paper", "phone", "coin", "cup", "cloth", "box", "pencil")


def some_object(rng: np.random.Generator, goal: Array, ground_mm: float = 0.0) -> Thing:
    """Return an object at a height above the floor, around a place."""
    kind = str(rng.choice(_FLAT))
    if kind == "card":
        return Thing((slab(rng, goal, (44.0, 31.5), 0.4, ground_mm + 0.4),))
    if kind == "paper":
        half = (float(rng.uniform(30, 150)), float(rng.uniform(20, 105)))
        return Thing((slab(rng, goal, half, 0.2, ground_mm + 0.3),))
    if kind == "phone":
        return Thing((slab(rng, goal, (75.0, 36.0), 8.0, ground_mm + 8.0),))
    if kind == "box":
        high = float(rng.uniform(8, 60))
        half = (float(rng.uniform(8, 50)), float(rng.uniform(8, 50)))
        return Thing((slab(rng, goal, half, high, ground_mm + high),))
    if kind == "coin":
        radius, surface = float(rng.uniform(8, 20)), replace(random_surface(rng), second=None)
        return Thing((disc(goal, radius, 2.0, ground_mm + 2.0, surface),))
    if kind == "cup":
        radius, high = float(rng.uniform(25, 42)), float(rng.uniform(40, 95))
        outside, inside = Surface(any_colour(rng)), Surface(any_colour(rng, 0.4))
        body = disc(goal, radius, high, ground_mm + high, outside)
        return Thing((body, disc(goal, 0.9 * radius, 0.1, ground_mm + high + 0.2, inside)))
    if kind == "cloth":
        return Thing((_cloth(rng, goal, ground_mm + 1.2),))
    forward, _ = directions(rng)
    thick, half_long = float(rng.uniform(2.5, 6)), float(rng.uniform(30, 90))
    middle = goal + np.array((0.0, 0.0, ground_mm + thick - goal[2]))
    start, end = middle - forward * half_long, middle + forward * half_long
    shade = any_colour(rng)
    shaft = Limb(vec(start), vec(end), (thick, thick), shade)
    return Thing((shaft, Limb(vec(end), vec(end + forward * 12), (0.9 * thick, 0.8), any_colour(rng))))


def _goal(rng: np.random.Generator, scene: Scene) -> Array:
    """Return a visible place on the tray's floor, (3,) mm; near a die half of the time."""
    eye = view(scene.camera)
    if scene.dice and rng.random() < 0.4:
        x, y, _ = scene.dice[int(rng.integers(len(scene.dice)))].centre
        return np.array([x + float(rng.normal(0, 12)), y + float(rng.normal(0, 12)), 0.0])
    width, height = scene.camera.size
    for _ in range(60):
        spot = eye.on_plane(np.array(rng.uniform(0, width)), np.array(rng.uniform(0, height)))
        if scene.tray.room(spot[None])[0] > 0:
            return np.array([*spot, 0.0])
    return np.zeros(3)


def hand_over(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a hand or an arm of any kind over the tray."""
    kind = str(
        rng.choice(["jointed", "ellipsoids", "fist", "arm", "fingers", "pinch"], p=[0.3, 0.25, 0.1, 0.1, 0.13, 0.12])
    )
    goal = _goal(rng, scene)
    if kind == "jointed":
        hand = random_hand(rng, scene.tray)
        x, y, z = hand.palm_mm
        if scene.tray.wall_mm <= 0 or rng.random() < 0.3:
            x, y = float(goal[0]), float(goal[1])
        return replace(hand, palm_mm=(x, y, z)).over(scene)
    if kind == "pinch" and scene.dice:
        thing = _pinch(rng, scene.dice[int(rng.integers(len(scene.dice)))])
    else:
        make = {"ellipsoids": _ellipsoid_hand, "fist": _fist, "arm": _arm}.get(kind, _fingers)
        thing = make(rng, goal)
    return with_things(scene, thing)


def thing_over(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a foreign object in the tray: on its floor beside the dice, on them, or held above."""
    goal = _goal(rng, scene)
    tallest = max((die.centre[2] + die.body.size_mm for die in scene.dice), default=0.0)
    ground = 0.0 if rng.random() < 0.6 else tallest + float(rng.uniform(0, 60))
    thing = some_object(rng, goal, ground)
    if ground == 0.0 and _meets_a_die(scene, thing):
        thing = some_object(rng, goal, tallest)
    return with_things(scene, thing)


def _reach(thing: Thing) -> tuple[Array, Array]:
    """Return an object's extent from above: its least and greatest x and y."""
    spots: list[tuple[float, float]] = []
    for piece in thing.pieces:
        if isinstance(piece, Slab):
            spots += piece.outline_mm
        elif isinstance(piece, Limb):
            spots += [piece.start_mm[:2], piece.end_mm[:2]]
    return np.min(spots, axis=0), np.max(spots, axis=0)


def _meets_a_die(scene: Scene, thing: Thing) -> bool:
    low, high = _reach(thing)
    return any(
        bool(np.all(np.array(die.centre[:2]) > low - die.body.size_mm))
        and bool(np.all(np.array(die.centre[:2]) < high + die.body.size_mm))
        for die in scene.dice
    )


def clutter(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a few objects on the table beside the tray; unchanged if no table is in view."""
    eye = view(scene.camera)
    width, height = scene.camera.size
    things = []
    for _ in range(int(rng.integers(1, 5))):
        for _ in range(20):
            spot = eye.on_plane(np.array(rng.uniform(0, width)), np.array(rng.uniform(0, height)))
            if scene.tray.room(spot[None], scene.tray.rim_mm)[0] < -10.0:
                thing = some_object(rng, np.array([*spot, 0.0]), 0.0)
                low, high = _reach(thing)
                corners = np.array([(x, y) for x in (low[0], high[0]) for y in (low[1], high[1])])
                if scene.tray.room(corners, scene.tray.rim_mm).max() < 0:
                    things.append(replace(thing, foreign=False))
                    break
    return with_things(scene, *things)
