"""The contents of a screen before it is drawn: a title, three rows beside the buttons A, B and C, small text."""

from __future__ import annotations

from dataclasses import dataclass

LIST_KEYS = "▲▼✓"
"""The signs beside A, B and C when they move a cursor and select."""


@dataclass(frozen=True, slots=True)
class Line:
    """One of the three rows.

    Attributes:
        text: The words in the large font.
        more: The continuation in the small font.
        button: The letter of the button that acts on this line; "" for a line without a button.
        chosen: Whether the cursor is on it.
    """

    text: str = ""
    more: str = ""
    button: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen.

    Attributes:
        title: The player whose turn it is, or the question; in the small font, like all that need not be readable from
            afar.
        lines: Up to three rows, the first beside A, the second beside B, the third beside C.
        hint: Another available action, at the right end of the title.
        text: Lines of the small font in the free rows: one in one row, two in two, four in three.
        running: Whether `text` is one text, wrapped, and not one text per line.
        dice: Dice to draw at the right end of the title.
        scroll: The number of the first line in a longer list, from 0, and the length of that list.
        keys: A sign beside each of A, B and C instead of a letter; a space if that button has no function.
        qr: The text of a QR code on the right half; "" for none.
        frame: Whether to draw a frame of one pixel along the border, with the texts inside.
    """

    title: str
    lines: tuple[Line, ...] = ()
    hint: str = ""
    text: tuple[str, ...] = ()
    running: bool = False
    dice: tuple[int, ...] = ()
    scroll: tuple[int, int] | None = None
    keys: str = ""
    qr: str = ""
    frame: bool = False
