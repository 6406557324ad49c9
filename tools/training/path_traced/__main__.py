"""Render labelled pictures with Blender: `python -m tools.training.path_traced OUT [--scenes N] [--seed S] [--learn]`.

Or in the geometry of the case: `python -m tools.training.path_traced OUT --camera 3 [--tray 200]`. This also renders
the empty tray of each scene, SEED-empty.png, for `python -m tools.score --calibrated OUT`.

Writes SEED.png and `labels.jsonl` for `python -m tools.score OUT`; pictures that are already labelled are kept, so that
an interrupted run can be continued. A picture takes about ten seconds. `make traced` sets up Blender and runs this.
With `--learn` it renders training pictures, with more dice and a little smaller, for `tools.training.traced`.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from case.layout import Layout
from case.parameters import CAMERAS, Choice
from tools.training.path_traced.case_setting import in_the_case
from tools.training.path_traced.draw import CASE_SAMPLES, LEARN_SAMPLES, LEARN_SIZE, SAMPLES, draw, save
from tools.training.path_traced.plan import SIZE, is_plain, label, plan, plan_to_learn, with_room
from tools.training.path_traced.sensor import developed


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppress the lines that Blender prints on the terminal for each picture, bypassing Python."""
    sys.stdout.flush()
    kept = os.dup(1)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def main() -> None:
    """Render the missing pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first picture; the next one's is one more")
    parser.add_argument("--learn", action="store_true", help="pictures to learn from")
    parser.add_argument("--camera", choices=CAMERAS, help="four flat dice in the case's own tray, seen by this camera")
    parser.add_argument("--tray", type=float, default=Choice().tray, help="inner width of the case's tray in mm")
    args = parser.parse_args()
    planner, size, samples = (plan_to_learn, LEARN_SIZE, LEARN_SAMPLES) if args.learn else (plan, SIZE, SAMPLES)
    if args.camera:
        setting = in_the_case(Layout(Choice(camera=args.camera, tray=args.tray)))
        planner, samples = partial(plan, why="", setting=setting), CASE_SAMPLES
    args.out.mkdir(parents=True, exist_ok=True)
    with (args.out / "labels.jsonl").open("a+", encoding="utf-8") as labels:
        labels.seek(0)
        there = {json.loads(line)["file"] for line in labels}
        for number, seed in enumerate(range(args.seed, args.seed + args.scenes), 1):
            name = f"{seed:06d}.png"
            if name in there:
                continue
            rng = np.random.default_rng(seed)
            made = with_room(planner, rng)
            entry, plans = label(name, made), {name: made}
            if args.camera:
                dice = "plain or wooden" if all(is_plain(die.look) for die in made.dice) else "see-through or marbled"
                entry["source"] = f"{args.camera}, {dice}"
                entry["empty"] = empty = f"{seed:06d}-empty.png"
                plans[empty] = replace(made, dice=())
            for each, planned in plans.items():
                with _quiet():
                    # The same random numbers for both: one camera takes them, with one exposure and one blur.
                    save(developed(copy.deepcopy(rng), draw(planned, size, samples)), args.out / each)
            labels.write(json.dumps(entry) + "\n")
            labels.flush()
            print(f"\rdrawn {number} of {args.scenes}", end="", flush=True)
    print()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
