"""Settling, frame by frame, with a reader that knows the truth about the scene."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.every import every
from tools.scenes.labels import truth
from tools.scenes.random_things import random_hand
from tools.scenes.things import things_of
from tools.scenes.trouble import plan_throw_by_hand
from vision.render.draw import draw
from vision.render.geometry import lying
from vision.render.placing import lay_dice
from vision.render.scene import Scene
from vision.render.table import IVORY, table_scene
from vision.render.throw import Throw
from vision.settling.agreement import AGREEING, PATIENCE
from vision.settling.movement import CHANGE_PX, changed, grey_of, shrink
from vision.settling.settle import HAND_S, Observation, Reader, Settle, TrayState
from vision.types import Die, Frame, Reading, Reason

SMALL = (320, 240)
BARE = np.full((60, 80, 3), 40, np.uint8)
CHANGED = BARE.copy()
CHANGED[20:40, 20:40] = 200


@lru_cache(maxsize=256)
def picture(scene: Scene, variant: int) -> Frame:
    return draw(scene, variant)


@dataclass
class KnowingReader:
    """Reads the true scene that was rendered last; stores every scene that it was asked to read.

    The dice of `unreadable` are seen but not read.
    """

    scene: Scene | None = None
    asked: list[Scene] = field(default_factory=list)
    unreadable: Scene | None = None

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
        assert self.scene is not None
        self.asked.append(self.scene)
        if any(thing.foreign for thing in things_of(self.scene)):
            return Reading((), Reason.HAND)
        if self.scene.sensor.exposure < 0.05:
            return Reading((), Reason.DARK)
        dice = tuple(Die(each.value, each.top, 1.0, 7 - each.value) for each in truth(self.scene))
        if self.scene == self.unreadable:
            return Reading(dice, Reason.COCKED)
        return Reading(dice) if dice else Reading((), Reason.NO_DICE)


@dataclass
class Box:
    """A settling box under test, shown one scene after another."""

    reader: KnowingReader = field(default_factory=KnowingReader)
    time_s: float = 0.0
    frames_per_s: float = 30.0

    is_armed: bool = True

    def __post_init__(self) -> None:
        self.settle = Settle(self.reader, armed=self.is_armed)

    def show(self, scene: Scene, variant: int | None = None) -> Observation:
        self.reader.scene = scene
        # Of a scene that stays, five pictures with different noise in turn.
        frame = picture(scene, (round(self.time_s * self.frames_per_s) if variant is None else variant) % 5)
        seen = self.settle.see(self.time_s, frame)
        self.time_s += 1 / self.frames_per_s
        return seen

    def show_for(self, scene: Scene, seconds: float) -> list[Observation]:
        return [self.show(scene) for _ in range(round(seconds * self.frames_per_s))]

    def show_all(self, scenes: Iterable[Scene]) -> list[Observation]:
        return [each for scene in scenes for each in self.show_for(scene, 1.0)]

    def show_throw(self, throw: Throw) -> list[Observation]:
        times = itertools.takewhile(
            lambda time_s: time_s < throw.still_s + 1.0, (n / self.frames_per_s for n in itertools.count())
        )
        # The same moment has the same picture, however many frames a second there are: it is drawn once.
        return [self.show(throw.scene_at(time_s), round(30 * time_s)) for time_s in times]


def rolls(seen: Iterable[Observation]) -> list[Reading]:
    return [each.roll for each in seen if each.roll is not None]


def laid(seed: int, values: tuple[int, ...] = (1, 3, 4, 6)) -> Scene:
    return lay_dice(np.random.default_rng(seed), table_scene(SMALL), [IVORY] * len(values), values)


def nudged(scene: Scene, number: int) -> Scene:
    dice = list(scene.dice)
    x, y, z = dice[number].centre
    dice[number] = replace(dice[number], centre=(x * 0.8 + 12.0, y * 0.8, z))
    return replace(scene, dice=tuple(dice))


def shifted(scene: Scene, right_mm: float, up_mm: float) -> Scene:
    dice = []
    for one in scene.dice:
        x, y, z = one.centre
        dice.append(replace(one, centre=(x + right_mm, y + up_mm, z)))
    return replace(scene, dice=tuple(dice))


def turned(scene: Scene) -> Scene:
    """The same with a 5 in place of the first die."""
    return replace(scene, dice=(replace(scene.dice[0], turn=lying(5, 0.4)), *scene.dice[1:]))


def without_dice(scene: Scene) -> Scene:
    return replace(scene, dice=())


def under_a_hand(scene: Scene, seed: int = 7) -> Scene:
    return random_hand(np.random.default_rng(seed), scene.tray).over(scene)


def dark(scene: Scene) -> Scene:
    return replace(scene, sensor=replace(scene.sensor, exposure=0.01))


def pushed(scene: Scene, by_mm: float = 12.0, turn_deg: float = 3.0) -> Scene:
    """The same after a bump of the camera."""
    camera = scene.camera
    return replace(scene, camera=replace(camera, aim_mm=(by_mm, -by_mm), turn_deg=camera.turn_deg + turn_deg))


def die(value: int, x: float, y: float) -> Die:
    return Die(value, (x - 20, y - 20, x + 20, y + 20), 1.0, 7 - value)


def thrown(seed: int, before: Scene | None = None, values: tuple[int, ...] = (2, 2, 5, 6)) -> Throw:
    rng = np.random.default_rng(seed)
    setting = table_scene(SMALL)
    return plan_throw_by_hand(
        setting,
        values,
        rng,
        bodies=[IVORY] * len(values),
        before=() if before is None else before.dice,
        hand=random_hand(rng, setting.tray),
    )


def test_dice_that_lie_still_are_one_roll_and_are_read_until_two_readings_agree():
    box = Box()
    assert [roll.values for roll in rolls(box.show_for(laid(1), 4.0))] == [(1, 3, 4, 6)]
    assert len(box.reader.asked) == AGREEING


def test_an_empty_tray_is_not_a_roll_and_its_frame_is_passed_on_once_each_time():
    frames: list[Frame] = []
    box, empty = Box(), table_scene(SMALL)
    box.settle = Settle(box.reader, on_empty=frames.append)
    seen = box.show_all((laid(1), empty, laid(2), empty))
    assert seen[-1].state is TrayState.EMPTY
    assert len(rolls(seen)) == 2
    assert len(frames) == 2
    assert all(any(np.array_equal(frame, picture(empty, number)) for number in range(5)) for frame in frames)


@pytest.mark.parametrize(("seed", "frames_per_s"), [(0, 5.0), (1, 12.0), (2, 15.0), (3, 30.0)])
def test_a_roll_by_hand_over_used_dice_is_one_roll_of_the_new_ones(seed: int, frames_per_s: float):
    box = Box(frames_per_s=frames_per_s)
    old = laid(seed)
    box.show_for(old, 1.2)
    seen = box.show_throw(thrown(seed, old)) + box.show_for(box.reader.scene or old, 0.5)
    assert [roll.values for roll in rolls(seen)] == [(2, 2, 5, 6)]


def test_a_change_in_most_of_the_picture_is_movement():
    before = np.full((120, 160), 100, np.float32)
    now = before.copy()
    now[:, :120:2] += 40
    now[:, 1:120:2] -= 40
    assert changed(before, now).mean() > 0.5


@given(st.floats(0.3, 2.0))
def test_light_that_changes_in_the_whole_picture_is_not_movement(factor: float):
    tray = shrink(grey_of(picture(laid(3), 0)))
    assert np.count_nonzero(changed(tray, tray * np.float32(factor))) == 0


def test_a_die_that_creeps_by_a_millimetre_is_movement():
    scene = laid(4)
    crept = replace(scene.dice[0], centre=(scene.dice[0].centre[0] + 1.0, *scene.dice[0].centre[1:]))
    small = [shrink(grey_of(picture(each, 0))) for each in (scene, replace(scene, dice=(crept, *scene.dice[1:])))]
    assert np.count_nonzero(changed(*small)) >= CHANGE_PX


def test_a_hand_that_stays_over_the_dice_becomes_the_reason_why_they_cannot_be_read():
    seen = Box().show_for(under_a_hand(laid(7)), HAND_S + 1.0)
    assert seen[60].state is TrayState.HAND
    assert seen[-1].state is TrayState.UNREADABLE
    assert seen[-1].reading is not None
    assert seen[-1].reading.reason is Reason.HAND
    assert rolls(seen) == []


LATER: dict[str, Callable[[Scene], list[Scene]]] = {
    "a hand passes": lambda scene: [under_a_hand(scene), scene],
    **{f"die {number} is nudged": lambda scene, number=number: [nudged(scene, number)] for number in range(4)},
    "a bump shifts every die a little": lambda scene: [shifted(scene, 3.0, -2.0)],
    "a lamp is switched off and on": lambda scene: [dark(scene), scene],
    "a shadow hides the dice for a while": lambda scene: [without_dice(scene), scene],
    "a die is nudged after a shadow hid all": lambda scene: [without_dice(scene), nudged(scene, 0)],
    "a nudged die shows another face": lambda scene: [turned(scene)],
    "the dice are picked up": lambda scene: [under_a_hand(scene), without_dice(scene)],
    "the dice are put back in nearly the same places": lambda scene: [without_dice(scene), shifted(scene, -4.0, 5.0)],
}
"""What happens to dice that were reported, as the scenes that follow."""


@every(what=LATER)
def test_no_disturbance_is_a_new_roll(what: str):
    box, scene = Box(), laid(9)
    box.show_for(scene, 1.0)
    later = LATER[what](scene)
    seen = box.show_all(later)
    assert rolls(seen) == []
    assert seen[-1].state is (TrayState.STILL if later[-1].dice else TrayState.EMPTY)
    values = tuple(sorted(die.value for die in truth(later[-1])))
    assert seen[-1].reading is not None
    assert seen[-1].reading.values == values


def test_dice_with_other_values_than_the_last_roll_may_be_a_missed_roll_and_used_dice_never():
    box, scene = Box(), laid(13)
    assert not any(each.missed for each in box.show_all((scene, nudged(scene, 0))))
    assert box.show_for(turned(scene), 1.0)[-1].missed
    assert box.show_for(nudged(turned(scene), 1), 1.0)[-1].missed, "until they are told"
    box.settle.rearm()
    assert [roll.values for roll in rolls(box.show_for(nudged(turned(scene), 1), 1.0))] == [(3, 4, 5, 6)]
    assert not any(each.missed for each in box.show_all((nudged(turned(scene), 1), table_scene(SMALL))))


@every(is_armed=[True, False], has_seen=[True, False])
def test_a_box_that_is_asked_to_read_reports_the_dice_in_the_tray_once(is_armed: bool, has_seen: bool):
    box, scene = Box(is_armed=is_armed), laid(14)
    box.show_for(scene, 1.0 * has_seen)
    box.settle.rearm()
    assert len(rolls(box.show_for(scene, 2.0))) == 1


def test_an_unreadable_tray_is_reported_with_the_reason_and_rarely_read_again():
    box = Box()
    seen = box.show_for(dark(laid(15)), 2.1)
    assert seen[-1].state is TrayState.UNREADABLE
    assert seen[-1].reading is not None
    assert seen[-1].reading.reason is Reason.DARK
    assert len(box.reader.asked) <= PATIENCE + 4


def test_a_tray_whose_reason_changes_with_each_frame_is_unreadable_and_rarely_read_again():
    reasons = [Reason.UNSURE, Reason.GLARE, Reason.COUNT]
    asked: list[Reason] = []

    def read(_: Frame, _before: Reading | None) -> Reading:
        asked.append(reasons[len(asked) % 3])
        return Reading((), asked[-1])

    settle, frame = Settle(read), picture(laid(15), 1)
    seen = [settle.see(number / 30, frame) for number in range(90)]
    assert seen[-1].state is TrayState.UNREADABLE
    assert len(asked) <= PATIENCE + 6


def test_dice_that_are_read_differently_each_time_are_unsure_and_not_a_roll():
    values = itertools.cycle((2, 3, 4))
    settle = Settle(lambda *_: Reading(tuple(die(next(values), 30.0 * at, 30.0) for at in range(1, 5))))
    seen = [settle.see(number / 30, picture(laid(16), 1)) for number in range(90)]
    assert rolls(seen) == []
    assert seen[-1].reading is not None
    assert seen[-1].reading.reason is Reason.UNSURE


def test_one_refused_reading_among_good_ones_does_not_delay_the_roll():
    answers = itertools.chain([Reading((), Reason.UNSURE)], itertools.repeat(Reading((die(3, 60.0, 60.0),))))
    settle, frame = Settle(lambda *_: next(answers)), picture(laid(16), 1)
    seen = [settle.see(number / 15, frame) for number in range(15)]
    (number,) = [number for number, one in enumerate(seen) if one.roll is not None]
    assert number / 15 <= 0.34  # and 0.067 s may have passed from the last movement to the first of these frames


def test_one_die_rolled_again_is_a_roll():
    box = Box()
    box.show_for(laid(18, (4,)), 1.0)
    told = rolls(box.show_for(laid(19, (4,)), 1.0))
    assert [roll.values for roll in told] == [(4,)]


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000), st.tuples(*[st.integers(1, 6)] * 4), st.sampled_from([15.0, 20.0, 30.0]))
def test_any_roll_is_reported_once_within_0_4_seconds_and_never_read_while_it_rolls(seed, values, frames_per_s):
    box, throw = Box(frames_per_s=frames_per_s), thrown(seed, values=values)
    seen = box.show_throw(throw)
    (number,) = [number for number, each in enumerate(seen) if each.roll is not None]
    assert seen[number].roll.values == tuple(sorted(values))
    assert throw.still_s - 0.1 <= number / frames_per_s <= throw.still_s + 0.4
    assert TrayState.ROLLING in {each.state for each in seen}
    fastest = max(np.linalg.norm(die.velocity) for scene in box.reader.asked for die in scene.dice)
    assert fastest < 40.0  # mm/s: a tenth of the slowest throw


def film_reader(film: dict[str, object]) -> Reader:
    """A reader that knows the final places of the film's dice."""
    dice = tuple(Die(each["value"], tuple(each["box"]), 1.0, 1) for each in film["dice"])  # type: ignore[attr-defined]
    return lambda *_: Reading(dice)


