"""Random scenes that are rare in rolls: dice on a hand, near, leaning alone, transparent, on mottled tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps

import numpy as np

from tools.scenes.bodies import RareBody
from tools.scenes.faces import top_face
from tools.scenes.labels import truth_by_die
from tools.scenes.misplaced import in_view, is_apart, lean_on_wall, stray
from tools.scenes.random_look import any_colour, pick, random_body
from tools.scenes.random_scene import is_legible, random_scene
from tools.scenes.random_setting import random_sensor, random_setting
from tools.scenes.random_things import SKINS, directions, slab
from tools.scenes.textures import CARPET, LEATHER, MARBLE, SPECKLED, SPOTTED, WORN, WOVEN, RareSurface, one_of
from tools.scenes.things import Ellipsoid, Limb, Thing, vec, with_things
from vision.render.geometry import Array, after, corners, lying, matrix, quaternion, resting_height, view
from vision.render.placing import lay_dice
from vision.render.scene import Camera, Colour, DieBody, PlacedDie, Scene, Tray, colour
from vision.render.surfaces import FELT

SIZE = (640, 480)  # width and height of the pictures in pixels
LEAST_LEAN_DEG, MOST_LEAN_DEG = 10.0, 45.0  # range of the angle by which dice of the leaning kinds lean
_TRIES = 80  # number of tries for a scene of a kind

_Make = Callable[..., Scene | None]

_UP = np.array([0.0, 0.0, 1.0])

_TRANSLUCENT = ("#b01c20", "#7a1fa0", "#1b3fa0", "#127a3c", "#e8731a", "#d8d8dc", "#c02070", "#1c8a9a", "#d8b020")

_MOTTLED = (MARBLE, WORN, CARPET, SPECKLED, LEATHER, WOVEN, FELT, SPOTTED)


def tried(make: _Make) -> Callable[..., Scene]:
    """Have a function that makes a scene, or None if it does not fit, called until it does.

    The scene's maker raises ValueError if nothing fits in `_TRIES` tries.
    """

    @wraps(make)
    def found(*args: object, **options: object) -> Scene:
        trouble = "nothing fits"
        for _ in range(_TRIES):
            try:
                scene = make(*args, **options)
            except ValueError as error:
                trouble = str(error)
                continue
            if scene is not None:
                return scene
        raise ValueError(f"no such scene after {_TRIES} tries: {trouble}")

    return found


def all_worn(rng: np.random.Generator, count: int) -> Scene:
    """Return a scene of 2s to 5s; most 3s and 5s have lost paint in the middle, often more than a person can see.

    Raises:
        ValueError: If there is no room for the dice.
    """
    scene, dice = random_scene(rng, [int(value) for value in rng.choice((2, 3, 4, 5), count)]), []
    for die in scene.dice:
        assert isinstance(die.body, RareBody)
        lost = float(rng.uniform(0.35, 0.95)) if rng.random() < 0.75 else 0.0
        dice.append(replace(die, body=replace(die.body, middle_wear=lost)))
    return replace(scene, dice=tuple(dice))


def _legible(scene: Scene) -> bool:
    return is_legible(scene, truth_by_die(scene))


def _in_view(scene: Scene, die: PlacedDie) -> bool:
    return in_view(view(scene.camera), scene.camera, die)


def _values(rng: np.random.Generator, count: int) -> list[int]:
    return [int(value) for value in rng.integers(1, 7, count)]


def one_make(rng: np.random.Generator, count: int) -> list[RareBody]:
    """Return dice of one make or, in one case of three, of several makes."""
    first = random_body(rng)
    if rng.random() < 1 / 3:
        return [first, *(random_body(rng) for _ in range(count - 1))][:count]
    return [first] * count


def _laid(rng: np.random.Generator, bodies: Sequence[DieBody], touching: float = 0.2) -> Scene | None:
    """Return a scene with flat dice in a random tray; None if a person could not read them."""
    setting = random_setting(rng, SIZE, dark=False)
    scene = lay_dice(rng, setting, bodies, _values(rng, len(bodies)), touching=touching)
    return scene if _legible(scene) else None


@tried
def flat(rng: np.random.Generator, count: int) -> Scene | None:
    """Return a scene with `count` flat dice in a tray or on a table."""
    return _laid(rng, one_make(rng, count))


def _tipped(rng: np.random.Generator, scene: Scene, die: PlacedDie) -> PlacedDie:
    """Return the die leaning: on the wall, or on nothing visible, with its lowest corner at the floor."""
    tilt = math.radians(float(rng.uniform(LEAST_LEAN_DEG, MOST_LEAN_DEG)))
    if scene.tray.wall_mm > 0 and rng.random() < 0.4:
        return lean_on_wall(rng, scene, die, tilt)
    way = float(rng.uniform(0, math.tau))
    turn = after(quaternion((math.cos(way), math.sin(way), 0.0), tilt), die.turn)
    lift = float(rng.uniform(0, 12)) if rng.random() < 0.25 else 0.0
    x, y, _ = die.centre
    return replace(die, centre=(x, y, resting_height(turn, die.body.size_mm) + lift), turn=turn)


@tried
def leaning(rng: np.random.Generator, count: int) -> Scene | None:
    """Return a scene with `count` dice, the last of which leans by 10 to 45 degrees."""
    scene = _laid(rng, one_make(rng, count))
    if scene is None:
        return None
    *others, last = scene.dice
    tipped = _tipped(rng, scene, last)
    fits = is_apart(tipped, others, 0.75) and scene.tray.holds(corners(tipped), -0.5)
    return replace(scene, dice=(*others, tipped)) if fits and _in_view(scene, tipped) else None


def _height_at(pieces: Sequence[Limb | Ellipsoid], x: float, y: float) -> float:
    """Return the height of the top of an object's pieces at a place, in mm; -inf outside them."""
    highest = -math.inf
    for piece in pieces:
        if isinstance(piece, Ellipsoid):
            turn, radii = matrix(piece.turn), np.array(piece.radii_mm)
            way = np.array((0.0, 0.0, 1.0)) @ turn / radii
            start = (np.array((x, y, 0.0)) - np.array(piece.centre_mm)) @ turn / radii
            a, b, c = way @ way, way @ start, start @ start - 1.0
            if b * b > a * c:
                highest = max(highest, float((-b + math.sqrt(b * b - a * c)) / a))
            continue
        start, end = np.array(piece.start_mm), np.array(piece.end_mm)
        along = end - start
        share = float(np.clip((np.array((x, y)) - start[:2]) @ along[:2] / max(along[:2] @ along[:2], 1e-6), 0, 1))
        spot = start + share * along
        radius = piece.radii_mm[0] + share * (piece.radii_mm[1] - piece.radii_mm[0])
        off = math.dist((x, y), spot[:2])
        if off < radius:
            highest = max(highest, float(spot[2]) + math.sqrt(radius**2 - off**2))
    return highest


