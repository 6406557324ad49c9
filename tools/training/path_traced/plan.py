"""Random pictures: dice, tray, lamps and camera, in centimetres, with the origin in the middle of the tray's floor.

Nothing is shared with `vision.render`, so that the two do not have the same errors.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LinearColour = tuple[float, float, float]
"""Linear red, green and blue, 0 to 1."""

SIZE = (640, 480)
"""The width and height of a picture in pixels."""

_BODIES = (
    "f4f2ec f4f2ec 111214 b3141c 1b3f9c 0d6b3a efe3c4 e8c22c e2701a 6a2a86 e77fb0 7e8288 2fa6a0 5b3a22 c9a36a 88bbe8"
)
_PIPS = "f7f7f4 101010 101010 f7f7f4 d8b24a b3141c 1b3f9c c9ccd0"
GROUNDS = "0e5a34 7a1020 17306e 141414 8a6a42 c8b08a 5a3a22 e8e6e0 6b6e72 3a2a55 b08a5a 2a5a5a d9d2c0 a0522d 303438"

_LEAST_CONTRAST = 0.3
"""The least difference in lightness between pips and body."""

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""The positions of each value's pips, from the middle of its side, in units of `spread`."""

CUP, CARD, PENCIL = (3.0, 8.0), (6.3, 8.8, 0.04), (0.37, 17.0)
"""Sizes of objects in centimetres: radius and height; width, depth and thickness; radius and length."""

_TRIES = 400
"""The most attempts at a place for a die, and at a colour for its pips."""


class Material(NamedTuple):
    """A material; `pattern` mixes both colours, `clear` is the share of light that passes through."""

    colour: LinearColour
    rough: float
    pattern: str = ""
    second: LinearColour = (0.0, 0.0, 0.0)
    scale: float = 1.0
    clear: float = 0.0
    coat: float = 0.0
    bump: float = 0.0


class DieLook(NamedTuple):
    """A die's look; all lengths but the size are relative to it. A pip is a bowl, `depth` of its own radius deep."""

    size_cm: float
    edge: float
    pip: float
    one: float
    spread: float
    depth: float
    segments: int
    body: Material
    pips: Material
    first: Material


class LaidDie(NamedTuple):
    """A die in the picture: its middle, its rotation about the vertical, and the angle and direction of its lean."""

    look: DieLook
    value: int
    middle: tuple[float, float, float]
    turn_rad: float
    lean_rad: float = 0.0
    lean_way_rad: float = 0.0


class Camera(NamedTuple):
    """A pinhole camera: its position, target, rotation about its axis, and field of view."""

    place: tuple[float, float, float]
    target: tuple[float, float, float]
    turn_rad: float
    field_rad: float
    f_stop: float | None


class Lamp(NamedTuple):
    """A square that shines towards the tray, a ball, or with a `high` a strip of that height that shines level."""

    place: tuple[float, float, float]
    size: float
    watts: float
    colour: LinearColour
    is_ball: bool = False
    high: float = 0.0


class Tray(NamedTuple):
    """A box, a round tray, or a bare table. `wide` and `deep` are inside dimensions."""

    shape: str
    wide: float
    deep: float
    high: float
    thick: float
    floor: Material
    walls: Material
    table: Material


class Thing(NamedTuple):
    """A foreign object over the tray: a cup, a card, a pencil."""

    kind: str
    place: tuple[float, float, float]
    turn_rad: float
    material: Material


Setting = tuple[Tray, Camera, tuple[Lamp, ...], float]
"""The setting of the dice: tray, camera, lamps, and ambient light."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned picture; `why` is the reason why it must be refused, empty if its dice may be read."""

    tray: Tray
    camera: Camera
    lamps: tuple[Lamp, ...]
    around: float
    dice: tuple[LaidDie, ...]
    thing: Thing | None
    why: str


def linear(code: str) -> LinearColour:
    """Return a colour of six hexadecimal digits as linear light."""
    red, green, blue = (((int(code[at : at + 2], 16)) / 255) ** 2.2 for at in (0, 2, 4))
    return red, green, blue


def one_of(rng: np.random.Generator, codes: str) -> LinearColour:
    """Return a random one of some colours of six hexadecimal digits, separated by spaces."""
    return linear(str(rng.choice(codes.split())))


