"""Examples from labelled photographs of real dice: `python -m tools.training.photos PHOTOS OUT`.

PHOTOS is a folder with `labels.jsonl` as for `python -m tools.score`. Labels have the boxes of whole dice, or only
values; the exact places of top faces, and the camera's pose, come from the finder that was trained on rendered
scenes. Each photograph yields several examples, at several scales. Without `labels.jsonl`, PHOTOS show neither dice nor
hands, and the finder learns to find none there.
"""

from __future__ import annotations

import argparse
import itertools
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from tools.training.examples import MAP, PICTURE, crop, packed, save
from vision.params import Params
from vision.pictures import load
from vision.stages.finding import CELL, Detections, Face, find
from vision.stages.values import CLASSES, read_values
from vision.types import Frame

VIEWS = 6
"""The number of finder examples from each photograph."""

SEED = 7

HALVES = (4.5, 16.0)
"""The half sides of dice in these examples, in pixels."""


def faces_of(frame: Frame, found: Detections, label: dict[str, object]) -> list[tuple[Face, int]] | None:
    """Return the top faces with their values; None if the finder and the label do not match."""
    faces = [face for face in found.faces if face.score > 0.2]
    values = label["values"]
    assert isinstance(values, list)
    if isinstance(label["dice"], list):
        matched = []
        for die in label["dice"]:
            x0, y0, x1, y1 = die["box"]
            x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, (x1 - x0 + y1 - y0) / 4
            near = [face for face in faces if np.hypot(face.centre[0] - x, face.centre[1] - y) < 0.5 * half]
            near = [face for face in near if 0.45 * half < face.half < 1.0 * half]
            matched.append((near[0] if near else Face((x, y), 0.68 * half, 0.0), int(die["value"])))
        return matched
    if len(faces) != len(values):
        return None
    looked = read_values(frame, tuple(faces), Params())
    if len(looked.faces) != len(faces):
        return None
    chances = np.log(looked.chances[:, :6] + 1e-6)
    best = max(
        set(itertools.permutations(values)), key=lambda given: sum(chances[i, v - 1] for i, v in enumerate(given))
    )
    return list(zip(faces, map(int, best), strict=True))


def views(
    rng: np.random.Generator, frame: Frame, faces: list[tuple[Face, int]]
) -> list[tuple[Frame, NDArray[np.float32]]]:
    """Yield pictures of the finder's size that show the photograph at some scale and place, with their dice."""
    width = frame.shape[1]
    usual = float(np.median([face.half for face, _ in faces]))
    made = []
    for _ in range(VIEWS):
        scale = float(np.exp(rng.uniform(*np.log(HALVES)))) / usual
        scale = min(max(scale, 0.9 * PICTURE[0] / width * 0.6), 3.0)
        source, ratio = frame, 1.0
        if scale < 0.7:
            source = np.asarray(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
            ratio = source.shape[1] / width
        anchor = np.array(faces[int(rng.integers(len(faces)))][0].centre) * ratio
        whole = np.array([[scale / ratio, 0, 0], [0, scale / ratio, 0]], float)
        goal = np.array(PICTURE) * rng.uniform(0.15, 0.85, 2)
        whole[:, 2] = goal - whole[:, :2] @ anchor
        picture = cv2.warpAffine(source, whole, PICTURE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        dice = []
        for face, _ in faces:
            x, y = whole[:, :2] @ (np.array(face.centre) * ratio) + whole[:, 2]
            dice.append((0, x, y, face.half * scale, 1.0, 1.0, 1.0))
        made.append((np.asarray(picture, np.uint8), np.array(dice, np.float32)))
    return made


def bare_views(rng: np.random.Generator, frame: Frame) -> list[Frame]:
    """Return parts of a photograph, turned and in the finder's size."""
    most, made = min(np.divide(frame.shape[1::-1], PICTURE)), []
    for _ in range(VIEWS):
        scale = most * float(np.exp(rng.uniform(np.log(0.3), np.log(0.7))))
        turned = cv2.getRotationMatrix2D((0.0, 0.0), float(rng.uniform(0, 360)), 1 / scale)
        turned[:, 2] = np.divide(PICTURE, 2) - turned[:, :2] @ (frame.shape[1::-1] * rng.uniform(0.35, 0.65, 2))
        soft = cv2.GaussianBlur(frame, (0, 0), max(0.3, (scale - 1) / 2))
        made.append(np.asarray(cv2.warpAffine(soft, turned, PICTURE, borderMode=cv2.BORDER_REFLECT), np.uint8))
    return made


def _bare(folder: Path, out: Path) -> None:
    """Write a shard of photographs that show neither dice nor hands."""
    rng = np.random.default_rng(SEED)
    pictures = [view for path in track(sorted(folder.iterdir())) for view in bare_views(rng, load(path))]
    areas = np.zeros((len(pictures), MAP[1], MAP[0], 4), np.uint8)
    areas[..., 3] = 255  # nothing foreign; where a tray would be, nobody knows
    save(packed(pictures, list(areas), (), np.full((len(pictures), 3), np.nan), [], []), out / f"{SEED:06d}.npz")


def _labelled(folder: Path, out: Path) -> None:
    """Write a shard of labelled photographs of dice."""
    rng = np.random.default_rng(SEED)
    labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    pictures: list[NDArray[np.uint8]] = []
    areas, dice, crops, classes, unmatched = [], [], [], [], []
    for label in track(labels, description="cutting photographs"):
        frame = load(folder / label["file"])
        found = find(frame, Params().finder)
        faces = faces_of(frame, found, label)
        if faces is None:
            unmatched.append(label["file"])
            continue
        for picture, there in views(rng, frame, faces):
            there[:, 0] = len(pictures)
            pictures.append(picture)
            dice.append(there)
            known = np.zeros((MAP[1], MAP[0], 4), np.uint8)
            known[..., 0], known[..., 3] = 255, 255  # inside the tray where dice lie, nothing foreign anywhere
            hull = cv2.convexHull(((there[:, 1:3] + 0.5) / CELL - 0.5).astype(np.float32)).astype(np.int32)
            near = cv2.fillConvexPoly(np.zeros((MAP[1], MAP[0]), np.uint8), hull, (255,))
            known[..., 2] = cv2.dilate(near, np.ones((5, 5), np.uint8))
            areas.append(known)
        upright = read_values(frame, tuple(face for face, _ in faces), Params()).pose
        places: list[tuple[tuple[float, float], float, str]] = []
        for face, value in faces:
            places += [(face.centre, face.half, str(value))] * 2
            for _ in range(2):
                angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.9, 6.0) * face.half
                x, y = face.centre[0] + far * np.cos(angle), face.centre[1] + far * np.sin(angle)
                if all(np.hypot(x - f.centre[0], y - f.centre[1]) > 0.85 * f.half for f, _ in faces):
                    places.append(((x, y), face.half * rng.uniform(0.7, 1.4), "nothing"))
        for place, half, name in places:
            crops.append(crop(frame, place, half, float(rng.uniform(0, 2 * np.pi)), upright))
            classes.append(CLASSES.index(name))
    nobody_knows = np.full((len(pictures), 3), np.nan)
    made = packed(pictures, areas, np.concatenate(dice), nobody_knows, crops, classes)
    save(made, out / f"{SEED:06d}.npz")
    print(f"{len(labels) - len(unmatched)} photographs, {len(made.crops)} crops; finder and label differ: {unmatched}")


def main() -> None:
    """Write the shard."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    made_of = _labelled if (args.photos / "labels.jsonl").is_file() else _bare
    made_of(args.photos, args.out)


if __name__ == "__main__":
    main()
