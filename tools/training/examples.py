"""Examples from rendered scenes: whole pictures for the finder, crops for the values.

`python -m tools.training.examples OUT [--scenes N] [--seed S] [--jobs J]` writes shards of `SHARD` scenes
each; existing shards are kept, so an interrupted run can be continued. With `--surfaces FOLDER` the floors and tables
are photographs without dice, such as those of Debian's wallpaper packages. With `--traced`, Blender's path tracer draws
the pictures (`make lessons`; fifteen seconds each), with `--traced small` in the finder's size and without crops (two).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tools.jobs import add_jobs, work_through
from tools.scenes import random_cases
from tools.scenes.beside import beside, over
from tools.scenes.labels import DieTruth, Flaw, masks, standing, truth
from tools.scenes.misplaced import cock
from tools.scenes.random_scene import random_scene
from tools.scenes.textures import on_photographs
from tools.scenes.things import things_of
from vision.params import FinderParams
from vision.render.draw import draw
from vision.render.geometry import corners, view
from vision.render.scene import Scene, Tray
from vision.stages import crops
from vision.stages.finding import Face, find
from vision.stages.values import CLASSES
from vision.types import Frame, Pose

SHARD = 100
"""The number of scenes per file."""

LAYOUTS = 2
"""The layouts of dice rendered in one tray and light; an empty tray takes a quarter of the rendering time."""

PICTURE = (320, 240)
"""The width and height of the finder's examples."""

MAP = (80, 60)
"""The width and height of the finder's maps."""

CROP, CROP_HALF = 112, 18.0
"""The side of a stored crop, and half the side of the top face in it, in pixels, with a margin for augmentation."""

SEEN_LEAST = 0.15
"""The least visible part of a top face of a die that counts; others may be found or not."""

FOUND = FinderParams(least=0.1)
"""The finder's threshold for decoys: places without a die that it takes for one, however doubtfully."""

RARE: dict[str, Callable[[np.random.Generator, int], Scene]] = {
    "leaning": random_cases.leaning,
    "flat": random_cases.flat,
    "palm": lambda rng, _: random_cases.palm(rng),
    "bare": lambda rng, _: random_cases.bare(rng),
    "pinched": lambda rng, _: random_cases.pinched(rng),
    "rim": lambda rng, _: random_cases.rim(rng),
    "held": lambda rng, _: random_cases.held(rng),
    "all-worn": random_cases.all_worn,
}
"""The kinds of scenes that `random_scene` does not make, by their names in `KINDS` and the others."""

Kinds = tuple[tuple[float, dict[str, object]], ...]

KINDS: Kinds = (
    (0.34, {}),
    (0.06, {"lamp": True}),
    (0.03, {"count": 5, "touching": 0.6}),
    (0.03, {"count": 7, "touching": 0.5}),
    (0.02, {"count": 1}),
    (0.03, {"count": 0, "thing": True}),
    (0.03, {"clutter": True}),
    (0.14, {"count": 5, "cocked": True}),
    (0.07, {"strayed": True}),
    (0.06, {"cut": True}),
    (0.11, {"hand": True}),
    (0.08, {"thing": True}),
    (0.04, {"moving": True}),
    (0.07, {"emblem": True}),
    (0.04, {"glare": True}),
    (0.01, {"blurred": True}),
    (0.08, {"legible": False}),
    (0.06, {"leaning": 1}),
    (0.06, {"leaning": 2}),
    (0.12, {"leaning": 4}),
    (0.04, {"flat": 1}),
    (0.03, {"flat": 2}),
    (0.03, {"palm": 4}),
    (0.02, {"bare": 4}),
)
"""The shares of the kinds of scenes, as arguments of `random_scene`, or a name in `RARE` and the number of dice."""

WORN: Kinds = ((1.0, {"all-worn": 4}),)
"""The same for the network for the middle of a face."""

ON_SURFACES: Kinds = (
    (0.2, {}),
    (0.14, {"beside": 4}),
    (0.22, {"hand": True}),
    (0.06, {"palm": 4}),
    (0.07, {"pinched": 4}),
    (0.05, {"over": 4}),
    (0.05, {"cut": True}),
    (0.07, {"moving": True}),
    (0.03, {"strayed": True}),
    (0.03, {"cocked": True}),
    (0.03, {"rim": 4}),
    (0.02, {"leaning": 4}),
    (0.02, {"glare": True}),
    (0.01, {"held": 4}),
)
"""The same for scenes on photographs: many hands, or a network that learns that cloth is no hand overlooks them."""

LITTERED = ("hand", "pinched", "moving")
"""Kinds of which some have things beside the dice as well."""

BARE = 0.4
"""The share of scenes without a tray among those of these kinds, and of others that need none."""

