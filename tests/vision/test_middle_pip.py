"""The middle of a face: a pip that glare hides, whose paint is worn or that is a lamp, and a 1 without one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.every import every
from tests.vision.candidates import candidate, objected, value_of
from tests.vision.drawn import FELT, add_die, tray
from tests.vision.looks import one_die_under
from tools.scenes.lamps import Pane
from vision.reader import examine
from vision.render.draw import draw
from vision.render.scene import DieBody, colour
from vision.stages.candidate import Candidate
from vision.stages.crops import crop
from vision.stages.finding import Face
from vision.types import Frame, Reason
from vision.verdict.middle_pip import middle_bare, middle_hidden, middle_lit, middle_marked
from vision.verdict.objection import Check

PLACE, HALF = (320.0, 240.0), 24.0
RED, YELLOW, WHITE, BLACK = (40, 40, 170), (60, 190, 230), (250, 250, 250), (25, 25, 25)
COLOURS = [(RED, YELLOW), (RED, BLACK), (WHITE, BLACK), (BLACK, WHITE)]


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


def details(row: Check, value: int, *seen: Frame, confidence: float = 0.9999) -> list[str | None]:
    """What a row objects to each of these dice read as a value."""
    found = [objected(row, read_as(value, each, confidence)) for each in seen]
    return [each and f"{each.reason}: {each.detail}" for each in found]


def ring(radius: float) -> Frame:
    """A die without pips, a ring of this radius in half sides about the middle of its face."""
    frame = tray(FELT)
    add_die(frame, 1, PLACE, HALF, 20.0, RED, RED)
    cv2.circle(frame, (round(PLACE[0]), round(PLACE[1])), round(radius * HALF), WHITE, 2, cv2.LINE_AA)
    return crop(frame, Face(PLACE, HALF, 0.95), np.eye(2))


def faded(body, ink, part: float) -> tuple[int, ...]:
    """Return the colour of a pip with this part of its paint left."""
    return tuple(round(part * one + (1 - part) * other) for one, other in zip(ink, body, strict=True))


@every(turn_deg=[0.0, 30.0], shown_read=[(3, 2), (5, 4), (2, 2), (4, 4)])
def test_glare_in_the_middle_of_a_2_or_4_may_hide_a_pip(turn_deg, shown_read):
    shown, read = shown_read
    why = f"glare: a die at 320, 240: a {read}, or a {read + 1} whose middle pip is hidden"
    assert details(middle_hidden, read, in_glare(shown, turn_deg)) == [why]


@pytest.mark.parametrize(("strength", "reason"), [(50, None), (200, Reason.GLARE)])
def test_glare_that_fades_softly_around_the_place_of_a_pip_is_too_weak_to_hide_one(strength, reason):
    seen = picture(4, (205, 205, 205), BLACK)
    rows, columns = np.mgrid[: seen.shape[0], : seen.shape[1]] - (seen.shape[0] - 1) / 2
    glare = strength * np.exp(-(rows**2 + columns**2) / (2 * 6.0**2))[..., None]
    seen = np.clip(seen + glare, 0, 255).astype(np.uint8)
    found = objected(middle_hidden, read_as(4, seen, 0.9999))
    assert (found and found.reason) is reason


def test_no_pip_is_hidden_in_a_middle_like_the_body_or_darker_or_in_that_of_other_values():
    for value in (2, 4):
        bare = [picture(value, *colours) for colours in ((RED, BLACK), (RED, WHITE), (WHITE, BLACK), (BURNT, BLACK))]
        assert not any(details(middle_hidden, value, *bare, picture(value, RED, YELLOW, BLACK, part=0.3)))
    assert not any(details(middle_hidden, value, in_glare(value))[0] for value in (1, 3, 5, 6))


@every(colours=COLOURS, left=[0.06, 0.2, 0.35, 0.5, 0.75], value=[2, 4])
def test_a_faint_disc_in_the_middle_of_a_2_or_4_may_be_a_worn_pip_even_if_the_value_is_certain(colours, left, value):
    why = f"unsure: a die at 320, 240: a {value}, or a {value + 1} whose middle pip is worn"
    seen = picture(value, *colours, faded(*colours, left))
    assert details(middle_marked, value, seen, confidence=1.0) == [why]


def test_a_bare_middle_a_mark_of_another_colour_and_odd_values_have_no_worn_pip():
    for value in (2, 4):
        assert not any(details(middle_marked, value, *(picture(value, *colours) for colours in COLOURS)))
        assert details(middle_marked, value, picture(value, RED, BLACK, (90, 90, 255))) == [None]
    half = faded(WHITE, BLACK, 0.5)
    assert not any(details(middle_marked, value, picture(value, WHITE, BLACK, half))[0] for value in (1, 3, 5))


def test_a_wide_ring_around_a_bare_middle_is_not_a_1_but_a_pip_is_also_if_it_is_a_ring():
    seen = ring(0.6), ring(0.15), *(picture(1, *colours) for colours in COLOURS)
    why = "emblem: a die at 320, 240: a 1 without a pip in its middle"
    assert details(middle_bare, 1, *seen) == [why] + [None] * (len(seen) - 1)
    assert not any(details(middle_bare, value, picture(value, RED, WHITE))[0] for value in (2, 4, 6))


def test_a_6_with_a_disc_like_its_pips_in_its_middle_is_refused_even_if_it_is_certain():
    marked = [picture(6, *colours, colours[1], part=0.15) for colours in COLOURS]
    why = "unsure: a die at 320, 240: a 6, with a mark in its middle"
    assert details(middle_marked, 6, *marked, confidence=1.0) == [why] * len(marked)
    assert not any(details(middle_marked, 6, *(picture(6, *colours) for colours in COLOURS)))


OVERHEAD, BESIDE = (Pane(place, (14.0, 14.0), 0.0, 120.0, is_round=True) for place in ((15, 20, 400), (60, 0, 400)))
"""Lamps that a die in the middle of the tray mirrors in the middle of its face, and elsewhere in it."""
INKS = [("#1c3f94", "#e0b840"), ("#a02020", "#141414"), ("#141414", "#f2f0ea"), ("#f2f0ea", "#141414")]


def mirroring(pane: Pane, value: int, read: int, colours: tuple[str, str]) -> str | None:
    """What the row about lamps objects to a polished die under one."""
    body, ink = (colour(code) for code in colours)
    polished = DieBody(body=body, pip=ink, gloss=1.0, dome=0.1, pip_radius=0.085)
    (die,) = examine(draw(one_die_under(pane, polished, value, 0.4), 1), dice=1).dice
    return details(middle_lit, read, die.crop)[0]


@every(value=[2, 4], colours=INKS[:2])
def test_a_lamp_among_coloured_or_dark_pips_is_not_the_middle_pip_of_a_3_or_5(value, colours):
    found = mirroring(OVERHEAD, value, value + 1, colours)
    assert found is not None
    assert found.endswith(f"a {value + 1}, or a {value} with a lamp's reflection in its middle")
    assert mirroring(OVERHEAD, value, value, colours) is None, "only 3s and 5s are asked"


@every(value=[3, 5], colours=INKS)
def test_a_3_or_5_with_a_lamp_elsewhere_in_its_face_holds(value, colours):
    assert mirroring(BESIDE, value, value, colours) is None


@every(value=[3, 5], colours=COLOURS)
def test_a_3_or_5_without_a_lamp_holds(value, colours):
    assert details(middle_lit, value, picture(value, *colours)) == [None]