@pytest.mark.parametrize("name", ["throw001", "throw002"])
def test_a_recorded_roll_is_reported_once_soon_after_the_dice_lie_still(dice_dir: Path, name: str):
    folder = dice_dir / "throws" / name
    film = json.loads((folder / "video.json").read_text())
    settle = Settle(film_reader(film))
    told = []
    for number, path in enumerate(sorted(folder.glob("*.jpg"))):
        frame = np.asarray(cv2.imread(str(path)), dtype=np.uint8)
        told.append(settle.see(number / film["fps"], frame).roll)
    (number,) = [number for number, roll in enumerate(told) if roll is not None]
    assert film["still_from"] <= number <= film["still_from"] + 0.4 * film["fps"]


def switched_on(unreadable: Scene | None = None) -> Box:
    """A box that was just switched on."""
    return Box(KnowingReader(unreadable=unreadable), is_armed=False)


def test_dice_that_an_unarmed_box_finds_at_the_start_are_not_a_roll_but_may_be_a_missed_one():
    box = switched_on()
    seen = box.show_for(laid(1), 1.0)
    assert rolls(seen) == []
    assert seen[-1].missed
    seen = box.show_throw(thrown(2, laid(1)))
    assert len(rolls(seen)) == 1
    assert not seen[-1].missed


