"""What a person at a terminal sees: nothing overlaps, the OLED whole, board and keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from rich.text import Text

from device.laptop.table_view import MIN_COLUMNS, MIN_ROWS, board_lines, oled_lines, table_view
from device.referee.playing import dice_wanted
from device.referee.preferences import Preferences
from device.referee.states import Choosing, Menu, Situation, TooEarly, Waiting
from device.screens.language import LANGUAGES
from engine import Game
from tests.device.helpers import game_at, noise
from tests.every import every
from tools.docs.screens import situations

SIZES = [(80, 24), (100, 30), (120, 45), (200, 60)]
LIT = Image.new("1", (128, 64), 1)
NOTICE = "The page: http://127.0.0.1:8000/P/ABC"


def lines_at(
    situation: Situation, columns: int = 120, rows: int = 45, *, oled: Image.Image = LIT, notice: str = NOTICE
) -> list[str]:
    return table_view(oled, situation, notice, (columns, rows), dice_are_simulated=True).plain.split("\n")


def dots_of(character: str) -> list[list[int]]:
    """The pixels of one character, by Unicode's own numbering of braille dots."""
    bits = ord(character) - 0x2800
    return [[bits >> left & 1, bits >> right & 1] for left, right in ((0, 3), (1, 4), (2, 5), (6, 7))]


def test_every_pixel_of_the_oled_is_one_dot():
    for seed in range(3):
        lines = [line.plain for line in oled_lines(noise(seed))]
        dots = np.block([[np.array(dots_of(character)) for character in line] for line in lines])
        assert np.array_equal(dots, np.asarray(noise(seed)))


@given(st.integers(MIN_COLUMNS, 300), st.integers(MIN_ROWS, 120))
def test_oled_board_and_words_fit_into_the_terminal_and_fill_its_height(columns, rows):
    game = game_at("3 7:13,8:11/6:4,5:9 1 4:1,6:4 3-3-5-6")
    lines = lines_at(Situation(Choosing(), game, 1), columns, rows)
    assert len(lines) == rows
    assert max(len(line.rstrip()) for line in lines[:-3]) <= columns
    high, wide = 16, 64
    assert {line[:wide] for line in lines[:high]} == {lines[0][0] * wide}, "the OLED, all of it lit"
    assert {line[:wide].strip() for line in lines[high:-3]} <= {""}


@pytest.mark.parametrize(("size", "rows"), [((80, 24), 11), ((100, 28), 11), ((100, 30), 22), ((200, 60), 22)])
def test_board_and_legend_have_room_at_the_usual_sizes_and_the_board_is_twice_as_high_if_possible(size, rows, game):
    lines = lines_at(Situation(Choosing(), game, 1), *size)
    assert "▶1 yellow 2/3" in lines[rows]
    assert " 2 orange 1/3" in lines[rows + 1]


@pytest.fixture
def game():
    return game_at("3 7:13,8:11/6:4,5:9 1 4:1,6:4 3-3-5-6")


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def test_the_board_shows_markers_runners_and_won_columns(game):
    lines = plain(board_lines(game, 2, 1))
    assert lines[4].startswith(" 6· · · 2▲"), "orange's marker and the runner share space 4 of column 6"
    assert lines[2].startswith(" 4▲ ")
    assert lines[5] == " 7" + "1" * 26, "a won column is its owner's from bottom to top"
    assert lines[0] == " 2· · ■ "


def style_of(line: Text, text: str) -> str:
    """The style of the last span with this text."""
    return [str(span.style) for span in line.spans if line.plain[span.start : span.end] == text][-1]


def test_on_a_board_of_double_height_pieces_fill_their_spaces_and_signs_appear_once(game):
    lines = board_lines(game, 2, 2)
    assert len(lines) == 22
    assert [line.plain[:2] for line in lines[:4]] == [" 2", "  ", " 3", "  "]
    assert lines[10].plain == " 7" + "1" * 26
    assert lines[11].plain == " " * 28


def test_the_board_has_the_players_colours(game):
    lines = board_lines(game, 2, 1)
    assert style_of(lines[5], "1" * 26).endswith("on #f2c200")
    assert style_of(lines[4], "2").endswith("on #e8750a")


def keys_at(situation: Situation) -> list[str]:
    """The words about the keys: pressed, held."""
    return lines_at(situation, rows=MIN_ROWS)[-3:-1]


@every(name=situations())
def test_a_roll_is_offered_only_if_dice_are_wanted(name):
    situation = situations()[name]
    assert keys_at(situation)[0].startswith("space: roll") == (dice_wanted(situation.state) > 0)


@pytest.mark.parametrize("size", SIZES)
def test_the_pages_address_and_beside_it_the_key_to_leave_are_always_on_the_screen(size, game):
    notice = "The table's page: http://127.0.0.1:45171/P/215A159D5D5FFF21"
    for situation in (Situation(Choosing(), game, 1), Situation(Waiting(), Game.new(("yellow", "orange")), 1)):
        last = lines_at(situation, *size, notice=notice)[-1]
        assert last in {f"{notice}   q: leave", f"{notice}   q: leave, the game is saved"}


def test_the_keys_are_those_of_the_screen_with_the_held_ones_if_any_and_those_that_do_the_same_together(game):
    assert keys_at(Situation(TooEarly(Choosing()), game, 1))[0] == "c: OK"
    assert keys_at(Situation(Menu(Choosing()), game, 1))[1] == ""
    assert keys_at(Situation(Choosing(), game, 1))[1].startswith("With Shift: ")
    assert keys_at(situations()["buttons"])[1] == "With Shift:   A B C S: Skip"


def test_the_words_about_the_keys_are_in_the_boxs_language():
    text = "\n".join(lines_at(replace(situations()["waiting"], preferences=Preferences(language="nl"))))
    assert [words for words in ("spatie: gooien", "Met Shift:", "q: afsluiten") if words not in text] == []


@every(name=situations(), language=LANGUAGES)
def test_what_the_keys_do_fits_into_80_columns_in_every_language(name, language):
    assert max(map(len, keys_at(replace(situations()[name], preferences=Preferences(language=language))))) <= 80


def test_a_window_that_is_too_small_says_the_required_size(game):
    for columns, rows in ((MIN_COLUMNS - 1, MIN_ROWS), (MIN_COLUMNS, MIN_ROWS - 1)):
        text = "\n".join(lines_at(Situation(Choosing(), game, 1), columns, rows))
        assert f"{columns}x{rows}" in text
        assert f"{MIN_COLUMNS}x{MIN_ROWS}" in text