SHOWN, COUNTS = 0.8, (0, 1, 2, 3, 4, 4, 4, 4, 4, 5, 6)
"""The share of scenes with photographs, and their numbers of dice."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The examples of several scenes.

    Attributes:
        pictures: (n, 240, 320, 3) uint8, BGR.
        areas: (n, 60, 80, 4) uint8: inside of the tray, something foreign, and whether each of both is known; 0 to 255.
        dice: (m, 7) float32: index of the picture, x, y and half side in its pixels, visible part, whether in the tray,
            whether flat and still.
        crops: (k, 112, 112, 3) uint8, BGR.
        classes: (k,) uint8, index into `vision.stages.values.CLASSES`.
        stands: (n, 3) float32: each picture's camera pose, `up` and `per_px` of `pose.Pose` in the small picture's
            pixels; NaN if unknown.
        views: (k, 4) float32: the same for each crop, in its axes: `up`, and the distance of its middle off the axis.
        rises: (k, 2) float32: the direction of the die's own upright edges in the crop, see `pose.rise`; NaN if there
            is no die, if it moves, or if unknown.
    """

    pictures: NDArray[np.uint8]
    areas: NDArray[np.uint8]
    dice: NDArray[np.float32]
    crops: NDArray[np.uint8]
    classes: NDArray[np.uint8]
    stands: NDArray[np.float32]
    views: NDArray[np.float32]
    rises: NDArray[np.float32]


class Crop(NamedTuple):
    """A stored top face with its surroundings: `crops`, `views` and `rises` of `Shard`, one of each."""

    seen: Frame
    view: NDArray[np.float64]
    rise: NDArray[np.float64]


def packed(
    pictures: Sequence[Frame],
    areas: Sequence[NDArray[np.uint8]],
    dice: ArrayLike,
    stands: ArrayLike,
    crops: Sequence[Crop],
    classes: Sequence[int],
) -> Shard:
    """Return the shard of these examples, each in the format of `Shard`."""
    return Shard(
        np.array(pictures, np.uint8),
        np.array(areas, np.uint8),
        np.array(dice, np.float32).reshape(-1, 7),
        np.array([one.seen for one in crops], np.uint8),
        np.array(classes, np.uint8),
        np.array(stands, np.float32),
        np.array([one.view for one in crops], np.float32),
        np.array([one.rise for one in crops], np.float32),
    )


Place = tuple[tuple[float, float], float]
"""A place in a picture, (x, y), and half the side of a face there, in pixels."""

UNKNOWN = (float("nan"), float("nan"))
"""The direction of uprights if it is unknown."""


def crop(
    frame: Frame,
    centre: tuple[float, float],
    half_px: float,
    turn_rad: float,
    upright: Pose,
    rise: tuple[float, float] = UNKNOWN,
) -> Crop:
    """Return a top face with its surroundings at the scale of the stored crops, not straightened."""
    face = Face(centre, half_px, 1.0)
    turn = crops.turned(np.eye(2), float(np.degrees(turn_rad)), is_mirrored=False)
    seen = crops.crop(frame, face, turn, side_px=CROP, half_px=CROP_HALF)
    return Crop(seen, np.concatenate([turn @ upright.up, turn @ upright.off_axis(centre)]), turn @ rise)


def _class_of(die: DieTruth) -> int:
    return CLASSES.index(str(die.value) if die.flaw is None else die.flaw.value)


def _cocked_more(rng: np.random.Generator, scene: Scene) -> Scene:
    """Return the scene with most of its dice cocked, since other scenes have too few of them."""
    for _ in range(3):
        turned = replace(scene, dice=(*scene.dice[-1:], *scene.dice[:-1]))
        try:
            scene = cock(rng, turned)
        except ValueError:  # no room for another one
            break
    return scene


