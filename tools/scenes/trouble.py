"""What happens in films: rolls by a hand, and disturbances between them, such as a nudge, a lamp or a moved camera."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from tools.scenes.faces import top_face
from tools.scenes.misplaced import is_apart
from tools.scenes.things import Hand
from vision.render.geometry import lying
from vision.render.scene import DieBody, PlacedDie, Scene
from vision.render.throw import Throw, plan_throw

REACH_S = 0.4  # a hand's way in, and its way out; people take 0.3 to 0.6 s
_AWAY_MM = 460.0  # distance of the palm from its goal that is out of any camera's view, arm and all
_TAKE_S = 0.3  # time for which the hand closes around the dice before it lifts, in seconds
_SHAKE_S = 0.5  # time from the hand's leaving with the dice until its return, in seconds
_TAKEN_S = REACH_S + _TAKE_S / 2  # time at which the dice that lay in the tray are gone, in seconds
_STAY_S = 0.3  # time that a hand stays at the dice, in seconds
_VISIT_S = 2 * REACH_S + _STAY_S  # length of a hand's visit, in seconds
_TOUCH_S = REACH_S + _STAY_S / 2  # time during a visit at which the hand touches the dice, in seconds
_ROUND = 0.75  # radius of a circle that contains a die at any rotation, in its sizes; half a diagonal is 0.71


def nearness(time_s: float, stay_s: float) -> float:
    """How near a hand is at a time of a visit that lasts twice `REACH_S` and its stay: 1 there, 0 and less away."""
    return min(1.0, time_s / REACH_S, (2 * REACH_S + stay_s - time_s) / REACH_S)


def reaching(hand: Hand, goal: tuple[float, float], near: float) -> Hand:
    """The hand on its way: `near` is 0 out of view and 1 at the goal, (x, y) in mm, slow at both ends."""
    eased = near * near * (3 - 2 * near)
    back = math.radians(hand.towards_deg + 180)
    away = (1.0 - eased) * _AWAY_MM
    return replace(hand, palm_mm=(goal[0] + away * math.cos(back), goal[1] + away * math.sin(back), hand.palm_mm[2]))


@dataclass(frozen=True, slots=True)
class ThrowByHand(Throw):
    """A roll by a hand.

    Attributes:
        before: The dice in the tray at time 0.
        hand: The hand that takes and rolls the dice.
    """

    before: tuple[PlacedDie, ...]
    hand: Hand

    def scene_at(self, time_s: float) -> Scene:
        """Return the scene at a time in seconds; before 0 the first one, after the end the last one."""
        scene, hand = Throw.scene_at(self, time_s), self._hand_at(time_s)
        if self.before and time_s < _TAKEN_S:
            scene = replace(scene, dice=self.before)
        return scene if hand is None else hand.over(scene)

    def _hand_at(self, time_s: float) -> Hand | None:
        if self.before and 0 < time_s < 2 * REACH_S + _TAKE_S:
            goal = np.mean([die.centre for die in self.before], axis=0)
            closed = min(1.0, max(0.0, (time_s - REACH_S) / _TAKE_S))
            hand = replace(self.hand, curl=0.2 + 0.6 * closed)
            return reaching(hand, (float(goal[0]), float(goal[1])), nearness(time_s, _TAKE_S))
        first = min(path.starts_s for path in self.paths)
        if abs(time_s - first) < REACH_S:
            near = 1.0 - abs(time_s - first) / REACH_S
            back = math.radians(self.hand.towards_deg + 180)
            tray = self.setting.tray
            edge = max(tray.width_mm, tray.depth_mm) / 2 + 60.0
            hand = replace(self.hand, curl=0.7 if time_s < first else 0.1)
            return reaching(hand, (edge * math.cos(back), edge * math.sin(back)), near)
        return None


def plan_throw_by_hand(
    setting: Scene,
    values: Sequence[int],
    rng: np.random.Generator,
    *,
    bodies: Sequence[DieBody],
    hand: Hand,
    before: tuple[PlacedDie, ...] = (),
) -> ThrowByHand:
    """Plan a roll with the given values; arguments and errors as for `plan_throw`. The hand's place is calculated."""
    thrown = plan_throw(
        setting,
        values,
        rng,
        bodies=bodies,
        way_rad=math.radians(hand.towards_deg),
        begins_s=REACH_S + (2 * REACH_S + _TAKE_S + _SHAKE_S if before else 0.0),
    )
    still_s = max(thrown.still_s, min(path.starts_s for path in thrown.paths) + REACH_S)
    return ThrowByHand(setting, thrown.paths, still_s, before, hand)


