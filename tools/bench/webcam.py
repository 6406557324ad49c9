"""Rolls on a bare table, as films through `OpenCvCamera` and settling: `python -m tools.bench.webcam`.

Each film is rendered: an empty table or the dice of an earlier roll, a hand that takes and rolls them, dice at rest. It
is written as JPEG film and played through OpenCV. The box must report the roll once, with the right values, or refuse
it; it must report no palm and no moving die.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

import cv2
import numpy as np

from device.camera.opencv import OpenCvCamera
from device.camera.port import CameraError
from device.cli.batch import add_jobs, work_through
from device.cli.output import say, show, table
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

OUTCOMES = ("right", "refused", "wrong", "told twice", "while moving")

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
            throw = plan_throw_by_hand(setting, values, rng, bodies=[body] * 4, before=before, hand=hand)
        except ValueError:
            continue
        last = throw.scene_at(throw.still_s)
        if is_legible(last, truth_by_die(last)):
            return Film((name, size[0], round(rate)), throw, rate, seed)
    raise ValueError(f"no film of seed {seed}")


@dataclass(frozen=True, slots=True)
class Played:
    """What the box made of a film.

    Attributes:
        seed: The film's seed.
        kind: As of the film.
        outcome: One of `OUTCOMES`.
        more: What it refused, or read.
        wait_s: The time in seconds from rest to its report; None if there was none, or more.
    """

    seed: int
    kind: tuple[str, int, int]
    outcome: str
    more: str = ""
    wait_s: float | None = None


def play(seed: int) -> Played:
    """Write the film of a seed as JPEGs, play it through OpenCV, and return what the box made of it."""
    planned, reader = film(seed), BoxReader(4)
    settle = Settle(reader, armed=False, on_empty=reader.saw_empty)
    rolls: list[tuple[float, tuple[int, ...]]] = []
    end = ""
    with tempfile.TemporaryDirectory() as folder:
        file, size = f"{folder}/film.avi", planned.throw.setting.camera.size
        writer = cv2.VideoWriter(file, cv2.CAP_OPENCV_MJPEG, cv2.VideoWriter.fourcc(*"MJPG"), planned.rate, size)
        writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 90)
        for frame in planned.frames():
            writer.write(frame)
        writer.release()
        with closing(OpenCvCamera(file, paced=False)) as camera:
            while True:
                try:
                    shot = camera.shot(30.0)
                except CameraError as error:
                    if "the film has ended" not in str(error):
                        raise
                    break
                with shot:
                    seen = settle.step(shot.time_s, shot.small, shot.picture)
                if seen.bumped:
                    reader.was_moved()
                if seen.roll is not None:
                    rolls.append((shot.time_s, seen.roll.values))
                reason = seen.reading.reason if seen.reading is not None else None
                end = str(seen.state) if reason is None else str(reason)
    if any(time_s < planned.still_s - EARLY_S for time_s, _ in rolls):
        return Played(seed, planned.kind, "while moving")
    if not rolls:
        return Played(seed, planned.kind, "refused", end)
    if len(rolls) > 1:
        return Played(seed, planned.kind, "told twice")
    (time_s, read) = rolls[0]
    values = tuple(sorted(top_face(die)[0] for die in planned.throw.dice))
    outcome, more = ("right", "") if read == values else ("wrong", f"{read} for {values}")
    return Played(seed, planned.kind, outcome, more, time_s - planned.still_s)


def main() -> None:
    """Play all films and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="number of rendered films (default: 60)")
    add_jobs(parser)
    args = parser.parse_args()
    films, _ = work_through("films", play, range(FIRST_SEED, FIRST_SEED + args.count), args.jobs)
    caption = "film: surface, width, frames a second; s: the longest wait from rest to the report"
    figures = table("film", "films", *OUTCOMES, "s", caption=caption)
    for kind in (*sorted({one.kind for one in films}), None):
        ones = [one for one in films if kind in (one.kind, None)]
        late = max((one.wait_s for one in ones if one.wait_s is not None), default=None)
        counts = (len(ones), *(sum(one.outcome == outcome for one in ones) for outcome in OUTCOMES))
        figures.add_row(" ".join(map(str, kind or ("all",))), *map(str, counts), "" if late is None else f"{late:.2f}")
    show(figures)
    for one in films:
        if one.outcome != "right":
            say(f"{one.seed} {' '.join(map(str, one.kind))}: {one.outcome} {one.more}")


if __name__ == "__main__":
    # Other processes import what they work on from the module's own name.
    from tools.bench import webcam

    webcam.main()
