"""Whole variants: overhangs, gaps, space for plugs, the camera's view. Slow, so only `make case-test` runs it."""

from __future__ import annotations

import os

import numpy as np
import pytest

from case.parameters import OFFERED, Choice, Design, Print

if not os.environ.get("CANTSTOP_CASE"):
    pytest.skip("minutes of work; make case-test runs it", allow_module_level=True)

from build123d import Pos

from case.assembly import board, bought, ribbon
from case.fasteners import screws
from tests.case.rooms import clashes, plugs, shared, sight, view
from tests.case.solids import check_printable, check_solids, holes

VARIANTS = [
    Choice(),
    Choice(pi="5", camera="3wide", oled="1.3", button="24", parts="full", tray=200),
    Choice(pi="3a", camera="2", oled="0.96", button="16", parts="full", tray=180),
]
every_variant = pytest.mark.parametrize(
    "built", VARIANTS, indirect=True, ids=lambda choice: f"{choice.pi}-{choice.camera}"
)

ON_THE_ARM = ("arm", "cover", "holder")
BESIDE_THE_TRAY = ("tray", "lamp", "diffuser")


def copies(parts):
    return {f"{part.name} {n}": copy for part in parts for n, copy in enumerate(part.copies)}


def test_the_variants_have_every_choice():
    for name, table in OFFERED.items():
        assert {getattr(choice, name) for choice in VARIANTS} == set(table)


@every_variant
def test_every_variant_is_printable(built):
    _, parts = built
    check_solids(parts)
    check_printable(parts)


@every_variant
def test_the_bosses_are_where_the_boards_drawing_has_holes(built):
    layout, parts = built
    console = next(part.shape for part in parts if part.name == "console")
    wide, deep = 58, 49
    (left, right), back = layout.board_x, layout.board_y[1]
    # The board is rotated by 180°, so its left edge, where the pattern starts, is on the right.
    places = [(right - 3.5 - i * wide, back - 3.5 - j * deep) for i in (0, 1) for j in (0, 1)]
    wanted = sorted((round(x, 2), round(y, 2)) for x, y in places)
    assert np.allclose(holes(console, Print.M2_5_TAP), wanted, atol=0.02)
    assert right - left == pytest.approx(65 if layout.choice.pi == "3a" else 85)


@every_variant
def test_no_two_parts_intersect(built):
    layout, parts = built
    assert clashes(copies(parts) | bought(layout)) == []


def test_every_screw_and_nut_has_its_room_and_a_hole_as_deep_as_it_is_long(built):
    layout, parts = built
    plastic = copies(parts)
    solid = plastic | {"board": board(layout)}
    for screw in screws(layout):
        for name, part in plastic.items():
            assert shared(screw.core, part) < 0.01, (screw.size, screw.holds, name)
            assert screw.nut is None or shared(screw.nut, part) < 0.01, (screw.size, screw.holds, name)
        for name, part in solid.items():
            if name != screw.holds:
                assert shared(screw.head, part) < 0.01, (screw.size, screw.holds, name)


@every_variant
def test_the_board_can_be_lowered_into_the_console_and_pushed_back(built):
    layout, parts = built
    console = next(part.shape for part in parts if part.name == "console")
    forward = max(layout.board_y[1] - (layout.ridge - Design.WALL - 1.0), 0.0)
    for share in np.linspace(0, 1, 8):  # over its posts, which are 4 high
        assert shared(Pos(0, -share * forward, 4.2) * board(layout), console) == 0
    assert shared(Pos(0, -forward, 4.2) * board(layout, lift=100.0), console) == 0


@every_variant
def test_plugs_and_card_can_be_inserted_and_removed(built):
    layout, parts = built
    for name, room in plugs(layout).items():
        for other, part in copies(parts).items():
            assert shared(room, part) == 0, (name, other)


@every_variant
def test_the_ribbon_touches_nothing_on_its_way(built):
    layout, parts = built
    for piece in ribbon(layout):
        for name, copy in copies(parts).items():
            assert shared(piece, copy) == 0, name


@every_variant
@pytest.mark.parametrize("lift", [-Design.ADJUST, 0.0, Design.ADJUST])
def test_nothing_of_mast_or_console_is_in_the_picture(built, lift):
    layout, parts = built
    seen = view(layout, lift)
    for part in parts:
        if not part.name.startswith(BESIDE_THE_TRAY):
            for copy in part.copies:
                shown = Pos(0, 0, lift) * copy if part.name in ON_THE_ARM else copy
                assert shared(seen, shown) == 0, part.name


@every_variant
def test_the_tray_hides_nothing_of_its_floor(built):
    layout, parts = built
    seen = sight(layout.inside - 0.01, layout.inside - 0.01, 0.01, layout.lens)
    for part in parts:
        if part.name.startswith("tray"):
            assert shared(seen, part.shape) == 0, part.name