def _lightness(colour: LinearColour) -> float:
    return float(np.dot((0.2, 0.7, 0.1), colour) ** 0.45)


def _mixed(one: LinearColour, other: LinearColour, share: float) -> LinearColour:
    red, green, blue = ((1 - share) * a + share * b for a, b in zip(one, other, strict=True))
    return red, green, blue


def _pips_for(rng: np.random.Generator, body: LinearColour) -> LinearColour:
    for _ in range(_TRIES):
        colour = one_of(rng, _PIPS)
        if abs(_lightness(colour) - _lightness(body)) > _LEAST_CONTRAST:
            return colour
    return linear("101010")


def die_look(rng: np.random.Generator, size_cm: float) -> DieLook:
    """Return a random look of a die."""
    colour = one_of(rng, _BODIES)
    pips = _pips_for(rng, colour)
    body = Material(colour, float(rng.choice([0.05, 0.15, 0.3, 0.5])), coat=float(rng.random() < 0.3))
    style = str(rng.choice(["plain", "clear", "marble", "wood"], p=[0.65, 0.1, 0.15, 0.1]))
    if style == "clear":
        body = body._replace(clear=float(rng.uniform(0.5, 0.95)))
    elif style == "marble":
        paler = _mixed(colour, (1.0, 1.0, 1.0), float(rng.uniform(0.05, 0.3)))
        body = body._replace(pattern="noise", second=paler, scale=float(rng.uniform(1, 3)))
    elif style == "wood":
        body = Material(linear("c9a36a"), 0.5, "wood", linear("a8804a"), float(rng.uniform(1, 3)))
        pips = linear("101010")
    painted = Material(pips, float(rng.choice([0.3, 0.6, 0.9])))
    is_red = rng.random() < 0.12 and _lightness(colour) > 0.6
    radius = float(rng.uniform(0.075, 0.11))
    return DieLook(
        size_cm=size_cm,
        edge=float(rng.uniform(0.03, 0.16)),
        pip=radius,
        one=radius * float(rng.choice([1.0, 1.5, 1.8], p=[0.7, 0.15, 0.15])),
        spread=float(rng.uniform(0.22, 0.27)),
        depth=float(rng.uniform(0.15, 0.8)),
        segments=int(rng.integers(3, 7)),
        body=body,
        pips=painted,
        first=painted._replace(colour=linear("b3141c")) if is_red else painted,
    )


def _floor(rng: np.random.Generator) -> Material:
    colour, other = one_of(rng, GROUNDS), one_of(rng, GROUNDS)
    kind = str(rng.choice(["felt", "wood", "leather", "plastic", "pattern"], p=[0.32, 0.17, 0.17, 0.17, 0.17]))
    if kind == "felt":
        return Material(colour, 0.95, "noise", _mixed(colour, other, 0.1), float(rng.uniform(20, 60)), bump=0.3)
    if kind == "wood":
        one, two = (("8a5a32", "5a3a22"), ("c8a070", "b08a5a"))[int(rng.integers(2))]
        return Material(linear(one), float(rng.uniform(0.25, 0.6)), "wood", linear(two), float(rng.uniform(4, 12)))
    if kind == "leather":
        rough = float(rng.uniform(0.35, 0.6))
        return Material(colour, rough, "cells", _mixed(colour, other, 0.15), float(rng.uniform(6, 12)), bump=0.4)
    if kind == "plastic":
        return Material(colour, float(rng.uniform(0.15, 0.5)))
    pattern = str(rng.choice(["checker", "waves", "cells", "bricks", "noise"]))
    second = _mixed(colour, other, float(rng.uniform(0.2, 0.8)))
    return Material(colour, 0.8, pattern, second, float(rng.uniform(0.6, 4)))


def _tray(rng: np.random.Generator) -> Tray:
    wide = float(rng.uniform(14, 26))
    return Tray(
        shape=str(rng.choice(["box", "round", "bare"], p=[0.5, 0.25, 0.25])),
        wide=wide,
        deep=wide * float(rng.uniform(0.7, 1.0)),
        high=float(rng.uniform(1.2, 4.5)),
        thick=float(rng.uniform(0.4, 1.2)),
        floor=_floor(rng),
        walls=Material(
            one_of(rng, GROUNDS),
            float(rng.uniform(0.3, 0.8)),
            "wood" if rng.random() < 0.4 else "",
            linear("5a3a22"),
            8.0,
        ),
        table=Material(
            one_of(rng, GROUNDS),
            float(rng.uniform(0.3, 0.9)),
            str(rng.choice(["wood", "noise", "checker"])),
            one_of(rng, GROUNDS),
            float(rng.uniform(1, 8)),
        ),
    )