def _open_hand(rng: np.random.Generator, goal: Array) -> Thing:
    """Return an open hand, palm up, with the skin of its palm centred at `goal`, (3,) mm."""
    forward, aside = directions(rng)
    shade = pick(rng, SKINS)
    skin = shade if rng.random() < 0.85 else any_colour(rng)
    angle = math.atan2(forward[1], forward[0])
    level = quaternion((0, 0, 1), angle)
    unit = float(rng.uniform(0.9, 1.15))
    thick = 15.0 * unit
    mirrored = 1.0 if rng.random() < 0.5 else -1.0
    palm = goal - (0.0, 0.0, thick)
    pieces: list[Limb | Ellipsoid] = [
        Ellipsoid(vec(palm), level, (54 * unit, 44 * unit, thick), skin),
        # The balls of the thumb and the little finger.
        Ellipsoid(
            vec(palm + unit * (-22 * forward + mirrored * 26 * aside)), level, (32 * unit, 18 * unit, 19 * unit), skin
        ),
        Ellipsoid(
            vec(palm + unit * (-24 * forward - mirrored * 26 * aside)), level, (32 * unit, 16 * unit, 17 * unit), skin
        ),
    ]
    spread, curl = float(rng.uniform(0.02, 0.3)), float(rng.uniform(0.0, 0.6))
    for number, length in enumerate((70.0, 82.0, 76.0, 58.0)):
        across = mirrored * (30.0 - 20.0 * number)
        way = forward + aside * mirrored * (1.5 - number) * spread
        way /= np.linalg.norm(way)
        root = palm + unit * (40 * forward + across * aside)
        joint = root + unit * 0.5 * length * (way + 0.25 * curl * _UP)
        tip = joint + unit * 0.5 * length * (way * math.cos(curl) + math.sin(curl) * _UP)
        pieces += [
            Limb(vec(root), vec(joint), (11.5 * unit, 10 * unit), skin),
            Limb(vec(joint), vec(tip), (10 * unit, 8 * unit), skin),
        ]
    out = mirrored * aside * math.cos(0.5) + forward * math.sin(0.5)
    base = palm + unit * (-15 * forward + mirrored * 34 * aside)
    pieces += [
        Limb(vec(base), vec(base + unit * 36 * out), (15 * unit, 12 * unit), skin),
        Limb(vec(base + unit * 36 * out), vec(base + unit * (62 * out + 8 * forward)), (12 * unit, 9 * unit), skin),
    ]
    crease = _times(skin, 0.8)
    for ahead in (float(rng.uniform(-8, 4)), float(rng.uniform(14, 26))):
        bow = float(rng.uniform(-14, 14))
        ends = [palm + unit * (ahead * forward + side * 34 * aside + side * bow * forward) for side in (-1.0, 1.0)]
        ends = [end + (_height_at(pieces, end[0], end[1]) - end[2] - 0.9) * _UP for end in ends]
        middle = palm + unit * ahead * forward
        middle = middle + (_height_at(pieces, middle[0], middle[1]) - middle[2] - 0.7) * _UP
        pieces += [Limb(vec(end), vec(middle), (1.2, 1.2), crease) for end in ends]
    sleeve = skin if rng.random() < 0.6 else any_colour(rng)
    wrist = palm - unit * 55 * forward
    pieces.append(Limb(vec(palm - unit * 40 * forward), vec(wrist), (26 * unit, 25 * unit), skin))
    pieces.append(Limb(vec(wrist), vec(wrist - 380 * forward - (0.0, 0.0, 30.0)), (27 * unit, 42 * unit), sleeve))
    return Thing(tuple(pieces), holds_dice=True)


