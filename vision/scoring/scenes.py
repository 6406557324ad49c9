"""Rendered scenes to be scored. A kind and a seed determine a scene, so nothing needs to be stored."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from vision.reader import Params
from vision.render import random_cases
from vision.render.draw import draw
from vision.render.labels import truth
from vision.render.random_scene import random_scene
from vision.render.scene import Scene
from vision.scoring.score import Labelled, LabelledDie, Scored, calibration_of, score_frame
from vision.tray.calibration import Calibration
from vision.tray.known import Tray
from vision.types import Frame

READABLE, CLEAN, LAMP, WORN = "readable", "clean", "lamp", "worn"
"""Kinds of four dice with values: anything a person can read; ordinary dice in plain view on a floor without print; one
with the reflection of a lamp; a 3 or 5 with a worn middle pip, which may be refused."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of scene.

    Attributes:
        options: The arguments of `random_scene`.
        case: A function that makes the scene instead of `random_scene`; None for `random_scene`.
        has_values: Whether the dice have values; otherwise the scene must be refused.
        expected: The number of dice that the reader expects; None for any number.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    case: Callable[[np.random.Generator], Scene] | None = None
    has_values: bool = False
    expected: int | None = 4


def _read(case: Callable[[np.random.Generator], Scene], expected: int | None = 4) -> Kind:
    return Kind(case=case, has_values=True, expected=expected)


def _refuse(case: Callable[[np.random.Generator], Scene], expected: int | None = 4) -> Kind:
    return Kind(case=case, expected=expected)


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        READABLE: Kind(has_values=True),
        CLEAN: Kind({"clean": True}, has_values=True),
        LAMP: Kind({"lamp": True}, has_values=True),
        WORN: Kind({"worn": True}, has_values=True),
        "count": Kind(),
        "cocked": Kind({"cocked": True}),
        "strayed": Kind({"strayed": True}),
        "cut": Kind({"cut": True}),
        "hand": Kind({"hand": True}),
        "thing": Kind({"thing": True}),
        "moving": Kind({"moving": True}),
        "emblem": Kind({"emblem": True}),
        "glare": Kind({"glare": True}),
        "blurred": Kind({"blurred": True}),
        "dark": Kind({"dark": True}),
        "one": _read(partial(random_cases.flat, count=1), 1),
        "two": _read(partial(random_cases.flat, count=2), 2),
        "leaning-one": _refuse(partial(random_cases.leaning, count=1), 1),
        "leaning-two": _refuse(partial(random_cases.leaning, count=2), 2),
        "leaning-four": _refuse(partial(random_cases.leaning, count=4)),
        "two-for-one": _refuse(random_cases.two_for_one, 1),
        "palm": _refuse(random_cases.palm),
        "held": _refuse(random_cases.held),
        "near": _read(partial(random_cases.near, least=1 / 6, most=1 / 3), None),
        "nearest": _read(partial(random_cases.near, least=1 / 3, most=1 / 2), None),
        "see-through": _read(random_cases.see_through),
        "window": _read(random_cases.window),
        "marbled": _read(random_cases.marbled),
        "small": _read(random_cases.small),
        "bare": _read(random_cases.bare, None),
        "row": _read(random_cases.row, 5),
    }
)

TO_BE_READ = tuple(name for name, kind in KINDS.items() if kind.has_values)
"""The kinds whose dice have values."""

COUNTS = (0, 1, 2, 3, 5, 6)
"""The numbers of dice in scenes of the kind `count`."""

FIRST_SEED = 2_000_000_000
"""The first seed of scenes to score. Training uses seeds below 1,000,000,000, so it never saw these scenes."""


LIGHT_CHANGE = 0.06
"""How much the brightness varies between learning the empty tray and the roll: the standard deviation of the logarithm
of the exposure."""

TRIES = 5
"""The number of attempts to find a scene of a kind. In 480 scenes the first attempt always succeeded."""


@dataclass(frozen=True, slots=True)
class SceneToScore:
    """One scene, not yet rendered: its kind, a key of `KINDS`, and its seed."""

    kind: str
    seed: int


def draw_scene(scene: SceneToScore) -> tuple[Frame, Labelled]:
    """Render a scene and return it with its label. The same kind and seed give the same picture.

    Returns:
        The picture and its label. The source is the kind, the boxes are those of the top faces, and the path is the
        name that the picture gets if it is kept.

    Raises:
        ValueError: If none of the seed's trays has room for the dice.
    """
    drawn, rng = _scene(scene)
    return _drawn(scene, drawn, rng)


def _scene(scene: SceneToScore) -> tuple[Scene, np.random.Generator]:
    """Return the scene, and the random generator with which it is rendered."""
    rng = np.random.default_rng(scene.seed)
    kind = KINDS[scene.kind]
    if kind.case is not None:
        return kind.case(rng), rng
    options = {"count": int(rng.choice(COUNTS))} if scene.kind == "count" else kind.options
    return _random_scene(rng, options), rng


def _drawn(scene: SceneToScore, drawn: Scene, rng: np.random.Generator) -> tuple[Frame, Labelled]:
    dice = tuple(LabelledDie(die.value, die.top) for die in truth(drawn))
    values = tuple(sorted(die.value for die in dice)) if KINDS[scene.kind].has_values else None
    label = Labelled(Path(f"{scene.kind}-{scene.seed}.png"), scene.kind, values, is_throw=True, dice=dice)
    return draw(drawn, rng), label


def learnt(scene: Scene, rng: np.random.Generator) -> Calibration | None:
    """Return what the box learns from the scene's empty tray in slightly different light; None if it finds no tray."""
    sensor = replace(scene.sensor, exposure=scene.sensor.exposure * math.exp(float(rng.normal(0, LIGHT_CHANGE))))
    things = tuple(thing for thing in scene.things if not thing.foreign)
    empty = replace(scene, dice=(), hand=None, things=things, sensor=sensor)
    return calibration_of(draw(empty, rng))


def _random_scene(rng: np.random.Generator, options: Mapping[str, Any]) -> Scene:
    """Return the generator's first scene with room for what is requested, such as a die beside the tray."""
    for _ in range(TRIES - 1):
        try:
            return random_scene(rng, **options)
        except ValueError:
            continue
    return random_scene(rng, **options)


def score_scene(
    scene: SceneToScore, dice: int | str = "auto", params: Params | None = None, *, calibrated: bool = False
) -> tuple[Frame, Scored]:
    """Render and read a scene; `dice` as for `expected_dice`, "auto" for the number of the scene's kind.

    If `calibrated`, the empty tray is learned first, as the box does at its first start.
    """
    drawn, rng = _scene(scene)
    frame, label = _drawn(scene, drawn, rng)
    calibration = learnt(drawn, rng) if calibrated else None
    tray = None if calibration is None else Tray.learnt(calibration)
    expected = KINDS[scene.kind].expected or "any" if dice == "auto" else dice
    return frame, score_frame(frame, label, expected, params, tray=tray)
