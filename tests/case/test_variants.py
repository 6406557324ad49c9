"""Whole variants: walls, gaps, space for plugs, the camera's view. Slow, so only `make case-test` runs it."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

from case.parameters import BOARDS, CAMERAS, LARGER, OFFERED, SCREENS, Choice, Design, Print

if not os.environ.get("CANTSTOP_CASE"):
    pytest.skip("minutes of work; make case-test runs it", allow_module_level=True)

from build123d import Pos

from case.assembly import board, bought, ribbon
from case.fasteners import screws
from case.shapes import block
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


def test_the_variants_have_every_choice():
    for name, table in (
        ("pi", BOARDS),
        ("camera", CAMERAS),
        ("oled", SCREENS),
        ("button", LARGER),
        ("parts", OFFERED["parts"]),
    ):
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
    everything = {f"{part.name} {n}": copy for part in parts for n, copy in enumerate(part.copies)}
    assert clashes(everything | bought(layout)) == []


def test_every_screw_and_nut_has_its_room_and_a_hole_as_deep_as_it_is_long(built):
    layout, parts = built
    plastic = {f"{part.name} {n}": copy for part in parts for n, copy in enumerate(part.copies)}
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
    others = {f"{part.name} {n}": copy for part in parts for n, copy in enumerate(part.copies)}
    for name, room in plugs(layout).items():
        for other, part in others.items():
            assert shared(room, part) == 0, (name, other)


@every_variant
def test_the_ribbon_touches_nothing_on_its_way(built):
    layout, parts = built
    for piece in ribbon(layout):
        for part in parts:
            for copy in part.copies:
                assert shared(piece, copy) == 0, part.name


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


def thinnest(part, skip, count=300):
    """Return the smallest thickness of a part between opposite sides, and its place, from points all over the part.

    Args:
        part: What is measured.
        skip: Whether a point with its normal, (3,) each, does not count.
        count: How many points there are besides one of each triangle.
    """
    points, corners = part.tessellate(0.1, 0.3)
    mesh = np.array([(point.X, point.Y, point.Z) for point in points])[np.array(corners)]
    normals = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    mesh, normals = mesh[areas > 1e-9], normals[areas > 1e-9] / areas[areas > 1e-9, None]
    rng = np.random.default_rng(0)
    # One point of each triangle, because thin parts have small ones, and more points of large triangles.
    shares = areas[areas > 1e-9] / areas.sum()
    chosen = np.concatenate([np.arange(len(mesh)), rng.choice(len(mesh), count, p=shares)])
    first, second = mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0]
    least, where = math.inf, None
    for triangle in chosen:
        a, b = np.sort(rng.random(2))
        start = np.array([a, b - a, 1 - b]) @ mesh[triangle]
        way = -normals[triangle]
        if skip(start, normals[triangle]):
            continue
        # Moeller and Trumbore's test of all triangles.
        across = np.cross(way, second)
        scale = (first * across).sum(axis=1)
        facing = normals @ way > 0.7  # a slanting side is an edge's, not a wall's
        with np.errstate(divide="ignore", invalid="ignore"):
            off = start - mesh[:, 0]
            u = (off * across).sum(axis=1) / scale
            turned = np.cross(off, first)
            v = turned @ way / scale
            far = (turned * second).sum(axis=1) / scale
            hit = facing & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 1e-4)
        if hit.any() and far[hit].min() < least:
            least, where = float(far[hit].min()), tuple(np.round(start, 1))
    return least, where


def test_a_thin_wall_and_a_small_intersection_are_found():
    room = block((0, 30), (0, 30), (0, 20))
    assert thinnest(room - block((1.2, 28), (2, 28), (2, 21)), lambda *_: False)[0] == pytest.approx(1.2)
    assert clashes({"one": room, "other": block((29.9, 40), (0, 5), (0, 5))}) == ["one and other share 2.50 mm3"]


@every_variant
def test_no_wall_is_too_thin_to_print_well(built):
    layout, parts = built
    tilt = math.radians(Design.TILT)
    up = np.array([0.0, -math.sin(tilt), math.cos(tilt)])
    edge = np.array([0.0, layout.console_y[0], layout.lid_front])

    def is_engraved(point, normal):
        return float((point - edge) @ up) > -0.65 and abs(float(normal @ up)) < 0.5

    for part in parts:
        least, where = thinnest(part.shape, is_engraved if part.name == "lid" else lambda *_: False)
        assert least >= Print.THINNEST - 0.01, (part.name, where)
