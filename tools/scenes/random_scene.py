"""Random scenes: ordinary dice, tray, light and camera, from one random generator."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce

import numpy as np

from tools.scenes.bodies import RareBody
from tools.scenes.labels import DieTruth, Flaw, kept_by_blur, masks, truth, truth_by_die
from tools.scenes.lamps import Pane, in_room
from tools.scenes.misplaced import cock, cut_off, stray
from tools.scenes.random_look import faded, is_ordinary, random_body
from tools.scenes.random_setting import random_setting
from tools.scenes.random_things import clutter as with_clutter
from tools.scenes.random_things import hand_over, thing_over
from tools.scenes.textures import PRINTED
from tools.scenes.things import emptied
from vision.render.geometry import lying, quaternion, resting_height, view
from vision.render.placing import lay_dice
from vision.render.scene import PlacedDie, Scene, Vec3

_SEEN = 0.97  # least part of each top face that is in view in a readable scene
_CLEAR_LEVELS = 20.0  # least difference between pips and their die's body in a readable scene, in grey levels of 255
_CLEAR = 3.0  # least `Legibility.clearness` in a readable scene: contrast relative to noise and the body's own pattern
_SHARP = 0.6  # least part of the pips' contrast that blur leaves in a readable scene
_LIT_LEVEL = 110.0  # level of 255 that most dice of a readable scene reach, as with auto-exposure in sufficient light
_CLEAN_PIPS_LEVELS = 40.0  # least difference between pips and body in a clean scene, in grey levels of 255

_CLEAN_HALF_PX = 10.0
"""The least half side of a die in a clean scene, in pixels of a picture 640 wide. A 12 mm die in a tray of 25 cm that
fills nine tenths of the picture's height is 21 pixels wide."""

_TRIES = 60
"""The number of random looks and lights tried for a scene, and of hands. A readable scene took 1.2 on average and at
most 4 for 100 seeds."""

_FADED = 0.4  # share of dice with pips of nearly their body's colour in scenes that need not be legible

_FOREIGN_SHARE = 0.004
"""The least part of the picture within the tray's opening that a hand or an object over the tray covers."""


def _tumbling(rng: np.random.Generator, die: PlacedDie) -> PlacedDie:
    """Return the die in motion: tumbling above the floor or sliding flat along it, at 0.3 to 1.2 m/s."""
    way, speed = float(rng.uniform(0, math.tau)), float(rng.uniform(300, 1200))
    velocity = (speed * math.cos(way), speed * math.sin(way), 0.0)
    if rng.random() < 0.3:
        return replace(die, velocity=velocity)
    axis = rng.normal(size=3)
    turn = quaternion(axis, float(rng.uniform(0, math.tau)))
    x, y, _ = die.centre
    spin = axis / np.linalg.norm(axis) * speed / (die.body.size_mm / 2)
    lift = float(rng.uniform(0, 15)) if rng.random() < 0.7 else float(rng.uniform(15, 70))
    return replace(
        die,
        centre=(x, y, resting_height(turn, die.body.size_mm) + lift),
        turn=turn,
        velocity=velocity,
        spin=(float(spin[0]), float(spin[1]), float(spin[2])),
    )