def _times(shade: Colour, factor: float) -> Colour:
    return vec(factor * np.array(shade))


def _dice_on(
    rng: np.random.Generator, scene: Scene, goal: Array, reach_mm: float, height_at: Callable[[float, float], float]
) -> tuple[PlacedDie, ...] | None:
    """Return the scene's dice around a place, on an object with the given height; None if there is no room."""
    placed: list[PlacedDie] = []
    for die in scene.dice:
        for _ in range(60):
            x, y = goal[:2] + rng.normal(0, reach_mm, 2)
            reach = die.body.size_mm / 2
            base = min(height_at(x + dx * reach, y + dy * reach) for dx in (-1, 1) for dy in (-1, 1))
            if not math.isfinite(base):
                continue
            value, _ = top_face(die)
            turn = lying(value, float(rng.uniform(0, math.tau)))
            lean = float(abs(rng.normal(0, 4))) if reach_mm < 40 else 0.0
            way = float(rng.uniform(0, math.tau))
            turn = after(quaternion((math.cos(way), math.sin(way), 0.0), math.radians(lean)), turn)
            lying_there = replace(die, centre=(x, y, base + resting_height(turn, die.body.size_mm)), turn=turn)
            if is_apart(lying_there, placed) and _in_view(scene, lying_there):
                placed.append(lying_there)
                break
        else:
            return None
    return tuple(placed)


def _with_place_above(rng: np.random.Generator) -> tuple[Scene, Array] | None:
    """Return a scene with four dice, and a place above its middle, at most at half of the camera's height: (3,) mm."""
    scene = _laid(rng, one_make(rng, 4))
    if scene is None or scene.camera.height_mm <= 50.0:
        return None
    height = float(rng.uniform(20.0, 0.5 * scene.camera.height_mm))
    x, y = rng.uniform(0.35, 0.65, 2) * scene.camera.size
    return scene, np.array([*view(scene.camera).on_plane(x, y, height), height])


