"""What a person at a terminal sees: the OLED, the board, and what the keys do."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PIL import Image
from rich.text import Text

from device.page.board import colours_of
from device.referee.inputs import Button
from device.referee.players import COLOURS
from device.referee.playing import dice_wanted
from device.referee.states import Situation, TooEarly
from device.screens import texts
from device.screens.box_views import language_of
from device.screens.button_labels import labels
from device.screens.draw import HEIGHT, WIDTH
from device.screens.language import say, speaking
from engine import COLUMNS, MOST_PLAYERS, TOP, Game

WORDS = 3
"""The rows at the bottom: what the keys do now, what capital letters (held keys) do, and the page's address."""

OLED_COLUMNS, OLED_ROWS = WIDTH // 2, HEIGHT // 4
"""The columns and rows of the OLED in braille: 2x4 dots in a character."""

MIN_COLUMNS, MIN_ROWS = OLED_COLUMNS, OLED_ROWS + WORDS
"""The smallest terminal, with the OLED and the words."""

LABEL = 2
"""The width of a board column's number before its spaces."""
MOST_PER_COLUMN = 2
"""The largest height of a board column in rows; with it, a space of the largest width is square."""
MOST_PER_SPACE = 4
"""The largest width of a space: four markers side by side."""
_SPACES = max(TOP)

_BRAILLE_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
"""The value of each dot of a braille cell (4 rows of 2), relative to U+2800."""

_OLED = "#c4e8ff on #06080c"
"""The OLED's pixels: bluish white on black glass."""
_INK, _EMPTY, _RUNNER = "#101010", "#968c7a on #3a342c", "#000000 on #ffffff"
_RUNNER_SIGN = "▲"


def table_view(
    oled: Image.Image, situation: Situation, notice: str, size: tuple[int, int], *, dice_are_simulated: bool
) -> Text:
    """Return what a terminal shows, at most of its size; if it is too small, which size is needed.

    Args:
        oled: The OLED: 128x64 pixels, mode "1".
        situation: What the box shows.
        notice: A line such as the page's address; "" for none.
        size: The terminal's width and height in characters.
        dice_are_simulated: Whether a key rolls the dice; otherwise they are typed, or rolled by hand.
    """
    columns, rows = size
    if columns < MIN_COLUMNS or rows < MIN_ROWS:
        with speaking(language_of(situation)):
            small = say(
                "This window has {columns}x{rows} characters. The box needs {wide}x{high}: enlarge it, or make its "
                "type smaller. The game goes on meanwhile; q leaves.",
                columns=columns, rows=rows, wide=MIN_COLUMNS, high=MIN_ROWS,
            )  # fmt: skip
            return Text(small)
    high = rows - WORDS
    right = _board_and_legend(situation.game, columns - OLED_COLUMNS - 1, high) if situation.game is not None else []
    left = oled_lines(oled) + [Text(" " * OLED_COLUMNS)] * (high - OLED_ROWS)
    right += [Text()] * high
    lines = [Text(" ").join(pair) for pair in zip(left, right, strict=False)]
    with speaking(language_of(situation)):
        # What the keys do; real dice are typed, with four keys from 1 to 6
        keys = _keys_now(situation, say("space: roll" if dice_are_simulated else "1-6: type the dice"))
        last = "   ".join(filter(None, (notice, say("q: leave"))))
        # After the text above, where there is room
        saved = last + say(", the game is saved")
    words = [*keys, saved if len(saved) <= columns else last]
    return Text("\n", no_wrap=True, overflow="crop").join([*lines, *map(Text, words)])


def oled_lines(oled: Image.Image) -> list[Text]:
    """Return the OLED's pixels, 128x64 in mode "1", as the dots of 64x16 braille characters."""
    cells = np.asarray(oled).reshape(OLED_ROWS, 4, OLED_COLUMNS, 2).swapaxes(1, 2).reshape(OLED_ROWS, OLED_COLUMNS, 8)
    lines = ["".join(map(chr, line)) for line in (cells @ _BRAILLE_BITS.reshape(-1) + 0x2800).tolist()]
    return [Text(line, _OLED) for line in lines]