class Kind(StrEnum):
    """The kind of a disturbance between two rolls."""

    NOTHING = "nothing"
    HAND = "hand in and out"
    NUDGE = "one die nudged"
    LAMP = "lamp switched"
    SHADOW = "shadow passes"
    BUMP = "table bumped"
    PICK_UP = "dice picked up"
    PUT_BACK = "dice put back"
    PUSH = "camera pushed"


@dataclass(frozen=True, slots=True)
class Shadow:
    """A band of less light across the picture.

    Attributes:
        way_rad: Direction across the band.
        middle: Place along that direction, in widths of the picture from its centre.
        half: Half its width, in widths of the picture.
        soft: Width of its edges, in widths of the picture.
        depth: Part of the light that it removes, 0 to 1.
    """

    way_rad: float
    middle: float
    half: float
    soft: float
    depth: float

    def left(self, size: tuple[int, int]) -> NDArray[np.float32]:
        """Return the part of the light that remains at each pixel, shape (H, W, 1)."""
        width, height = size
        x = (np.arange(width, dtype=np.float32) - width / 2) / width
        y = (np.arange(height, dtype=np.float32) - height / 2) / width
        off = np.abs(x[None, :] * math.cos(self.way_rad) + y[:, None] * math.sin(self.way_rad) - self.middle)
        inside = np.clip((self.half - off) / self.soft + 0.5, 0.0, 1.0)
        return np.asarray(1.0 - self.depth * (inside * inside * (3 - 2 * inside)), np.float32)[..., None]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a film.

    Attributes:
        scene: The scene.
        shadow: A shadow over it.
        shake_px: Shift of the whole picture, (x, y), while the table trembles.
    """

    scene: Scene
    shadow: Shadow | None = None
    shake_px: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A disturbance that is not a roll.

    Attributes:
        kind: Its kind.
        lasts_s: Its duration.
        at: Returns the moment at a time from 0 to `lasts_s`.
    """

    kind: Kind
    lasts_s: float
    at: Callable[[float], Moment]


def _visit(kind: Kind, before: Scene, after: Scene, hand: Hand, goal: tuple[float, float]) -> Trouble:
    """Return a hand's visit, which may change the scene."""

    def at(time_s: float) -> Moment:
        scene = before if time_s < _TOUCH_S else after
        near = nearness(time_s, _STAY_S)
        return Moment(reaching(hand, goal, near).over(scene) if near > 0 else scene)

    return Trouble(kind, _VISIT_S, at)


def _middle(scene: Scene) -> tuple[float, float]:
    x, y, _ = np.mean([die.centre for die in scene.dice], axis=0)
    return float(x), float(y)


def _moved(die: PlacedDie, x: float, y: float) -> PlacedDie:
    return replace(die, centre=(die.centre[0] + x, die.centre[1] + y, die.centre[2]))


def _shifted(rng: np.random.Generator, scene: Scene, most_mm: float) -> Scene:
    """Return the scene with all dice shifted in the same direction by up to this distance, but not into the wall."""
    for _ in range(50):
        way, far = float(rng.uniform(0, math.tau)), float(rng.uniform(0.3, 1.0)) * most_mm
        dice = tuple(_moved(die, far * math.cos(way), far * math.sin(way)) for die in scene.dice)
        if all(_is_free(scene, die, ()) for die in dice):
            return replace(scene, dice=dice)
    return scene


def _is_free(scene: Scene, die: PlacedDie, others: Iterable[PlacedDie]) -> bool:
    """Whether a die's circle touches neither the wall nor those of other dice."""
    in_floor = scene.tray.holds(np.array([die.centre[:2]]), _ROUND * die.body.size_mm)
    return in_floor and is_apart(die, others, _ROUND)


def _nudge(rng: np.random.Generator, scene: Scene, hand: Hand) -> Trouble:
    """Return a hand pushing one die aside, often onto another face."""
    number = int(rng.integers(len(scene.dice)))
    die = scene.dice[number]
    others = [other for other in scene.dice if other is not die]
    value = int(rng.integers(1, 7)) if rng.random() < 0.5 else top_face(die)[0]
    nudged = replace(die, turn=lying(value, float(rng.uniform(0, math.tau))))
    for _ in range(50):
        way, far = float(rng.uniform(0, math.tau)), float(rng.uniform(5, 40))
        there = _moved(nudged, far * math.cos(way), far * math.sin(way))
        if _is_free(scene, there, others):
            nudged = there
            break
    dice = (*scene.dice[:number], nudged, *scene.dice[number + 1 :])
    return _visit(Kind.NUDGE, scene, replace(scene, dice=dice), hand, (die.centre[0], die.centre[1]))


