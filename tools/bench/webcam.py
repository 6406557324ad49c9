"""Rolls on a bare table, as films through `OpenCvCamera` and settling: `python -m tools.bench.webcam`.

Each film is rendered: an empty table or the dice of an earlier roll, a hand that takes and rolls them, dice at rest. It
is written as JPEG film and played through OpenCV. The box must report the roll once, with the right values, or refuse
it; it must report no palm and no moving die. `--films` also plays recorded rolls, folders with pictures and video.json.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from device.camera.opencv import OpenCvCamera
from device.camera.port import CameraError
from tools.scenes.faces import top_face
from tools.scenes.films import BoxReader, Pictures
from tools.scenes.labels import truth_by_die
from tools.scenes.random_look import any_colour, is_ordinary, random_body
from tools.scenes.random_scene import is_legible
from tools.scenes.random_setting import random_light, random_sensor
from tools.scenes.random_things import random_hand
from tools.scenes.textures import PRINTED, WOVEN, one_of
from tools.scenes.throw_by_hand import plan_throw_by_hand
from tools.scenes.trouble import Moment
from vision.pictures.load import load
from vision.render.placing import lay_dice
from vision.render.scene import Camera, Scene, Surface, Tray, colour
from vision.render.surfaces import FELT, WOOD
from vision.render.throw import Throw
from vision.settling.settle import Settle
from vision.types import Frame

FIRST_SEED = 3_100_000_000
"""The first seed; neither training nor other measurements use these."""

SURFACES = ("wood", "cloth", "paper", "printed")
SIZES = ((640, 480), (1280, 720))
RATES = (15.0, 30.0)

REST_S = 0.7
"""How long the table is still before and after the roll, in seconds."""

EARLY_S = 0.1
"""How early a roll may be reported before the last die reaches its final tenth of a millimetre, in seconds."""

_TRIES = 200


@dataclass(frozen=True, slots=True)
class Film:
    """A roll on a bare table.

    Attributes:
        kind: Surface, width and rate, for the table of results.
        throw: The roll.
        rate: Frames per second.
        seed: The seed of its noise.
    """

    kind: tuple[str, int, int]
    throw: Throw
    rate: float
    seed: int

    @property
    def still_s(self) -> float:
        """The time from which nothing moves, in seconds."""
        return REST_S + self.throw.still_s

    def frames(self) -> Iterator[Frame]:
        """Yield the pictures."""
        pictures = Pictures(self.seed)
        for number in range(round((self.still_s + REST_S) * self.rate)):
            yield pictures.draw(Moment(self.throw.scene_at(max(0.0, number / self.rate - REST_S))))


def _surface(rng: np.random.Generator, name: str) -> Surface:
    seed = int(rng.integers(1 << 31))
    if name == "wood":
        shade = colour(("#b39a78", "#8a5a30", "#d8bf95", "#5a3b22")[int(rng.integers(4))])
        return Surface(shade, WOOD, 0.12, seed, gloss=float(rng.choice([0.0, 0.3])))
    if name == "cloth":
        return Surface(any_colour(rng), one_of(rng, [WOVEN, FELT]), 0.12, seed)
    if name == "paper":
        return Surface(colour("#e8e6df"), None, 0.02, seed)
    return Surface(any_colour(rng), PRINTED, float(rng.uniform(0.4, 0.9)), seed, second=any_colour(rng))


def film(seed: int) -> Film:
    """Return the film of a seed; surfaces, sizes and rates alternate. A person can read its roll.

    Raises:
        ValueError: If no such film was found.
    """
    number = seed - FIRST_SEED
    name, size, rate = SURFACES[number % 4], SIZES[number // 4 % 2], RATES[number // 8 % 2]
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES):
        wide_mm = float(rng.uniform(220, 420))  # what the picture shows of the table
        field = float(rng.uniform(50, 75))
        high = wide_mm / 2 / np.tan(np.radians(field) / 2)
        camera = Camera(
            size, float(high), field, tilt_deg=float(rng.uniform(0, 20)), turn_deg=float(rng.uniform(0, 360))
        )
        floor = _surface(rng, name)
        table = Tray(3 * wide_mm, 3 * wide_mm, False, 0.0, 0.0, floor, floor, floor)
        light = random_light(rng, camera)
        sensor = random_sensor(rng, table, light)
        setting = Scene(
            camera, table, light, replace(sensor, jpeg_quality=None, blur_px=sensor.blur_px * size[0] / 640)
        )
        body = random_body(rng)
        values = [int(value) for value in rng.integers(1, 7, 4)]
        if not is_ordinary(body):
            continue
        try:
            before = lay_dice(rng, setting, [body] * 4, values).dice if rng.random() < 0.5 else ()
            values = [int(value) for value in rng.integers(1, 7, 4)]
            hand = replace(random_hand(rng, table), palm_mm=(0.0, 0.0, float(rng.uniform(25, 90))))
            throw = plan_throw_by_hand(setting, values, rng, bodies=[body] * 4, before=before, hand=hand, rest_s=REST_S)
        except ValueError:
            continue
        last = throw.scene_at(throw.still_s)
        if is_legible(last, truth_by_die(last)):
            return Film((name, size[0], round(rate)), throw, rate, seed)
    raise ValueError(f"no film of seed {seed}")


def write(frames: Iterable[Frame], rate: float, file: Path) -> None:
    """Write a film of JPEGs."""
    writer = None
    for frame in frames:
        if writer is None:
            size = (frame.shape[1], frame.shape[0])
            writer = cv2.VideoWriter(str(file), cv2.CAP_OPENCV_MJPEG, cv2.VideoWriter.fourcc(*"MJPG"), rate, size)
            writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 90)
        writer.write(frame)
    if writer is not None:
        writer.release()


def told(file: Path, *, armed: bool) -> tuple[list[tuple[float, tuple[int, ...]]], str]:
    """Play a film, and return the rolls with their times in seconds, and what was shown at the end."""
    reader = BoxReader(4)
    settle = Settle(reader, armed=armed, on_empty=reader.saw_empty)
    rolls: list[tuple[float, tuple[int, ...]]] = []
    end = ""
    with closing(OpenCvCamera(str(file), paced=False)) as camera:
        while True:
            try:
                shot = camera.shot(30.0)
            except CameraError as error:
                if "the film has ended" not in str(error):
                    raise
                return rolls, end
            with shot:
                seen = settle.step(shot.time_s, shot.small, shot.picture)
            if seen.bumped:
                reader.was_moved()
            if seen.roll is not None:
                rolls.append((shot.time_s, seen.roll.values))
            reason = seen.reading.reason if seen.reading is not None else None
            end = str(seen.state) if reason is None else str(reason)


def outcome(
    rolls: list[tuple[float, tuple[int, ...]]], end: str, values: tuple[int, ...], still_s: float
) -> tuple[str, float | None]:
    """Return what the box made of a roll, and the time in seconds from rest to its report."""
    if any(time_s < still_s - EARLY_S for time_s, _ in rolls):
        return "while moving", None
    if not rolls:
        return f"refused: {end}", None
    if len(rolls) > 1:
        return "told twice", None
    (time_s, read) = rolls[0]
    return ("right" if read == values else f"wrong: {read} for {values}"), time_s - still_s


def _play(seed: int, folder: str) -> tuple[int, tuple[str, int, int], str, float | None]:
    planned = film(seed)
    file = Path(folder) / f"{seed}.avi"
    write(planned.frames(), planned.rate, file)
    rolls, end = told(file, armed=False)
    file.unlink()
    values = tuple(sorted(top_face(die)[0] for die in planned.throw.dice))
    return seed, planned.kind, *outcome(rolls, end, values, planned.still_s)


def main() -> None:
    """Play all films and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="number of rendered films (default: 60)")
    parser.add_argument("--films", type=Path, help="folder of recorded rolls")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for recorded in sorted(args.films.glob("*/video.json")) if args.films else ():
            about = json.loads(recorded.read_text())
            file = Path(folder) / "recorded.avi"
            write(map(load, sorted(recorded.parent.glob("*.jpg"))), about["fps"], file)
            values = tuple(sorted(about["expect"]))
            # The roll begins with the film, so there is no empty table to be seen before it.
            what, wait_s = outcome(*told(file, armed=True), values, about["still_from"] / about["fps"])
            print(recorded.parent.name, what, "" if wait_s is None else f"after {wait_s:.2f} s", flush=True)
        results: dict[tuple[str, int, int], Counter[str]] = defaultdict(Counter)
        waits: dict[tuple[str, int, int], list[float]] = defaultdict(list)
        with ProcessPoolExecutor(args.processes) as pool:
            seeds = range(FIRST_SEED, FIRST_SEED + args.count)
            for seed, kind, what, wait_s in pool.map(partial(_play, folder=folder), seeds):
                results[kind][what.partition(":")[0]] += 1
                if wait_s is not None:
                    waits[kind].append(wait_s)
                if what != "right":
                    print(seed, *kind, what, flush=True)
    columns = ("right", "refused", "wrong", "told twice", "while moving")
    print("\n| surface | width | frames a second | films |", " | ".join(columns), "| seconds to the report |")
    print("|---" * (5 + len(columns)) + "|")
    for kind, counts in sorted(results.items()):
        late = f"{max(waits[kind]):.2f}" if waits[kind] else ""
        print("|", " | ".join(map(str, (*kind, counts.total(), *(counts[column] for column in columns), late))), "|")
    everything = sum(results.values(), Counter())
    print(f"all {everything.total()}:", ", ".join(f"{column} {everything[column]}" for column in columns))


if __name__ == "__main__":
    main()
