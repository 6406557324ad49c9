"""Every screen, as a picture that was looked at."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest
from PIL import Image, ImageChops

from device.referee.inputs import CameraTrouble, TraySeen, TrayView
from device.referee.states import Waiting, WatchingTray
from device.referee.transition_table import STATES
from device.screens.draw import DIE, HEIGHT, ROW_TOPS, WIDTH, draw, font, ground, layout, width
from device.screens.language import LANGUAGES
from device.screens.screen import Line, Screen
from device.screens.views import screen
from tests.device.helpers import overflows
from tests.every import every
from tools.docs.screens import FOLDER, capital_px, picture, situations
from vision.types import Reason


@every(name=situations())
def test_every_screen_matches_its_approved_picture(name):
    drawn = picture(situations()[name])
    approved = Image.open(FOLDER / f"{name}.png").convert("RGB")
    assert ImageChops.difference(drawn, approved).getbbox() is None, f"look at it: make docs, then git diff {name}"


def test_the_approved_pictures_cover_every_state_and_none_is_of_a_removed_screen():
    assert {type(situation.state) for situation in situations().values()} == set(STATES)
    assert {file.stem for file in FOLDER.glob("*.png")} == set(situations())


@pytest.mark.parametrize("name", ["telling", "moving", "busted", "stopped", "stopped-won", "stopped-won-2"])
def test_moves_on_the_board_stay_visible_when_the_camera_is_lost(name):
    told = situations()[name]
    blind = screen(replace(told, state=WatchingTray(told.state, TraySeen(TrayView.NO_CAMERA, CameraTrouble.SILENT))))
    assert blind.lines == screen(told).lines
    assert "C" in [line.button for line in blind.lines]
    assert blind.title == "No picture"


def test_a_text_that_is_too_wide_or_has_no_free_row_is_detected():
    assert overflows(Screen("x" * 22)) == ["x" * 22]
    assert overflows(Screen("x" * 21)) == []
    assert overflows(Screen("x" * 13, dice=(1, 2, 3, 4))) == ["x" * 13]
    assert overflows(Screen("x" * 16, hint="hint")) == []
    assert overflows(Screen("x" * 17, hint="hint")) == ["x" * 17]
    assert overflows(Screen("", (Line("M" * 16),))) == ["M" * 16]
    full = (Line("1"), Line("2"), Line("3"))
    assert overflows(Screen("", full[:2], text=("fits",))) == []
    assert overflows(Screen("", full[:2], text=("fits", "too much"))) == ["too much"]
    assert overflows(Screen("", full, text=("too much",))) == ["too much"]


FROM_AFAR_PX = 12
"""The height of capitals that are read from 60 cm: 2.8 mm on the usual 1.3 inch OLED, 16 minutes of arc."""
NOT_FROM_AFAR = (
    *("page-silent", "rules-", "where", "story", "setting-nonsense", "network", "checking-why", "stays-on"),
    *("switching-off", "fewest-none", "fewest-asking", "coach-asking", "fewest-unreadable"),
)
"""The screens of running text, which are read once, close to the box."""


@every(name=situations(), language=LANGUAGES)
def test_every_capital_is_8_pixels_high_and_12_in_texts_read_from_60_cm(name, language):
    shown = spoken(name, language)
    rows = {line.text for line in shown.lines if line.text}
    placed = layout(shown)
    assert min(capital_px(text.font) for text in placed) == 8 < FROM_AFAR_PX <= DIE
    assert {capital_px(text.font) for text in placed if text.text in rows and text.y in ROW_TOPS} <= {FROM_AFAR_PX}


@every(name=[name for name in situations() if not name.startswith(NOT_FROM_AFAR)], language=LANGUAGES)
def test_texts_read_from_60_cm_use_the_large_font(name, language):
    shown = spoken(name, language)
    assert any(line.text for line in shown.lines), "something to be read from afar"
    small = [shown.title, shown.hint, *shown.text, *(line.more for line in shown.lines)]
    told = " ".join(text for text in small if not re.fullmatch(r"(\d+→\S+ ?)+", text))  # where all runners stand
    play = situations()[name].game
    if name.startswith(("choosing", "telling", "moving", "stopped", "put-back")) and play is not None:
        lines = " ".join(line.text for line in shown.lines)
        assert re.search(r"\d", lines), "the columns"
        columns = r"(?<![\d+%])\b([2-9]|1[0-2])\b(?![\d+%])"
        assert not re.search(columns, told), f"columns in the small type: {told}"


@cache
def spoken(name: str, language: str) -> Screen:
    situation = situations()[name]
    return screen(replace(situation, preferences=replace(situation.preferences, language=language)))


@cache
def inked(letter: str, type_name: str) -> list[tuple[int, int]]:
    """The dots of a letter, from its place's left upper corner."""
    glyph = font(type_name).getmask(letter, mode="1")
    return [(at % glyph.size[0], at // glyph.size[0]) for at, on in enumerate(glyph) if on]


def ink(image: Image.Image) -> int:
    return sum(image.convert("L").point(bool).tobytes())


@every(name=situations(), language=LANGUAGES)
def test_no_glyph_is_clipped_covered_or_on_an_edge_between_light_and_dark(name, language):
    shown = spoken(name, language)
    ground_image, drawn = ground(shown), draw(shown)
    lit = ground_image.load()
    whole = 0
    for text in layout(shown):
        x = text.x
        for letter in text.text:
            dots = [(x + left, text.y + top) for left, top in inked(letter, text.font)]
            whole += len(dots)
            assert all(0 <= left < WIDTH and 0 <= top < HEIGHT for left, top in dots), f"{letter!r} leaves the screen"
            below = {lit[dot] for dot in dots}
            assert len(below) <= 1, f"{letter!r} of {text.text!r} lies on an edge"
            x += width(letter, text.font)
    assert ink(ImageChops.logical_xor(drawn, ground_image)) == whole, "letters overlap"


@pytest.mark.parametrize("reason", Reason)
def test_each_reason_for_unreadable_dice_has_a_screen_with_a_remedy(reason):
    seen = TraySeen(TrayView.UNREADABLE, reason.value, 10)
    shown = screen(replace(situations()["unreadable"], state=WatchingTray(Waiting(), seen)))
    assert overflows(shown) == []
    assert shown.lines[0].text
    assert shown.lines[1].text