FIRST, OTHER = laid(1), laid(2)
FIRST_ROLLS: dict[str, tuple[Scene | None, list[Scene], int]] = {
    "into an empty tray": (None, [table_scene(SMALL), FIRST], 1),
    "after unreadable dice, the tray never seen empty in between": (FIRST, [FIRST, OTHER], 1),
    "one nudge made the dice readable": (FIRST, [FIRST, nudged(FIRST, 0)], 0),
    "unreadable dice are taken out and put back": (FIRST, [FIRST, without_dice(FIRST), shifted(FIRST, -4.0, 5.0)], 0),
    "three land in the places of unreadable ones": (
        FIRST,
        [FIRST, without_dice(FIRST), replace(FIRST, dice=(*FIRST.dice[:3], OTHER.dice[3]))],
        1,
    ),
    "dice are readable only after a camera move": (FIRST, [FIRST, pushed(FIRST, by_mm=25.0)], 0),
}
"""The unreadable scene, all scenes that a box sees after it was switched on, and the number of rolls."""


@every(what=FIRST_ROLLS)
def test_an_unarmed_box_reports_the_first_roll_and_no_dice_that_lay_there(what: str):
    unreadable, scenes, count = FIRST_ROLLS[what]
    seen = switched_on(unreadable).show_all(scenes)
    assert seen[-1].state is TrayState.STILL
    assert len(rolls(seen)) == count


