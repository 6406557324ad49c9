"""Benchmark of a tray's outline and the camera's tilt, as calibrated: `python -m tools.bench.trays [--trays N]`.

The trays are from the project's own renderer with random floor, wall and table, each completely in view of one of the
Raspberry Pi's cameras, tilted by 0 to 36 degrees in four directions. Half of them are rectangular, half are round. They
are measured as in `cantstop calibrate`. For each group the table has

* right: the share of outlines whose overlap (intersection over union) with the true opening is 0.95 or more;
* four: the share of outlines with four corners;
* tilt: the number of known tilts, the median of the error and its 90th percentile, in degrees;
* advised: the share of trays with the advice to point the camera straight down, and with "nothing to change".
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median

import cv2
import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from tools.scenes.labels import masks
from tools.scenes.random_look import random_tray
from tools.scenes.random_setting import random_light, random_sensor
from vision.render.draw import draw
from vision.render.empty_tray import outline
from vision.render.geometry import view
from vision.render.scene import Camera, Scene, Texture, Tray
from vision.tray.advice import Change, advise
from vision.tray.calibrate import look_at, measure
from vision.tray.edge import CannotCalibrateError, edge_mask

TRAYS = 240
"""The default number of trays."""

FIRST_SEED = 3_500_000_000
"""The first seed of the trays; neither training nor `python -m tools.score` uses seeds from there on."""

TILTS_DEG = (0.0, 10.0, 26.0, 30.0, 33.0, 36.0)
"""The camera's tilts in degrees, used in turn."""

FIELDS_DEG = (62.2, 53.0, 83.0)
"""The horizontal fields of view of a 4:3 picture in degrees: Camera Module 2, 3 and 3 Wide. The latter two have a 16:9
sensor whose sides are cut off (Raspberry Pi's hardware documentation: 62.2x48.8, 66x41 and 102x67 degrees)."""

FRAMES = 2
"""The number of frames. `cantstop calibrate` uses eight."""

WIDTH = 110
"""The minimum width of the table in characters, even if the output is not a terminal."""

RIGHT = 0.95
"""The overlap from which an outline is right."""

PATTERNED = {Texture.CHECKED, Texture.STRIPED, Texture.GRID, Texture.CARPET, Texture.PRINTED, Texture.MARBLE}
"""Floors with lines or figures that might be taken for an edge."""


@dataclass(frozen=True, slots=True)
class TrayResult:
    """The result for one tray.

    Attributes:
        shape: "rectangular" or "round".
        patterned: Whether its floor has lines or figures.
        tilt_deg: The camera's true tilt in degrees.
        overlap: The overlap of the outline with the true opening, 0 to 1; 0 if no tray was found.
        corners: The number of the outline's corners; 0 if no tray was found.
        measured_deg: The measured tilt in degrees; None if unknown.
        advice: The suggested changes.
    """

    seed: int
    shape: str
    patterned: bool
    tilt_deg: float
    overlap: float
    corners: int
    measured_deg: float | None
    advice: tuple[str, ...]


