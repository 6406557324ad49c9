"""Simulated rolls as films, each with a disturbance that is not a roll, to test settling.

In a film, dice that were read lie in a random tray. Then comes a disturbance, such as a hand, a shadow or a bump of the
table. Then the dice are picked up and rolled. The right result is one roll with the right values, reported in time, and
nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.scenes.faces import top_face
from tools.scenes.labels import truth_by_die
from tools.scenes.random_scene import is_clean, is_legible, random_scene
from tools.scenes.random_things import random_hand
from tools.scenes.trouble import Kind, Moment, Trouble, plan_throw_by_hand, plan_trouble
from vision.reader import read
from vision.render.draw import draw, light_of
from vision.render.scene import Scene
from vision.render.throw import Throw
from vision.settling.settle import Observation, Settle
from vision.tray.known import Tray, remembered
from vision.types import Frame, Reading

SIZE = (640, 480)
"""The size of the films' frames in pixels, as the box's camera delivers them (`device.camera.picamera.SIZE`)."""

RATES = (15.0, 20.0, 24.0, 30.0)  # frame rate, in frames per second

FIRST_SEED = 3_000_000_000
"""The first seed of films. Neither training nor scored scenes use these seeds."""

REST_S = 0.7  # time that the dice lie still before and after a disturbance and at the end, in seconds
PROMISED_S = 0.4  # time within which a roll must be reported after the dice come to rest, in seconds

FAULTS = ("missed", "doubled", "phantom", "wrong", "late", "push")
"""What can be wrong with the reports of a film: no roll, more than one, one before the dice came to rest, other values,
too late; and a camera push that was not noticed once, or noticed where there was none."""

_TRIES = 20  # number of attempts to plan a film with readable dice; of 500 films, 32 needed a second or third one

_EARLY_S = 0.1
"""How early a roll may be reported before the last die reaches its final tenth of a millimetre, in seconds."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film of dice lying still, a disturbance and a roll.

    Attributes:
        frames_per_s: Frame rate.
        before: The scene at the beginning.
        trouble: The disturbance.
        throw: The roll.
        seed: Random seed of the noise in its frames.
    """

    frames_per_s: float
    before: Scene
    trouble: Trouble
    throw: Throw
    seed: int

    @property
    def throw_s(self) -> float:
        """The time at which the roll begins, in seconds."""
        return 2 * REST_S + self.trouble.lasts_s

    @property
    def still_s(self) -> float:
        """The time from which nothing moves, in seconds."""
        return self.throw_s + self.throw.still_s

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the roll, sorted."""
        return tuple(sorted(top_face(die)[0] for die in self.throw.scene_at(self.throw.still_s).dice))

    def moment_at(self, time_s: float) -> Moment:
        """Return the moment at a time in seconds; after the end, the last one."""
        if time_s < REST_S:
            return Moment(self.before)
        if time_s < self.throw_s:
            return self.trouble.at(min(time_s - REST_S, self.trouble.lasts_s))
        return Moment(self.throw.scene_at(time_s - self.throw_s))

    def moments(self) -> Iterator[tuple[float, Moment]]:
        """Yield the times in seconds and the moments of the film."""
        for number in range(math.ceil((self.still_s + REST_S) * self.frames_per_s)):
            yield number / self.frames_per_s, self.moment_at(number / self.frames_per_s)


def frame_of(moment: Moment, noise: np.random.Generator) -> Frame:
    """Return the frame of a moment, (H, W, 3) uint8, BGR."""
    scene, size = moment.scene, moment.scene.camera.size
    if moment.shadow is None and moment.shake_px == (0.0, 0.0):
        return draw(scene, noise)
    light = light_of(scene) * (1.0 if moment.shadow is None else moment.shadow.left(size))
    shift = np.array([[1, 0, moment.shake_px[0]], [0, 1, moment.shake_px[1]]], np.float32)
    shaken = cv2.warpAffine(light, shift, size, borderMode=cv2.BORDER_REPLICATE)
    return scene.sensor.frame(np.asarray(shaken, np.float32), noise)


class BoxReader:
    """Reads the frames of one camera as the box does, and learns the empty tray on the way."""

    def __init__(self, tray: Tray | None = None) -> None:
        """Start reading; `tray` is None before the box has seen it empty."""
        self._tray = tray

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
        """Return the reading of a frame; `before` as for `vision.reader.read`."""
        return read(frame, self._tray, 4, before=before)

    def saw_empty(self, frame: Frame) -> None:
        """Remember the empty tray in the frame."""
        self._tray = remembered(frame, self._tray)

    def was_moved(self) -> None:
        """Forget the empty tray, because the camera has moved."""
        self._tray = None


