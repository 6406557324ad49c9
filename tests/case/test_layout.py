"""Heights, lamps and places that follow from a builder's choice."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from case.layout import BOSS, LAMP_RIM, Layout
from case.parameters import CAMERAS, OFFERED, RIBBON, Choice, Design

choices = st.builds(
    Choice,
    **{name: st.sampled_from(sorted(table)) for name, table in OFFERED.items() if name != "parts"},
    tray=st.floats(180, 240),
)
lifts = st.floats(-Design.ADJUST, Design.ADJUST)


@pytest.mark.parametrize(
    ("camera", "tray", "height"),
    [("2", 180, 234), ("2", 200, 258), ("3", 200, 310), ("3wide", 200, 182), ("3", 220, 340), ("3wide", 180, 166)],
)
def test_the_height_of_the_lens_follows_from_its_field_of_view_and_the_tray(camera, tray, height):
    assert Layout(Choice(camera=camera, tray=tray)).lens == pytest.approx(height, abs=1)


@given(choices)
def test_the_camera_sees_floor_and_tops_of_dice_with_five_per_cent_to_spare(choice):
    layout = Layout(choice)
    for level in (0.0, Design.DIE):
        assert layout.half_view(level) >= 1.1 * choice.tray / 2 - 1e-9


@given(choices, lifts, st.floats(0, 20), st.floats(0, 1), st.floats(0, 1), st.sampled_from([-1, 1]))
def test_no_level_face_in_the_tray_reflects_a_diffuser_into_the_lens(choice, lift, level, up, along, side):
    layout = Layout(choice)
    lens = layout.lens + lift
    x, y = (along - 0.5) * layout.lamp_length, side * layout.lamp
    z = layout.lamp_low + up * Design.LAMP_HIGH
    share = (lens - level) / (lens + z - 2 * level)
    # The straight ray from the lamp by that point to the lens has equal angles there: the law of reflection.
    assert math.isclose(
        math.hypot(x - share * x, y - share * y) / (z - level), math.hypot(share * x, share * y) / (lens - level)
    )
    assert abs(share * y) > layout.inside


@given(choices, lifts)
def test_the_lamps_are_above_the_wall_and_outside_the_picture_at_every_position_of_the_arm(choice, lift):
    layout = Layout(choice)
    long_side = 4 / 3
    assert layout.lamp - 1.6 > long_side * layout.half_view(layout.lamp_low - 5, lift)
    assert layout.lamp > long_side * layout.half_view(layout.bottom, lift)
    assert layout.lamp_low > Design.TRAY_WALL + 10
    assert layout.inside + Design.WALL < layout.lamp


@given(choices)
def test_nothing_on_the_lid_overlaps(choice):
    layout = Layout(choice)
    panel = layout.panel
    side, down, up = panel.room
    circles = [(at, max(panel.button.around, panel.button.bezel)) for at in panel.letters]
    circles.append((panel.stop_at, max(panel.stop.around, panel.stop.bezel)))
    for (one, first), (other, second) in itertools.combinations(circles, 2):
        assert math.dist(one, other) > (first + second) / 2
    for (u, v), size in circles:
        off = max(abs(u - panel.screen[0]) - side, v - panel.screen[1] - up, panel.screen[1] - v - down)
        assert off > size / 2
        assert v + size / 2 < panel.end
    left, right = layout.console_x
    assert panel.screen[0] + side < (right - left) / 2 - Design.WALL


@pytest.mark.parametrize(
    ("oled", "wide", "high", "above"),
    [  # measured by others; `above`: the picture's middle above the board's
        ("2.42", 68.63, 46.60, 3.1),  # Hailege, four pins, by calipers: gh:59976093525
        ("2.42", 61.5, 39.5, 0.0),  # seven pins: Waveshare's drawing
        ("1.3", 35.4, 33.5, -1.25),  # Waveshare's manual, gh:59976093525
        ("1.3", 35.0, 31.0, -1.25),  # cnblogs gooutlook
        ("1.3", 29.0, 33.0, -1.25),  # the same
        ("0.96", 27.3, 27.8, -1.75),  # wiki.lckfb.com, JMD0.96A-2
        ("0.96", 27.0, 27.0, -1.75),  # eereview.com
    ],
)
def test_a_measured_module_fits_and_all_four_brackets_reach_over_its_edge(oled, wide, high, above):
    lid = pytest.importorskip("case.lid", reason="the extra [case] is not installed", exc_type=ImportError)
    layout = Layout(Choice(oled=oled))
    u, v = layout.panel.screen
    low, top, half = v - high / 2 - above, v + high / 2 - above, wide / 2
    assert half < layout.panel.room[0]
    for x, y in lid.bracket_screws(layout):
        away = y - top if y > v else low - y
        assert away > BOSS / 2, "the board lies on the screw's boss"
        assert lid.reach(layout) - away > 2.0, "straight ahead, the bracket does not reach it"
        assert abs(x - u) + 4.0 < half, "the bracket passes it"


@given(choices)
def test_a_seated_player_looks_over_the_front_lamp_at_the_whole_floor(choice):
    layout = Layout(choice)
    eyes = (layout.lamp_side + 250.0, 450.0)  # a person at the table's edge: 25 cm from the lamp, 45 cm above the table
    edge = (layout.lamp_side, layout.lamp_top + LAMP_RIM)
    slope = (eyes[1] - edge[1]) / (eyes[0] - edge[0])
    assert edge[0] - edge[1] / slope > layout.inside


@given(choices)
def test_the_card_is_beside_the_post_not_behind_it(choice):
    layout = Layout(choice)
    _, y = layout.on_board(0, 28.0)  # the card's place on these boards
    assert y + 5.5 < -Design.POST[1] / 2


@given(choices)
def test_stop_is_larger_and_apart_from_the_letters_which_are_beside_the_screens_lines_in_their_order(choice):
    panel = Layout(choice).panel
    assert panel.stop.bezel > panel.button.bezel
    assert min(math.dist(panel.stop_at, at) for at in panel.letters) > panel.button.pitch
    at_heights = [v for _, v in panel.letters]
    assert at_heights == sorted(at_heights, reverse=True)
    assert at_heights[1] == panel.screen[1]
    assert all(u < panel.screen[0] for u, _ in panel.letters)


@given(choices)
def test_the_arm_can_be_moved_down_and_up_without_touching_the_tray_or_leaving_the_post(choice):
    layout = Layout(choice)
    assert layout.arm_bottom - Design.ADJUST > Design.TRAY_WALL + 4
    assert layout.arm_bottom + Design.ADJUST < layout.post_top
    assert layout.post_top <= layout.beam_top - Design.ADJUST


@given(choices)
def test_an_official_ribbon_reaches_every_board_from_every_camera(choice):
    assert Layout(choice).ribbon_length <= RIBBON


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"pi": "1"}, "pi=1"),
        ({"camera": "v2"}, "3wide"),
        ({"oled": "1.5"}, "2.42"),
        ({"button": "30"}, "24"),
        ({"tray": 300}, "180"),
        ({"parts": "full", "tray": 220}, "200"),
    ],
)
def test_a_choice_that_is_not_offered_is_refused_with_those_that_are(wrong, named):
    with pytest.raises(ValueError, match=named):
        Choice(**wrong)


def test_the_documentation_has_the_table_of_heights():
    rows = []
    for key, camera in CAMERAS.items():
        for tray in (180.0, 200.0, 240.0):
            layout = Layout(Choice(camera=key, tray=tray))
            lengths = (tray, layout.lens, layout.board_front, layout.side, layout.lamp, layout.ribbon_length)
            rows.append(f"| {camera.name} | {' | '.join(f'{length:.0f}' for length in lengths)} |")
    assert "\n".join(rows) in (Path(__file__).parents[2] / "docs" / "case.md").read_text(encoding="utf-8"), rows
