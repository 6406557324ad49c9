"""Rendered scenes to be scored. A kind and a seed determine a scene, so nothing needs to be stored."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

import numpy as np

from tools.scenes import random_cases
from tools.scenes.faces import top_face
from tools.scenes.labelled import Labelled
from tools.scenes.random_scene import random_scene
from tools.scenes.scoring import Scored, learnt_from, score_frame
from tools.scenes.things import emptied
from vision.reader import read
from vision.render.draw import draw
from vision.render.scene import Scene
from vision.tray.known import Tray, with_pose
from vision.types import Frame

READABLE = "readable"  # kind of four dice that a person can read
COUNTS = (0, 1, 2, 3, 5, 6)  # numbers of dice in scenes of the kind `count`

_random = random_cases.tried(random_scene)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of scene.

    Attributes:
        make: A function that returns a random scene.
        has_values: Whether the dice have values; otherwise the scene must be refused.
        expected: The number of dice that the reader expects; None for any number.
    """

    make: Callable[[np.random.Generator], Scene]
    has_values: bool = False
    expected: int | None = 4


def _of_any_count(rng: np.random.Generator) -> Scene:
    return _random(rng, count=int(rng.choice(COUNTS)))


def _read(make: Callable[[np.random.Generator], Scene], expected: int | None = 4) -> Kind:
    return Kind(make, has_values=True, expected=expected)


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        # By the options of `random_scene`. Worn dice, and a thing that touches dice, may also be refused.
        READABLE: _read(_random),
        **{name: _read(partial(_random, **{name: True})) for name in ("clean", "lamp", "worn", "thing")},
        "count": Kind(_of_any_count),
        **{
            name: Kind(partial(_random, **{name: True}))
            for name in ("cocked", "strayed", "cut", "hand", "moving", "emblem", "glare", "blurred", "dark")
        },
        "leaning-one": Kind(partial(random_cases.leaning, count=1), expected=1),
        "leaning-two": Kind(partial(random_cases.leaning, count=2), expected=2),
        "leaning-four": Kind(partial(random_cases.leaning, count=4)),
        "palm": Kind(random_cases.palm),
        "held": Kind(random_cases.held),
        "pinched": Kind(random_cases.pinched, expected=None),
        "rim": Kind(random_cases.rim),
        "near": _read(partial(random_cases.near, least=1 / 6, most=1 / 3), None),
        "nearest": _read(partial(random_cases.near, least=1 / 3, most=1 / 2), None),
        "see-through": _read(random_cases.see_through),
        "bare": _read(random_cases.bare, None),
    }
)

TO_BE_READ = tuple(name for name, kind in KINDS.items() if kind.has_values)  # kinds whose dice have values

FIRST_SEED = 2_000_000_000
"""The first seed of scenes to score. Training uses seeds below 1,000,000,000, so it never saw these scenes."""


LIGHT_CHANGE = 0.06
"""How much the brightness varies between learning the empty tray and the roll: the standard deviation of the logarithm
of the exposure."""


@dataclass(frozen=True, slots=True)
class SceneToScore:
    """One scene, not yet rendered: its kind, a key of `KINDS`, and its seed."""

    kind: str
    seed: int


def draw_scene(scene: SceneToScore) -> tuple[Frame, Labelled]:
    """Render a scene and return it with its label. The same kind and seed give the same picture.

    Returns:
        The picture and its label. The source is the kind, and the path is the name that the picture gets if it is
        kept.

    Raises:
        ValueError: If none of the seed's trays has room for the dice.
    """
    rng = np.random.default_rng(scene.seed)
    return _drawn(scene, KINDS[scene.kind].make(rng), rng)


def label_of(kind: str, scene: Scene, name: str = "") -> Labelled:
    """Return the label of a scene of a kind."""
    values = tuple(sorted(top_face(die)[0] for die in scene.dice)) if KINDS[kind].has_values else None
    return Labelled(Path(name), kind, values, KINDS[kind].expected)


def _drawn(scene: SceneToScore, drawn: Scene, rng: np.random.Generator) -> tuple[Frame, Labelled]:
    label = label_of(scene.kind, drawn, f"{scene.kind}-{scene.seed}.png")
    return draw(drawn, rng), label


def learnt(scene: Scene, rng: np.random.Generator) -> Tray | None:
    """Return what the box learns from the scene's empty tray in slightly different light; None if it finds no tray."""
    sensor = replace(scene.sensor, exposure=scene.sensor.exposure * math.exp(float(rng.normal(0, LIGHT_CHANGE))))
    return learnt_from(draw(replace(emptied(scene), sensor=sensor), rng))


def _with_pose_of_a_roll(scene: Scene, tray: Tray | None, rng: np.random.Generator) -> Tray | None:
    """Return what the box knows after a roll of four dice in this tray: also the camera's pose, if they are read."""
    try:
        frame = draw(random_scene(rng, inside=scene), rng)
    except ValueError:  # no room for four dice
        return tray
    reading = read(frame, tray)
    pose = reading.certain_pose
    return tray if pose is None else with_pose(tray, pose, (frame.shape[1], frame.shape[0]))


def score_scene(scene: SceneToScore, *, calibrated: bool = False) -> tuple[Frame, Scored]:
    """Render and read a scene.

    If `calibrated`, the empty tray is learned first, as the box does at its first start, and a roll of four dice shows
    the camera's pose.
    """
    rng = np.random.default_rng(scene.seed)
    drawn = KINDS[scene.kind].make(rng)
    frame, label = _drawn(scene, drawn, rng)
    tray = _with_pose_of_a_roll(drawn, learnt(drawn, rng), rng) if calibrated else None
    return frame, score_frame(frame, label, tray)
