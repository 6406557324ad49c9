"""The positions of the game's parts in a terminal: OLED, board and words."""

from __future__ import annotations

from dataclasses import dataclass

OLED_WIDTH, OLED_HEIGHT = 128, 64
SMALL_OLED = (OLED_WIDTH // 2, OLED_HEIGHT // 4)
"""The columns and rows of the OLED in braille: 2x4 dots in a character."""
LARGE_OLED = (OLED_WIDTH, OLED_HEIGHT // 2)
"""The columns and rows of the OLED in half blocks: 1x2 pixels in a character."""

WORDS = 3
"""The rows at the bottom: what the keys do now, what capital letters (held keys) do, and the page's address."""

BOARD_COLUMNS = 11
"""The number of the board's columns: 2 to 12, from top to bottom."""
_MOST_PER_COLUMN = 2
"""The largest height of a board column in rows; with it, a space of the largest width is square."""
BOARD_LABEL = 2
"""The width of the column's number before its spaces."""
BOARD_SPACES = 13
MOST_PER_SPACE = 4
"""The largest width of a space: four markers side by side."""
LEGEND_ROWS = 4
"""The rows of the legend, one for each player."""

_GAP = 1

MIN_COLUMNS, MIN_ROWS = SMALL_OLED[0], SMALL_OLED[1] + WORDS
"""The smallest terminal, with the OLED and the words."""
_LARGE_FROM = (LARGE_OLED[0] + _GAP + BOARD_LABEL + BOARD_SPACES * MOST_PER_SPACE, LARGE_OLED[1] + _GAP + WORDS)
"""The smallest terminal in which the OLED is drawn large, with a board of the largest width beside it."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle of the terminal, in characters; `row` and `column` count from 0."""

    row: int
    column: int
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of the parts.

    Attributes:
        oled: The OLED.
        is_large: Whether the OLED is drawn in half blocks.
        board: The board; None if there is no room for it.
        legend: The players and their colours, below the board; None if there is no room for it.
        words: The lines at the bottom.
    """

    oled: Rect
    is_large: bool
    board: Rect | None
    legend: Rect | None
    words: Rect


def arrange(columns: int, rows: int) -> Layout | None:
    """Return the positions of the parts; None if the terminal is smaller than `MIN_COLUMNS` x `MIN_ROWS`.

    Args:
        columns: The terminal's width.
        rows: The terminal's height.
    """
    if columns < MIN_COLUMNS or rows < MIN_ROWS:
        return None
    is_large = columns >= _LARGE_FROM[0] and rows >= _LARGE_FROM[1]
    wide, high = LARGE_OLED if is_large else SMALL_OLED
    words = Rect(rows - WORDS, 0, columns, WORDS)
    oled = Rect(0, 0, wide, high)
    left = wide + _GAP
    per_space = min(MOST_PER_SPACE, (columns - left - BOARD_LABEL) // BOARD_SPACES)
    if per_space < 1:
        return Layout(oled, is_large, None, None, words)
    free = rows - WORDS
    per_column = max(1, min(_MOST_PER_COLUMN, (free - LEGEND_ROWS) // BOARD_COLUMNS))
    board = Rect(0, left, BOARD_LABEL + per_space * BOARD_SPACES, BOARD_COLUMNS * per_column)
    legend = Rect(board.rows, left, columns - left, min(LEGEND_ROWS, free - board.rows))
    return Layout(oled, is_large, board, legend, words)
