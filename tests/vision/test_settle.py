"""Settling, frame by frame, with a reader that knows the truth about the scene."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.scenes.labels import truth
from tools.scenes.random_things import random_hand
from vision.render.draw import draw
from vision.render.geometry import lying
from vision.render.placing import lay_dice
from vision.render.scene import Scene
from vision.render.table import IVORY, table_scene
from vision.render.throw import Throw, plan_throw, throw_frames
from vision.settling.agreement import AGREEING, PATIENCE
from vision.settling.movement import CHANGE_PX, changed, grey_of, shrink
from vision.settling.new_throw import same_throw
from vision.settling.settle import HAND_S, Observation, Reader, Settle, TrayState
from vision.types import Die, Frame, Reading, Reason

SMALL = (320, 240)


@lru_cache(maxsize=256)
def picture(scene: Scene, variant: int) -> Frame:
    return draw(scene, variant)


@dataclass
class KnowingReader:
    """Reads the true scene that was rendered last; stores every scene that it was asked to read."""

    scene: Scene | None = None
    asked: list[Scene] = field(default_factory=list)

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
        assert self.scene is not None
        self.asked.append(self.scene)
        if self.scene.hand is not None:
            return Reading((), Reason.HAND)
        if self.scene.sensor.exposure < 0.05:
            return Reading((), Reason.DARK)
        dice = tuple(Die(each.value, each.top, 1.0, 7 - each.value) for each in truth(self.scene))
        return Reading(dice) if dice else Reading((), Reason.NO_DICE)


@dataclass
class Box:
    """A settling box under test, shown one scene after another."""

    reader: KnowingReader = field(default_factory=KnowingReader)
    time_s: float = 0.0
    frames_per_s: float = 30.0

    def __post_init__(self) -> None:
        self.settle = Settle(self.reader)

    def show(self, scene: Scene, variant: int | None = None) -> Observation:
        self.reader.scene = scene
        # Of a scene that stays, five pictures with different noise in turn.
        frame = picture(scene, (round(self.time_s * self.frames_per_s) if variant is None else variant) % 5)
        seen = self.settle.see(self.time_s, frame)
        self.time_s += 1 / self.frames_per_s
        return seen

    def show_for(self, scene: Scene, seconds: float) -> list[Observation]:
        return [self.show(scene) for _ in range(round(seconds * self.frames_per_s))]

    def show_throw(self, throw: Throw) -> list[Observation]:
        times = itertools.takewhile(
            lambda time_s: time_s < throw.end_s, (n / self.frames_per_s for n in itertools.count())
        )
        # The same moment has the same picture, however many frames a second there are: it is drawn once.
        return [self.show(throw.scene_at(time_s), round(30 * time_s)) for time_s in times]


def rolls(seen: Iterable[Observation]) -> list[Reading]:
    return [each.roll for each in seen if each.roll is not None]


def laid(seed: int, values: tuple[int, ...] = (1, 3, 4, 6)) -> Scene:
    return lay_dice(np.random.default_rng(seed), table_scene(SMALL), [IVORY] * len(values), values)


def nudged(scene: Scene, *numbers: int, by_mm: float = 12.0) -> Scene:
    dice = list(scene.dice)
    for number in numbers:
        x, y, z = dice[number].centre
        dice[number] = replace(dice[number], centre=(x * 0.8 + by_mm, y * 0.8, z))
    return replace(scene, dice=tuple(dice))


def thrown(seed: int, before: Scene | None = None, values: tuple[int, ...] = (2, 2, 5, 6)) -> Throw:
    rng = np.random.default_rng(seed)
    setting = table_scene(SMALL)
    return plan_throw(
        setting,
        values,
        rng,
        bodies=[IVORY] * len(values),
        before=() if before is None else before.dice,
        hand=random_hand(rng, setting.tray),
        rest_s=0.6,
    )


def test_dice_that_lie_there_at_the_start_are_one_roll():
    box = Box()
    told = rolls(box.show_for(laid(1), 1.0))
    assert [roll.values for roll in told] == [(1, 3, 4, 6)]


def test_the_same_dice_left_lying_are_never_a_second_roll():
    box = Box()
    assert len(rolls(box.show_for(laid(2), 4.0))) == 1


def test_a_still_tray_with_a_verdict_is_not_read_again():
    box = Box()
    box.show_for(laid(3), 2.0)
    assert len(box.reader.asked) == AGREEING


def test_each_time_the_tray_is_empty_its_frame_is_passed_on_once():
    frames: list[Frame] = []
    box = Box()
    box.settle = Settle(box.reader, on_empty=frames.append)
    for scene in (laid(1), table_scene(SMALL), laid(2), table_scene(SMALL)):
        box.show_for(scene, 1.0)
    assert len(frames) == 2
    assert all(
        any(np.array_equal(frame, picture(table_scene(SMALL), number)) for number in range(5)) for frame in frames
    )


def test_an_empty_tray_is_reported_as_empty_and_is_not_a_roll():
    box = Box()
    seen = box.show_for(table_scene(SMALL), 1.0)
    assert seen[-1].state is TrayState.EMPTY
    assert rolls(seen) == []


@pytest.mark.parametrize("frames_per_s", [5.0, 12.0, 15.0, 30.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_roll_by_hand_over_used_dice_is_one_roll_of_the_new_ones(seed: int, frames_per_s: float):
    box = Box(frames_per_s=frames_per_s)
    old = laid(seed)
    box.show_for(old, 1.2)
    seen = box.show_throw(thrown(seed, old)) + box.show_for(box.reader.scene or old, 0.5)
    assert [roll.values for roll in rolls(seen)] == [(2, 2, 5, 6)]


@pytest.mark.parametrize("frames_per_s", [15.0, 30.0])
@pytest.mark.parametrize("seed", range(10, 16))
def test_a_roll_is_reported_within_0_4_seconds(seed: int, frames_per_s: float):
    box = Box(frames_per_s=frames_per_s)
    throw = thrown(seed)
    (number,) = [number for number, seen in enumerate(box.show_throw(throw)) if seen.roll is not None]
    assert throw.still_s - 0.1 <= number / frames_per_s <= throw.still_s + 0.4


@pytest.mark.parametrize("seed", range(20, 26))
def test_dice_in_quick_motion_are_never_read(seed: int):
    box = Box()
    box.show_throw(thrown(seed))
    fastest = max(np.linalg.norm(die.velocity) for scene in box.reader.asked for die in scene.dice)
    assert fastest < 40.0  # mm/s: a tenth of the slowest throw


def test_dice_in_the_air_are_reported_as_rolling():
    box = Box()
    box.show_for(table_scene(SMALL), 1.0)
    throw = replace(thrown(6), hand=None)
    seen = box.show_throw(throw)
    assert TrayState.ROLLING in {each.state for each in seen}


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


def test_a_hand_held_still_over_the_dice_is_reported_and_is_not_a_roll():
    box = Box()
    scene = laid(7)
    covered = replace(scene, hand=random_hand(np.random.default_rng(7), scene.tray))
    seen = box.show_for(covered, 2.0)
    assert seen[-1].state is TrayState.HAND
    assert rolls(seen) == []


def test_a_hand_that_stays_over_the_dice_becomes_the_reason_why_they_cannot_be_read():
    box = Box()
    scene = laid(7)
    covered = replace(scene, hand=random_hand(np.random.default_rng(7), scene.tray))
    seen = box.show_for(covered, HAND_S + 1.0)[-1]
    assert seen.state is TrayState.UNREADABLE
    assert seen.reading is not None
    assert seen.reading.reason is Reason.HAND


def test_a_hand_passing_over_the_dice_is_not_a_new_roll():
    box = Box()
    scene = laid(8)
    covered = replace(scene, hand=random_hand(np.random.default_rng(8), scene.tray))
    box.show_for(scene, 1.0)
    seen = box.show_for(covered, 0.5) + box.show_for(scene, 1.0)
    assert rolls(seen) == []
    assert seen[-1].state is TrayState.STILL


@pytest.mark.parametrize("number", range(4))
def test_one_nudged_die_is_not_a_new_roll(number: int):
    box = Box()
    scene = laid(9)
    box.show_for(scene, 1.0)
    assert rolls(box.show_for(nudged(scene, number), 1.0)) == []


def test_a_bump_that_shifts_every_die_a_little_is_not_a_new_roll():
    box = Box()
    scene = laid(10)
    box.show_for(scene, 1.0)
    shifted = replace(
        scene,
        dice=tuple(replace(die, centre=(die.centre[0] + 3, die.centre[1] - 2, die.centre[2])) for die in scene.dice),
    )
    assert rolls(box.show_for(shifted, 1.0)) == []


def test_a_lamp_switched_off_and_on_is_not_a_new_roll():
    box = Box()
    scene = laid(11)
    box.show_for(scene, 1.0)
    dark = replace(scene, sensor=replace(scene.sensor, exposure=0.01))
    assert rolls(box.show_for(dark, 1.0) + box.show_for(scene, 1.0)) == []


def test_a_shadow_that_hides_the_dice_for_a_while_is_not_a_new_roll():
    box = Box()
    scene = laid(12)
    box.show_for(scene, 1.0)
    seen = box.show_for(replace(scene, dice=()), 1.0) + box.show_for(scene, 1.0)
    assert TrayState.EMPTY in {each.state for each in seen}
    assert rolls(seen) == []


def test_a_die_nudged_after_a_shadow_hid_all_of_them_is_not_a_new_roll():
    box = Box()
    scene = laid(13)
    box.show_for(scene, 1.0)
    box.show_for(replace(scene, dice=()), 1.0)
    assert rolls(box.show_for(nudged(scene, 0), 1.0)) == []


def test_a_nudged_die_that_shows_another_face_is_not_a_new_roll():
    box = Box()
    scene = laid(13, (1, 3, 4, 6))
    box.show_for(scene, 1.0)
    turned = replace(scene.dice[0], turn=lying(5, 0.4))
    seen = box.show_for(replace(scene, dice=(turned, *scene.dice[1:])), 1.0)
    assert rolls(seen) == []
    assert seen[-1].reading is not None
    assert seen[-1].reading.values == (3, 4, 5, 6)


def test_dice_with_other_values_than_the_last_roll_may_be_a_missed_roll_and_used_dice_never():
    box = Box()
    scene = laid(13, (1, 3, 4, 6))
    assert not any(each.missed for each in box.show_for(scene, 1.0))
    assert not any(each.missed for each in box.show_for(nudged(scene, 0), 1.0))
    turned = replace(scene, dice=(replace(scene.dice[0], turn=lying(5, 0.4)), *scene.dice[1:]))
    assert box.show_for(turned, 1.0)[-1].missed
    assert box.show_for(nudged(turned, 1), 1.0)[-1].missed, "until they are told"
    box.settle.rearm()
    assert [roll.values for roll in rolls(box.show_for(nudged(turned, 1), 1.0))] == [(3, 4, 5, 6)]
    assert not box.show(nudged(turned, 1)).missed
    assert not any(each.missed for each in box.show_for(table_scene(SMALL), 1.0))


def test_dice_that_an_unarmed_box_finds_at_the_start_may_be_a_missed_roll():
    box = unarmed_box(KnowingReader())
    assert box.show_for(laid(1), 1.0)[-1].missed
    assert not box.show_throw(thrown(2, laid(1)))[-1].missed


def test_a_roll_after_a_nudge_is_reported():
    box = Box()
    scene = laid(13)
    box.show_for(scene, 1.0)
    box.show_for(nudged(scene, 0), 1.0)
    told = rolls(box.show_throw(thrown(13, nudged(scene, 0))))
    assert [roll.values for roll in told] == [(2, 2, 5, 6)]


def test_dice_picked_up_but_not_rolled_are_not_a_roll():
    box = Box()
    scene = laid(14)
    box.show_for(scene, 1.0)
    hand = random_hand(np.random.default_rng(14), scene.tray)
    seen = box.show_for(replace(scene, hand=hand), 0.4) + box.show_for(replace(scene, dice=()), 1.0)
    assert rolls(seen) == []
    assert seen[-1].state is TrayState.EMPTY


def test_dice_taken_out_and_put_back_in_nearly_the_same_places_are_not_a_roll():
    box = Box()
    scene = laid(15)
    box.show_for(scene, 1.0)
    box.show_for(replace(scene, dice=()), 1.0)
    back = tuple(replace(die, centre=(die.centre[0] - 4, die.centre[1] + 5, die.centre[2])) for die in scene.dice)
    assert rolls(box.show_for(replace(scene, dice=back), 1.0)) == []


def test_a_rearmed_box_reports_the_same_dice_once_more():
    box = Box()
    scene = laid(14)
    box.show_for(scene, 1.0)
    box.settle.rearm()
    assert len(rolls(box.show_for(scene, 2.0))) == 1


def test_an_unreadable_tray_is_reported_with_the_reason_and_rarely_read_again():
    box = Box()
    scene = laid(15)
    dark = replace(scene, sensor=replace(scene.sensor, exposure=0.01))
    seen = box.show_for(dark, 2.1)
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


def test_readings_are_not_a_roll_until_they_agree():
    scene = laid(16)
    frame = picture(scene, 1)
    dice = tuple(Die(each.value, each.top, 1.0, 1) for each in truth(scene))
    wrong = (replace(dice[0], value=dice[0].value % 6 + 1), *dice[1:])
    answers = iter([Reading(dice), Reading(wrong), Reading(dice), Reading(dice)])
    settle = Settle(lambda *_: next(answers))
    told = [settle.see(number / 10, frame).roll for number in range(10)]
    assert [roll.values for roll in told if roll is not None] == [(1, 3, 4, 6)]
    assert next(answers, None) is None


def test_a_frame_older_than_the_last_is_rejected_and_changes_nothing():
    box = Box()
    box.show_for(laid(17), 0.5)
    with pytest.raises(ValueError, match="comes after"):
        box.settle.see(0.1, picture(laid(17), 1))
    assert rolls(box.show_for(laid(17), 1.0)) == []


def test_one_die_rolled_again_is_a_roll():
    box = Box()
    box.show_for(laid(18, (4,)), 1.0)
    told = rolls(box.show_for(laid(19, (4,)), 1.0))
    assert [roll.values for roll in told] == [(4,)]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.tuples(*[st.integers(1, 6)] * 4))
def test_any_roll_is_reported_exactly_once_with_its_values(seed: int, values: tuple[int, ...]):
    box = Box(frames_per_s=20.0)
    told = rolls(box.show_throw(thrown(seed, values=values)))
    assert [roll.values for roll in told] == [tuple(sorted(values))]


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


def test_the_frames_of_a_roll_are_evenly_spaced():
    throw = thrown(30)
    times = [time_s for time_s, _ in throw_frames(throw, 15.0)]
    assert np.allclose(np.diff(times), 1 / 15)


def unarmed_box(reader: KnowingReader) -> Box:
    """A box that was just switched on."""
    box = Box(reader)
    box.settle = Settle(reader, armed=False)
    return box


def test_dice_that_an_unarmed_box_finds_at_the_start_are_not_a_roll():
    box = unarmed_box(KnowingReader())
    assert rolls(box.show_for(laid(1), 1.0)) == []
    assert len(rolls(box.show_throw(thrown(2, laid(1))))) == 1


def test_an_unarmed_box_reports_the_first_roll_into_an_empty_tray():
    box = unarmed_box(KnowingReader())
    box.show_for(table_scene(SMALL), 1.0)
    assert len(rolls(box.show_for(laid(1), 1.0))) == 1


@dataclass
class RefusingReader(KnowingReader):
    """Sees the dice of the first scene, but cannot read them."""

    first: Scene | None = None

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
        reading = super().__call__(frame, before)
        return replace(reading, reason=Reason.COCKED) if self.scene == self.first and reading.ok else reading


def test_an_unarmed_box_reports_the_first_roll_after_unreadable_dice():
    first = laid(1)
    box = unarmed_box(RefusingReader(first=first))
    assert box.show_for(first, 1.0)[-1].state is TrayState.UNREADABLE
    assert len(rolls(box.show_for(laid(2), 1.0))) == 1  # the tray was never seen empty in between


def test_an_unarmed_box_does_not_report_dice_that_one_nudge_made_readable():
    first = laid(1)
    box = unarmed_box(RefusingReader(first=first))
    box.show_for(first, 1.0)
    die = first.dice[0]
    nudged = replace(die, centre=(die.centre[0] - 9, die.centre[1] + 8, die.centre[2]))
    seen = box.show_for(replace(first, dice=(nudged, *first.dice[1:])), 1.0)
    assert seen[-1].state is TrayState.STILL
    assert rolls(seen) == []


def test_an_unarmed_box_does_not_report_unreadable_dice_that_are_taken_out_and_put_back():
    first = laid(1)
    box = unarmed_box(RefusingReader(first=first))
    box.show_for(first, 1.0)
    assert box.show_for(replace(first, dice=()), 1.0)[-1].state is TrayState.EMPTY
    back = tuple(replace(die, centre=(die.centre[0] - 4, die.centre[1] + 5, die.centre[2])) for die in first.dice)
    seen = box.show_for(replace(first, dice=back), 1.0)
    assert seen[-1].state is TrayState.STILL
    assert rolls(seen) == []


def test_an_unarmed_box_reports_a_roll_after_unreadable_dice_even_if_three_land_in_the_same_places():
    first = laid(1)
    box = unarmed_box(RefusingReader(first=first))
    box.show_for(first, 1.0)
    box.show_for(replace(first, dice=()), 1.0)
    assert len(rolls(box.show_for(replace(first, dice=(*first.dice[:3], laid(2).dice[3])), 1.0))) == 1


def test_an_unarmed_box_that_is_asked_to_read_reports_the_dice_in_the_tray():
    box = unarmed_box(KnowingReader())
    box.settle.rearm()
    assert len(rolls(box.show_for(laid(1), 1.0))) == 1


def test_a_roll_with_two_dice_near_earlier_ones_of_their_values_is_a_new_roll():
    near = [(40.0, 60.0), (160.0, 90.0), (220.0, 180.0), (90.0, 170.0)]
    first = Reading(tuple(die(value, x, y) for value, (x, y) in zip((5, 3, 2, 5), near, strict=True)))
    second = Reading((die(5, 46.0, 63.0), die(3, 155.0, 96.0), die(4, 200.0, 40.0), die(6, 120.0, 120.0)))
    answers = [first] * 2 + [second] * 2
    settle = Settle(lambda *_: answers.pop(0))
    still, other = np.full((60, 80, 3), 40, np.uint8), np.full((60, 80, 3), 40, np.uint8)
    other[20:40, 20:40] = 200
    seen = [settle.see(number / 15, still if number < 10 else other) for number in range(20)]
    assert rolls(seen) == [first, second]


def die(value: int, x: float, y: float) -> Die:
    return Die(value, (x - 20, y - 20, x + 20, y + 20), 1.0, 7 - value)


four_apart = st.lists(
    st.tuples(st.integers(1, 6), st.integers(0, 5), st.integers(0, 4)),
    min_size=4,
    max_size=4,
    unique_by=lambda at: at[1:],
).map(lambda dice: tuple(die(value, 100.0 + 60 * x, 100.0 + 60 * y) for value, x, y in dice))


@given(four_apart, st.floats(-0.3, 0.3), st.floats(0.85, 1.15), st.floats(-80, 80), st.floats(-80, 80))
def test_dice_seen_by_a_camera_that_was_moved_are_the_same_roll(
    dice: tuple[Die, ...], angle: float, zoom: float, x: float, y: float
):
    turn = zoom * np.exp(1j * angle)
    spots = [complex((one.box[0] + one.box[2]) / 2, (one.box[1] + one.box[3]) / 2) * turn for one in dice]
    now = tuple(die(one.value, spot.real + x, spot.imag + y) for one, spot in zip(dice, spots, strict=True))
    assert same_throw(dice, now[::-1])


@given(four_apart, four_apart)
def test_a_die_with_another_value_in_another_place_is_not_the_same_roll(before: tuple[Die, ...], now: tuple[Die, ...]):
    apart = tuple(die(one.value % 6 + 1, one.box[0] + 30, one.box[1] + 30) for one in before)
    assert not same_throw(before, apart) or len({one.value for one in before}) > 1
    assert same_throw(now, now)


BARE = np.full((60, 80, 3), 40, np.uint8)
CHANGED = BARE.copy()
CHANGED[20:40, 20:40] = 200


def bumps_of(first: Reading, second: Reading, still: Frame = BARE, other: Frame = CHANGED) -> int:
    """Return how often a camera move is reported between two readings and two frames; by default of a plain floor."""
    answers = [first] * 2 + [second] * 8
    settle = Settle(lambda *_: answers.pop(0))
    seen = [settle.see(number / 15, still if number < 10 else other) for number in range(25)]
    return sum(each.bumped for each in seen)


LAY = tuple(die(value, x, y) for value, x, y in ((1, 100.0, 100.0), (3, 300.0, 150.0), (4, 200.0, 300.0)))
WENT = tuple(replace(one, box=tuple(edge + 30.0 for edge in one.box)) for one in LAY)


def test_on_a_plain_floor_dice_that_moved_together_show_that_the_camera_was_moved():
    assert bumps_of(Reading(LAY), Reading(WENT)) == 1


def test_three_dice_that_moved_together_are_enough_if_the_fourth_left_the_picture():
    cut = die(6, 430.0, 330.0)
    refused = Reading((*WENT, cut), Reason.OUT_OF_TRAY, "a die reaches out of the picture")
    assert bumps_of(Reading((*LAY, die(2, 400.0, 300.0))), refused) == 1


def test_a_tray_that_seems_covered_was_moved_if_its_dice_moved_together_and_not_otherwise():
    covered = Reading(WENT, Reason.HAND, "only 56 % of the known floor is visible")
    assert bumps_of(Reading(LAY), covered) == 1
    assert bumps_of(Reading(LAY), replace(covered, dice=LAY)) == 0
    assert bumps_of(Reading(LAY), replace(covered, dice=())) == 0


def test_on_a_plain_floor_dice_rolled_again_are_not_a_camera_move():
    assert bumps_of(Reading(LAY), Reading(tuple(replace(one, value=7 - one.value) for one in WENT))) == 0
    assert bumps_of(Reading(LAY), Reading((*WENT[:2], die(4, 150.0, 250.0)))) == 0


def test_dice_that_stayed_in_place_show_that_the_camera_was_not_moved():
    spots = np.random.default_rng(1).integers(20, 200, (12, 16, 3)).astype(np.uint8)
    floor = np.asarray(cv2.resize(spots, (640, 480)), np.uint8)
    shifted = np.roll(floor, 40, axis=1)
    assert bumps_of(Reading(LAY), Reading(WENT), floor, shifted) == 1
    assert bumps_of(Reading(LAY), Reading((*LAY[:2], die(4, 150.0, 250.0))), floor, shifted) == 0
    assert bumps_of(Reading(LAY), Reading((*LAY[:1], *WENT[1:])), floor, shifted) == 1


def pushed(scene: Scene, by_mm: float = 12.0, turn_deg: float = 3.0) -> Scene:
    camera = scene.camera
    return replace(scene, camera=replace(camera, aim_mm=(by_mm, -by_mm), turn_deg=camera.turn_deg + turn_deg))


def test_a_camera_that_was_moved_is_reported_once_and_its_dice_are_not_a_new_roll():
    box = Box()
    scene = laid(40)
    box.show_for(scene, 1.0)
    seen = box.show_for(pushed(scene), 1.5)
    assert [each.bumped for each in seen].count(True) == 1
    assert rolls(seen) == []


def test_dice_that_an_unarmed_box_can_read_only_after_a_camera_move_are_not_a_roll():
    first = laid(40)
    box = unarmed_box(RefusingReader(first=first))
    box.show_for(first, 1.0)
    seen = box.show_for(pushed(first, by_mm=25.0), 1.5)
    assert seen[-1].state is TrayState.STILL
    assert rolls(seen) == []


def test_a_camera_move_over_an_empty_tray_is_reported():
    box = Box()
    box.show_for(table_scene(SMALL), 1.0)
    assert any(each.bumped for each in box.show_for(pushed(table_scene(SMALL)), 1.0))


def test_a_camera_move_during_a_roll_is_reported_and_so_is_the_roll():
    box = Box()
    scene = laid(41)
    box.show_for(scene, 1.0)
    box.show_for(replace(scene, dice=(), hand=random_hand(np.random.default_rng(1), scene.tray)), 0.3)
    seen = box.show_for(pushed(laid(42, (2, 2, 5, 6))), 1.0)
    assert any(each.bumped for each in seen)
    assert [roll.values for roll in rolls(seen)] == [(2, 2, 5, 6)]


@pytest.mark.parametrize("seed", range(43, 47))
def test_new_dice_a_dimmer_lamp_and_a_hand_are_not_a_camera_move(seed: int):
    box = Box()
    scene = laid(seed)
    dim = replace(scene, light=replace(scene.light, colour=(0.2, 0.2, 0.2)))
    hand = replace(scene, hand=random_hand(np.random.default_rng(seed), scene.tray))
    shown = [scene, laid(seed + 100), dim, hand, table_scene(SMALL), scene]
    assert not any(each.bumped for other in shown for each in box.show_for(other, 0.6))


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