@tried
def palm(rng: np.random.Generator) -> Scene | None:
    """Return a scene with four dice on an open hand over the tray."""
    if (found := _with_place_above(rng)) is None:
        return None
    scene, goal = found
    hand = _open_hand(rng, goal)
    pieces = [piece for piece in hand.pieces if isinstance(piece, (Limb, Ellipsoid))]
    dice = _dice_on(rng, scene, goal, 26.0, lambda x, y: _height_at(pieces, x, y))
    return None if dice is None else with_things(replace(scene, dice=dice), hand)


@tried
def held(rng: np.random.Generator) -> Scene | None:
    """Return a scene with four dice on a sheet of paper, a book or a box that is held over the tray."""
    if (found := _with_place_above(rng)) is None:
        return None
    scene, goal = found
    half = (float(rng.uniform(35, 80)), float(rng.uniform(35, 110)))
    thick = float(rng.choice([0.3, 3.0, 15.0]))
    plate = slab(rng, goal, half, thick, float(goal[2]))
    outline = np.array(plate.outline_mm)

    def height_at(x: float, y: float) -> float:
        edges = np.roll(outline, -1, axis=0) - outline
        off = np.array((x, y)) - outline
        is_on = bool((edges[:, 0] * off[:, 1] - edges[:, 1] * off[:, 0] > 0).all())
        return float(goal[2]) if is_on else -math.inf

    dice = _dice_on(rng, scene, goal, 40.0, height_at)
    thing = Thing((plate,), holds_dice=True)
    return None if dice is None else with_things(replace(scene, dice=dice), thing)


@tried
def pinched(rng: np.random.Generator) -> Scene | None:
    """Return a scene with one to four dice, one of which is held between a finger and the thumb, its top face free."""
    scene = _laid(rng, one_make(rng, int(rng.integers(1, 5))))
    if scene is None:
        return None
    *others, die = scene.dice
    size, yaw = die.body.size_mm, float(rng.uniform(0, math.tau))
    height = float(rng.uniform(0.6 * size, max(0.7 * size, 0.4 * scene.camera.height_mm)))
    x, y = rng.uniform(0.25, 0.75, 2) * scene.camera.size
    spot = np.array([*view(scene.camera).on_plane(x, y, height), height])
    across, back = np.array((math.cos(yaw), math.sin(yaw), 0.0)), np.array((-math.sin(yaw), math.cos(yaw), 0.0))
    skin = pick(rng, SKINS)
    pieces = [Limb(vec(spot + 105 * back + 12 * _UP), vec(spot + 480 * back + 40 * _UP), (32.0, 40.0), skin)]
    for side in (-1.0, 1.0):
        thick = float(rng.uniform(6.5, 9.0))
        tip = spot + side * (size / 2 + thick) * across + float(rng.uniform(-0.4, 0.2)) * size * _UP
        joint = tip + side * float(rng.uniform(4, 16)) * across + float(rng.uniform(24, 38)) * back
        root = spot + 85 * back + side * 20 * across + 12 * _UP
        pieces += [
            Limb(vec(tip), vec(joint), (thick, thick + 1.5), skin),
            Limb(vec(joint), vec(root), (thick + 1.5, 13.0), skin),
        ]
    held_die = replace(die, centre=vec(spot), turn=lying(top_face(die)[0], yaw))
    apart = all(math.dist(spot[:2], other.centre[:2]) > 2.5 * size for other in others)
    scene = with_things(replace(scene, dice=(*others, held_die)), Thing(tuple(pieces)))
    return scene if apart and _in_view(scene, held_die) else None


@tried
def rim(rng: np.random.Generator) -> Scene | None:
    """Return a scene with four dice, one of them flat on the broad rim of a tray, which is often dark."""
    setting = random_setting(rng, SIZE, dark=False)
    if setting.tray.wall_mm <= 0:
        return None
    bodies = one_make(rng, 4)
    tray = replace(setting.tray, rim_mm=bodies[-1].size_mm * float(rng.uniform(0.65, 1.5)))
    if rng.random() < 0.6:
        shade = float(rng.uniform(0.05, 0.3))
        floor, wall = (replace(part, colour=_times(part.colour, shade)) for part in (tray.floor, tray.wall))
        tray = replace(tray, floor=floor, wall=wall)
    scene = lay_dice(rng, replace(setting, tray=tray), bodies, _values(rng, 4), touching=0.2)
    if not _legible(scene):
        return None
    scene = stray(rng, scene)
    return scene if scene.dice[-1].centre[2] > scene.tray.wall_mm else None