def test_a_roll_with_two_dice_near_earlier_ones_of_their_values_is_a_new_roll():
    near = [(40.0, 60.0), (160.0, 90.0), (220.0, 180.0), (90.0, 170.0)]
    first = Reading(tuple(die(value, x, y) for value, (x, y) in zip((5, 3, 2, 5), near, strict=True)))
    second = Reading((die(5, 46.0, 63.0), die(3, 155.0, 96.0), die(4, 200.0, 40.0), die(6, 120.0, 120.0)))
    answers = [first] * 2 + [second] * 2
    settle = Settle(lambda *_: answers.pop(0))
    seen = [settle.see(number / 15, BARE if number < 10 else CHANGED) for number in range(20)]
    assert rolls(seen) == [first, second]


def bumps_of(first: Reading, second: Reading, still: Frame = BARE, other: Frame = CHANGED) -> int:
    """Return how often a camera move is reported between two readings and two frames; by default of a plain floor."""
    answers = [first] * 2 + [second] * 8
    settle = Settle(lambda *_: answers.pop(0))
    seen = [settle.see(number / 15, still if number < 10 else other) for number in range(25)]
    return sum(each.bumped for each in seen)


LAY = tuple(die(value, x, y) for value, x, y in ((1, 100.0, 100.0), (3, 300.0, 150.0), (4, 200.0, 300.0)))
WENT = tuple(replace(one, box=tuple(edge + 30.0 for edge in one.box)) for one in LAY)