def _decoys(rng: np.random.Generator, scene: Scene, frame: Frame, labels: tuple[DieTruth, ...]) -> list[Place]:
    """Return places without a top face: side faces, edges of dice, anything else, and the finder's false candidates.

    All are in the picture, like the finder's candidates. The finder uses the weights in the package, if there are any:
    those of the previous training.
    """
    eye = view(scene.camera)
    width, height = scene.camera.size
    usual = float(np.median([die.half_px for die in labels])) if labels else float(rng.uniform(9, 40))
    places: list[Place] = []
    for die, label in zip(scene.dice, labels, strict=True):
        points = corners(die)
        for side in range(3):
            for sign in (-1, 1):
                face = points[[index for index in range(8) if bool(index >> (2 - side) & 1) == (sign > 0)]]
                normal = face.mean(axis=0) - np.array(die.centre)
                if normal @ (eye.position - face.mean(axis=0)) <= 0 or rng.random() > 0.25:
                    continue
                x, y = (float(part) for part in eye.project(face.mean(axis=0)))
                if np.hypot(x - label.top_centre[0], y - label.top_centre[1]) > 0.7 * label.half_px:
                    places.append(((x, y), label.half_px * float(rng.uniform(0.5, 1.0))))
        if rng.random() < 0.2:
            angle, far = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.75, 1.6)) * label.half_px
            x, y = label.top_centre[0] + far * np.cos(angle), label.top_centre[1] + far * np.sin(angle)
            places.append(((x, y), label.half_px * float(rng.uniform(0.7, 1.4))))
    if (files("vision") / "weights" / "finder.bin").is_file():
        places += [(face.centre, face.half) for face in find(frame, FOUND).faces]
    places.append(((float(rng.uniform(0, width)), float(rng.uniform(0, height))), usual * float(rng.uniform(0.6, 1.5))))
    return [
        (place, half)
        for place, half in places
        if 0 <= place[0] < width
        and 0 <= place[1] < height
        and all(math.dist(place, label.top_centre) > 0.7 * label.half_px for label in labels)
    ]


def _scene(rng: np.random.Generator, options: dict[str, object], inside: Scene | None) -> Scene:
    """Return a scene of one of `KINDS`; if `inside` is given, in the tray and light of that one if possible."""
    ((name, count),) = options.items() if len(options) == 1 else ((None, None),)
    if name in RARE:
        return RARE[name](rng, count)  # type: ignore[arg-type]
    scene = random_scene(rng, inside=inside, **options)  # type: ignore[arg-type]
    return _cocked_more(rng, scene) if options.get("cocked") else scene


def _options(rng: np.random.Generator, kinds: Kinds) -> dict[str, object]:
    chances = np.array([share for share, _ in kinds])
    return kinds[int(rng.choice(len(kinds), p=chances / chances.sum()))][1]


def _scene_on(
    rng: np.random.Generator, options: dict[str, object], inside: Scene | None, surfaces: Sequence[Path]
) -> Scene:
    """Return a scene of one of `ON_SURFACES`, most of them on photographs; if `inside` is given, in that tray."""
    (name,) = options or ("plain",)
    spoilt = {} if name in ("plain", "beside", "over") else options
    count = max(2 if spoilt else 1 if name == "over" else 0, int(rng.choice(COUNTS)))
    make = RARE.get(name, lambda rng, count: random_scene(rng, count=count, inside=inside, **spoilt))  # type: ignore[arg-type]
    scene = make(rng, count)
    if name == "over":
        scene = over(rng, scene, surfaces)
    elif name == "beside" or (name in LITTERED and rng.random() < 0.3):
        scene = beside(rng, scene, surfaces)
    if (inside and scene.tray == inside.tray) or rng.random() > SHOWN:
        return scene
    tray = scene.tray
    if name in (*LITTERED, "plain", "beside", "palm", "over") and rng.random() < BARE:
        size = 2.5 * max(tray.width_mm, tray.depth_mm)
        tray = Tray(size, size, 0.0, 0.0, tray.floor, tray.wall, tray.table)
    return on_photographs(rng, replace(scene, tray=tray), surfaces)


def _by_blender(rng: np.random.Generator, scene: Scene, size: tuple[int, int], samples: int) -> Frame:
    """Return the picture of a scene by Blender's path tracer, in this size; runs only in Blender's Python."""
    from tools.training.path_traced.draw import light_of  # noqa: PLC0415

    return scene.sensor.frame(light_of(replace(scene, camera=replace(scene.camera, size=size)), samples), rng)


DRAWN: dict[str, Callable[[np.random.Generator, Scene], Frame]] = {
    "our own": lambda rng, scene: draw(scene, int(rng.integers(1 << 31))),
    "traced": lambda rng, scene: _by_blender(rng, scene, scene.camera.size, 10),
    "small": lambda rng, scene: _by_blender(rng, scene, PICTURE, 4),
}
"""The ways to draw a scene; Blender's numbers are the paths of light per pixel."""

NOT_TRACED = {"moving", "glare"}
"""Kinds that Blender does not draw: it renders no motion, and shows glare in its own places."""


