"""Every screen, as a picture that was looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from device.referee.inputs import CameraTrouble, View
from device.referee.states import STATES, Reading
from device.screens.draw import HEIGHT, LARGE, SMALL, WIDTH, draw, font, overflows
from device.screens.screen import Line, Screen
from device.screens.views import screen
from tools.screens import FOLDER, picture, situations
from vision.reading import Reason


@pytest.mark.parametrize("name", situations())
def test_a_screen_looks_as_in_the_picture_that_was_approved(name):
    drawn = picture(situations()[name])
    approved = Image.open(FOLDER / f"{name}.png").convert("RGB")
    assert ImageChops.difference(drawn, approved).getbbox() is None, f"look at it: make docs, then git diff {name}"


@pytest.mark.parametrize("name", situations())
def test_every_text_fits_its_place(name):
    assert overflows(screen(situations()[name])) == []


def test_the_pictures_show_every_state():
    shown = {type(situation.state) for situation in situations().values()}
    assert shown == set(STATES)


def test_there_is_no_picture_of_a_screen_that_is_gone():
    assert {file.stem for file in FOLDER.glob("*.png")} == set(situations())


@pytest.mark.parametrize("name", ["telling", "busted", "stopped", "stopped-won", "stopped-won-2"])
def test_what_to_do_on_the_board_and_the_way_on_stay_to_be_read_when_the_camera_is_lost(name):
    told = situations()[name]
    blind = screen(replace(told, state=Reading(told.state, View.NO_CAMERA, CameraTrouble.SILENT)))
    assert blind.lines == screen(told).lines
    assert blind.footer.startswith("C: ") or "C" in [line.button for line in blind.lines]


def test_a_screen_has_the_oleds_size_and_one_bit_a_pixel():
    image = draw(Screen("title"))
    assert (image.size, image.mode) == ((WIDTH, HEIGHT), "1")


def test_a_text_that_is_too_wide_is_found():
    assert overflows(Screen("x" * 22)) == ["x" * 22]
    assert overflows(Screen("x" * 21)) == []
    assert overflows(Screen("x" * 14, dice=(1, 2, 3, 4))) == ["x" * 14]


def test_a_line_too_wide_for_the_large_type_is_written_in_the_small_one():
    assert overflows(Screen("", (Line("11+12", "11→top 12→top", "A"),))) == []


@pytest.mark.parametrize("name", [SMALL, LARGE])
def test_the_types_have_every_letter_of_the_four_languages(name):
    missing = bytes(font(name).getmask("\ufffe"))
    for letter in "äöüÄÖÜßéèêëàâçîïôûùœÉÈÀÇ→↑↓…'":
        assert bytes(font(name).getmask(letter)) != missing, letter


@pytest.mark.parametrize("reason", Reason)
def test_each_reason_why_dice_are_not_read_has_a_screen_with_a_remedy_that_fits(reason):
    unreadable = situations()["unreadable"]
    assert isinstance(unreadable.state, Reading)
    shown = screen(replace(unreadable, state=replace(unreadable.state, why=reason.value, dice=10)))
    assert overflows(shown) == []
    assert shown.lines[1].text
    assert shown.lines[2].more