def _camera(rng: np.random.Generator, tray: Tray) -> Camera:
    """Return a random camera up to 20 degrees off the vertical that sees most of the tray."""
    field = math.radians(float(rng.uniform(50, 75)))
    tilt, way = math.radians(abs(float(rng.normal(0, 9))) % 20), float(rng.uniform(0, math.tau))
    high = max(9.0, tray.wide / 2 / math.tan(field / 2) * float(rng.uniform(0.85, 1.5)))
    aside = high * math.tan(tilt)
    x, y = (float(part) for part in rng.normal(0, 0.05, 2) * tray.wide)
    return Camera(
        place=(aside * math.cos(way), aside * math.sin(way), high),
        target=(x, y, 0.0),
        turn_rad=float(rng.uniform(0, math.tau)),
        field_rad=field,
        f_stop=float(rng.uniform(2, 6)) if rng.random() < 0.4 else None,
    )


WARM, WHITE, DAY = (1.0, 0.72, 0.42), (1.0, 0.95, 0.88), (0.85, 0.93, 1.0)


def _lamps(rng: np.random.Generator, camera: Camera) -> tuple[tuple[Lamp, ...], float]:
    """Return random lamps: a ring, a ceiling lamp, a window, a bulb, or lamp and window; and the ambient light."""
    kind = str(rng.choice(["ring", "ceiling", "window", "bulb", "two"]))
    around = 0.3 * float(10 ** rng.uniform(-1.3, 0.2))
    x, y, z = camera.place
    if kind == "ring":
        radius = float(rng.uniform(2, 5))
        ways = np.arange(10) * (math.tau / 10)
        spots = [(x + radius * math.cos(way), y + radius * math.sin(way), z + 0.3) for way in ways]
        return tuple(Lamp(spot, 0.6, 300.0, WHITE) for spot in spots), 8 * around
    lamps: list[Lamp] = []
    if kind in ("ceiling", "two"):
        place = (float(rng.uniform(-60, 60)), float(rng.uniform(-60, 60)), float(rng.uniform(80, 160)))
        lamps.append(Lamp(place, float(rng.uniform(10, 60)), 3e5, WHITE if rng.random() < 0.6 else WARM))
    way = float(rng.uniform(0, math.tau))
    if kind in ("window", "two"):
        place = (90 * math.cos(way), 90 * math.sin(way), float(rng.uniform(25, 90)))
        lamps.append(Lamp(place, float(rng.uniform(40, 100)), 4e5, DAY))
    if kind == "bulb":
        far = float(rng.uniform(10, 70))
        place = (far * math.cos(way), far * math.sin(way), float(rng.uniform(40, 90)))
        lamps.append(Lamp(place, float(rng.uniform(1, 5)), 1e5, WARM, is_ball=True))
    return tuple(lamps), 4 * around


