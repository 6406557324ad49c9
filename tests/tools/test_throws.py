"""Simulated rolls: the contents of the films, and settling without reading."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tools import throws as throws_command
from tools.scenes import films
from tools.scenes.faces import top_face
from tools.scenes.films import BoxReader, Film, Played, film, play
from tools.scenes.labels import COCKED_DEG, truth
from tools.scenes.things import things_of
from tools.scenes.trouble import Kind, Moment
from vision.render.scene import Scene
from vision.types import Die, Frame, Reading, Reason

SMALL = (240, 180)


def small_film(kind: Kind, seed: int = 11) -> Film:
    return replace(film(seed, kind, SMALL), frames_per_s=15.0)


def is_hand_in(scene: Scene) -> bool:
    return any(thing.foreign for thing in things_of(scene))


class TruthReader(BoxReader):
    """Returns the truth about a film's scene instead of reading the frame, to test settling separately from reading."""

    def __init__(self, shown: Film) -> None:
        super().__init__()
        self.scene = shown.before

    def __call__(self, frame: Frame, before: Reading | None = None) -> Reading:
        if is_hand_in(self.scene):
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
    frame_of = films.frame_of

    def drawn(moment: Moment, noise: np.random.Generator) -> Frame:
        reader.scene = moment.scene
        return frame_of(moment, noise)

    monkeypatch.setattr(films, "frame_of", drawn)
    return play(shown, reader)


@pytest.mark.parametrize("kind", [Kind.PUT_BACK, Kind.NUDGE, Kind.PUSH])
def test_a_roll_after_a_disturbance_is_reported_once_in_time_and_only_a_camera_move_is_noticed(kind: Kind, monkeypatch):
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


def test_a_film_is_the_same_again_ends_with_its_dice_lying_still_and_a_disturbance_changes_only_what_it_says():
    moved = {Kind.PICK_UP: 4, Kind.NUDGE: 1, Kind.BUMP: 4, Kind.PUT_BACK: 4}
    for kind in Kind:
        shown, again = film(5, kind, SMALL), film(5, kind, SMALL)
        times = [number / 5 for number in range(round(5 * shown.still_s))]
        assert [shown.moment_at(time_s) for time_s in times] == [again.moment_at(time_s) for time_s in times], kind
        after = shown.trouble.at(shown.trouble.lasts_s).scene
        same = len(set(shown.before.dice) & set(after.dice))
        assert 4 - same == moved.get(kind, 0), kind
        assert (after.camera != shown.before.camera) == (kind is Kind.PUSH)
        assert kind in (Kind.NUDGE, Kind.PICK_UP) or values_of(after) == values_of(shown.before)
        *_, (_, last) = shown.moments()
        assert not is_hand_in(last.scene)
        assert tuple(sorted(values_of(last.scene))) == shown.values
        assert last == shown.moment_at(shown.still_s + 0.01)


def values_of(scene: Scene) -> list[int]:
    return [top_face(die)[0] for die in scene.dice]


# The tool


def throws(*argv: str) -> int:
    return throws_command.main(["--jobs", "1", *map(str, argv)])


ROLL = (1, 2, 3, 4)
RIGHT = Played(1, Kind.HAND, values=ROLL, reported=ROLL, wait_s=0.2, phantoms=0, doubles=0, pushes=0, why="")
"""The result of a film that went right."""


def told(monkeypatch, **changes: object) -> None:
    """Films that all end the same way."""

    def play_seed(seed: int, **_: object) -> Played:
        return replace(RIGHT, seed=seed, **changes)

    monkeypatch.setattr(throws_command, "play_seed", play_seed)


def test_every_fault_is_named_with_its_seed_and_only_a_phantom_a_double_or_a_wrong_roll_gives_status_1(
    monkeypatch, capsys
):
    for changes, status, said in (
        ({}, 0, ""),
        ({"reported": (6, 6, 6, 6)}, 1, "read 6 6 6 6 for 1 2 3 4"),
        ({"doubles": 1}, 1, "1 extra rolls after it"),
        ({"phantoms": 2}, 1, "2 rolls before it"),
        ({"reported": None, "why": "unreadable: glare"}, 0, "missed (unreadable: glare)"),
        ({"wait_s": 0.5}, 0, "late, after 0.50 s"),
        ({"kind": Kind.PUSH}, 0, "0 camera pushes noticed"),
    ):
        told(monkeypatch, **changes)
        assert throws("--count", "2", "--seed", "70") == status, changes
        printed = capsys.readouterr().out
        kind = changes.get("kind", Kind.HAND)
        assert [f"seed {seed}, {kind}: {said}" in printed for seed in (70, 71)] == [bool(said)] * 2, changes
    assert "rolls come 0.20 s after the dice lie still (median), 0.20 s at most" in printed
    assert throws("--count", "0") == 2
    assert "is not a whole number" in capsys.readouterr().err