def scene_of(seed: int) -> Scene:
    """Return the scene with the empty tray of a seed, completely in view."""
    rng = np.random.default_rng(seed)
    number = seed - FIRST_SEED
    tray = random_tray(rng)
    if number % 2:
        tray = replace(tray, is_round=True, depth_mm=tray.width_mm, sides=4)
    else:
        tray = replace(tray, is_round=False, sides=4)
    turn = float(rng.choice([0.0, 90.0])) + float(rng.normal(0, 6))
    camera = Camera(
        field_of_view_deg=float(rng.choice(FIELDS_DEG)),
        aim_mm=(float(rng.uniform(-8, 8)), float(rng.uniform(-8, 8))),
        tilt_deg=TILTS_DEG[number // 2 % len(TILTS_DEG)],
        lean_deg=90.0 * (number // 12 % 4) + float(rng.normal(0, 10)),
        turn_deg=turn,
    )
    camera = wholly_in_view(camera, tray, float(rng.uniform(0.02, 0.1)))
    light = random_light(rng, camera)
    return Scene(camera, tray, light, random_sensor(rng, tray, light))


def wholly_in_view(camera: Camera, tray: Tray, margin: float) -> Camera:
    """Return the camera at a height at which the tray leaves at least this part of the picture's width free."""
    points = np.concatenate([outline(tray, tray.rim_mm, tray.wall_mm), outline(tray, tray.rim_mm, 0.0)])
    width, height = camera.size
    low, high = tray.wall_mm + 60.0, 3000.0
    while high - low > 1.0:
        middle = (low + high) / 2
        seen = view(replace(camera, height_mm=middle)).project(points)
        free = min(seen.min(), (np.array([width, height]) - seen).min())
        low, high = (low, middle) if free > margin * width else (middle, high)
    return replace(camera, height_mm=high)


def look(seed: int, *, known: bool = True) -> TrayResult:
    """Return the result for the tray of a seed, with the camera's field of view known or unknown."""
    scene = scene_of(seed)
    field = scene.camera.field_of_view_deg if known else None
    looks = [look_at(draw(scene, number), field_deg=field) for number in range(FRAMES)]
    shape = "round" if scene.tray.is_round else "rectangular"
    patterned = scene.tray.floor.texture in PATTERNED
    try:
        measured = measure(looks)
    except CannotCalibrateError:
        return TrayResult(seed, shape, patterned, scene.camera.tilt_deg, 0.0, 0, None, ("refused",))
    edge = measured.edge
    true, found = masks(scene).tray > 0.5, edge_mask(edge, scene.camera.size)
    return TrayResult(
        seed=seed,
        shape=shape,
        patterned=patterned,
        tilt_deg=scene.camera.tilt_deg,
        overlap=float((true & found).sum() / (true | found).sum()),
        corners=len(edge),
        measured_deg=measured.tilt_deg,
        advice=tuple(each.change.value for each in advise(measured)),
    )


def groups(seen: Sequence[TrayResult]) -> Iterator[tuple[str, list[TrayResult]]]:
    """Yield the groups of results with their names."""
    for shape in ("rectangular", "round"):
        own = [each for each in seen if each.shape == shape]
        yield shape, own
        yield "  printed floor", [each for each in own if each.patterned]
        for tilt in TILTS_DEG:
            yield f"  tilted by {tilt:.0f}", [each for each in own if each.tilt_deg == tilt]


def row(name: str, seen: Sequence[TrayResult]) -> tuple[str, ...]:
    """Return the figures of a group."""
    if not seen:
        return (name, "0")
    known = [each for each in seen if each.measured_deg is not None]
    errors = sorted(abs(each.measured_deg - each.tilt_deg) for each in known if each.measured_deg is not None)

    def share(true: Sequence[bool]) -> str:
        return f"{100 * sum(true) / len(true):.0f} %"

    return (
        name,
        str(len(seen)),
        share([each.overlap >= RIGHT for each in seen]),
        f"{min(each.overlap for each in seen):.2f}",
        share([each.corners == 4 for each in seen]),
        share([each.measured_deg is not None for each in seen]),
        f"{median(errors):.1f}" if errors else "",
        f"{errors[math.ceil(0.9 * len(errors)) - 1]:.1f}" if errors else "",
        share([Change.UPRIGHT.value in each.advice for each in seen]),
        share([not each.advice for each in seen]),
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Measure trays and print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench.trays", description="how well a tray's outline is found"
    )
    parser.add_argument("--trays", type=int, default=TRAYS, metavar="N", help=f"how many ({TRAYS} by default)")
    parser.add_argument("--unknown", action="store_true", help="do not tell the camera's field of view")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each tray")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    seeds = range(FIRST_SEED, FIRST_SEED + args.trays)
    seen = [
        look(seed, known=not args.unknown)
        for seed in track(seeds, "trays", console=Console(stderr=True), transient=True)
    ]
    if args.json:
        for each in seen:
            print(json.dumps(asdict(each)))
        return
    table = Table(box=SIMPLE_HEAD)
    for column in ("trays", "number", "right", "worst", "four", "tilt known", "median", "9 of 10", "advised", "fine"):
        table.add_column(column, justify="left" if column == "trays" else "right")
    for name, group in groups(seen):
        table.add_row(*row(name, group))
    Console(width=max(Console().width, WIDTH)).print(table)


if __name__ == "__main__":
    main()