def _moving(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with its last die in motion, exposed so long that it is blurred over a third of its size."""
    scene = replace(scene, dice=(*scene.dice[:-1], _tumbling(rng, scene.dice[-1])))
    way = max(math.hypot(*die.velocity) * scene.sensor.shutter_s / die.body.size_mm for die in scene.dice)
    stretch = max(1.0, 0.33 / max(way, 1e-6))
    return replace(scene, sensor=replace(scene.sensor, shutter_s=scene.sensor.shutter_s * stretch))


def _brighter(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a lamp reflected in the top face of one shiny die, or overexposed."""
    if rng.random() < 0.2:
        over = replace(scene.sensor, exposure=scene.sensor.exposure * float(rng.uniform(1.6, 4.5)))
        return replace(scene, sensor=over)
    number = int(rng.integers(len(scene.dice)))
    die = scene.dice[number]
    shiny = replace(die, body=replace(die.body, gloss=float(rng.uniform(0.6, 1.0)), metal=0.0))
    place, grown = _mirrored_from(rng, scene, shiny)
    half_x, half_y = (float(half) * grown for half in rng.uniform(0.2, 0.9, 2))
    pane = Pane(
        place,
        (half_x, half_y),
        float(rng.uniform(0, 90)),
        math.exp(float(rng.uniform(math.log(20), math.log(200)))),
        int(rng.choice([0, 0, 0, 1])),
    )
    return _mirroring(scene, number, shiny, pane)


def _mirroring(scene: Scene, number: int, shiny: PlacedDie, pane: Pane) -> Scene:
    """Return the scene with one of its dice shiny, and a lamp that it reflects."""
    light = in_room(scene.light)
    return replace(_with_die(scene, number, shiny), light=replace(light, panes=(*light.panes, pane)))


def _with_die(scene: Scene, number: int, die: PlacedDie) -> Scene:
    """Return the scene with die `number` replaced."""
    return replace(scene, dice=(*scene.dice[:number], die, *scene.dice[number + 1 :]))


def _mirrored_from(rng: np.random.Generator, scene: Scene, die: PlacedDie) -> tuple[Vec3, float]:
    """Return a place for a lamp that a flat top face reflects, and the lamp's size there that covers the die, in mm."""
    eye = view(scene.camera)
    size = die.body.size_mm
    off_x, off_y = rng.uniform(-0.45, 0.45, 2) * size
    spot = np.array(die.centre) + np.array((off_x, off_y, size / 2))
    way = (spot - eye.position) * (1.0, 1.0, -1.0)
    high = float(rng.uniform(350, 1200))
    middle = spot + way * (high / way[2])
    # The ratio of the size of a lamp at that height to that of its reflection on the die.
    return (float(middle[0]), float(middle[1]), high), size * (1 + high / float(eye.position[2]))


def _with_lamp(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a small lamp reflected in a shiny die's domed top face, as a spot that hides no pip.

    Raises:
        ValueError: If each lamp that was tried hides one.
    """
    for _ in range(12):
        number = int(rng.integers(len(scene.dice)))
        die = scene.dice[number]
        dome = math.exp(float(rng.uniform(math.log(0.02), math.log(0.2))))
        shiny = replace(die, body=replace(die.body, gloss=float(rng.uniform(0.5, 1.0)), dome=dome, metal=0.0))
        place, grown = _mirrored_from(rng, scene, shiny)
        half = float(rng.uniform(0.04, 0.4)) * grown
        bright = math.exp(float(rng.uniform(math.log(10), math.log(200))))
        lit = _mirroring(scene, number, shiny, Pane(place, (half, half), 0.0, bright, is_round=True))
        if all(label.flaw is None for label in truth_by_die(lit)):
            return lit
    raise ValueError("no lamp found that a die mirrors beside its pips")


def _with_glare(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a lamp reflected in a shiny die's top face, or so overexposed that pale dice burn out.

    Raises:
        ValueError: If no lamp that was tried hides a pip.
    """
    for _ in range(12):
        brighter = _brighter(rng, scene)
        if any(label.flaw is Flaw.GLARE for label in truth_by_die(brighter)):
            return brighter
    raise ValueError("no lamp found that burns a die out")


def _with_emblem(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a die that shows an emblem, usually in place of its 1 or its 6."""
    number = int(rng.integers(len(scene.dice)))
    die = scene.dice[number]
    face = int(rng.choice([1, 2, 3, 4, 5, 6], p=[0.4, 0.05, 0.05, 0.05, 0.05, 0.4]))
    assert isinstance(die.body, RareBody)
    body = replace(die.body, emblem=face, seed=int(rng.integers(1 << 31)), wear=0.0)
    marked = replace(die, body=body, turn=lying(face, float(rng.uniform(0, math.tau))))
    return _with_die(scene, number, marked)


def _with_worn_middle(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with a 3 or a 5 whose middle pip has lost much of its paint, so that it resembles a 2 or a 4.

    Raises:
        ValueError: If so little is left that a person cannot read the die.
    """
    number = int(rng.integers(len(scene.dice)))
    die = scene.dice[number]
    assert isinstance(die.body, RareBody)
    body = replace(die.body, middle_wear=float(rng.uniform(0.5, 0.9)))
    worn = replace(die, body=body, turn=lying(int(rng.choice((3, 5))), float(rng.uniform(0, math.tau))))
    shown = _with_die(scene, number, worn)
    if not is_legible(shown, truth_by_die(shown)):
        raise ValueError("the middle pip has so little paint left that nobody can see it")
    return shown


def _blurred(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene so much out of focus that pips merge."""
    half_px = float(np.median([label.half_px for label in truth(scene)]))
    blur = float(rng.uniform(0.22, 0.5)) * half_px
    return replace(scene, sensor=replace(scene.sensor, blur_px=blur))


def is_legible(scene: Scene, labels: Iterable[DieTruth]) -> bool:
    """Whether a person can read every die: completely in view, lit, sharp, and clear in spite of noise and glare."""
    return _are_all(scene, labels, lambda label: True)


def is_clean(scene: Scene, labels: Iterable[DieTruth]) -> bool:
    """Whether the dice in a scene are easy to read: large, with clear pips, and nothing printed on the floor."""
    least_half_px = _CLEAN_HALF_PX * scene.camera.size[0] / 640
    return scene.tray.floor.texture is not PRINTED and _are_all(
        scene, labels, lambda label: label.half_px >= least_half_px and label.pips.contrast >= _CLEAN_PIPS_LEVELS
    )


def _are_all(scene: Scene, labels: Iterable[DieTruth], wanted: Callable[[DieTruth], bool]) -> bool:
    """Whether all dice are as `wanted` and legible; evaluates no more labels than it needs."""
    levels = []
    for die, label in zip(scene.dice, labels, strict=True):
        is_clear = (
            label.flaw is None
            and label.seen >= _SEEN
            and label.pips.contrast >= _CLEAR_LEVELS
            and label.pips.clearness >= _CLEAR
            and kept_by_blur(scene, die, label.half_px) >= _SHARP
        )
        if not (is_clear and wanted(label)):
            return False
        levels.append(label.pips.level)
    return not levels or sorted(levels)[len(levels) // 2] >= _LIT_LEVEL


def random_scene(
    rng: np.random.Generator,
    values: Sequence[int] | None = None,
    *,
    count: int = 4,
    size: tuple[int, int] = (640, 480),
    touching: float = 0.2,
    inside: Scene | None = None,
    hand: bool = False,
    thing: bool = False,
    clutter: bool | None = None,
    cocked: bool = False,
    strayed: bool = False,
    cut: bool = False,
    moving: bool = False,
    emblem: bool = False,
    glare: bool = False,
    lamp: bool = False,
    worn: bool = False,
    blurred: bool = False,
    dark: bool = False,
    legible: bool = True,
    clean: bool = False,
    bare: bool | None = None,
) -> Scene:
    """Return a random scene; the same generator state returns the same scene.

    Unless a flag spoils it, the scene can be read: each die lies flat, its top face is in view, and its pips are clear.

    Args:
        rng: The generator for everything that is not specified.
        values: The values of the dice; random if None.
        count: The number of dice if `values` is None, 0 to about 8.
        size: The width and height of the picture in pixels.
        touching: The probability that a die touches another one or the wall.
        inside: A scene whose camera, tray, light and size are used again with other dice. Rendering then takes a
            quarter of the time, because the empty tray is kept.
        hand: Whether a hand or an arm is over the tray.
        thing: Whether a foreign object lies in the tray or is held over it.
        clutter: Whether objects lie on the table beside the tray; None for one scene in four.
        cocked: Whether one die leans on the wall or another die, or lies on top of one.
        strayed: Whether one die lies on the table beside the tray or on its rim.
        cut: Whether one die is cut off by the picture.
        moving: Whether one die is still rolling, with motion blur.
        emblem: Whether one die shows an emblem instead of pips.
        glare: Whether the reflection of a lamp burns out one die.
        lamp: Whether a small lamp is reflected in one die, beside its pips; the die remains readable.
        worn: Whether one die is a 3 or a 5 with little paint in its middle pip.
        blurred: Whether the picture is too blurred to read.
        dark: Whether the picture is too dark to read.
        legible: Whether a person must be able to read everything that no flag spoils. Otherwise the light is arbitrary
            and many dice have pips of nearly their body's colour.
        clean: Whether everything is as at most tables: ordinary dice (`is_ordinary`) of the usual size in the picture
            with clear pips, and nothing printed on the floor.
        bare: Whether the dice lie on a table without a tray; None for one scene in eight.

    Raises:
        ValueError: If there is no room for the dice, or a flag needs more dice than there are.
    """
    shown = [int(value) for value in rng.integers(1, 7, count)] if values is None else list(values)
    of_dice = {
        cock: cocked, stray: strayed, cut_off: cut, _moving: moving, _with_emblem: emblem, _with_glare: glare,
        _with_lamp: lamp, _with_worn_middle: worn,
    }  # fmt: skip
    spoils = [spoil for spoil, is_wanted in of_dice.items() if is_wanted]
    if spoils and not shown:
        raise ValueError("a scene without dice has none that could be cocked, moving, in glare or the like")
    is_mixed = bool(rng.random() < 1 / 3)
    trouble = ""
    for _ in range(_TRIES):
        setting = emptied(inside) if inside else random_setting(rng, size, dark=dark, bare=bare)
        if strayed and setting.tray.wall_mm <= 0:
            trouble = "a bare table has no place outside of the tray"
            continue
        bodies = _bodies(rng, len(shown), is_mixed=is_mixed, is_clean=clean)
        if not legible:
            bodies = [faded(rng, body) if rng.random() < _FADED else body for body in bodies]
        try:
            scene = lay_dice(rng, setting, bodies, shown, touching=touching)
            can_be_read = is_clean if clean else is_legible
            if legible and not dark and not can_be_read(scene, truth_by_die(scene)):
                trouble = "no light found in which the dice can be read"
                continue
            scene = reduce(lambda made, spoil: spoil(rng, made), spoils, scene)
        except ValueError as error:
            trouble = str(error)
            continue
        scene = _blurred(rng, scene) if blurred else scene
        if inside is None and scene.tray.wall_mm > 0 and (rng.random() < 0.25 if clutter is None else clutter):
            scene = with_clutter(rng, scene)
        if not (hand or thing):
            return scene
        for _ in range(_TRIES):
            covered = hand_over(rng, scene) if hand else scene
            covered = thing_over(rng, covered) if thing else covered
            tray, foreign = masks(covered)
            if float((tray * foreign).mean()) > _FOREIGN_SHARE:
                return covered
    raise ValueError(f"no such scene after {_TRIES} tries: {trouble}")


def _bodies(rng: np.random.Generator, count: int, *, is_mixed: bool, is_clean: bool) -> list[RareBody]:
    """Return dice of one make, or mixed ones, half of them of the first one's size; ordinary ones for a clean scene."""

    def body(size_mm: float | None) -> RareBody:
        made = random_body(rng, size_mm)
        while is_clean and not is_ordinary(made):
            made = random_body(rng, size_mm)
        return made

    first = body(None)
    return [body(None if rng.random() < 0.5 else first.size_mm) if is_mixed else first for _ in range(count)]