def film(seed: int, kind: Kind, size: tuple[int, int] = SIZE, *, clean: bool = False, bare: bool | None = None) -> Film:
    """Return a film with random tray, light, camera, dice and values; the same arguments give the same film.

    A person can read the roll: dice that come to rest in the reflection of a lamp are rolled to another place. If
    `clean`, the dice are ordinary and in plain view, as in clean scenes (`random_scene`). If `bare`, they are rolled on
    a table without a tray; None for some films. `size` is in pixels.

    Raises:
        ValueError: If no attempt yields such a film.
    """
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES):
        before = random_scene(rng, size=size, clean=clean, bare=bare)
        trouble = plan_trouble(kind, rng, before, random_hand(rng, before.tray))
        after = trouble.at(trouble.lasts_s).scene
        throw = plan_throw_by_hand(
            replace(after, dice=()),
            [int(value) for value in rng.integers(1, 7, len(before.dice))],
            rng,
            bodies=[die.body for die in before.dice],
            before=after.dice,
            hand=random_hand(rng, before.tray),
        )
        planned = Film(float(rng.choice(RATES)), before, trouble, throw, seed)
        last = throw.scene_at(throw.still_s)
        if (is_clean if clean else is_legible)(last, truth_by_die(last)):
            return planned
    raise ValueError(f"no film of seed {seed} whose dice a person could read after {_TRIES} tries")


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a film.

    Attributes:
        seed: Seed of the film.
        kind: Its disturbance.
        values: Values of the roll.
        reported: Values of the first roll reported after the real one; None if there was none.
        wait_s: Time from the dice coming to rest until it was reported, seconds; 0 if it was not.
        phantoms: Number of rolls reported before the dice came to rest.
        doubles: Number of rolls reported after the first one.
        pushes: Number of camera bumps reported.
        why: What the box showed at the end if no roll was reported.
    """

    seed: int
    kind: Kind
    values: tuple[int, ...]
    reported: tuple[int, ...] | None
    wait_s: float
    phantoms: int
    doubles: int
    pushes: int
    why: str

    @property
    def faults(self) -> dict[str, str]:
        """The faults, named as in `FAULTS`, each with its description."""
        found = {}
        if self.reported is None:
            found["missed"] = f"missed ({self.why})"
        if self.doubles:
            found["doubled"] = f"{self.doubles} extra rolls after it"
        if self.phantoms:
            found["phantom"] = f"{self.phantoms} rolls before it"
        if self.reported not in (None, self.values):
            found["wrong"] = f"read {_joined(self.reported)} for {_joined(self.values)}"
        if self.wait_s > PROMISED_S:
            found["late"] = f"late, after {self.wait_s:.2f} s"
        if self.pushes != (self.kind is Kind.PUSH):
            found["push"] = f"{self.pushes} camera pushes noticed"
        return found

    @property
    def is_right(self) -> bool:
        """Whether exactly one roll was reported, with the right values and in time."""
        return not self.faults.keys() - {"push"}


def _joined(values: tuple[int, ...] | None) -> str:
    return " ".join(map(str, values or ()))


def play(film: Film, reader: BoxReader) -> Played:
    """Show a film to a box that has read the dice lying there, and return the result."""
    settle = Settle(reader, armed=False, on_empty=reader.saw_empty)
    noise = np.random.default_rng(film.seed)
    seen: Observation | None = None
    rolls, pushes = [], 0
    for time_s, moment in film.moments():
        seen = settle.see(time_s, frame_of(moment, noise))
        if seen.bumped:
            pushes += 1
            reader.was_moved()
        if seen.roll is not None:
            rolls.append((time_s, seen.roll))
    first = [(time_s, roll) for time_s, roll in rolls if time_s >= film.still_s - _EARLY_S]
    why = ""
    if not first and seen is not None:
        reason = seen.reading.reason if seen.reading is not None else None
        why = str(seen.state) if reason is None else f"{seen.state}: {reason}"
    return Played(
        seed=film.seed,
        kind=film.trouble.kind,
        values=film.values,
        reported=first[0][1].values if first else None,
        wait_s=first[0][0] - film.still_s if first else 0.0,
        phantoms=len(rolls) - len(first),
        doubles=max(0, len(first) - 1),
        pushes=pushes,
        why=why,
    )


def play_seed(seed: int, *, clean: bool = False, bare: bool | None = None) -> Played:
    """Plan and play the film of a seed; the disturbances alternate from seed to seed. Options as for `film`."""
    kinds = list(Kind)
    return play(film(seed, kinds[seed % len(kinds)], clean=clean, bare=bare), BoxReader())
