"""What is new in a tray that was seen empty, neither die nor shadow, is a hand or a thing."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.every import every
from tests.vision.known import KNOWN, SIZE, TABLE, THROWN
from tools.scenes.labels import truth
from tools.scenes.lamps import Shade, in_room
from tools.scenes.things import Slab, Thing, with_things
from vision.params import KnownTrayParams, NewThingParams
from vision.reader import examine, read
from vision.render.draw import draw
from vision.render.geometry import view
from vision.render.scene import Light, Scene, Surface, colour
from vision.stages.finding import Face
from vision.tray.known import Tray, made_small, remembered, unchanged
from vision.tray.new_things import new_things
from vision.types import Reason

PARAMS = NewThingParams()
CARD_MM = (-30.0, 30.0)


def new_in(scene: Scene, tray: Tray | None = None) -> tuple[float, float] | None:
    """Return where a new object is in a scene whose true dice are known."""
    frame, known = draw(scene, 21), tray or KNOWN
    same = unchanged(frame, known, KnownTrayParams())
    assert same is not None
    faces = [Face(die.top_centre, die.half_px, 1.0) for die in truth(scene)]
    new = new_things(frame, known, same, faces, PARAMS)
    return None if new is None else new.middle


def with_card(scene: Scene, shade: str = "#3c8f4a", side_mm: float = 12.0) -> Scene:
    """A small card on a free part of the floor."""
    x, y = CARD_MM
    half = side_mm / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return with_things(scene, Thing((Slab(outline, 0.4, 0.4, Surface(colour(shade))),)))


def in_mixed_light(scene: Scene, angle_rad: float) -> Scene:
    """A warm lamp, low at one side, and a blue sky in the windows."""
    lamp = (500 * math.cos(angle_rad), 500 * math.sin(angle_rad), 350.0)
    return replace(scene, light=Light((lamp,), (0.2, 0.5, 0.9), (0.4, 0.34, 0.28)))


def as_empty(scene: Scene) -> Tray:
    """What is remembered of an empty tray in other light."""
    return Tray(SIZE, None, made_small(draw(scene, 4)), KNOWN.inside)


def card_px() -> tuple[float, float]:
    """Where the card's middle is in the picture."""
    place = view(TABLE.camera).project(np.array([(*CARD_MM, 0.4)]))[0]
    return float(place[0]), float(place[1])


@pytest.mark.parametrize("scene", [TABLE, THROWN], ids=["empty", "dice"])
@pytest.mark.parametrize("shade", ["#3c8f4a", "#c05030", "#f0efe9"])
def test_a_card_the_size_of_a_die_is_found_in_its_place(scene, shade):
    assert new_in(with_card(scene, shade)) == pytest.approx(card_px(), abs=8)


def test_dice_beside_a_small_card_are_read_only_if_the_empty_tray_is_unknown():
    frame = draw(with_card(THROWN, "#9a5a3c"), 21)
    assert read(frame).values == (1, 3, 4, 6)
    evidence = examine(frame, KNOWN)
    assert evidence.reading.reason is Reason.HAND
    assert evidence.reading.detail.startswith("something at ")
    x, y = (round(place / 8) for place in card_px())
    assert evidence.new is not None
    assert evidence.new.where[y, x]


@every(angle_deg=range(0, 360, 120))
def test_a_dark_card_is_new_in_mixed_light_and_long_shadows_of_a_warm_lamp_under_a_cold_sky_are_not(angle_deg):
    lit = in_mixed_light(THROWN, math.radians(angle_deg))
    empty = as_empty(replace(lit, dice=()))
    assert new_in(lit, empty) is None
    assert new_in(with_card(lit, "#401030", 20.0), empty) is not None


def shaded(scene: Scene, depth: float, soft_mm: float) -> Scene:
    shade = Shade(30.0, 50.0, soft_mm=soft_mm, depth=depth)
    return replace(scene, light=replace(in_room(scene.light), shade=shade))


def lit_in(red: float, green: float, blue: float) -> Scene:
    ambient = (0.3 * blue, 0.3 * green, 0.3 * red)
    return replace(THROWN, light=replace(THROWN.light, colour=(blue, green, red), ambient=ambient))


DIM = replace(THROWN, light=replace(THROWN.light, ambient=(0.08, 0.08, 0.08)))
NOT_NEW: dict[str, tuple[Scene, Scene | None]] = {
    "the empty tray": (TABLE, None),
    "dice": (THROWN, None),
    **{
        f"a shadow {each}": (shaded(THROWN, *each), None) for each in ((0.3, 2.0), (0.3, 60.0), (0.8, 2.0), (0.8, 60.0))
    },
    **{f"a past shadow {soft}": (DIM, shaded(replace(DIM, dice=()), 0.8, soft)) for soft in (2.0, 60.0)},
    "warm light": (lit_in(1.0, 0.7, 0.4), None),
    "cold light": (lit_in(0.5, 0.8, 1.0), None),
    "dim light": (lit_in(0.3, 0.3, 0.3), None),
}
"""What must not count as new: a scene, and the tray as it was last seen empty, if not that of the table."""


@every(what=NOT_NEW)
def test_neither_dice_nor_shadows_nor_other_light_are_new(what):
    scene, empty = NOT_NEW[what]
    assert new_in(scene, empty and as_empty(empty)) is None


def test_nothing_is_new_if_most_of_the_floor_is():
    camera = replace(TABLE.camera, aim_mm=(60.0, 40.0))
    same = np.zeros((60, 80), np.bool_)
    assert new_things(draw(replace(with_card(TABLE), camera=camera), 3), KNOWN, same, [], PARAMS) is None


def test_a_card_that_lay_in_the_tray_when_it_was_last_seen_empty_belongs_to_it_and_its_bare_place_is_new():
    tray = remembered(draw(with_card(TABLE, "#c05030"), 5), KNOWN)
    assert new_in(with_card(THROWN, "#c05030"), tray) is None
    assert read(draw(with_card(THROWN, "#c05030"), 22), tray).values == (1, 3, 4, 6)
    assert new_in(THROWN, tray) is not None
    assert new_in(THROWN, remembered(draw(TABLE, 6), tray)) is None
