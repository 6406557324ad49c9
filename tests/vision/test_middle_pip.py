"""The middle pip of a 3 or a 5 beside the others: a lamp mirrored there is of another colour, and may hide one."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from tests.vision.drawn import FELT, add_die, tray, tray_with
from vision.params import Params
from vision.reader import read
from vision.stages.crops import CROP_PX, HALF_PX, crop
from vision.stages.finding import Face
from vision.stages.values import CLASSES
from vision.types import Frame, Reason
from vision.verdict.judge import Seen
from vision.verdict.middle_pip import (
    Odd,
    is_middle_bare,
    is_middle_hidden,
    is_middle_marked,
    is_middle_worn,
    odd_middle,
)

PLACE, HALF = (320.0, 240.0), 24.0
RED, YELLOW, WHITE, BLACK = (40, 40, 170), (60, 190, 230), (250, 250, 250), (25, 25, 25)
GREEN = (70, 160, 60)
COLOURS = pytest.mark.parametrize(("body", "ink"), [(RED, YELLOW), (RED, BLACK), (WHITE, BLACK), (BLACK, WHITE)])


def read_as(value: int, confidence: float = 0.9999) -> Seen:
    chances = np.zeros(len(CLASSES), np.float32)
    chances[value % 6], chances[value - 1] = 1 - confidence, confidence
    return Seen(Face(PLACE, HALF, 0.95), chances, 1.0, HALF, 0.0, confidence)


def picture(value: int, body, ink, middle=None, turn_deg: float = 20.0, part: float = 0.2) -> Frame:
    """A crop of a die, in the middle of whose face there is a spot of another colour or none.

    The spot's radius is `part` of half a side; a pip's is 0.2.
    """
    frame = tray(FELT)
    add_die(frame, value, PLACE, HALF, turn_deg, body, ink)
    if middle is not None:
        cv2.circle(frame, (round(PLACE[0]), round(PLACE[1])), round(part * HALF), middle, -1, cv2.LINE_AA)
    return crop(cv2.GaussianBlur(frame, (3, 3), 0), Face(PLACE, HALF, 0.95), np.eye(2))


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 33.0, 45.0])
@pytest.mark.parametrize("value", [3, 5])
@COLOURS
def test_a_middle_pip_like_the_others_is_one(body, ink, value, turn_deg):
    assert odd_middle(picture(value, body, ink, turn_deg=turn_deg), read_as(value), Params()) is None


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, 33.0, 45.0])
@pytest.mark.parametrize(("shown", "read"), [(2, 3), (4, 5)])
@pytest.mark.parametrize(("body", "ink"), [(RED, YELLOW), (RED, BLACK)])
def test_a_white_spot_amid_pips_of_another_colour_is_none(body, ink, shown, read, turn_deg):
    odd = odd_middle(picture(shown, body, ink, WHITE, turn_deg), read_as(read), Params())
    assert odd is not None
    assert odd.apart > 0.5
    assert str(odd) == f"whose middle pip is {odd.apart:.2f} off the others"


def test_a_die_that_left_no_doubt_is_not_asked():
    certain = read_as(3, Params().values.plain + 5e-6)
    assert odd_middle(picture(2, RED, YELLOW, WHITE), certain, Params()) is None


@pytest.mark.parametrize("value", [1, 2, 4, 6])
def test_a_value_without_a_middle_pip_among_others_is_not_asked(value):
    assert odd_middle(picture(2, RED, YELLOW, WHITE), read_as(value), Params()) is None


@pytest.mark.parametrize("value", [3, 5])
def test_where_no_other_pips_are_seen_nothing_is_told(value):
    assert odd_middle(picture(1, RED, RED, WHITE), read_as(value), Params()) is None


def test_pips_that_are_plain_to_the_second_witness_outweigh_an_odd_middle(monkeypatch):
    monkeypatch.setattr("vision.reader.odd_middle", lambda *_: Odd(0.7))
    assert read(tray_with([1, 3, 4, 6])).values == (1, 3, 4, 6)


def test_a_picture_with_an_odd_middle_pip_is_unsure_and_says_why(monkeypatch):
    def odd(*_):
        return Odd(0.7)

    monkeypatch.setattr("vision.reader.odd_middle", odd)
    monkeypatch.setattr("vision.reader.confirms", lambda *_: False)
    reading = read(tray_with([1, 3, 4, 6]))
    assert reading.reason is Reason.UNSURE
    assert re.fullmatch(r"a die at \d+, \d+, \d, whose middle pip is 0\.70 off the others", reading.detail)


BURNT = (255, 255, 255)


def off_middle() -> np.ndarray:
    """How far each pixel of a crop is off its middle, in half sides: (CROP_PX, CROP_PX, 1)."""
    return np.hypot(*(np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2))[..., None] / HALF_PX


def in_glare(value: int, turn_deg: float = 20.0) -> Frame:
    """A die that is burnt out in the middle of its face, somewhat wider than a pip."""
    return picture(value, RED, BLACK, BURNT, turn_deg, part=0.3)


@pytest.mark.parametrize("turn_deg", [0.0, 30.0])
@pytest.mark.parametrize(("shown", "read"), [(3, 2), (5, 4), (2, 2), (4, 4)])
def test_glare_in_the_middle_of_a_two_or_a_four_may_hide_a_pip(shown, read, turn_deg):
    assert is_middle_hidden(in_glare(shown, turn_deg), read_as(read), Params())


@pytest.mark.parametrize("value", [2, 4])
@pytest.mark.parametrize(("body", "ink"), [(RED, BLACK), (RED, WHITE), (WHITE, BLACK), (BURNT, BLACK)])
def test_no_pip_is_hidden_where_the_middle_is_like_the_body(value, body, ink):
    assert not is_middle_hidden(picture(value, body, ink), read_as(value), Params())


PALE_RED = (120, 120, 200)


@pytest.mark.parametrize("value", [2, 4])
def test_no_pip_is_hidden_where_glare_reaches_the_others_and_they_show_in_it(value):
    dim, burnt, sure = picture(value, RED, BLACK), picture(value, BURNT, BLACK), read_as(value, 1.0)
    assert is_middle_hidden(np.where(off_middle() < 0.6, burnt, dim), sure, Params())
    assert not is_middle_hidden(np.where(off_middle() < 0.8, burnt, dim), sure, Params())


@pytest.mark.parametrize("value", [2, 4])
def test_glare_in_which_one_of_the_other_pips_hardly_shows_may_hide_one(value):
    seen = np.where(off_middle() < 0.8, picture(value, BURNT, BLACK), picture(value, RED, BLACK))
    right_half = np.arange(CROP_PX)[None, :, None] > CROP_PX // 2
    faded = np.where(right_half & (off_middle() < 0.8), np.maximum(seen, 180), seen).astype(np.uint8)
    assert is_middle_hidden(faded, read_as(value, 1.0), Params())


def half_in_glare(*, least: int = 0, from_row: int = 0) -> Frame:
    """A crop of a 4 whose left half is burnt out and the middle with it, but for black pips of this level at least."""
    burnt = np.maximum(picture(4, BURNT, BLACK, turn_deg=0.0), least)
    rows, columns = np.mgrid[:CROP_PX, :CROP_PX][..., None]
    return np.where((columns < CROP_PX // 2 + 4) & (rows >= from_row), burnt, picture(4, RED, BLACK, turn_deg=0.0))


def test_no_pip_is_hidden_in_glare_over_half_a_face_in_which_two_pips_are_dark():
    assert not is_middle_hidden(half_in_glare(), read_as(4, 1.0), Params())


def test_one_may_be_in_glare_in_which_pips_are_pale_or_there_is_only_one():
    assert is_middle_hidden(half_in_glare(least=180), read_as(4, 1.0), Params())
    assert is_middle_hidden(half_in_glare(from_row=CROP_PX // 2 - 4), read_as(4, 1.0), Params())


@pytest.mark.parametrize("value", [2, 4])
def test_a_middle_that_is_only_whiter_than_the_body_may_hide_a_pip_of_a_die_that_left_a_doubt(value):
    lit = picture(value, RED, BLACK, PALE_RED, part=0.3)
    assert is_middle_hidden(lit, read_as(value), Params())
    assert not is_middle_hidden(lit, read_as(value, Params().values.plain + 5e-6), Params())


@pytest.mark.parametrize("value", [2, 4])
def test_a_speck_in_the_middle_that_is_darker_than_the_body_hides_no_pip(value):
    assert not is_middle_hidden(picture(value, RED, YELLOW, BLACK, part=0.3), read_as(value), Params())


@pytest.mark.parametrize("value", [1, 3, 5, 6])
def test_in_the_middle_of_other_values_nothing_is_hidden(value):
    assert not is_middle_hidden(in_glare(value), read_as(value), Params())


def test_a_picture_with_a_middle_pip_that_may_be_hidden_is_refused_for_glare(monkeypatch):
    monkeypatch.setattr("vision.reader.is_middle_hidden", lambda _, die, __: die.value == 4)
    reading = read(tray_with([1, 3, 4, 6]))
    assert reading.reason is Reason.GLARE
    assert re.fullmatch(r"a die at \d+, \d+: a 4, or a 5 whose middle pip is hidden", reading.detail)


def ring(radius: float) -> Frame:
    """A die without pips, a ring of this radius in half sides about the middle of its face."""
    frame = tray(FELT)
    add_die(frame, 1, PLACE, HALF, 20.0, RED, RED)
    cv2.circle(frame, (round(PLACE[0]), round(PLACE[1])), round(radius * HALF), WHITE, 2, cv2.LINE_AA)
    return crop(frame, Face(PLACE, HALF, 0.95), np.eye(2))


def faded(body, ink, part: float) -> tuple[int, ...]:
    """The colour of a pip of which so much of the paint is left."""
    return tuple(round(part * one + (1 - part) * other) for one, other in zip(ink, body, strict=True))


@COLOURS
@pytest.mark.parametrize("left", [0.2, 0.35, 0.5, 0.75])
@pytest.mark.parametrize("value", [2, 4])
def test_a_faint_disc_in_the_middle_of_a_two_or_a_four_may_be_a_worn_pip_however_sure_the_value_is(
    value, left, body, ink
):
    assert is_middle_worn(picture(value, body, ink, faded(body, ink, left)), read_as(value, 1.0), Params())


@COLOURS
@pytest.mark.parametrize("value", [2, 4])
def test_a_two_or_a_four_without_a_mark_in_its_middle_has_no_worn_pip(value, body, ink):
    assert not is_middle_worn(picture(value, body, ink), read_as(value), Params())


@pytest.mark.parametrize("value", [1, 3, 5, 6])
def test_no_other_value_is_asked_for_a_worn_middle_pip(value):
    assert not is_middle_worn(picture(value, WHITE, BLACK, faded(WHITE, BLACK, 0.5)), read_as(value), Params())


def test_a_speck_smaller_than_a_pip_is_no_worn_one():
    assert not is_middle_worn(picture(2, WHITE, BLACK, faded(WHITE, BLACK, 0.5), part=0.06), read_as(2), Params())


@pytest.mark.parametrize("value", [2, 4])
def test_a_mark_of_another_colour_than_the_pips_is_no_worn_one(value):
    assert not is_middle_worn(picture(value, RED, BLACK, (90, 90, 255)), read_as(value), Params())


def test_a_picture_with_a_middle_pip_that_may_be_worn_is_unsure_and_says_why(monkeypatch):
    monkeypatch.setattr("vision.reader.is_middle_worn", lambda seen, die, params: die.value == 2)
    reading = read(tray_with([1, 2, 4, 6]), Params())
    assert reading.reason is Reason.UNSURE
    assert "a 2, or a 3 whose middle pip is worn" in reading.detail


@COLOURS
def test_a_six_with_a_disc_in_its_middle_is_none_however_sure_it_is(body, ink):
    assert is_middle_marked(picture(6, body, ink, ink, part=0.15), read_as(6, 1.0), Params())


def test_that_disc_may_have_any_colour():
    assert is_middle_marked(picture(6, RED, YELLOW, GREEN, part=0.15), read_as(6, 1.0), Params())


@COLOURS
def test_a_six_has_nothing_in_its_middle(body, ink):
    assert not is_middle_marked(picture(6, body, ink), read_as(6), Params())


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_no_other_value_is_asked_for_a_mark_in_its_middle(value):
    assert not is_middle_marked(picture(value, WHITE, BLACK, GREEN), read_as(value), Params())


def test_a_picture_with_a_six_with_a_mark_in_its_middle_is_unsure_and_says_why(monkeypatch):
    monkeypatch.setattr("vision.reader.is_middle_marked", lambda seen, die, params: die.value == 6)
    reading = read(tray_with([1, 2, 4, 6]), Params())
    assert reading.reason is Reason.UNSURE
    assert "a 6 with a mark in its middle" in reading.detail


def test_a_wide_ring_about_a_bare_middle_is_no_one_but_a_pip_that_is_a_ring_is():
    assert is_middle_bare(ring(0.6), read_as(1), Params())
    assert not is_middle_bare(ring(0.15), read_as(1), Params())


@COLOURS
def test_a_one_has_a_pip_in_its_middle(body, ink):
    assert not is_middle_bare(picture(1, body, ink), read_as(1), Params())


@pytest.mark.parametrize("value", [2, 4, 6])
def test_other_values_may_have_a_bare_middle(value):
    assert not is_middle_bare(picture(value, RED, WHITE), read_as(value), Params())


def test_a_picture_with_a_one_without_a_pip_is_refused_for_its_emblem(monkeypatch):
    monkeypatch.setattr("vision.reader.is_middle_bare", lambda _, die, __: die.value == 1)
    reading = read(tray_with([1, 3, 4, 6]))
    assert reading.reason is Reason.EMBLEM
    assert re.fullmatch(r"a die at \d+, \d+: a 1 without a pip in its middle", reading.detail)
