"""What a person at a terminal sees: nothing overlaps, the OLED whole, board and keys."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from device.laptop.board_text import board_lines, legend_lines
from device.laptop.layout import MIN_COLUMNS, MIN_ROWS, Layout, Rect, arrange
from device.laptop.oled_text import Colours
from device.laptop.table_view import TableSnapshot, TableView
from device.referee.playing import dice_wanted
from device.referee.preferences import Preferences
from device.referee.states import Choosing, Menu, Situation, TooEarly, Waiting
from device.screens.language import LANGUAGES
from engine import Game, SetTo, parse_position
from tests.every import every
from tools.docs.screens import situations

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SIZES = [(80, 24), (100, 30), (120, 45), (200, 60)]
DARK = Image.new("1", (128, 64))
LIT = Image.new("1", (128, 64), 1)


def rooms(layout: Layout) -> list[Rect]:
    return [room for room in (layout.oled, layout.words, layout.board, layout.legend) if room is not None]


@given(st.integers(1, 300), st.integers(1, 120))
def test_the_panels_lie_within_the_terminal_without_overlap(columns, rows):
    layout = arrange(columns, rows)
    if layout is None:
        assert columns < MIN_COLUMNS or rows < MIN_ROWS
        return
    covered = np.zeros((rows, columns), int)
    for room in rooms(layout):
        assert room.row + room.rows <= rows
        assert room.column + room.columns <= columns
        covered[room.row : room.row + room.rows, room.column : room.column + room.columns] += 1
    assert covered.max() == 1


@pytest.mark.parametrize(("size", "rows"), [((80, 24), 11), ((100, 28), 11), ((100, 30), 22), ((200, 60), 22)])
def test_board_and_legend_have_room_at_the_usual_sizes_and_the_board_is_twice_as_high_if_possible(size, rows):
    layout = arrange(*size)
    assert layout is not None
    assert layout.board is not None
    assert layout.board.rows == rows
    assert layout.legend is not None


def game_at(text: str) -> Game:
    position = parse_position(text)
    names = ("yellow", "orange")
    return Game.new(names).do(SetTo(position)) if position.players == 2 else pytest.fail("two players")


@pytest.fixture
def game():
    return game_at("3 7:13,8:11/6:4,5:9 1 4:1,6:4 3-3-5-6")


def test_the_board_shows_markers_runners_and_won_columns(game):
    lines = board_lines(game, Rect(0, 0, 2 + 13 * 2, 11), Colours.NONE)
    assert lines[4].startswith(" 6· · · 2▲"), "orange's marker and the runner share space 4 of column 6"
    assert lines[2].startswith(" 4▲ ")
    assert lines[5] == " 7" + "1" * 26, "a won column is its owner's from bottom to top"
    assert lines[0] == " 2· · ■ "


def test_on_a_board_of_double_height_pieces_fill_their_spaces_and_signs_appear_once(game):
    lines = board_lines(game, Rect(0, 0, 2 + 13 * 2, 22), Colours.TRUE)
    assert len(lines) == 22
    white = "48;2;255;255;255m"
    assert white + "▲ " in lines[4], "the runner in column 4, alone on its space"
    assert white + "  " in lines[5]
    assert [ESCAPE.sub("", line)[:2] for line in lines[:4]] == [" 2", "  ", " 3", "  "]
    assert ESCAPE.sub("", lines[10]) == " 7" + "1" * 26
    assert ESCAPE.sub("", lines[11]) == " " * 28


def test_the_board_has_the_players_colours(game):
    text = "\n".join(board_lines(game, Rect(0, 0, 28, 11), Colours.TRUE))
    assert "48;2;242;194;0m1" in text
    assert "48;2;232;117;10m2" in text


def test_the_legend_says_whose_turn_it_is_and_what_each_has_won(game):
    assert legend_lines(game, Rect(0, 0, 40, 4), Colours.NONE) == ["▶1 yellow 2/3", " 2 orange 1/3"]


def seen(situation: Situation) -> TableSnapshot:
    return TableSnapshot(LIT, situation, "The page: http://127.0.0.1:8000/P/ABC")


def text_of(panels) -> str:
    return ESCAPE.sub("", "\n".join(itertools.chain.from_iterable(panel.lines for panel in panels)))


@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize("size", [*SIZES, (66, 20), (1, 1), (20, 3), (300, 21)])
def test_no_line_is_longer_than_its_panel(size, colours, game):
    view = TableView(colours)
    for panel in view.panels(seen(Situation(Choosing(), game, 1)), *size):
        assert len(panel.lines) <= panel.room.rows
        assert all(len(ESCAPE.sub("", line)) <= panel.room.columns for line in panel.lines)


def keys_at(situation: Situation) -> list[str]:
    """The words about the keys: pressed, held."""
    return list(TableView(Colours.NONE).panels(seen(situation), 120, 45)[-1].lines[:2])


@every(name=situations())
def test_a_roll_is_offered_only_if_dice_are_wanted(name):
    situation = situations()[name]
    assert keys_at(situation)[0].startswith("space: roll") == (dice_wanted(situation.state) > 0)


def test_an_early_roll_is_answered_with_the_key_shown_on_the_screen(game):
    assert keys_at(Situation(TooEarly(Choosing()), game, 1))[0] == "c: OK"


def test_the_words_say_that_a_dark_display_is_asleep_and_what_wakes_it(game):
    asleep = replace(seen(Situation(Choosing(), game, 1)), oled=DARK)
    view = TableView(Colours.NONE)
    view.panels(seen(Situation(Choosing(), game, 1)), 80, 24)
    text = text_of(view.panels(asleep, 80, 24))
    assert "asleep" in text
    assert "a: " not in text, "a press would only wake it"


@pytest.mark.parametrize("size", SIZES)
def test_the_pages_address_and_beside_it_the_key_to_leave_are_always_on_the_screen(size, game):
    notice = "The table's page: http://127.0.0.1:45171/P/215A159D5D5FFF21"
    for situation in (Situation(Choosing(), game, 1), Situation(Waiting(), Game.new(("yellow", "orange")), 1)):
        shown = replace(seen(situation), notice=notice)
        last = TableView(Colours.NONE).panels(shown, *size)[-1].lines[-1]
        assert last in {f"{notice}   q: leave", f"{notice}   q: leave, the game is saved"}


def test_holding_is_mentioned_only_if_a_key_can_be_held(game):
    assert keys_at(Situation(Menu(Choosing()), game, 1))[1] == ""
    assert keys_at(Situation(Choosing(), game, 1))[1].startswith("With Shift: ")


def test_keys_that_do_the_same_are_listed_together():
    assert keys_at(situations()["buttons"])[1] == "With Shift:   A B C S: Skip"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nl", ["spatie: gooien", "Met Shift:", "q: afsluiten"]),
        ("de", ["Leertaste: würfeln", "Mit Umschalt:", "q: beenden"]),
        ("fr", ["espace\u00a0: lancer", "Avec Maj\u00a0:", "A\u00a0: ", "q\u00a0: quitter"]),
    ],
)
def test_the_words_about_the_keys_are_in_the_boxs_language(language, said, game):
    waiting = Situation(Waiting(), Game.new(("yellow", "orange")), 1, preferences=Preferences(language=language))
    text = text_of(TableView(Colours.NONE).panels(seen(waiting), 120, 45))
    assert [words for words in said if words not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_keys_do_fits_into_80_columns_in_every_language(language):
    def keys(situation: Situation, columns: int) -> list[str]:
        return list(TableView(Colours.NONE).panels(seen(situation), columns, 24)[-1].lines[:2])

    spoken = Preferences(language=language)
    shown = {name: replace(situation, preferences=spoken) for name, situation in situations().items()}
    assert [name for name, situation in shown.items() if keys(situation, 80) != keys(situation, 300)] == []


def test_a_window_that_is_too_small_says_the_required_size(game):
    view = TableView(Colours.TRUE)
    text = text_of(view.panels(seen(Situation(Choosing(), game, 1)), MIN_COLUMNS - 1, MIN_ROWS))
    assert f"{MIN_COLUMNS - 1}x{MIN_ROWS}" in text
    assert f"{MIN_COLUMNS}x{MIN_ROWS}" in text
