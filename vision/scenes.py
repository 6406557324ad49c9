"""Scenes of the project's own renderer, to be scored: drawn by kind and seed, so nothing needs to be stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from vision.params import Params
from vision.reading import Frame
from vision.render.draw import draw
from vision.render.labels import truth
from vision.render.random_scene import random_scene
from vision.render.scene import Scene
from vision.score import Labelled, LabelledDie, Scored, score_frame

READABLE = "readable"
"""The kind with four dice that can be read; all others must be refused."""

KINDS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        READABLE: {},
        "count": {},
        "cocked": {"cocked": True},
        "strayed": {"strayed": True},
        "cut": {"cut": True},
        "hand": {"hand": True},
        "thing": {"thing": True},
        "moving": {"moving": True},
        "emblem": {"emblem": True},
        "glare": {"glare": True},
        "blurred": {"blurred": True},
        "dark": {"dark": True},
    }
)
"""What `random_scene` is told for each kind of scene; the number of dice of `count` comes from the seed."""

COUNTS = (0, 1, 2, 3, 5, 6)
"""The numbers of dice in scenes of the kind `count`."""

FIRST_SEED = 2_000_000_000
"""Scenes are scored from this seed on. Training takes its seeds from below 1,000,000,000, so it never saw these."""


TRIES = 5
"""So many scenes are asked for where chance finds none of the kind; of 480 each was found at once."""


@dataclass(frozen=True, slots=True)
class SceneToScore:
    """One scene, not drawn yet: its kind, a key of `KINDS`, and its seed."""

    kind: str
    seed: int


def draw_scene(scene: SceneToScore) -> tuple[Frame, Labelled]:
    """Draw a scene and tell what is true of it; the same kind and seed give the same picture.

    Returns:
        The picture, and its label: the kind is the source, boxes are those of the top faces, and the path is the
        name that the picture gets if it is kept.

    Raises:
        ValueError: None of the seed's trays has room for the dice.
    """
    rng = np.random.default_rng(scene.seed)
    options = {"count": int(rng.choice(COUNTS))} if scene.kind == "count" else KINDS[scene.kind]
    drawn = _random_scene(rng, options)
    dice = tuple(LabelledDie(die.value, die.top) for die in truth(drawn))
    values = tuple(sorted(die.value for die in dice)) if scene.kind == READABLE else None
    label = Labelled(Path(f"{scene.kind}-{scene.seed}.png"), scene.kind, values, is_throw=True, dice=dice)
    return draw(drawn, rng), label


def _random_scene(rng: np.random.Generator, options: Mapping[str, Any]) -> Scene:
    """Give the generator's first scene that has a place for what is asked for, such as a die on the table beside."""
    for _ in range(TRIES - 1):
        try:
            return random_scene(rng, **options)
        except ValueError:
            continue
    return random_scene(rng, **options)


def score_scene(scene: SceneToScore, dice: int | str = "auto", params: Params | None = None) -> tuple[Frame, Scored]:
    """Draw and read a scene.

    Args:
        scene: Which one.
        dice: How many dice the reader is told to expect; see `vision.score.expected_dice`.
        params: The reader's tunables.
    """
    frame, label = draw_scene(scene)
    return frame, score_frame(frame, label, dice, params)
