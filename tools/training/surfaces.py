"""Makes surfaces for `tools.training.examples --surfaces` from photographs, textures and pictures of things.

`python -m tools.training.surfaces OUT --photographs DIR --textures DIR --things DIR [--count N] [--seed S]` writes N
pictures of 1200 by 900 pixels: a part of a photograph, a repeated texture or a plain colour, on which things, letters
and words lie. Folders are searched with all below them; pictures of things are PNG files with transparency.
Of Debian's packages, plasma-workspace-wallpapers, gnome-backgrounds, mate-backgrounds and ukui-wallpapers have
photographs, openarena-081-textures and trigger-rally-data have textures, tuxpaint-stamps-default and oxygen-icon-theme
have things.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

Picture = NDArray[np.float32]
"""Shape (H, W, 3) BGR or (H, W, 4) with transparency, 0 to 255."""

WIDTH, HEIGHT = 1200, 900

OTHERS = re.compile(r"dice|\bdie\b|domino|hand|asl|finger|glove|game", re.IGNORECASE)
"""Names of pictures that are not used: a die or a hand must not be taught as a surface."""

PLAIN, TILED = 0.25, 0.3  # shares of plain colours and of repeated textures; the others are photographs
COUNTS = (0, 3, 8, 14)  # numbers of things and words
WORDS = 0.3  # share of words among them
_LETTERS = "ABCDEFGHIJKLMNOPRSTUWabcdeghiknorstu0123456789&%o."


class Sources(NamedTuple):
    """Files to make surfaces from."""

    photographs: Sequence[Path]
    textures: Sequence[Path]
    things: Sequence[Path]


def pictures_in(folders: Iterable[Path], endings: Sequence[str] = (".jpg", ".png", ".tga")) -> list[Path]:
    """Return the pictures in folders and below, sorted, without any of dice or hands."""
    found = (path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in endings)
    return sorted(path for path in found if not OTHERS.search(path.name))


def surface(rng: np.random.Generator, sources: Sources) -> Picture:
    """Return a random surface with things and words on it, (900, 1200, 3)."""
    seen = _ground(rng, sources)
    for _ in range(int(rng.choice(COUNTS))):
        if rng.random() < WORDS:
            seen = _with_words(rng, seen)
        elif sources.things:
            seen = _with_thing(rng, seen, sources.things[int(rng.integers(len(sources.things)))])
    return seen


def _ground(rng: np.random.Generator, sources: Sources) -> Picture:
    chance, size = rng.random(), (WIDTH, HEIGHT)
    if chance < PLAIN or not (sources.photographs or sources.textures):
        level = float(rng.uniform(15, 220)) + (rng.uniform(15, 240, 3) if rng.random() < 0.5 else np.zeros(3))
        grain = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)), (0, 0), float(rng.uniform(0.5, 3)))
        return np.asarray(np.clip(0.6 * level, 8, 245) * (1 + 0.05 * grain / grain.std())[..., None], np.float32)
    is_tiled = bool(sources.textures) and (chance < PLAIN + TILED or not sources.photographs)
    paths = sources.textures if is_tiled else sources.photographs
    picture = cv2.imread(str(paths[int(rng.integers(len(paths)))]))
    if picture is None:
        return _ground(rng, sources)
    if is_tiled:
        picture = np.tile(picture, (*[int(rng.integers(1, 5))] * 2, 1))
    else:
        part = float(rng.uniform(0.3, 1))
        height, width = (int(part * side) for side in picture.shape[:2])
        top, left = (
            int(rng.integers(side - shown + 1)) for side, shown in zip(picture.shape[:2], (height, width), strict=True)
        )
        picture = picture[top : top + height, left : left + width]
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _with_thing(rng: np.random.Generator, seen: Picture, path: Path) -> Picture:
    """Return the surface with a thing somewhere on it, of any size and turn, with a soft shadow."""
    thing = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if thing is None or thing.ndim < 3 or thing.shape[2] != 4 or thing.dtype != np.uint8:
        return seen
    scale = math.exp(float(rng.uniform(math.log(50), math.log(420)))) / max(thing.shape[:2])
    small = cv2.resize(thing, None, fx=min(1.0, scale), fy=min(1.0, scale), interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    way = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), max(1.0, scale))
    way[:, 2] += rng.uniform(0, 1, 2) * (WIDTH, HEIGHT) - (width / 2, height / 2)
    laid = cv2.warpAffine(small, way, (WIDTH, HEIGHT)).astype(np.float32)
    cover = laid[..., 3:] / 255
    fallen = np.roll(laid[..., 3], (int(rng.normal(0, 6)), int(rng.normal(0, 6))), (0, 1))
    shadow = cv2.GaussianBlur(fallen, (0, 0), 4.0)[..., None] / 255
    shaded = seen * (1 - np.float32(0.6 * rng.uniform()) * shadow)
    return np.asarray(shaded * (1 - cover) + np.float32(rng.uniform(0.5, 1.05)) * laid[..., :3] * cover, np.float32)


def _with_words(rng: np.random.Generator, seen: Picture) -> Picture:
    """Return the surface with some lines of letters in any direction, sometimes on a label."""
    word = "".join(rng.choice(list(_LETTERS), int(rng.integers(2, 9))))
    size = math.exp(float(rng.uniform(math.log(0.6), math.log(5))))
    x, y = rng.uniform(0, 0.8) * WIDTH, rng.uniform(0.1, 0.9) * HEIGHT
    thick, font = max(1, int(size * rng.uniform(1, 3.5))), int(rng.integers(0, 8))
    ink: NDArray[np.uint8] = np.zeros((HEIGHT, WIDTH), np.uint8)
    for line in range(int(rng.integers(1, 5))):
        place = int(x), int(y + 34 * size * line)
        cv2.putText(ink, word[line:] + word[:line], place, font, size, (255,), thick, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), float(rng.uniform(0, 360)), 1.0)
    ink = np.asarray(cv2.warpAffine(ink, turn, (WIDTH, HEIGHT)), np.uint8)
    spots = cv2.findNonZero(ink)
    if spots is not None and rng.random() < 0.4:
        label = np.zeros_like(ink)
        cv2.fillConvexPoly(label, cv2.boxPoints(cv2.minAreaRect(spots)).astype(np.int32), (1,))
        paper = cv2.dilate(label, np.ones((9, 9), np.uint8))[..., None] > 0
        seen = np.where(paper, rng.uniform(0, 255, 3).astype(np.float32), seen)
    part = ink[..., None] / np.float32(255)
    return np.asarray(seen * (1 - part) + rng.uniform(0, 255, 3) * part, np.float32)


def main() -> None:
    """Write the surfaces."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    for name in Sources._fields:
        parser.add_argument(f"--{name}", type=Path, nargs="+", default=(), metavar="DIR")
    parser.add_argument("--count", type=int, default=260)
    parser.add_argument("--seed", type=int, default=1000)
    args = parser.parse_args()
    things = [path for path in pictures_in(args.things, (".png",)) if path.stat().st_size > 4000]
    sources = Sources(pictures_in(args.photographs), pictures_in(args.textures), things)
    args.out.mkdir(parents=True, exist_ok=True)
    for number in track(range(args.count), description="laying out surfaces"):
        made = surface(np.random.default_rng(args.seed + number), sources)
        cv2.imwrite(str(args.out / f"{number:04d}.jpg"), np.clip(made, 0, 255).astype(np.uint8))


if __name__ == "__main__":
    main()
