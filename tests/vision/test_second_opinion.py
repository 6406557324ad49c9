"""The second opinion: which value's pips a face's colours show."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as arrays

from tests.every import every
from tests.vision.drawn import FELT, SPOTS, add_die, tray
from tools.scenes.kinds import SceneToScore, draw_scene
from vision.params import Params
from vision.reader import read
from vision.stages.crops import CROP_PX, HALF_PX, crop
from vision.stages.finding import Face
from vision.stages.second_opinion import colours_of, confirms, fits
from vision.types import Frame, Reason

PARAMS = Params().pips
LOOKS_ALONE = Params(pips=replace(PARAMS, shown=1.0))
"""No second opinion is ever asked for."""
PLACE, HALF = (320.0, 240.0), 24.0
WHITE, BLACK, RED, BLUE, YELLOW = (240, 240, 240), (25, 25, 25), (40, 40, 170), (150, 60, 30), (60, 190, 230)
VALUES = pytest.mark.parametrize("value", range(1, 7))


def die(value: int, body=WHITE, ink=BLACK, turn_deg: float = 20.0) -> Frame:
    """A die as from straight above."""
    frame = tray(FELT)
    add_die(frame, value, PLACE, HALF, turn_deg, body, ink)
    return crop(cv2.GaussianBlur(frame, (3, 3), 0), Face(PLACE, HALF, 0.95), np.eye(2))


def shown(seen: Frame) -> int:
    """The value that is the likeliest by its colours."""
    return max(fits(colours_of(seen), PARAMS), key=lambda fit: fit.likely).value


@every(
    value=range(1, 7),
    turn_deg=[0.0, 20.0, 45.0, 77.0],
    colours=[(WHITE, BLACK), (BLACK, WHITE), (RED, YELLOW), (BLUE, WHITE)],
)
def test_any_value_is_recognised_in_any_colours_and_at_any_angle(value, turn_deg, colours):
    assert shown(die(value, *colours, turn_deg)) == value


@VALUES
def test_pips_as_light_as_their_die_are_recognised_by_their_hue(value):
    green, purple = (60, 130, 60), (160, 80, 130)
    assert grey(green) == pytest.approx(grey(purple), abs=3)
    assert shown(die(value, green, purple)) == value


@VALUES
def test_light_that_falls_off_across_a_die_hides_no_pip(value):
    light = np.linspace(0.35, 1.0, CROP_PX)[None, :, None]
    assert shown((die(value) * light).astype(np.uint8)) == value


@VALUES
def test_the_pips_are_found_in_their_places(value):
    found = fits(colours_of(die(value, turn_deg=0.0)), PARAMS)[value - 1]
    middle = (CROP_PX - 1) / 2
    drawn = np.array(SPOTS[value]) * 0.52 * HALF_PX + middle
    nearest = np.linalg.norm(drawn[:, None] - found.pips, axis=2).min(axis=1)
    assert nearest.max() < 1.5
    assert found.radius == pytest.approx(0.2 * HALF_PX, abs=1.0)
    assert found.explained > 0.75


def test_a_face_without_pips_fits_any_value_worse_than_a_plain_face():
    bare = die(1, WHITE, WHITE)
    assert max(fit.explained for fit in fits(colours_of(bare), PARAMS)) < min(
        fits(colours_of(die(value)), PARAMS)[value - 1].explained for value in range(1, 7)
    )


@given(arrays.arrays(np.uint8, (CROP_PX, CROP_PX, 3)))
def test_any_picture_leads_to_six_finite_results(seen):
    found = fits(colours_of(seen), PARAMS)
    assert [fit.value for fit in found] == [1, 2, 3, 4, 5, 6]
    assert np.isfinite([(fit.likely, fit.explained) for fit in found]).all()
    assert all(-1e-4 <= fit.explained <= 1 + 1e-4 for fit in found)


@VALUES
def test_only_the_right_value_is_confirmed(value):
    found = fits(colours_of(die(value)), PARAMS)
    assert [one for one in range(1, 7) if confirms(found, one, PARAMS)] == [value]


@pytest.mark.parametrize("bars", [1, 2])
def test_bars_in_place_of_pips_are_not_a_plain_value(bars):
    seen = die(1, WHITE, WHITE, turn_deg=0.0)
    for bar in range(bars):
        x = CROP_PX // 2 + 8 * bar - 4 * (bars - 1)
        cv2.rectangle(seen, (x - 2, CROP_PX // 2 - 9), (x + 2, CROP_PX // 2 + 9), BLACK, -1)
    found = fits(colours_of(seen), PARAMS)
    assert not any(confirms(found, value, PARAMS) for value in range(1, 7))


@pytest.mark.parametrize("seed", [5740000048, 5740000681])
def test_a_doubtful_die_is_read_if_its_pips_show_the_value(seed):
    frame, label = draw_scene(SceneToScore("readable", seed))
    assert read(frame, params=LOOKS_ALONE).reason is Reason.UNSURE
    assert read(frame).values == label.values


def test_specks_that_make_a_2_look_like_a_6_do_not_make_it_one():
    frame, label = draw_scene(SceneToScore("readable", 2000000098))
    assert read(frame, params=LOOKS_ALONE).values not in ((), label.values)
    assert not read(frame).values


def grey(colour: tuple[int, int, int]) -> float:
    """How light a colour looks, 0 to 255 (ITU-R BT.601)."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]