class _Collected:
    """The examples of some scenes."""

    def __init__(self) -> None:
        self.pictures: list[Frame] = []
        self._areas: list[NDArray[np.uint8]] = []
        self._dice: list[tuple[float, ...]] = []
        self._stands: list[tuple[float, ...]] = []
        self._crops: list[Crop] = []
        self._classes: list[int] = []

    def add(self, rng: np.random.Generator, scene: Scene, frame: Frame) -> None:
        """Add the examples of a scene that is drawn in a frame; a frame in the finder's size gives no crops."""
        labels = truth(scene)
        index, scale = len(self.pictures), PICTURE[0] / scene.camera.size[0]
        self.pictures.append(np.asarray(cv2.resize(frame, PICTURE, interpolation=cv2.INTER_AREA), np.uint8))
        maps = [cv2.resize(part, MAP, interpolation=cv2.INTER_AREA) for part in masks(scene)]
        known = np.ones_like(maps[0])
        self._areas.append(np.rint(np.stack([*maps, known, known], axis=-1) * 255).astype(np.uint8))
        upright = standing(scene.camera)
        self._stands.append((*upright.up, upright.per_px / scale))
        has_crops = frame.shape[1] == scene.camera.size[0]
        # On a palm, a die that looks flat counts as leaning: such dice teach only the finder.
        is_held = any(thing.holds_dice for thing in things_of(scene))
        places: list[tuple[tuple[float, float], float, int, tuple[float, float]]] = []
        for die in labels:
            x, y = ((part + 0.5) * scale - 0.5 for part in die.top_centre)
            is_flat = die.flaw not in (Flaw.COCKED, Flaw.SMEARED)
            self._dice.append((index, x, y, die.half_px * scale, die.seen, die.in_tray, is_flat))
            if has_crops and die.seen >= SEEN_LEAST and not is_held:
                # The finder reports a die whose middle is beyond the picture's edge at that edge.
                x, y = (
                    min(max(part, 0.0), side - 1.0)
                    for part, side in zip(die.top_centre, scene.camera.size, strict=True)
                )
                rise = UNKNOWN if die.flaw is Flaw.SMEARED else die.rise
                places.append(((x, y), die.half_px, _class_of(die), rise))
        if has_crops:
            places += [(*decoy, CLASSES.index("nothing"), UNKNOWN) for decoy in _decoys(rng, scene, frame, labels)]
        for place, half, name, rise in places:
            self._crops.append(crop(frame, place, half, float(rng.uniform(0, 2 * np.pi)), upright, rise))
            self._classes.append(name)

    def shard(self) -> Shard:
        """Return the examples."""
        return packed(self.pictures, self._areas, self._dice, self._stands, self._crops, self._classes)


def shard(seed: int, surfaces: Sequence[Path] = (), drawn: str = "our own", usual: Kinds = KINDS) -> Shard:
    """Return the examples of `SHARD` scenes; the same seed gives the same.

    Args:
        seed: The seed.
        surfaces: Photographs that replace the floors and tables of scenes of other kinds, `ON_SURFACES`.
        drawn: One of `DRAWN`.
        usual: The kinds of the other scenes.
    """
    rng = np.random.default_rng(seed)
    collected = _Collected()
    inside: Scene | None = None
    kinds = ON_SURFACES if surfaces else usual
    if drawn != "our own":
        kinds = tuple((share, options) for share, options in kinds if not options.keys() & NOT_TRACED)
    while len(collected.pictures) < SHARD:
        within = inside if len(collected.pictures) % LAYOUTS else None
        options = _options(rng, kinds)
        try:
            scene = _scene_on(rng, options, within, surfaces) if surfaces else _scene(rng, options, within)
        except ValueError:
            inside = None
            continue
        inside = scene
        collected.add(rng, scene, DRAWN[drawn](rng, scene))
    return collected.shard()


def _write(task: tuple[Path, int], surfaces: Sequence[Path], drawn: str, usual: Kinds) -> None:
    path, seed = task
    save(shard(seed, surfaces, drawn, usual), path)


def save(made: Shard, path: Path) -> None:
    """Write a shard; the file is always complete."""
    unfinished = path.with_suffix(".part.npz")
    np.savez(unfinished, **{name: getattr(made, name) for name in Shard.__dataclass_fields__})
    unfinished.rename(path)


def main() -> None:
    """Write the missing shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first shard; the next one's is one more")
    parser.add_argument(
        "--traced", nargs="?", choices=("traced", "small"), const="traced", default="our own", help="draw with Blender"
    )
    parser.add_argument("--surfaces", type=Path, metavar="FOLDER", help="photographs to show as floors and tables")
    parser.add_argument("--worn", action="store_true", help="dice with worn middle pips instead of the usual scenes")
    add_jobs(parser)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    surfaces = tuple(sorted(args.surfaces.iterdir())) if args.surfaces else ()
    seeds = range(args.seed, args.seed + -(-args.scenes // SHARD))
    tasks = [(args.out / f"{seed:06d}.npz", seed) for seed in seeds]
    tasks = [task for task in tasks if not task[0].exists()]
    write = partial(_write, surfaces=surfaces, drawn=args.traced, usual=WORN if args.worn else KINDS)
    _, status = work_through("shards", write, tasks, args.jobs)
    sys.exit(status)  # completed shards are kept; the next steps need all of them and do not start


if __name__ == "__main__":
    main()
