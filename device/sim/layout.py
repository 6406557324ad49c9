"""The positions of the simulated box's parts in a terminal: OLED, tray, dice, board and words."""

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
_LARGE_FROM = (190, 50)
"""The smallest terminal in which the OLED is drawn large; in smaller ones, tray and dice need the space more."""

MIN_COLUMNS, MIN_ROWS = SMALL_OLED[0], SMALL_OLED[1] + WORDS
"""The smallest terminal, with the OLED and the words."""


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
        tray: The camera's picture; None if there is no room for it.
        dice: The four dice of the last roll, enlarged; None if there is no room for them.
        board: The board; None if there is no room for it.
        legend: The players and their colours, below the board; None if there is no room for it.
        words: The lines at the bottom.
    """

    oled: Rect
    is_large: bool
    tray: Rect | None
    dice: Rect | None
    board: Rect | None
    legend: Rect | None
    words: Rect


def arrange(columns: int, rows: int, aspect: float) -> Layout | None:
    """Return the positions of the parts; None if the terminal is smaller than `MIN_COLUMNS` x `MIN_ROWS`.

    Args:
        columns: The terminal's width.
        rows: The terminal's height.
        aspect: The width of the camera's picture divided by its height.
    """
    if columns < MIN_COLUMNS or rows < MIN_ROWS:
        return None
    is_large = columns >= _LARGE_FROM[0] and rows >= _LARGE_FROM[1]
    wide, high = LARGE_OLED if is_large else SMALL_OLED
    words = Rect(rows - WORDS, 0, columns, WORDS)
    oled = Rect(0, 0, wide, high)
    left, top = wide + _GAP, high + _GAP
    below = rows - WORDS - _GAP - top  # rows left under the OLED
    beside = columns - left
    per_space = min(MOST_PER_SPACE, (beside - BOARD_LABEL) // BOARD_SPACES)
    if per_space < 1:
        tray = _fit(aspect, Rect(top, 0, columns, below))
        return Layout(oled, is_large, tray, None, None, None, words)
    board_wide = BOARD_LABEL + per_space * BOARD_SPACES
    board_rows, tray = 0, None
    for per_column in range(_MOST_PER_COLUMN, 0, -1):  # the largest board that leaves the tray enough
        board_rows = BOARD_COLUMNS * per_column
        tray = _fit(aspect, Rect(0, left, beside, rows - WORDS - board_rows - LEGEND_ROWS - _GAP))
        if tray is not None and tray.columns >= board_wide // 2:
            break
    if tray is not None and tray.columns >= board_wide // 2:  # tray over board, dice under the OLED
        board_row = tray.rows + 1
        dice = Rect(top, 0, wide, below) if below > 0 else None
    else:  # board beside the OLED, tray and dice under it
        board_row = 0
        tray = _fit(aspect, Rect(top, 0, columns // 2, below))
        used = tray.columns + _GAP if tray is not None else 0
        dice = Rect(top, used, columns - used, below) if below > 0 else None
    board = Rect(board_row, left, board_wide, board_rows)
    legend_row = board_row + board_rows
    legend = Rect(legend_row, left, beside, min(LEGEND_ROWS, rows - WORDS - legend_row))
    return Layout(oled, is_large, tray, dice, board, legend if legend.rows > 0 else None, words)


def in_a_grid(room: Rect, count: int) -> list[Rect]:
    """Return equal square areas for `count` pictures, in one row or two, whichever makes them larger.

    A character is assumed to be twice as high as wide, so a square has twice as many columns as rows.
    """
    best: list[Rect] = []
    for across in {count, (count + 1) // 2}:
        down = -(-count // across)
        high = min((room.rows + _GAP) // down - _GAP, (room.columns // across - _GAP) // 2)
        if high < 1 or (best and high <= best[0].rows):
            continue
        wide = 2 * high
        best = [
            Rect(room.row + index // across * (high + _GAP), room.column + index % across * (wide + _GAP), wide, high)
            for index in range(count)
        ]
    return best


def _fit(aspect: float, room: Rect) -> Rect | None:
    """Return the largest part of a room with a picture's proportions, from its upper left corner."""
    if room.columns < 1 or room.rows < 1:
        return None
    rows = min(float(room.rows), room.columns / aspect / 2)
    fitted = Rect(room.row, room.column, min(room.columns, int(rows * 2 * aspect)), int(rows))
    return fitted if fitted.columns > 0 and fitted.rows > 0 else None
