"""The board: eleven columns, numbered as the sums of two dice, each with its own number of spaces."""

from __future__ import annotations

COLUMNS = range(2, 13)
"""The numbers of the columns."""

TOP = (0, 0, 3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
"""The top space of each column, indexed by the column's number (0 and 1 are no columns).

Spaces count from 1 at the bottom, so the top space's number is also the number of spaces: 83 in all.
"""

PER_COLUMN = len(TOP)
"""The length of a tuple that is indexed by a column's number."""

RUNNERS = 3
"""The number of runners."""

Spaces = tuple[int, ...]
"""The space of one piece in each column, indexed by the column's number; 0 if there is no piece."""

EMPTY: Spaces = (0,) * PER_COLUMN
"""No piece in any column."""


def with_piece(spaces: Spaces, column: int, space: int) -> Spaces:
    """Return `spaces` with the piece of `column` moved to `space` (0 removes it)."""
    return (*spaces[:column], space, *spaces[column + 1 :])


def pieces(spaces: Spaces) -> list[tuple[int, int]]:
    """Return the pieces as (column, space), lowest column first."""
    return [(column, spaces[column]) for column in COLUMNS if spaces[column]]


def spaces_text(spaces: Spaces) -> str:
    """Return pieces as text: `4:2,7:5`, each as column:space; `-` if there are none."""
    return ",".join([f"{column}:{space}" for column, space in pieces(spaces)]) or "-"
