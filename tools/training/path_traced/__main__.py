"""Render labelled pictures with Blender: `python -m tools.training.path_traced OUT [--scenes N] [--seed S]`.

Or in the geometry of the case: `python -m tools.training.path_traced OUT --camera 3 [--tray 200]`. This also renders
the empty tray of each scene, SEED-empty.png, for `python -m tools.score --calibrated OUT`.

Writes SEED.png and `labels.jsonl` for `python -m tools.score OUT`; pictures that are already labelled are kept, so that
an interrupted run can be continued. A picture takes about fifteen seconds. `make traced` sets up Blender and runs this.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from case.layout import Layout
from case.parameters import CAMERAS, Choice
from device.camera.misread import LABELS
from tools.scenes.kinds import KINDS, READABLE, label_of
from tools.scenes.labelled import Labelled, label_line
from tools.scenes.random_look import is_ordinary
from tools.training.path_traced.case_setting import in_the_case
from tools.training.path_traced.draw import light_of
from vision.pictures import save_png
from vision.render.scene import Scene

SAMPLES, CASE_SAMPLES = 10, 4
"""The number of paths per pixel: usually, and in the case's tray, whose few lamps cause little noise."""

SHARES = {READABLE: 0.75, "count": 0.09, "cocked": 0.1, "thing": 0.06}
"""The shares of the kinds of scenes to be scored."""

Planned = tuple[Scene, Labelled]


def _to_score(path: Path, rng: np.random.Generator) -> Planned:
    kind = str(rng.choice(list(SHARES), p=list(SHARES.values())))
    scene = KINDS[kind].make(rng)
    return scene, replace(label_of(kind, scene), path=path)


def _in_the_case(layout: Layout, path: Path, rng: np.random.Generator) -> Planned:
    scene = in_the_case(rng, layout)
    dice = "ordinary" if all(is_ordinary(die.body) and not die.body.translucency for die in scene.dice) else "other"
    source, empty = f"{layout.choice.camera}, {dice} dice", path.with_stem(f"{path.stem}-empty")
    return scene, replace(label_of(READABLE, scene), path=path, source=source, empty=empty)


def main() -> None:
    """Render the missing pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first picture; the next one's is one more")
    parser.add_argument("--camera", choices=CAMERAS, help="four flat dice in the case's own tray, seen by this camera")
    parser.add_argument("--tray", type=float, default=Choice().tray, help="inner width of the case's tray in mm")
    args = parser.parse_args()
    plan: Callable[[Path, np.random.Generator], Planned] = _to_score
    if args.camera:
        plan = partial(_in_the_case, Layout(Choice(camera=args.camera, tray=args.tray)))
    args.out.mkdir(parents=True, exist_ok=True)
    with (args.out / LABELS).open("a+", encoding="utf-8") as labels:
        labels.seek(0)
        there = {json.loads(line)["file"] for line in labels}
        for number, seed in enumerate(range(args.seed, args.seed + args.scenes), 1):
            path = args.out / f"{seed:06d}.png"
            if path.name in there:
                continue
            scene, label = plan(path, np.random.default_rng(seed))
            scenes = {label.path: scene}
            if label.empty is not None:
                scenes[label.empty] = replace(scene, dice=())
            for file, shown in scenes.items():
                light = light_of(shown, CASE_SAMPLES if args.camera else SAMPLES)
                save_png(shown.sensor.frame(light, np.random.default_rng(seed)), file)
            labels.write(label_line(label))
            labels.flush()
            print(f"\rdrawn {number} of {args.scenes}", end="", flush=True)
    print()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
