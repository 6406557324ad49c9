"""The board in characters: a row for each column, markers and runners in their colours."""

from __future__ import annotations

from device.laptop.layout import BOARD_COLUMNS, BOARD_LABEL, BOARD_SPACES, Rect
from device.laptop.oled_text import Colours, paint
from device.page.board import colours_of
from device.referee.players import COLOURS
from engine import COLUMNS, TOP, Game

_RGB = {name: tuple(bytes.fromhex(marker.rgb[1:])) for name, marker in COLOURS.items()}
_INK, _WOOD, _DOT = (16, 16, 16), (58, 52, 44), (150, 140, 122)
_RUNNER, _RUNNER_INK = (255, 255, 255), (0, 0, 0)
_RUNNER_SIGN = "▲"


def board_lines(game: Game, room: Rect, colours: Colours) -> list[str]:
    """Return the lines of the board, column 2 at the top: a column's number and its spaces, the bottom space first.

    A marker is its player's seat number on the player's colour, a runner a white triangle. The pieces on a space share
    its width; if not all fit, the markers of the lower seats are left out.

    Args:
        game: The game.
        room: The area for it; its width limits the pieces on a space, its height determines their height.
        colours: The terminal's colours.
    """
    per_space = (room.columns - BOARD_LABEL) // BOARD_SPACES
    return [
        _line(game, column, per_space, colours, is_first=row == 0)
        for column in COLUMNS
        for row in range(room.rows // BOARD_COLUMNS)
    ]


def legend_lines(game: Game, room: Rect, colours: Colours) -> list[str]:
    """Return a line for each player: seat number, name, columns won, and whose turn it is."""
    position, seats = game.position, colours_of(game)
    lines = []
    for seat, name in enumerate(game.names):
        turn = "▶" if seat == position.turn and game.winner is None else " "
        words = f" {name} {len(position.won(seat))}/{position.variants.columns_to_win}"[: max(0, room.columns - 2)]
        lines.append(turn + _piece(str(seat + 1), _RGB[seats[seat]], _INK, colours) + words)
    return lines[: room.rows]


def _line(game: Game, column: int, per_space: int, colours: Colours, *, is_first: bool) -> str:
    """Return one of a column's lines; only the first contains number, seats and dots."""
    position, seats = game.position, colours_of(game)
    owner = position.owners[column]
    label = f"{column if is_first else '':>{BOARD_LABEL}}"
    length = TOP[column] * per_space
    if owner is not None:
        return label + _piece(str(owner + 1) * length if is_first else " " * length, _RGB[seats[owner]], _INK, colours)
    cells = [label]
    for space in range(1, TOP[column] + 1):
        pieces = [
            (str(seat + 1), _RGB[seats[seat]], _INK)
            for seat, markers in enumerate(position.markers)
            if markers[column] == space
        ]
        if position.runners[column] == space:
            pieces.append((_RUNNER_SIGN, _RUNNER, _RUNNER_INK))
        if not pieces:
            pieces = [("■" if space == TOP[column] else "·", _WOOD, _DOT)]
        pieces = pieces[-per_space:]
        for index, (sign, back, ink) in enumerate(pieces):
            wide = per_space * (index + 1) // len(pieces) - per_space * index // len(pieces)
            cells.append(_piece((sign if is_first else "").ljust(wide), back, ink, colours))
    return "".join(cells)


def _piece(text: str, back: tuple[int, ...], ink: tuple[int, ...], colours: Colours) -> str:
    return text if colours is Colours.NONE else paint(ink, back, colours) + text + "\x1b[0m"
