"""What a person at a terminal sees: nothing overlaps, the OLED whole, dice that can be read by eye, board and keys."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from device.camera.seen_frame import SeenFrame
from device.referee.playing import dice_wanted
from device.referee.preferences import Preferences
from device.referee.states import Choosing, Menu, Situation, TooEarly, Waiting
from device.screens.language import LANGUAGES
from device.sim.board_text import board_lines, legend_lines
from device.sim.graphics import Graphics, Protocol
from device.sim.layout import MIN_COLUMNS, MIN_ROWS, Layout, Rect, arrange, in_a_grid
from device.sim.picture_text import Colours
from device.sim.table_view import TableSnapshot, TableView
from engine import Game, SetTo, parse_position
from tools.docs.screens import situations
from vision.types import Die, Reading

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
SIZES = [(80, 24), (100, 30), (120, 45), (200, 60)]
DARK = Image.new("1", (128, 64))
LIT = Image.new("1", (128, 64), 1)


def rooms(layout: Layout) -> list[Rect]:
    found = [layout.oled, layout.words]
    return found + [room for room in (layout.tray, layout.dice, layout.board, layout.legend) if room is not None]


@given(st.integers(1, 300), st.integers(1, 120), st.floats(0.3, 3))
def test_the_panels_lie_within_the_terminal_without_overlap(columns, rows, aspect):
    layout = arrange(columns, rows, aspect)
    if layout is None:
        assert columns < MIN_COLUMNS or rows < MIN_ROWS
        return
    covered = np.zeros((rows, columns), int)
    for room in rooms(layout):
        assert room.row + room.rows <= rows
        assert room.column + room.columns <= columns
        covered[room.row : room.row + room.rows, room.column : room.column + room.columns] += 1
    assert covered.max() == 1


@given(st.integers(1, 200), st.integers(1, 60), st.integers(2, 4))
def test_between_two_dice_there_is_always_a_gap(columns, rows, count):
    for one, other in itertools.combinations(in_a_grid(Rect(0, 0, columns, rows), count), 2):
        beside = abs(other.column - one.column) > one.columns
        assert beside or abs(other.row - one.row) > one.rows


@pytest.mark.parametrize("size", SIZES)
def test_between_the_dice_and_the_words_there_is_a_gap(size):
    layout = arrange(*size, 4 / 3)
    assert layout is not None
    assert layout.dice is not None
    assert layout.dice.row + layout.dice.rows < layout.words.row


@pytest.mark.parametrize(("size", "rows"), [((80, 24), 11), ((100, 30), 11), ((120, 45), 22), ((200, 60), 22)])
def test_the_board_is_twice_as_high_if_there_is_room(size, rows):
    layout = arrange(*size, 4 / 3)
    assert layout is not None
    assert layout.board is not None
    assert layout.board.rows == rows


@given(st.integers(1, 200), st.integers(1, 60), st.integers(1, 4))
def test_dice_lie_within_their_rectangle_without_overlap(columns, rows, count):
    covered = np.zeros((rows, columns), int)
    for die in in_a_grid(Rect(0, 0, columns, rows), count):
        covered[die.row : die.row + die.rows, die.column : die.column + die.columns] += 1
        assert die.row + die.rows <= rows
        assert die.column + die.columns <= columns
    assert covered.max() <= 1


@pytest.mark.parametrize("size", SIZES)
def test_every_panel_has_room_at_the_usual_sizes(size):
    layout = arrange(*size, 4 / 3)
    assert layout is not None
    assert None not in (layout.tray, layout.dice, layout.board, layout.legend)


@pytest.mark.parametrize("size", SIZES[1:])
def test_a_die_is_at_least_twelve_characters_wide_from_100x30_on(size):
    layout = arrange(*size, 4 / 3)
    assert layout is not None
    assert layout.dice is not None
    assert min(die.columns for die in in_a_grid(layout.dice, 4)) >= 12


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


def seen(situation: Situation, tray: np.ndarray, thrown: SeenFrame | None = None) -> TableSnapshot:
    return TableSnapshot(LIT, tray, thrown, situation, "The page: http://127.0.0.1:8000/P/ABC")


@pytest.fixture
def tray():
    return np.full((480, 640, 3), (60, 90, 30), np.uint8)


def text_of(panels) -> str:
    return ESCAPE.sub("", "\n".join(itertools.chain.from_iterable(panel.lines for panel in panels)))


@pytest.mark.parametrize("colours", Colours)
@pytest.mark.parametrize("size", [*SIZES, (66, 20), (1, 1), (20, 3), (300, 21)])
def test_no_line_is_longer_than_its_panel(size, colours, game, tray):
    view = TableView(colours, Graphics())
    for panel in view.panels(seen(Situation(Choosing(), game, 1), tray), *size):
        assert len(panel.lines) <= panel.room.rows
        assert all(len(ESCAPE.sub("", line)) <= panel.room.columns for line in panel.lines)


@pytest.mark.parametrize("size", SIZES)
def test_the_pages_address_stays_on_the_screen_at_all_times(size, game, tray):
    view = TableView(Colours.TRUE, Graphics())
    for situation in (Situation(Choosing(), game, 1), Situation(Waiting(), Game.new(("yellow", "orange")), 1)):
        assert "http://127.0.0.1:8000/P/ABC" in text_of(view.panels(seen(situation, tray), *size))


def keys_at(situation: Situation, tray: np.ndarray) -> list[str]:
    """The words about the keys: pressed, held."""
    return list(TableView(Colours.NONE, Graphics()).panels(seen(situation, tray), 120, 45)[-1].lines[:2])


@pytest.mark.parametrize("name", situations())
def test_a_roll_is_offered_only_if_dice_are_wanted(name, tray):
    situation = situations()[name]
    assert keys_at(situation, tray)[0].startswith("space: roll") == (dice_wanted(situation.state) > 0)


def test_an_early_roll_is_answered_with_the_key_shown_on_the_screen(game, tray):
    assert keys_at(Situation(TooEarly(Choosing()), game, 1), tray)[0] == "c: OK"


def test_the_words_say_that_a_dark_display_is_asleep_and_what_wakes_it(game, tray):
    asleep = replace(seen(Situation(Choosing(), game, 1), tray), oled=DARK)
    view = TableView(Colours.NONE, Graphics())
    view.panels(seen(Situation(Choosing(), game, 1), tray), 80, 24)
    text = text_of(view.panels(asleep, 80, 24))
    assert "asleep" in text
    assert "a: " not in text, "a press would only wake it"


@pytest.mark.parametrize("size", SIZES)
def test_the_key_to_leave_fits_beside_the_pages_address(size, game, tray):
    notice = "The table's page: http://127.0.0.1:45171/P/215A159D5D5FFF21"
    shown = replace(seen(Situation(Choosing(), game, 1), tray), notice=notice)
    last = TableView(Colours.NONE, Graphics()).panels(shown, *size)[-1].lines[-1]
    assert last in {f"{notice}   q: leave", f"{notice}   q: leave, the game is saved"}


def test_holding_is_mentioned_only_if_a_key_can_be_held(game, tray):
    assert keys_at(Situation(Menu(Choosing()), game, 1), tray)[1] == ""
    assert keys_at(Situation(Choosing(), game, 1), tray)[1].startswith("With Shift: ")


def test_keys_that_do_the_same_are_listed_together(tray):
    assert keys_at(situations()["buttons"], tray)[1] == "With Shift:   A B C S: Skip"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nl", ["spatie: gooien", "Met Shift:", "q: afsluiten"]),
        ("de", ["Leertaste: würfeln", "Mit Umschalt:", "q: beenden"]),
        ("fr", ["espace\u00a0: lancer", "Avec Maj\u00a0:", "A\u00a0: ", "q\u00a0: quitter"]),
    ],
)
def test_the_words_about_the_keys_are_in_the_boxs_language(language, said, game, tray):
    waiting = Situation(Waiting(), Game.new(("yellow", "orange")), 1, preferences=Preferences(language=language))
    text = text_of(TableView(Colours.NONE, Graphics()).panels(seen(waiting, tray), 120, 45))
    assert [words for words in said if words not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_keys_do_fits_into_80_columns_in_every_language(language, tray):
    def keys(situation: Situation, columns: int) -> list[str]:
        return list(TableView(Colours.NONE, Graphics()).panels(seen(situation, tray), columns, 24)[-1].lines[:2])

    spoken = Preferences(language=language)
    shown = {name: replace(situation, preferences=spoken) for name, situation in situations().items()}
    assert [name for name, situation in shown.items() if keys(situation, 80) != keys(situation, 300)] == []


def test_a_window_that_is_too_small_says_the_required_size(game, tray):
    view = TableView(Colours.TRUE, Graphics())
    text = text_of(view.panels(seen(Situation(Choosing(), game, 1), tray), MIN_COLUMNS - 1, MIN_ROWS))
    assert f"{MIN_COLUMNS - 1}x{MIN_ROWS}" in text
    assert f"{MIN_COLUMNS}x{MIN_ROWS}" in text


def test_noise_does_not_redraw_the_tray_and_a_die_does(game, tray):
    view = TableView(Colours.TRUE, Graphics())
    situation = Situation(Choosing(), game, 1)
    noise = np.random.default_rng(0).integers(-6, 7, tray.shape)
    noisy = (tray + noise).astype(np.uint8)
    first = view.panels(seen(situation, tray), 100, 30)
    assert [a is b for a, b in zip(first, view.panels(seen(situation, noisy), 100, 30), strict=True)] == [True] * len(
        first
    )
    moved = tray.copy()
    cv2.rectangle(moved, (100, 100), (140, 140), (230, 240, 250), -1)
    assert view.panels(seen(situation, moved), 100, 30) != first


def test_the_dice_of_the_last_roll_are_shown_enlarged(game, tray):
    boxes = [(100.0 + 90 * index, 100.0, 140.0 + 90 * index, 140.0) for index in range(4)]
    for box in boxes:
        cv2.rectangle(tray, (int(box[0]), 100), (int(box[2]), 140), (230, 240, 250), -1)
    dice = tuple(Die(value, box, 1.0, 1) for value, box in zip((3, 3, 5, 6), boxes, strict=True))
    thrown = SeenFrame(tray, Reading(dice), 1.0)
    view = TableView(Colours.TRUE, Graphics(Protocol.KITTY))
    layout = arrange(100, 30, 4 / 3)
    assert layout is not None
    assert layout.dice is not None
    places = in_a_grid(layout.dice, 4)
    shown = {panel.room: panel for panel in view.panels(seen(Situation(Choosing(), game, 1), tray, thrown), 100, 30)}
    for place in places:
        picture = shown[place].picture
        assert picture is not None
        height, width = picture.shape[:2]
        assert (height, width) == (68, 68), "the die of 40 pixels with 14 around it"
        assert tuple(picture[height // 2, width // 2]) == (230, 240, 250)
