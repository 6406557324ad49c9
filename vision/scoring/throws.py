"""Simulated throws as films, each with something in between that is no throw; and what settling makes of them.

A film: dice lie in a random tray and were read; then comes a trouble, as a hand, a shadow or a bump of the table; then
the dice are taken up and thrown. Right is one roll, with the values thrown, told in time, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import read
from vision.render.draw import light_of
from vision.render.geometry import top_face
from vision.render.labels import COCKED_DEG, truth, truth_by_die
from vision.render.random_scene import is_clean, is_legible, random_scene
from vision.render.random_things import random_hand
from vision.render.scene import Scene
from vision.render.sensor import expose
from vision.render.throw import Throw, plan_throw
from vision.render.trouble import Kind, Moment, Trouble, plan_trouble
from vision.scoring.scenes import learnt
from vision.settling.settle import Observation, Settle
from vision.tray.calibration import Calibration
from vision.tray.known import Tray, remembered
from vision.types import Die, Frame, Reading, Reason

SIZE = (640, 480)
"""Size of the films' frames, in pixels: as the box's camera gives them (`device.camera.picamera.SIZE`)."""

RATES = (15.0, 20.0, 24.0, 30.0)
"""Frames a second."""

FIRST_SEED = 3_000_000_000
"""Films are judged from this seed on; their trays and dice are no training's and no scored scene's."""

REST_S = 0.7
"""How long the dice lie before and after a trouble and at the end, in seconds."""

PROMISED_S = 0.4
"""A roll is told so soon after the dice lie still, or it is late."""

_TRIES = 20
"""So many films are planned for one whose dice can be read; of 500, 32 needed a second or third."""

_EARLY_S = 0.1
"""A roll may be told so long before the last die has come to its final tenth of a millimetre."""


@dataclass(frozen=True, slots=True)
class Film:
    """Dice that lie there, a trouble, and a throw; ask it for the moment at any time.

    Attributes:
        frames_per_s: At which it is shown.
        before: The scene at first.
        trouble: What comes then.
        throw: And what comes last.
        seed: Decides the noise of its frames.
    """

    frames_per_s: float
    before: Scene
    trouble: Trouble
    throw: Throw
    seed: int

    @property
    def throw_s(self) -> float:
        """When the throw begins."""
        return 2 * REST_S + self.trouble.lasts_s

    @property
    def still_s(self) -> float:
        """From this time on nothing moves."""
        return self.throw_s + self.throw.still_s

    @property
    def values(self) -> tuple[int, ...]:
        """What is thrown, sorted."""
        return tuple(sorted(top_face(die)[0] for die in self.throw.dice))

    def moment_at(self, time_s: float) -> Moment:
        """Return what is visible at a time in seconds; after the end, what is visible at the end."""
        if time_s < REST_S:
            return Moment(self.before)
        if time_s < self.throw_s:
            return self.trouble.at(min(time_s - REST_S, self.trouble.lasts_s))
        return Moment(self.throw.scene_at(time_s - self.throw_s))

    def moments(self) -> Iterator[tuple[float, Moment]]:
        """Yield the film: times in seconds, and what is visible then."""
        for number in range(math.ceil((self.still_s + REST_S) * self.frames_per_s)):
            yield number / self.frames_per_s, self.moment_at(number / self.frames_per_s)


class Pictures:
    """Draws the moments of one film; what stays is drawn once, with new noise in each frame."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._drawn: tuple[Scene, NDArray[np.float32]] | None = None

    def draw(self, moment: Moment) -> Frame:
        """Return the frame of a moment, uint8 BGR, shape (H, W, 3)."""
        if self._drawn is None or self._drawn[0] != moment.scene:
            self._drawn = (moment.scene, light_of(moment.scene))
        light = self._drawn[1]
        if moment.shadow is not None:
            light = light * moment.shadow.left(moment.scene.camera.size)
        if moment.shake_px != (0.0, 0.0):
            shift = np.array([[1, 0, moment.shake_px[0]], [0, 1, moment.shake_px[1]]], np.float32)
            size = moment.scene.camera.size
            light = np.asarray(cv2.warpAffine(light, shift, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        return expose(light, moment.scene.sensor, self._rng)


class TruthReader:
    """Reads what is true of the scene instead of the frame: to judge settling apart from reading.

    Attributes:
        scene: What the next frame shows; to be set before it is read.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
        """Return the scene's dice, or why there is no reading of them."""
        if self.scene.hand is not None:
            return Reading((), Reason.HAND)
        dice = tuple(Die(one.value, one.top, 1.0, one.value % 6 + 1) for one in truth(self.scene))
        if not dice:
            return Reading((), Reason.NO_DICE)
        if any(max(map(abs, (*die.velocity, *die.spin))) > 0 for die in self.scene.dice):
            return Reading(dice, Reason.MOVING)
        if any(math.degrees(top_face(die)[1]) > COCKED_DEG for die in self.scene.dice):
            return Reading(dice, Reason.COCKED)
        return Reading(dice) if len(dice) == 4 else Reading(dice, Reason.COUNT)

    def saw_empty(self, frame: Frame) -> None:
        """Do nothing: there is no tray to remember."""

    def was_moved(self) -> None:
        """Do nothing: there is no tray to forget."""


class BoxReader:
    """Reads the frames of one camera as the box does: it gets to know the empty tray on the way."""

    def __init__(self, dice: int, calibration: Calibration | None = None) -> None:
        """Begin to read.

        Args:
            dice: How many there must be.
            calibration: What was learnt of the tray; None if nothing was.
        """
        self._dice = dice
        self._tray = None if calibration is None else Tray.learnt(calibration)

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
        """Return what the frame shows; `before` as for `vision.read`."""
        return read(frame, self._tray, self._dice, before=before)

    def saw_empty(self, frame: Frame) -> None:
        """Remember the empty tray that the frame shows."""
        self._tray = remembered(frame, self._tray)

    def was_moved(self) -> None:
        """Forget it, as the camera sees it from elsewhere."""
        self._tray = None


def film(seed: int, kind: Kind, size: tuple[int, int] = SIZE, *, clean: bool = False) -> Film:
    """Plan a film: any tray, light, camera and dice, any values; the same arguments give the same film.

    As in scenes to be read, a person can read what is thrown: dice that come to lie in a lamp's mirror image are thrown
    elsewhere.

    Args:
        seed: Decides everything but the trouble's kind.
        kind: What happens before the throw.
        size: Width and height of the frames, in pixels.
        clean: Whether the dice are ordinary ones that are easily seen, as in clean scenes (`random_scene`).

    Raises:
        ValueError: If chance finds no such film.
    """
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES):
        planned = _planned(seed, rng, kind, size, clean=clean)
        last = planned.throw.scene_at(planned.throw.still_s)
        if (is_clean if clean else is_legible)(last, truth_by_die(last)):
            return planned
    raise ValueError(f"no film of seed {seed} whose dice a person could read after {_TRIES} tries")


def film_of(seed: int, *, clean: bool = False) -> Film:
    """Plan the film of a seed: the troubles take turns from seed to seed. `clean` and errors as for `film`."""
    kinds = list(Kind)
    return film(seed, kinds[seed % len(kinds)], clean=clean)


def _planned(seed: int, rng: np.random.Generator, kind: Kind, size: tuple[int, int], *, clean: bool) -> Film:
    """Return a film whose thrown dice may lie in a lamp's reflection, or have pips that nobody can see."""
    before = random_scene(rng, size=size, clean=clean)
    trouble = plan_trouble(kind, rng, before, random_hand(rng, before.tray))
    after = trouble.at(trouble.lasts_s).scene
    values = [int(value) for value in rng.integers(1, 7, len(before.dice))]
    throw = plan_throw(
        replace(after, dice=(), hand=None),
        values,
        rng,
        bodies=[die.body for die in before.dice],
        before=after.dice,
        hand=random_hand(rng, before.tray),
        rest_s=REST_S,
    )
    return Film(float(rng.choice(RATES)), before, trouble, throw, seed)


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a film.

    Attributes:
        seed: Of the film.
        kind: Its trouble.
        values: What was thrown.
        told: The values of the first roll told after the throw; None where there was none.
        wait_s: How long after the dice lay still it was told.
        phantoms: Rolls told before the thrown dice lay still.
        doubles: Rolls told after the first one.
        pushes: How often a pushed camera was told.
        why: Where no roll was told: what the box showed at the end.
    """

    seed: int
    kind: Kind
    values: tuple[int, ...]
    told: tuple[int, ...] | None
    wait_s: float
    phantoms: int
    doubles: int
    pushes: int
    why: str

    @property
    def is_missed(self) -> bool:
        """No roll was told."""
        return self.told is None

    @property
    def is_wrong(self) -> bool:
        """The roll told has other values than were thrown."""
        return self.told is not None and self.told != self.values

    @property
    def is_late(self) -> bool:
        """The roll was told later than promised."""
        return self.told is not None and self.wait_s > PROMISED_S

    @property
    def is_right(self) -> bool:
        """One roll, with the values thrown, in time, and none else."""
        faulty = self.is_missed or self.is_wrong or self.is_late or self.phantoms or self.doubles
        return not faulty

    @property
    def is_push_right(self) -> bool:
        """A pushed camera was told once, and none that was not pushed."""
        return self.pushes == (self.kind is Kind.PUSH)


def play(film: Film, reader: BoxReader | TruthReader) -> Played:
    """Return what a box reports of a film after it has read the dice that lie there."""
    settle = Settle(reader, armed=False, on_empty=reader.saw_empty)
    pictures = Pictures(film.seed)
    seen: Observation | None = None
    rolls, pushes = [], 0
    for time_s, moment in film.moments():
        if isinstance(reader, TruthReader):
            reader.scene = moment.scene
        seen = settle.see(time_s, pictures.draw(moment))
        if seen.bumped:
            pushes += 1
            reader.was_moved()
        if seen.roll is not None:
            rolls.append(seen.roll)
    first = [roll for roll in rolls if roll.time_s >= film.still_s - _EARLY_S]
    why = ""
    if not first and seen is not None:
        reason = seen.reading.reason if seen.reading is not None else None
        why = str(seen.state) if reason is None else f"{seen.state}: {reason}"
    return Played(
        seed=film.seed,
        kind=film.trouble.kind,
        values=film.values,
        told=first[0].reading.values if first else None,
        wait_s=first[0].time_s - film.still_s if first else 0.0,
        phantoms=len(rolls) - len(first),
        doubles=max(0, len(first) - 1),
        pushes=pushes,
        why=why,
    )


def play_seed(seed: int, *, is_truth: bool = False, clean: bool = False, calibrated: bool = False) -> Played:
    """Plan and play the film of a seed, `film_of`.

    Args:
        seed: Decides everything.
        is_truth: Whether the dice are told by a `TruthReader` instead of being read.
        clean: Whether the dice are ordinary and easily seen: see `film`.
        calibrated: Whether the empty tray is learnt first, as the box does at its first start.
    """
    planned = film_of(seed, clean=clean)
    if is_truth:
        return play(planned, TruthReader(planned.before))
    calibration = learnt(planned.before, np.random.default_rng(seed)) if calibrated else None
    return play(planned, BoxReader(4, calibration))


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one kind of trouble; a film can count in several of the faults."""

    kind: str
    films: int
    right: int
    missed: int
    doubled: int
    phantom: int
    wrong: int
    late: int
    push_wrong: int


def table(played: Iterable[Played]) -> list[Row]:
    """Sum up by trouble, in the order of `Kind`, and over all."""
    everything = list(played)
    groups = [(str(kind), [one for one in everything if one.kind is kind]) for kind in Kind]
    return [
        Row(
            kind=name,
            films=len(ones),
            right=sum(one.is_right for one in ones),
            missed=sum(one.is_missed for one in ones),
            doubled=sum(one.doubles > 0 for one in ones),
            phantom=sum(one.phantoms > 0 for one in ones),
            wrong=sum(one.is_wrong for one in ones),
            late=sum(one.is_late for one in ones),
            push_wrong=sum(not one.is_push_right for one in ones),
        )
        for name, ones in [*groups, ("all", everything)]
        if ones
    ]
