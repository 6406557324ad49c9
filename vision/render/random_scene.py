"""Scenes by chance: any ordinary dice, tray, light and camera, from one random generator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.render.geometry import Array, quaternion, resting_height
from vision.render.placing import cock, lay_dice, stray
from vision.render.scene import (
    Camera,
    Colour,
    DieBody,
    Hand,
    Light,
    PlacedDie,
    Scene,
    Sensor,
    Surface,
    Texture,
    Tray,
    Vec3,
)


def colour(code: str) -> Colour:
    """A linear BGR reflectance from an sRGB code such as "#b01c20"."""
    red, green, blue = (int(code[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return (blue**2.2, green**2.2, red**2.2)


WHITE, BLACK = colour("#efeeea"), colour("#161616")

DICE: tuple[tuple[str, str, str | None], ...] = (
    ("#f0efe9", "#141414", None),
    ("#f0efe9", "#141414", "#c01818"),
    ("#f0efe9", "#b81c1c", None),
    ("#f0efe9", "#1c2f9c", None),
    ("#191919", "#efefef", None),
    ("#191919", "#c8a030", None),
    ("#191919", "#d02020", None),
    ("#b3161b", "#f2f0ea", None),
    ("#7c1020", "#e8c050", None),
    ("#1b3fa0", "#f2f2f2", None),
    ("#2a6fd0", "#f2f2f2", None),
    ("#127a3c", "#f2f2f2", None),
    ("#0f5a30", "#e0c040", None),
    ("#ecc415", "#181818", None),
    ("#e8731a", "#f2f2f2", None),
    ("#e8731a", "#181818", None),
    ("#5c2383", "#f2f2f2", None),
    ("#e9dcbb", "#2a1c10", None),
    ("#e9dcbb", "#141414", "#b81c1c"),
    ("#b98a55", "#2a1a0c", None),
    ("#8a5a30", "#f0e6d0", None),
    ("#d9dde2", "#1a1a1a", None),
    ("#8d9298", "#f4f4f4", None),
    ("#f2a8bc", "#ffffff", None),
    ("#7fd3d8", "#102030", None),
)
"""Body, pips and the single pip where it differs, as sold: sRGB."""

FLOORS: tuple[tuple[str, Texture], ...] = (
    ("#1d6b3f", Texture.FELT),
    ("#0f4a2c", Texture.FELT),
    ("#7a1622", Texture.FELT),
    ("#c22238", Texture.FELT),
    ("#1c2c66", Texture.FELT),
    ("#3a3a3c", Texture.FELT),
    ("#151515", Texture.FELT),
    ("#b8a888", Texture.FELT),
    ("#a87747", Texture.WOOD),
    ("#6d4528", Texture.WOOD),
    ("#d2ad78", Texture.WOOD),
    ("#5a3a26", Texture.LEATHER),
    ("#201a18", Texture.LEATHER),
    ("#8c2f24", Texture.LEATHER),
    ("#cfcfcb", Texture.PLAIN),
    ("#8f979e", Texture.PLAIN),
    ("#2f6d88", Texture.PLAIN),
    ("#e6e3da", Texture.SPECKLED),
    ("#77736a", Texture.SPECKLED),
    ("#8e8574", Texture.WOVEN),
    ("#4a5560", Texture.WOVEN),
    ("#7c6a52", Texture.CHECKED),
    ("#4c6b58", Texture.CHECKED),
)
"""Colour and kind of tray floors: sRGB."""

WALLS = ("#6b4a30", "#3c3c40", "#a9b1bd", "#c9c0b2", "#8a5d38", "#1c1c1e", "#5f6873", "#e2e0da", "#7a2a22", "#2f8088")
TABLES = ("#b8b6b1", "#8a6a4a", "#d8d4cc", "#5b4636", "#2e2a28", "#a0a8b2", "#c9a878", "#708070")
SKINS = ("#e6b998", "#c98e68", "#f0cdb4", "#8d5a3c", "#5a3825", "#d8a888")
SLEEVES = ("#22262e", "#7a1f24", "#e4e2dc", "#24447a", "#4b5a3a", "#888c92")


def _pick(rng: np.random.Generator, codes: Sequence[str]) -> Colour:
    return colour(codes[int(rng.integers(len(codes)))])


def random_body(rng: np.random.Generator, size_mm: float | None = None) -> DieBody:
    """A die of any ordinary make; of a given size where dice of one set are wanted."""
    code, pips, one = DICE[int(rng.integers(len(DICE)))]
    is_wood = code in ("#b98a55", "#8a5a30")
    shade = float(rng.uniform(0.85, 1.1))
    blue, green, red = (min(part * shade, 0.92) for part in colour(code))
    large_one = bool(rng.random() < 0.15)
    pip_radius = float(rng.uniform(0.078, 0.108))
    return DieBody(
        size_mm=float(rng.uniform(12, 19)) if size_mm is None else size_mm,
        body=(blue, green, red),
        pip=colour(pips),
        one=None if one is None else colour(one),
        edge=float(rng.choice([0.02, 0.05, 0.08, 0.12, 0.16])) * float(rng.uniform(0.8, 1.2)),
        corner=float(rng.choice([0.70, 0.74, 0.78, 0.87], p=[0.2, 0.3, 0.25, 0.25])),
        pip_radius=pip_radius,
        one_scale=float(rng.uniform(1.3, 1.8)) if large_one else 1.0,
        spread=float(rng.uniform(0.225, 0.265)),
        pip_depth=float(rng.choice([0.0, 0.3, 0.7, 1.0])),
        gloss=0.0 if is_wood else float(rng.choice([0.0, 0.25, 0.5, 0.9])),
        grain=float(rng.uniform(0.1, 0.25)) if is_wood or rng.random() < 0.08 else 0.0,
        quarter_turns=int(rng.integers(64)),
    )


def random_tray(rng: np.random.Generator) -> Tray:
    """A tray with any floor, wall and table."""
    code, kind = FLOORS[int(rng.integers(len(FLOORS)))]
    is_round = bool(rng.random() < 0.15)
    width = float(rng.uniform(180, 260))
    depth = width if is_round or rng.random() < 0.5 else float(rng.uniform(170, 260))
    contrast = {Texture.PLAIN: 0.0, Texture.FELT: 0.08, Texture.CHECKED: 0.12, Texture.SPECKLED: 0.15}
    return Tray(
        width_mm=width,
        depth_mm=depth,
        is_round=is_round,
        wall_mm=float(rng.uniform(15, 45)),
        rim_mm=float(rng.uniform(3, 16)),
        floor=Surface(colour(code), kind, contrast.get(kind, 0.14), int(rng.integers(1 << 31))),
        wall=Surface(_pick(rng, WALLS), Texture.PLAIN, 0.0, 0),
        table=Surface(
            _pick(rng, TABLES),
            Texture(rng.choice([Texture.PLAIN, Texture.WOOD, Texture.WOVEN])),
            0.08,
            int(rng.integers(1 << 31)),
        ),
    )


def ring_light(height_mm: float, radius_mm: float = 60.0) -> tuple[Vec3, ...]:
    """Eight points of a ring round the lens."""
    angles = (math.tau * part / 8 for part in range(8))
    return tuple((radius_mm * math.cos(angle), radius_mm * math.sin(angle), height_mm) for angle in angles)


def _patch(rng: np.random.Generator, middle: Array, spread_mm: float, count: int) -> tuple[Vec3, ...]:
    points = middle + rng.uniform(-0.5, 0.5, (count, 3)) * spread_mm
    return tuple((float(x), float(y), max(float(z), 120.0)) for x, y, z in points)


def random_light(rng: np.random.Generator, camera: Camera) -> Light:
    """A ring, a ceiling lamp, a window at one side or a warm bulb."""
    kind = str(rng.choice(["ring", "ceiling", "window", "bulb"]))
    angle = float(rng.uniform(0, math.tau))
    aside = np.array([math.cos(angle), math.sin(angle), 0.0])
    if kind == "ring":
        points = ring_light(camera.height_mm * float(rng.uniform(0.9, 1.2)), float(rng.uniform(35, 110)))
        tint, lamp, around = (1.0, 1.0, 1.0), 0.75, 0.3
    elif kind == "ceiling":
        middle = aside * float(rng.uniform(0, 900)) + np.array([0, 0, 1700.0])
        points = _patch(rng, middle, float(rng.uniform(150, 700)), 8)
        tint, lamp, around = (0.93, 0.98, 1.0), 0.65, 0.35
    elif kind == "window":
        middle = aside * float(rng.uniform(500, 1100)) + np.array([0, 0, float(rng.uniform(450, 800))])
        points = _patch(rng, middle, 450.0, 9)
        tint, lamp, around = (1.08, 1.02, 0.95), 0.6, 0.4
    else:
        middle = aside * float(rng.uniform(100, 450)) + np.array([0, 0, float(rng.uniform(450, 800))])
        points = _patch(rng, middle, 60.0, 5)
        tint, lamp, around = (0.55, 0.80, 1.0), 0.75, 0.22
    lamp *= float(rng.uniform(0.8, 1.2))
    around *= float(rng.uniform(0.7, 1.3))
    return Light(
        points=points,
        colour=(tint[0] * lamp, tint[1] * lamp, tint[2] * lamp),
        ambient=(around * (0.5 + tint[0] / 2), around * (0.5 + tint[1] / 2), around),
    )


def random_camera(rng: np.random.Generator, tray: Tray, size: tuple[int, int]) -> Camera:
    """A Pi camera that has the tray in view, off the vertical by up to 20 degrees, and turned anyhow."""
    field = float(rng.choice([62.2, 66.0, 90.0, 102.0], p=[0.4, 0.4, 0.1, 0.1]))
    vertical = 2 * math.atan(math.tan(math.radians(field) / 2) * size[1] / size[0])
    reach = max(tray.width_mm, tray.depth_mm) * float(rng.uniform(0.95, 1.35))
    return Camera(
        size=size,
        height_mm=reach / 2 / math.tan(vertical / 2),
        field_of_view_deg=field,
        aim_mm=(float(rng.uniform(-12, 12)), float(rng.uniform(-12, 12))),
        tilt_deg=float(rng.uniform(0, 20)) * float(rng.random() < 0.8),
        lean_deg=float(rng.uniform(0, 360)),
        turn_deg=float(rng.choice([0, 90, 180, 270])) + float(rng.normal(0, 8))
        if rng.random() < 0.5
        else float(rng.uniform(0, 360)),
    )


def random_sensor(rng: np.random.Generator, tray: Tray, *, dark: bool = False) -> Sensor:
    """A camera that exposes for the floor more or less rightly, with all the usual faults; or far too dark."""
    floor = sum(tray.floor.colour) / 3
    exposure = float(rng.uniform(0.75, 1.15)) * min(1.6, 0.38 / (0.16 + floor))
    white = rng.normal(1.0, 0.06, 3)
    noise = float(rng.choice([0.8, 1.5, 3.0, 5.0]))
    if dark:
        exposure, noise = exposure * float(rng.uniform(0.004, 0.012)), float(rng.uniform(4, 10))
    return Sensor(
        exposure=exposure,
        shutter_s=float(rng.uniform(0.003, 0.016)),
        noise=noise,
        blur_px=float(rng.uniform(0.3, 0.9)),
        vignette=float(rng.uniform(0.0, 0.35)),
        white=(float(white[0]), 1.0, float(white[2])),
        jpeg_quality=None if rng.random() < 0.3 else int(rng.integers(70, 96)),
    )


def random_hand(rng: np.random.Generator, tray: Tray) -> Hand:
    """A hand somewhere over the tray, from any side, in any of several poses."""
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
        skin=_pick(rng, SKINS),
        sleeve=None if rng.random() < 0.4 else _pick(rng, SLEEVES),
        is_left=bool(rng.random() < 0.3),
    )


def _tumbling(rng: np.random.Generator, die: PlacedDie) -> PlacedDie:
    """The die in full roll where it lay: any orientation, some way above the floor, 0.3 to 1.2 m/s."""
    way, speed = float(rng.uniform(0, math.tau)), float(rng.uniform(300, 1200))
    axis = rng.normal(size=3)
    turn = quaternion(axis, float(rng.uniform(0, math.tau)))
    x, y, _ = die.centre
    spin = axis / np.linalg.norm(axis) * speed / (die.body.size_mm / 2)
    return replace(
        die,
        centre=(x, y, resting_height(turn, die.body.size_mm) + float(rng.uniform(0, 15))),
        turn=turn,
        velocity=(speed * math.cos(way), speed * math.sin(way), 0.0),
        spin=(float(spin[0]), float(spin[1]), float(spin[2])),
    )


def random_scene(
    rng: np.random.Generator,
    values: Sequence[int] | None = None,
    *,
    count: int = 4,
    size: tuple[int, int] = (640, 480),
    mixed: bool | None = None,
    touching: float = 0.2,
    hand: bool = False,
    cocked: bool = False,
    strayed: bool = False,
    moving: bool = False,
    dark: bool = False,
) -> Scene:
    """A scene by chance; the same generator state gives the same scene.

    Args:
        rng: Decides all that is not given.
        values: What the dice show; random ones if None.
        count: How many dice, where no values are given; 0 to about 8.
        size: Of the picture, in pixels.
        mixed: Whether dice of several kinds lie together; None for one time in three.
        touching: The chance of each die to touch another or the wall.
        hand: Whether a hand is over the tray.
        cocked: Whether one of the dice leans on the wall or another die, or lies on top of one.
        strayed: Whether one of the dice lies on the table beside the tray.
        moving: Whether one of the dice still rolls, smeared and tumbling.
        dark: Whether it is too dark to read anything.

    Raises:
        ValueError: If the dice find no room, or what is asked for needs more dice than there are.
    """
    tray = random_tray(rng)
    camera = random_camera(rng, tray, size)
    light = random_light(rng, camera)
    sensor = random_sensor(rng, tray, dark=dark)
    shown = [int(value) for value in rng.integers(1, 7, count)] if values is None else list(values)
    is_mixed = bool(rng.random() < 1 / 3) if mixed is None else mixed
    first = random_body(rng)
    bodies = [random_body(rng, None if rng.random() < 0.5 else first.size_mm) if is_mixed else first for _ in shown]
    scene = lay_dice(rng, Scene(camera, tray, light, sensor), bodies, shown, touching=touching)
    if cocked:
        scene = cock(rng, scene)
    if strayed:
        scene = stray(rng, scene)
    if moving:
        scene = replace(scene, dice=(*scene.dice[:-1], _tumbling(rng, scene.dice[-1])))
    return replace(scene, hand=random_hand(rng, tray)) if hand else scene
