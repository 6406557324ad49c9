"""Comparison of a frame with the empty tray: unchanged places are neither a die nor a hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.known import FRAME, KNOWN, SIZE, TABLE, THROWN
from tests.vision.looks import in_each_look
from tools.scenes.labels import truth
from vision import reader as reading
from vision.params import KnownTrayParams
from vision.render.draw import draw
from vision.render.placing import lay_dice
from vision.render.table import IVORY, table_scene
from vision.stages.finding import Detections, Face
from vision.tray.known import is_tray_hidden, made_small, remembered, unchanged
from vision.types import Reason

PARAMS = KnownTrayParams()


def same_in(frame):
    same = unchanged(frame, KNOWN, PARAMS)
    assert same is not None
    return same


def free_floor() -> Face:
    """A place of the floor that is far from all dice."""
    places = [(float(x), float(y)) for x in range(200, 460, 20) for y in range(140, 360, 20)]
    dice = [die.top_centre for die in truth(THROWN)]
    return Face(max(places, key=lambda place: min(np.hypot(*np.subtract(place, die)) for die in dice)), 18.0, 0.3)


def with_foreign(monkeypatch, face: Face) -> None:
    """Have the finder take this place for something foreign."""

    def covered(found: Detections) -> Detections:
        foreign = found.foreign.copy()
        left, top, right, bottom = (int(edge / 8) for edge in face.box)
        foreign[top : bottom + 2, left : right + 2] = 1.0
        return replace(found, foreign=foreign)

    in_each_look(monkeypatch, covered)


def test_the_empty_tray_is_unchanged_nearly_everywhere_in_frames_of_the_same_shape():
    assert same_in(draw(TABLE, 12)).mean() > 0.97
    assert same_in(draw(table_scene((320, 240)), 14)).mean() > 0.9
    assert unchanged(FRAME[:, :480], KNOWN, PARAMS) is None
    assert unchanged(FRAME, replace(KNOWN, empty=None), PARAMS) is None


@pytest.mark.parametrize("brighter", [0.6, 1.5])
def test_more_or_less_light_as_a_whole_changes_nothing(brighter):
    lit = replace(TABLE, sensor=replace(TABLE.sensor, exposure=TABLE.sensor.exposure * brighter**2.2))
    assert same_in(draw(lit, 13)).mean() > 0.9


def test_nothing_is_reported_if_everything_looks_different():
    noise = np.random.default_rng(1).integers(0, 255, (60, 80, 3), np.uint8)
    known = replace(KNOWN, empty=noise)
    assert is_tray_hidden(unchanged(FRAME, known, PARAMS), PARAMS)
    assert not is_tray_hidden(unchanged(FRAME, KNOWN, PARAMS), PARAMS)
    assert not is_tray_hidden(None, PARAMS)


def test_an_unchanged_place_is_not_foreign_if_the_tray_is_known(monkeypatch):
    figure = replace(free_floor(), half=40.0)
    left, top, right, bottom = (int(edge / 8) for edge in figure.box)
    printed, empty = FRAME.copy(), KNOWN.empty.copy()
    printed[8 * top : 8 * bottom, 8 * left : 8 * right] = (90, 90, 160)
    empty[top:bottom, left:right] = (90, 90, 160)
    with_foreign(monkeypatch, figure)
    assert reading.read(printed).reason is Reason.HAND
    assert reading.read(printed, replace(KNOWN, empty=empty)).values == (1, 3, 4, 6)


@pytest.mark.parametrize("dice", [4, None])
def test_what_looks_like_a_die_in_the_empty_tray_too_is_none(dice):
    five = lay_dice(np.random.default_rng(7), TABLE, [IVORY] * 5, [1, 3, 4, 6, 5])
    frame, printed = draw(five, 11), draw(replace(five, dice=five.dice[4:]), 12)
    assert reading.read(frame, KNOWN, None).values == (1, 3, 4, 5, 6)
    assert reading.read(frame, replace(KNOWN, empty=made_small(printed)), dice).values == (1, 3, 4, 6)


def test_a_foreign_object_is_refused_even_if_the_tray_is_known(monkeypatch):
    face = replace(free_floor(), half=50.0)
    left, top, right, bottom = (int(edge) for edge in face.box)
    covered = FRAME.copy()
    covered[top:bottom, left:right] = (120, 150, 200)
    with_foreign(monkeypatch, face)
    assert reading.read(covered, KNOWN).reason is Reason.HAND


def test_the_tray_is_stored_as_it_appears_in_the_frame():
    tray = remembered(draw(TABLE, 5), None)
    assert tray.fits(SIZE)
    assert tray.edge is None
    assert (tray.inside == KNOWN.inside).mean() > 0.95


def test_the_edge_that_was_learnt_stays_when_the_empty_tray_is_seen_again():
    assert remembered(draw(TABLE, 5), KNOWN).edge == KNOWN.edge
    assert remembered(draw(table_scene((480, 480)), 5), KNOWN).edge is None


@pytest.mark.parametrize(
    ("tray", "reason"),
    [
        (((0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7)), Reason.OUT_OF_TRAY),
        (((0.0, 0.0), (0.4, 0.0), (0.4, 0.5), (0.0, 0.5)), Reason.OUT_OF_TRAY),
        (((0.0, 0.0), (0.4, 0.0), (0.4, 1.0), (0.0, 1.0)), None),
    ],
    ids=["whole in view", "a corner cut off", "most out of view"],
)
def test_dice_beyond_an_edge_are_refused_only_if_most_of_the_edge_is_in_view(tray, reason):
    known = replace(KNOWN, edge=tray)
    assert reading.read(FRAME, known).reason is reason