def _board_and_legend(game: Game, wide: int, high: int) -> list[Text]:
    """Return the board, as high and wide as it fits, and the legend below it; empty if it does not fit."""
    per_space = min(MOST_PER_SPACE, (wide - LABEL) // _SPACES)
    per_column = max(1, min(MOST_PER_COLUMN, (high - MOST_PLAYERS) // len(COLUMNS)))
    return [*board_lines(game, per_space, per_column), *legend_lines(game)] if per_space > 0 else []


def board_lines(game: Game, per_space: int, per_column: int) -> list[Text]:
    """Return the lines of the board, column 2 at the top: a column's number and its spaces, the bottom space first.

    A marker is its player's seat number on the player's colour, a runner a white triangle. The pieces on a space share
    its width; if not all fit, the markers of the lower seats are left out.

    Args:
        game: The game.
        per_space: The width of a space in characters.
        per_column: The height of a column in rows, of which the first has its number, seats and dots.
    """
    return [_board_line(game, column, per_space, is_first=row == 0) for column in COLUMNS for row in range(per_column)]


def _board_line(game: Game, column: int, per_space: int, *, is_first: bool) -> Text:
    position = game.position
    owner = position.owners[column]
    line = Text(f"{column if is_first else '':>{LABEL}}")
    if owner is not None:
        return line.append((str(owner + 1) if is_first else " ") * TOP[column] * per_space, _seat_style(game, owner))
    for space in range(1, TOP[column] + 1):
        pieces = [
            (str(seat + 1), _seat_style(game, seat))
            for seat, markers in enumerate(position.markers)
            if markers[column] == space
        ]
        if position.runners[column] == space:
            pieces.append((_RUNNER_SIGN, _RUNNER))
        pieces = pieces[-per_space:] or [("■" if space == TOP[column] else "·", _EMPTY)]
        for index, (sign, style) in enumerate(pieces):
            wide = per_space * (index + 1) // len(pieces) - per_space * index // len(pieces)
            line.append((sign if is_first else "").ljust(wide), style)
    return line


def legend_lines(game: Game) -> list[Text]:
    """Return a line for each player: seat number, name, columns won, and whose turn it is."""
    position = game.position
    return [
        Text.assemble(
            "▶" if seat == position.turn and game.winner is None else " ",
            (str(seat + 1), _seat_style(game, seat)),
            f" {name} {len(position.won(seat))}/{position.variants.columns_to_win}",
            f" {say(texts.HAS_LEFT)}" if seat in position.out else "",
        )
        for seat, name in enumerate(game.names)
    ]


def _seat_style(game: Game, seat: int) -> str:
    return f"{_INK} on {COLOURS[colours_of(game)[seat]].rgb}"


def _keys_now(situation: Situation, roll_key: str) -> tuple[str, str]:
    """Return what the keys do now, pressed and held, in the box's own words; `roll_key` while dice are wanted."""
    does = labels(situation)
    if isinstance(situation.beneath, TooEarly):
        does = {str(Button.C): does[str(Button.C)]}  # every button does the same; the screen shows this one
    pressed = {button.value[0].lower(): does[button] for button in Button if button in does}
    held = {button.value[0]: does[f"hold {button}"] for button in Button if f"hold {button}" in does}
    throw = [roll_key] if dice_wanted(situation.state) else []
    # Before the keys that hold a button, such as "A: Enter dice"
    return "   ".join([*throw, *_keys(pressed)]), "   ".join([say("With Shift:"), *_keys(held)] if held else [])


def _keys(does: Mapping[str, str]) -> list[str]:
    """Return what the keys do, by key; keys that do the same are listed together."""
    together: dict[str, list[str]] = {}
    for key, what in does.items():
        together.setdefault(what, []).append(key)
    return [say("{key}: {does}", key=" ".join(keys), does=what) for what, keys in together.items()]