def axes(camera: Camera) -> Array:
    """Return the directions of the picture's x and y (upwards) and of the camera's back, as rows of (3, 3)."""
    back = np.array(camera.place) - camera.target
    back /= np.linalg.norm(back)
    right = np.cross((0.0, 1.0, 0.0), back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    cos, sin = math.cos(camera.turn_rad), math.sin(camera.turn_rad)
    return np.array([cos * right + sin * up, cos * up - sin * right, back])


def _is_in_view(camera: Camera, place: tuple[float, float], size_cm: float) -> bool:
    """Whether a die on the floor is in the picture with all its corners, and with a margin."""
    x, y, depth = axes(camera) @ (np.array([*place, size_cm / 2]) - camera.place)
    half = -depth * math.tan(camera.field_rad / 2)
    return bool(abs(x) + size_cm < half and abs(y) + size_cm < half * SIZE[1] / SIZE[0])


def _fits_in(tray: Tray, place: tuple[float, float], reach: float) -> bool:
    x, y = place
    if tray.shape == "box":
        return abs(x) < tray.wide / 2 - reach and abs(y) < tray.deep / 2 - reach
    return tray.shape == "bare" or math.hypot(x, y) < tray.wide / 2 - tray.thick - reach


def _beside(rng: np.random.Generator, other: LaidDie, size_cm: float) -> tuple[tuple[float, float], float]:
    """Return a place that touches a die's side, and its rotation."""
    way = other.turn_rad + math.pi / 2 * int(rng.integers(4))
    far, slide = (other.look.size_cm + size_cm) / 2 + 0.01, float(rng.uniform(-0.4, 0.4)) * size_cm
    x = other.middle[0] + far * math.cos(way) - slide * math.sin(way)
    y = other.middle[1] + far * math.sin(way) + slide * math.cos(way)
    return (x, y), other.turn_rad


def _is_free(place: tuple[float, float], turn_rad: float, size_cm: float, dice: list[LaidDie]) -> bool:
    """Whether a die has room there: by circles around all, or by the sides of those with the same rotation."""
    for other in dice:
        x, y = place[0] - other.middle[0], place[1] - other.middle[1]
        both = size_cm + other.look.size_cm
        if turn_rad == other.turn_rad:
            cos, sin = math.cos(turn_rad), math.sin(turn_rad)
            if max(abs(x * cos + y * sin), abs(y * cos - x * sin)) < both / 2:
                return False
        elif math.hypot(x, y) < 0.72 * both:
            return False
    return True


def _lay(rng: np.random.Generator, tray: Tray, camera: Camera, looks: list[DieLook]) -> list[LaidDie]:
    """Return dice flat on the tray's floor, in view, some side by side.

    Raises:
        ValueError: If there is no room for one.
    """
    dice: list[LaidDie] = []
    for look in looks:
        size = look.size_cm
        for _ in range(_TRIES):
            turn = float(rng.uniform(0, math.tau))
            x, y = (float(part) for part in rng.uniform(-0.46, 0.46, 2) * (tray.wide, tray.deep))
            place = (x, y)
            if dice and rng.random() < 0.15:
                place, turn = _beside(rng, dice[int(rng.integers(len(dice)))], size)
            is_inside = _fits_in(tray, place, 0.72 * size) and _is_in_view(camera, place, size)
            if is_inside and _is_free(place, turn, size, dice):
                dice.append(LaidDie(look, int(rng.integers(1, 7)), (*place, size / 2), turn))
                break
        else:
            raise ValueError("no room for a die")
    return dice


def _leaning(rng: np.random.Generator, die: LaidDie, against: LaidDie) -> LaidDie:
    """Return a die that leans with one of its lower edges against another's side, by 8 to 45 degrees."""
    size, lean = die.look.size_cm, math.radians(float(rng.uniform(8, 45)))
    way = against.turn_rad + math.pi / 2 * int(rng.integers(4))
    # From the edge on the other die: half along the lower face, which slopes down to the floor, and half up.
    high = size / 2 * (math.cos(lean) + math.sin(lean))  # and the same distance from that edge
    off = high + against.look.size_cm / 2
    middle = (against.middle[0] + off * math.cos(way), against.middle[1] + off * math.sin(way), high)
    return die._replace(middle=middle, turn_rad=against.turn_rad, lean_rad=lean, lean_way_rad=way)


def _stacked(rng: np.random.Generator, die: LaidDie, on: LaidDie) -> LaidDie:
    """Return a die on top of another."""
    x, y = (float(part) for part in rng.uniform(-0.3, 0.3, 2) * on.look.size_cm)
    middle = (on.middle[0] + x, on.middle[1] + y, on.look.size_cm + die.look.size_cm / 2)
    return die._replace(middle=middle)


def _thing(rng: np.random.Generator, tray: Tray) -> Thing:
    kind = str(rng.choice(["cup", "card", "pencil"]))
    x, y = (float(part) for part in rng.uniform(-0.3, 0.3, 2) * (tray.wide, tray.deep))
    high = {"cup": 6.0, "card": 2.2, "pencil": 2.4}[kind]
    return Thing(kind, (x, y, high), float(rng.uniform(0, math.tau)), Material(one_of(rng, _BODIES), 0.4))


def with_room(planner: Callable[[np.random.Generator], Plan], rng: np.random.Generator) -> Plan:
    """Return a plan, retried with the next random numbers until there is room for all dice."""
    while True:
        with contextlib.suppress(ValueError):
            return planner(rng)


def plan_to_learn(rng: np.random.Generator) -> Plan:
    """Return a plan of a training picture: many dice of many looks, many of them leaning, more foreign objects.

    Raises:
        ValueError: If there is no room for the dice.
    """
    why = str(rng.choice(["", "cocked", "thing"], p=[0.8, 0.08, 0.12]))
    made = plan(rng, why, count=int(rng.integers(4, 10)), mixed=0.8)
    if rng.random() > 0.45:
        return made
    return replace(made, dice=tuple(_tipped(rng, die, made.dice) for die in made.dice))


def _tipped(rng: np.random.Generator, die: LaidDie, dice: tuple[LaidDie, ...]) -> LaidDie:
    """Return half of the separate flat dice as dice that lean by 6 to 45 degrees, against nothing."""
    half = die.look.size_cm / 2
    others = (other for other in dice if other is not die)
    is_apart = all(math.dist(other.middle, die.middle) > 1.8 * (half + other.look.size_cm / 2) for other in others)
    if rng.random() < 0.5 or not is_apart or die.lean_rad or die.middle[2] > half:
        return die
    lean, way = math.radians(float(rng.uniform(6, 45))), float(rng.uniform(0, math.tau))
    # The height of a cube's middle above its lowest corner, from its axes' vertical components.
    off = way - die.turn_rad
    high = half * (math.cos(lean) + math.sin(lean) * (abs(math.cos(off)) + abs(math.sin(off))))
    return die._replace(middle=(*die.middle[:2], high), lean_rad=lean, lean_way_rad=way)


def _any_setting(rng: np.random.Generator) -> Setting:
    tray = _tray(rng)
    camera = _camera(rng, tray)
    return (tray, camera, *_lamps(rng, camera))


def plan(
    rng: np.random.Generator,
    why: str | None = None,
    *,
    count: int | None = None,
    mixed: float = 0.4,
    setting: Callable[[np.random.Generator], Setting] = _any_setting,
) -> Plan:
    """Return a plan of a picture.

    Args:
        rng: The random numbers.
        why: "count", "cocked" or "thing" for a picture that must be refused, "" for one that may be read; None for a
            random choice.
        count: The number of dice; None to choose it by `why`.
        mixed: The share of pictures with dice of different looks.
        setting: Chooses tray, camera and lamps; any by default.

    Raises:
        ValueError: If there is no room for the dice.
    """
    if why is None:
        why = str(rng.choice(["", "count", "cocked", "thing"], p=[0.75, 0.09, 0.1, 0.06]))
    tray, camera, lamps, around = setting(rng)
    size = float(rng.uniform(1.2, 1.9))
    first = die_look(rng, size)
    is_mixed = rng.random() < mixed
    if count is None:
        count = int(rng.choice([2, 3, 5, 6])) if why == "count" else 4
    looks = [first]
    while len(looks) < count:
        other = size if rng.random() < 0.5 else float(rng.uniform(1.2, 1.9))
        looks.append(die_look(rng, other) if is_mixed else first)
    dice = _lay(rng, tray, camera, looks)
    if why == "cocked":
        rest = dice[1:-1]
        moved = (_stacked if rng.random() < 0.25 else _leaning)(rng, dice[-1], dice[0])
        place = moved.middle[:2]
        apart = all(math.dist(place, die.middle[:2]) > 0.72 * (die.look.size_cm + size) for die in rest)
        if not apart or not _is_in_view(camera, place, size):
            raise ValueError("no room for a leaning die")
        dice = [*dice[:-1], moved]
    thing = _thing(rng, tray) if why == "thing" else None
    return Plan(tray, camera, lamps, around, tuple(dice), thing, why)


def is_plain(look: DieLook) -> bool:
    """Whether a die is of one opaque colour, or of wood."""
    return not look.body.clear and look.body.pattern in ("", "wood")


def label(name: str, made: Plan) -> dict[str, object]:
    """Return a picture's label; `up` is the direction of upright edges at its middle, x to the right and y down."""
    right, up, _ = axes(made.camera)
    values = [die.value for die in made.dice]
    return {
        "file": name,
        "expect": None if made.why else sorted(values),
        "why": made.why or None,
        "values": values,
        "lean_deg": [round(math.degrees(die.lean_rad), 1) for die in made.dice],
        "up": [round(float(right[2]), 4), round(-float(up[2]), 4)],
    }
