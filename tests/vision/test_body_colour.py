"""The colour of a die's body."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import BLACK, WHITE, tray_with
from vision.reader import read
from vision.stages.colours import body_colour


@pytest.mark.parametrize(("body", "ink"), [((30, 30, 190), WHITE), (BLACK, WHITE), ((40, 200, 230), BLACK)])
def test_each_die_that_is_read_has_the_colour_of_its_body_not_of_its_pips(body, ink):
    found = read(tray_with([1, 3, 5, 6], body=body, ink=ink))
    blue, green, red = body
    for die in found.dice:
        assert die.colour is not None
        assert np.abs(np.subtract(die.colour, (red, green, blue))).max() <= 12


def test_a_face_outside_of_the_frame_has_no_colour():
    assert body_colour(np.zeros((10, 10, 3), np.uint8), (20.0, 20.0, 30.0, 30.0)) is None
    assert body_colour(np.zeros((10, 10, 3), np.uint8), (-30.0, -30.0, -20.0, -20.0)) is None
