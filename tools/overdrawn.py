"""Alters one die in each of a set of labelled pictures of four dice, to test whether it is refused.

Usage: `python -m tools.overdrawn FOLDER OUT --what emblem` draws a figure, letter or shape over a die's pips, in their
    colour; `--what worn` removes most of the paint of the middle pip of a 3 or a 5. Then `cantstop score OUT` reads the
    pictures: none with an emblem may be read, and none with a worn pip wrongly.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from tools.training.blemish import drawn_over, wear
from vision.pictures.load import load
from vision.reader import examine
from vision.scoring.score import LABELS, Labelled, LabelsError, label_line, read_labels
from vision.stages.finding import Face
from vision.types import Frame

REACH = 2.0
"""The size of the altered square, in half sides of the face from its middle."""


def overdrawn(rng: np.random.Generator, frame: Frame, face: Face, what: str) -> Frame | None:
    """Return the picture with one of its dice altered; None if that is impossible for this die.

    Args:
        rng: The random numbers.
        frame: (H, W, 3) uint8, BGR; it is not changed.
        face: The place of the die's top face.
        what: `emblem` or `worn`.
    """
    reach = round(REACH * face.half)
    x, y = (round(place) for place in face.centre)
    around = cv2.copyMakeBorder(frame, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    part = slice(y, y + 2 * reach + 1), slice(x, x + 2 * reach + 1)
    die = np.ascontiguousarray(around[part], np.uint8)
    if what == "worn":
        changed = wear(rng, die, face.half)
    else:
        drawn = drawn_over(rng, die, face.half)
        if drawn is None or drawn[1] != "emblem":
            return None
        changed = drawn[0]
    if np.array_equal(changed, die):
        return None
    around[part] = changed
    return np.ascontiguousarray(around[reach:-reach, reach:-reach])


def main() -> None:
    """Write the altered pictures and their labels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="pictures with labels.jsonl")
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--what", choices=("emblem", "worn"), default="emblem")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    try:
        labels = read_labels(args.folder)
        args.out.mkdir(parents=True)
    except LabelsError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{args.out}: {error.strerror}; name a new folder")
    drawn = 0
    for number, label in enumerate(track(labels, "drawing")):
        if label.values is None or len(label.values) != 4:
            continue
        frame, rng = load(label.path), np.random.default_rng((args.seed, number))
        evidence = examine(frame)
        if not evidence.reading.ok:
            continue
        dice = [die for die in evidence.dice if args.what == "emblem" or die.value in (3, 5)]
        rng.shuffle(dice)
        spoilt = next((one for die in dice if (one := overdrawn(rng, frame, die.face, args.what)) is not None), None)
        if spoilt is None:
            continue
        path = args.out / f"{args.what}-{label.path.stem}.png"
        cv2.imwrite(str(path), spoilt)
        values = label.values if args.what == "worn" else None
        with (args.out / LABELS).open("a", encoding="utf-8") as lines:  # at once, so that an interruption loses none
            lines.write(label_line(Labelled(path, args.what, values)))
        drawn += 1
    print(f"{drawn} pictures in {args.out}; cantstop score {args.out} reads them")


if __name__ == "__main__":
    main()
