"""What a die shows without its nearly white marks: a lamp mirrored in it is no pip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.candidates import objected, value_of
from tests.vision.looks import one_die_under
from tools.scenes.kinds import SceneToScore, draw_scene
from tools.scenes.lamps import Pane
from vision.reader import examine
from vision.render.draw import draw
from vision.render.scene import DieBody, colour
from vision.stages.candidate import Candidate
from vision.types import Frame, Reason
from vision.verdict.painted_over import painted_over, without_lamps

RED, BLUE, BLACK, YELLOW, WHITE = (colour(code) for code in ("#a02020", "#1c3f94", "#141414", "#e0b840", "#f2f0ea"))
LAMP = Pane((60.0, 0.0, 400.0), (22.0, 22.0), 0.0, 120.0, is_round=True)
OVERHEAD = Pane((15.0, 20.0, 400.0), (14.0, 14.0), 0.0, 120.0, is_round=True)
"""One that a die in the middle of the tray mirrors in the middle of its face."""
MIRRORING = DieBody(body=RED, pip=BLACK, gloss=1.0, dome=0.1, pip_radius=0.085)
"""A shiny die with dark pips, in whose domed faces the lamp is a white spot of a pip's size."""


def picture(body: DieBody, value: int, lamp: Pane = LAMP) -> Frame:
    """One die on the everyday tray, under a lamp."""
    return draw(one_die_under(lamp, body, value, 0.4), 1)


def read_as(frame: Frame, value: int, confidence: float = 0.999) -> Candidate:
    """The die in the picture as if it had been read as a value."""
    (die,) = examine(frame, dice=1).dice
    read = replace(die, by_looks=value_of(value, confidence))
    read.__dict__["chances"] = read.by_looks
    return read


def asked(frame: Frame, value: int, confidence: float = 0.999) -> float | None:
    """The probability that it shows one pip fewer without its nearly white marks."""
    return without_lamps(read_as(frame, value, confidence))


def test_a_two_misread_as_a_three_is_contradicted():
    assert asked(picture(MIRRORING, 2), 3) > 0.9


@pytest.mark.parametrize("value", range(1, 7))
def test_the_right_value_is_not_contradicted(value):
    assert asked(picture(MIRRORING, value), value) is None


@pytest.mark.parametrize(("value", "read"), [(2, 3), (4, 5)])
def test_a_lamp_reflected_among_light_pips_contradicts_even_a_confident_value(value, read):
    body = replace(MIRRORING, body=BLUE, pip=YELLOW)
    assert asked(picture(body, value, OVERHEAD), read, 0.9999999) is not None


@pytest.mark.parametrize(("body", "pip"), [(BLUE, WHITE), (BLACK, WHITE), (RED, WHITE), (WHITE, BLACK), (WHITE, RED)])
@pytest.mark.parametrize("value", range(1, 7))
def test_nearly_white_pips_or_dice_do_not_count_as_lamps(body, pip, value):
    frame = picture(DieBody(body=body, pip=pip, gloss=0.3), value)
    assert asked(np.clip(frame * 1.4, 0, 255).astype(np.uint8), value, 0.9999999) is None


def test_a_contradicted_value_is_unsure_with_the_reason():
    chance = without_lamps(read_as(picture(MIRRORING, 2), 3))
    objection = objected(painted_over, read_as(picture(MIRRORING, 2), 3))
    assert objection is not None
    assert objection.reason is Reason.UNSURE
    assert f"3, but 2 at {chance:.2f} without its white marks" in objection.detail
    frame, _ = draw_scene(SceneToScore("lamp", 2_000_000_007))
    assert painted_over(examine(frame)) is not None, "a face with another pale mark"