@tried
def near(rng: np.random.Generator, least: float, most: float) -> Scene | None:
    """Return a scene with one to four dice, each `least` to `most` of the picture wide."""
    part = math.exp(float(rng.uniform(math.log(least), math.log(most))))
    count = int(rng.integers(1, 1 + max(1, min(4, round(0.16 / part**2)))))
    setting = random_setting(rng, SIZE, dark=False)
    body = random_body(rng)
    field = float(rng.choice([22.0, 35.0, 50.0, 62.2]))
    distance = body.size_mm / part / 2 / math.tan(math.radians(field) / 2)
    if distance < 45.0:
        return None
    camera = Camera(
        size=SIZE,
        height_mm=distance + body.size_mm,
        field_of_view_deg=field,
        aim_mm=setting.camera.aim_mm,
        tilt_deg=float(rng.uniform(0, 15)),
        lean_deg=float(rng.uniform(0, 360)),
        turn_deg=float(rng.uniform(0, 360)),
    )
    blur = float(rng.uniform(0.4, 3.0))
    scene = replace(setting, camera=camera, sensor=replace(setting.sensor, blur_px=blur))
    scene = lay_dice(rng, scene, [body] * count, _values(rng, count), touching=0.5)
    return scene if _legible(scene) else None


@tried
def see_through(rng: np.random.Generator) -> Scene | None:
    """Return a scene with four transparent dice, through which the pips of their bottom faces show."""
    code = _TRANSLUCENT[int(rng.integers(len(_TRANSLUCENT)))]
    pip = colour("#f2f0ea") if rng.random() < 0.7 and code != "#d8d8dc" else colour("#141414")
    plain = replace(random_body(rng), swirl=0.0, speckle=0.0, metal=0.0, grain=0.0, ring=0.0, wear=0.0)
    clear = replace(
        plain,
        body=colour(code),
        pip=pip,
        one=None,
        translucency=float(rng.uniform(0.4, 0.8)),
        gloss=float(rng.uniform(0.3, 1.0)),
        see_through=float(rng.uniform(0.25, 0.85)),
    )
    return _laid(rng, [clear] * 4)


@tried
def bare(rng: np.random.Generator) -> Scene | None:
    """Return a scene with one to five dice on a mottled table without a tray, in even, shaded or dim light."""
    setting = random_setting(rng, SIZE, dark=False)
    seen = view(setting.camera).on_plane(np.array([0.0, 0, 640, 640]), np.array([0.0, 480, 0, 480]))
    reach = min(1500.0, 2.1 * float(np.abs(seen).max()))
    grey = float(rng.uniform(0.03, 0.6))
    tint = rng.uniform(0.7, 1.0, 3) if rng.random() < 0.6 else rng.uniform(0.2, 1.0, 3)
    shade = (grey * float(tint[0]), grey * float(tint[1]), grey * float(tint[2]))
    second = _times(shade, float(rng.choice([rng.uniform(0.3, 0.8), rng.uniform(1.2, 1.8)])))
    texture = one_of(rng, _MOTTLED)
    floor = RareSurface(shade, texture, float(rng.uniform(0.1, 0.7)), int(rng.integers(1 << 31)), second=second)
    if texture in (SPECKLED, LEATHER, WOVEN, FELT):
        floor = replace(floor, contrast=float(rng.uniform(0.08, 0.35)))
    tray = Tray(reach, reach, 0.0, 0.0, floor, floor, floor)
    sensor = random_sensor(rng, tray, setting.light)
    if rng.random() < 0.4:
        sensor = replace(sensor, exposure=sensor.exposure * float(rng.uniform(0.25, 0.7)))
    count = int(rng.integers(1, 6))
    scene = replace(setting, tray=tray, sensor=sensor)
    scene = lay_dice(rng, scene, one_make(rng, count), _values(rng, count), touching=0.3)
    return scene if _legible(scene) else None
