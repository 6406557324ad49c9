"""Simulated rolls: the contents of the films, and settling without reading."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.known import KNOWN, THROWN
from tests.vision.played import RIGHT
from tools.scenes.films import FAULTS, BoxReader, Film, Pictures, Played, film, play
from tools.scenes.labels import COCKED_DEG, truth
from tools.scenes.random_scene import is_clean
from tools.scenes.trouble import Kind, Moment, Shadow
from vision.render.draw import draw
from vision.render.geometry import top_face
from vision.render.table import table_scene
from vision.types import Die, Frame, Reading, Reason

SMALL = (240, 180)


def small_film(kind: Kind, seed: int = 11) -> Film:
    return replace(film(seed, kind, SMALL), frames_per_s=15.0)


class TruthReader(BoxReader):
    """Returns the truth about a film's scene instead of reading the frame, to test settling separately from reading."""

    def __init__(self, shown: Film) -> None:
        super().__init__(4)
        self.scene = shown.before

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
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
        """Remember nothing."""


def played_with(shown: Film, reader: TruthReader, monkeypatch) -> Played:
    """What becomes of a film if the reader is shown each of its scenes before the frame."""
    draw_moment = Pictures.draw

    def drawn(pictures: Pictures, moment: Moment) -> Frame:
        reader.scene = moment.scene
        return draw_moment(pictures, moment)

    monkeypatch.setattr(Pictures, "draw", drawn)
    return play(shown, reader)


@pytest.mark.parametrize("kind", Kind)
def test_a_roll_after_any_disturbance_is_reported_once_in_time_and_only_a_camera_move_is_noticed(
    kind: Kind, monkeypatch
):
    shown = small_film(kind)
    played = played_with(shown, TruthReader(shown), monkeypatch)
    assert not played.faults


def test_a_box_that_reads_another_value_is_wrong(monkeypatch):
    class Misreader(TruthReader):
        def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
            reading = super().__call__(frame, before)
            return replace(reading, dice=tuple(replace(die, value=die.value % 6 + 1) for die in reading.dice))

    shown = small_film(Kind.NOTHING)
    assert list(played_with(shown, Misreader(shown), monkeypatch).faults) == ["wrong"]


def test_a_box_that_never_reads_has_missed_the_roll_and_reports_what_it_showed(monkeypatch):
    class Blind(TruthReader):
        def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
            return Reading((), Reason.DARK)

    shown = small_film(Kind.NOTHING)
    played = played_with(shown, Blind(shown), monkeypatch)
    assert played.faults == {"missed": "missed (unreadable: dark)"}


def test_a_box_learns_the_empty_tray_and_forgets_it_when_the_camera_was_moved():
    frame = draw(table_scene(), 1)
    reader = BoxReader(4, KNOWN)
    dice = draw(THROWN, 2)
    card = dice.copy()
    card[168:190, 250:272] = (40, 60, 190)  # a small red card, which the networks let pass
    assert reader(card).reason is Reason.HAND
    reader.was_moved()
    assert reader(card).ok
    reader.saw_empty(frame)
    assert reader(card).reason is Reason.HAND
    assert reader(dice).ok


@pytest.mark.parametrize("kind", Kind)
def test_the_same_seed_produces_the_same_film(kind: Kind):
    one, other = film(7, kind, SMALL), film(7, kind, SMALL)
    times = [number / 10 for number in range(round(10 * one.still_s))]
    assert [one.moment_at(time_s) for time_s in times] == [other.moment_at(time_s) for time_s in times]


@pytest.mark.parametrize("seed", range(3))
def test_rolled_dice_in_a_clean_film_are_as_visible_as_the_earlier_ones(seed: int):
    shown = film(seed, Kind.NOTHING, clean=True)
    for scene in (shown.before, shown.throw.scene_at(shown.throw.still_s)):
        assert is_clean(scene, truth(scene))


@pytest.mark.parametrize("seed", range(5))
def test_a_nudge_moves_only_one_die(seed: int):
    shown = film(seed, Kind.NUDGE, SMALL)
    after = shown.trouble.at(shown.trouble.lasts_s).scene
    assert sum(one != other for one, other in zip(shown.before.dice, after.dice, strict=True)) == 1


@pytest.mark.parametrize("kind", [Kind.HAND, Kind.LAMP, Kind.SHADOW, Kind.BUMP])
def test_hand_lamp_and_shadow_leave_the_tray_unchanged_and_a_bump_the_values(kind: Kind):
    shown = film(3, kind, SMALL)
    after = shown.trouble.at(shown.trouble.lasts_s).scene
    assert after == shown.before or kind is Kind.BUMP
    assert [top_face(die) for die in after.dice] == [top_face(die) for die in shown.before.dice]


def test_a_film_ends_with_the_rolled_dice_lying_still():
    shown = film(5, Kind.PICK_UP, SMALL)
    *_, (_, last) = shown.moments()
    assert last.scene.hand is None
    assert tuple(sorted(top_face(die)[0] for die in last.scene.dice)) == shown.values
    assert last == shown.moment_at(shown.still_s + 0.01)


@pytest.mark.parametrize(
    ("seed", "kind"), [(540000075, Kind.LAMP), (540000256, Kind.SHADOW), (540000441, Kind.NOTHING)]
)
def test_a_person_can_read_the_rolled_dice(seed: int, kind: Kind):
    # The first throw planned of each ends in a mirror image, or where the shade leaves the pips too faint.
    *_, (_, last) = film(seed, kind, SMALL).moments()
    assert [die.flaw for die in truth(last.scene)] == [None] * 4


def test_a_shadow_is_deepest_in_its_middle_and_absent_far_away():
    left = Shadow(way_rad=0.0, middle=0.25, half=0.1, soft=0.05, depth=0.4).left((200, 100))[..., 0]
    assert np.allclose(left[:, 150], 0.6)
    assert np.all(left[:, :100] == 1.0)


def test_each_picture_of_an_unchanged_scene_has_new_noise():
    shown = small_film(Kind.NOTHING)
    pictures, moment = Pictures(1), shown.moment_at(0.0)
    assert np.any(pictures.draw(moment) != pictures.draw(moment))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"reported": None}, "missed"),
        ({"reported": (1, 2, 3, 5)}, "wrong"),
        ({"wait_s": 0.41}, "late"),
        ({"doubles": 1}, "doubled"),
        ({"phantoms": 2}, "phantom"),
        ({"kind": Kind.PUSH}, "push"),
    ],
)
def test_each_fault_has_its_name_and_the_film_is_not_right(change: dict, fault: str):
    assert RIGHT.is_right
    played = replace(RIGHT, **change)
    assert list(played.faults) == [fault]
    assert fault in FAULTS
    assert played.is_right is (fault == "push")