def _lamp(rng: np.random.Generator, scene: Scene) -> Trouble:
    """Return the lamp being switched between full and a part of its light, with constant ambient light."""
    blue, green, red = scene.light.colour
    part = float(rng.uniform(0.1, 0.5))
    dim = replace(scene, light=replace(scene.light, colour=(part * blue, part * green, part * red)))

    def at(time_s: float) -> Moment:
        return Moment(dim if time_s < 0.6 else scene)

    return Trouble(Kind.LAMP, 1.2, at)


def _shadow(rng: np.random.Generator, scene: Scene) -> Trouble:
    """Return a shadow passing from one side to the other."""
    half, soft = float(rng.uniform(0.1, 0.4)), float(rng.uniform(0.03, 0.4))
    way, depth = float(rng.uniform(0, math.tau)), float(rng.uniform(0.15, 0.6))
    reach = 0.65 + half + soft
    lasts = 2 * reach / float(rng.uniform(0.8, 2.0))

    def at(time_s: float) -> Moment:
        return Moment(scene, Shadow(way, reach * (2 * time_s / lasts - 1), half, soft, depth))

    return Trouble(Kind.SHADOW, lasts, at)


def _bump(rng: np.random.Generator, scene: Scene) -> Trouble:
    """Return the table trembling, with the dice sliding by some millimetres."""
    after = _shifted(rng, scene, 4.0)
    way, far = float(rng.uniform(0, math.tau)), float(rng.uniform(1, 4)) * scene.camera.size[0] / scene.tray.width_mm

    def at(time_s: float) -> Moment:
        swing = far * math.exp(-time_s / 0.15) * math.sin(math.tau * 8 * time_s)
        slid = min(1.0, time_s / 0.15)
        dice = tuple(
            _moved(die, slid * (end.centre[0] - die.centre[0]), slid * (end.centre[1] - die.centre[1]))
            for die, end in zip(scene.dice, after.dice, strict=True)
        )
        shake = (swing * math.cos(way), swing * math.sin(way)) if abs(swing) > 0.05 else (0.0, 0.0)
        return Moment(replace(scene, dice=dice), shake_px=shake)

    return Trouble(Kind.BUMP, 0.9, at)


def _put_back(rng: np.random.Generator, scene: Scene, hand: Hand) -> Trouble:
    """Return the dice being taken out and put back at the same places, to within some millimetres."""
    goal = _middle(scene)
    out = _visit(Kind.PUT_BACK, scene, replace(scene, dice=()), hand, goal)
    back = _visit(Kind.PUT_BACK, replace(scene, dice=()), _shifted(rng, scene, 3.0), hand, goal)

    def at(time_s: float) -> Moment:
        return out.at(time_s) if time_s < _VISIT_S + 0.4 else back.at(time_s - _VISIT_S - 0.4)

    return Trouble(Kind.PUT_BACK, 2 * _VISIT_S + 0.4, at)


def _push(rng: np.random.Generator, scene: Scene) -> Trouble:
    """Return the camera being moved to another place."""
    camera = scene.camera
    way, far = float(rng.uniform(0, math.tau)), float(rng.uniform(0.04, 0.1)) * scene.tray.width_mm
    turn = float(rng.uniform(-6, 6))

    def at(time_s: float) -> Moment:
        part = min(1.0, time_s / 0.3)
        x, y = camera.aim_mm
        aim = (x + part * far * math.cos(way), y + part * far * math.sin(way))
        return Moment(replace(scene, camera=replace(camera, aim_mm=aim, turn_deg=camera.turn_deg + part * turn)))

    return Trouble(Kind.PUSH, 0.8, at)


def plan_trouble(kind: Kind, rng: np.random.Generator, scene: Scene, hand: Hand) -> Trouble:
    """Return a disturbance of dice in the tray.

    Args:
        kind: Its kind.
        rng: The random generator of the rest.
        scene: The scene before.
        hand: The hand that reaches in, if one does.
    """
    match kind:
        case Kind.NOTHING:
            return Trouble(kind, 0.0, lambda _: Moment(scene))
        case Kind.HAND:
            return _visit(kind, scene, scene, hand, (float(rng.uniform(-40, 40)), float(rng.uniform(-40, 40))))
        case Kind.NUDGE:
            return _nudge(rng, scene, hand)
        case Kind.LAMP:
            return _lamp(rng, scene)
        case Kind.SHADOW:
            return _shadow(rng, scene)
        case Kind.BUMP:
            return _bump(rng, scene)
        case Kind.PICK_UP:
            return _visit(kind, scene, replace(scene, dice=()), hand, _middle(scene))
        case Kind.PUT_BACK:
            return _put_back(rng, scene, hand)
        case Kind.PUSH:
            return _push(rng, scene)