MOVED = {
    "dice that moved together": (Reading(LAY), Reading(WENT), 1),
    "three dice that moved together, the fourth cut off": (
        Reading((*LAY, die(2, 400.0, 300.0))),
        Reading((*WENT, die(6, 430.0, 330.0)), Reason.OUT_OF_TRAY),
        1,
    ),
    "dice that moved together in a tray that seems covered": (Reading(LAY), Reading(WENT, Reason.HAND), 1),
    "dice that stayed in a tray that seems covered": (Reading(LAY), Reading(LAY, Reason.HAND), 0),
    "no dice in a tray that seems covered": (Reading(LAY), Reading((), Reason.HAND), 0),
    "new values": (Reading(LAY), Reading(tuple(replace(one, value=7 - one.value) for one in WENT)), 0),
    "two dice that moved together": (Reading(LAY), Reading((*WENT[:2], die(4, 150.0, 250.0))), 0),
}
"""Two readings, and whether they show on a floor without features that the camera was moved."""


@every(what=MOVED)
def test_on_a_plain_floor_the_dice_show_whether_the_camera_was_moved(what: str):
    first, second, bumps = MOVED[what]
    assert bumps_of(first, second) == bumps


def test_dice_that_stayed_in_place_show_that_the_camera_was_not_moved():
    spots = np.random.default_rng(1).integers(20, 200, (12, 16, 3)).astype(np.uint8)
    floor = np.asarray(cv2.resize(spots, (640, 480)), np.uint8)
    shifted = np.roll(floor, 40, axis=1)
    assert bumps_of(Reading(LAY), Reading(WENT), floor, shifted) == 1
    assert bumps_of(Reading(LAY), Reading((*LAY[:2], die(4, 150.0, 250.0))), floor, shifted) == 0
    assert bumps_of(Reading(LAY), Reading((*LAY[:1], *WENT[1:])), floor, shifted) == 1


def test_a_camera_that_was_moved_is_reported_once_and_its_dice_are_not_a_new_roll():
    for scene in (laid(40), table_scene(SMALL)):
        box = Box()
        box.show_for(scene, 1.0)
        seen = box.show_for(pushed(scene), 1.5)
        assert [each.bumped for each in seen].count(True) == 1
        assert rolls(seen) == []


def test_a_camera_move_during_a_roll_is_reported_and_so_is_the_roll():
    box = Box()
    scene = laid(41)
    box.show_for(scene, 1.0)
    box.show_for(under_a_hand(without_dice(scene), 1), 0.3)
    seen = box.show_for(pushed(laid(42, (2, 2, 5, 6))), 1.0)
    assert any(each.bumped for each in seen)
    assert [roll.values for roll in rolls(seen)] == [(2, 2, 5, 6)]


def test_a_tray_that_each_roll_shifts_a_little_is_reported_eventually():
    box = Box()
    told = [
        any(each.bumped for each in box.show_for(pushed(laid(50 + number), 1.0 * number, 0.0), 0.6))
        for number in range(6)
    ]
    assert not told[1]
    assert any(told)


def test_a_reading_is_passed_on_while_nothing_moves():
    handed: list[Reading | None] = []
    reading = Reading((die(3, 60.0, 60.0),))

    def read(_: Frame, before: Reading | None) -> Reading:
        handed.append(before)
        return reading

    settle = Settle(read)
    for number, scene in enumerate([laid(15)] * 10 + [laid(16)] * 10):
        settle.see(number / 15, picture(scene, 1))
    assert handed == [None, reading] * 2
