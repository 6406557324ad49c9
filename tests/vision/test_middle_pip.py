"""The middle of a face: a pip that glare hides or whose paint is worn, and a 1 without one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.candidates import candidate, objected, value_of
from tests.vision.drawn import FELT, add_die, tray
from vision.stages.candidate import Candidate
from vision.stages.crops import crop
from vision.stages.finding import Face
from vision.types import Frame, Reason
from vision.verdict.middle_pip import is_hidden, is_worn, middle_bare, middle_hidden, middle_marked, middle_worn

PLACE, HALF = (320.0, 240.0), 24.0
RED, YELLOW, WHITE, BLACK = (40, 40, 170), (60, 190, 230), (250, 250, 250), (25, 25, 25)
GREEN = (70, 160, 60)
COLOURS = pytest.mark.parametrize(("body", "ink"), [(RED, YELLOW), (RED, BLACK), (WHITE, BLACK), (BLACK, WHITE)])


def read_as(value: int, seen: Frame, confidence: float = 0.9999) -> Candidate:
    """A die that looks so and was read as a value."""
    return candidate(Face(PLACE, HALF, 0.95), value_of(value, confidence), crop=seen)


def picture(value: int, body, ink, middle=None, turn_deg: float = 20.0, part: float = 0.2) -> Frame:
    """A crop of a die, in the middle of whose face there is a spot of another colour or none.

    The spot's radius is `part` of half a side; a pip's is 0.2.
    """
    frame = tray(FELT)
    add_die(frame, value, PLACE, HALF, turn_deg, body, ink)
    if middle is not None:
        cv2.circle(frame, (round(PLACE[0]), round(PLACE[1])), round(part * HALF), middle, -1, cv2.LINE_AA)
    return crop(cv2.GaussianBlur(frame, (3, 3), 0), Face(PLACE, HALF, 0.95), np.eye(2))


BURNT = (255, 255, 255)


def in_glare(value: int, turn_deg: float = 20.0) -> Frame:
    """A die that is burnt out in the middle of its face, somewhat wider than a pip."""
    return picture(value, RED, BLACK, BURNT, turn_deg, part=0.3)


@pytest.mark.parametrize("turn_deg", [0.0, 30.0])
@pytest.mark.parametrize(("shown", "read"), [(3, 2), (5, 4), (2, 2), (4, 4)])
def test_glare_in_the_middle_of_a_two_or_a_four_may_hide_a_pip(shown, read, turn_deg):
    assert is_hidden(read_as(read, in_glare(shown, turn_deg)))


@pytest.mark.parametrize("value", [2, 4])
@pytest.mark.parametrize(("body", "ink"), [(RED, BLACK), (RED, WHITE), (WHITE, BLACK), (BURNT, BLACK)])
def test_no_pip_is_hidden_if_the_middle_looks_like_the_body(value, body, ink):
    assert not is_hidden(read_as(value, picture(value, body, ink)))


@pytest.mark.parametrize("value", [2, 4])
def test_a_speck_in_the_middle_that_is_darker_than_the_body_hides_no_pip(value):
    assert not is_hidden(read_as(value, picture(value, RED, YELLOW, BLACK, part=0.3)))


@pytest.mark.parametrize("value", [1, 3, 5, 6])
def test_nothing_is_hidden_in_the_middle_of_other_values(value):
    assert not is_hidden(read_as(value, in_glare(value)))


def test_a_middle_pip_that_may_be_hidden_is_refused_for_glare():
    objection = objected(middle_hidden, read_as(3, in_glare(3)), read_as(4, in_glare(4)))
    assert objection is not None
    assert objection.reason is Reason.GLARE
    assert objection.detail == "a die at 320, 240: a 4, or a 5 whose middle pip is hidden"


def ring(radius: float) -> Frame:
    """A die without pips, a ring of this radius in half sides about the middle of its face."""
    frame = tray(FELT)
    add_die(frame, 1, PLACE, HALF, 20.0, RED, RED)
    cv2.circle(frame, (round(PLACE[0]), round(PLACE[1])), round(radius * HALF), WHITE, 2, cv2.LINE_AA)
    return crop(frame, Face(PLACE, HALF, 0.95), np.eye(2))


def faded(body, ink, part: float) -> tuple[int, ...]:
    """Return the colour of a pip with this part of its paint left."""
    return tuple(round(part * one + (1 - part) * other) for one, other in zip(ink, body, strict=True))


@COLOURS
@pytest.mark.parametrize("left", [0.2, 0.35, 0.5, 0.75])
@pytest.mark.parametrize("value", [2, 4])
def test_a_faint_disc_in_the_middle_of_a_two_or_a_four_may_be_a_worn_pip_even_if_the_value_is_certain(
    value, left, body, ink
):
    assert is_worn(read_as(value, picture(value, body, ink, faded(body, ink, left)), 1.0))


@COLOURS
@pytest.mark.parametrize("value", [2, 4])
def test_a_two_or_a_four_without_a_mark_in_its_middle_has_no_worn_pip(value, body, ink):
    assert not is_worn(read_as(value, picture(value, body, ink)))


@pytest.mark.parametrize("value", [1, 3, 5, 6])
def test_no_other_value_is_asked_for_a_worn_middle_pip(value):
    assert not is_worn(read_as(value, picture(value, WHITE, BLACK, faded(WHITE, BLACK, 0.5))))


def test_a_speck_smaller_than_a_pip_is_not_a_worn_pip():
    assert not is_worn(read_as(2, picture(2, WHITE, BLACK, faded(WHITE, BLACK, 0.5), part=0.06)))


@pytest.mark.parametrize("value", [2, 4])
def test_a_mark_of_another_colour_than_the_pips_is_not_a_worn_pip(value):
    assert not is_worn(read_as(value, picture(value, RED, BLACK, (90, 90, 255))))


def test_a_middle_pip_that_may_be_worn_is_unsure_and_says_why():
    objection = objected(middle_worn, read_as(2, picture(2, WHITE, BLACK, faded(WHITE, BLACK, 0.5))))
    assert objection is not None
    assert objection.reason is Reason.UNSURE
    assert objection.detail == "a die at 320, 240: a 2, or a 3 whose middle pip is worn"


def test_a_wide_ring_around_a_bare_middle_is_not_a_1_but_a_ring_shaped_pip_is():
    assert objected(middle_bare, read_as(1, ring(0.6)))
    assert not objected(middle_bare, read_as(1, ring(0.15)))


@COLOURS
def test_a_one_has_a_pip_in_its_middle(body, ink):
    assert not objected(middle_bare, read_as(1, picture(1, body, ink)))


@pytest.mark.parametrize("value", [2, 4, 6])
def test_other_values_may_have_a_bare_middle(value):
    assert not objected(middle_bare, read_as(value, picture(value, RED, WHITE)))


def test_a_one_without_a_pip_is_refused_for_its_emblem():
    objection = objected(middle_bare, read_as(1, ring(0.6)))
    assert objection is not None
    assert objection.reason is Reason.EMBLEM
    assert objection.detail == "a die at 320, 240: a 1 without a pip in its middle"


@COLOURS
def test_a_six_with_a_disc_in_its_middle_is_refused_even_if_it_is_certain(body, ink):
    assert objected(middle_marked, read_as(6, picture(6, body, ink, ink, part=0.15), 1.0))


def test_that_disc_may_have_any_colour():
    assert objected(middle_marked, read_as(6, picture(6, RED, YELLOW, GREEN, part=0.15), 1.0))


@COLOURS
def test_a_six_has_nothing_in_its_middle(body, ink):
    assert not objected(middle_marked, read_as(6, picture(6, body, ink)))


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_no_other_value_is_asked_for_a_mark_in_its_middle(value):
    assert not objected(middle_marked, read_as(value, picture(value, WHITE, BLACK, GREEN)))


def test_a_six_with_a_mark_in_its_middle_is_unsure_and_says_why():
    objection = objected(middle_marked, read_as(6, picture(6, RED, YELLOW, GREEN, part=0.15)))
    assert objection is not None
    assert objection.reason is Reason.UNSURE
    assert objection.detail == "a die at 320, 240: a 6 with a mark in its middle"
