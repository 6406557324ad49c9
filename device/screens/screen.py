"""What a screen consists of, before it is drawn: a title, three rows beside the buttons A, B and C, small type."""

from __future__ import annotations

from dataclasses import dataclass

LIST_KEYS = "▲▼✓"
"""What stands beside A, B and C where they move a cursor and take what it is on."""


@dataclass(frozen=True, slots=True)
class Line:
    """One of the three rows.

    Attributes:
        text: The words in the large type.
        more: What follows in the small type.
        button: The letter of the button beside it, where that button does something with this line.
        chosen: Whether the menu's cursor is on it.
    """

    text: str = ""
    more: str = ""
    button: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen.

    Attributes:
        title: Whose turn it is, or what is being asked; in the small type, as all that nobody has to read from afar.
        lines: Up to three rows, the first beside A, the second beside B, the third beside C.
        hint: What else can be done, at the right end of the title.
        text: Lines of the small type, in the rows that are left free: one in one row, two in two, four in three.
        dice: Dice drawn as dice, at the right end of the title.
        scroll: Where the lines are a part of a longer list: how many come before the first of them, and how many
            there are in all.
        keys: A sign beside each of A, B and C instead of a letter; a space where that button does nothing.
        qr: What a QR code on the right half says; "" where there is none.
        frame: Whether a frame of one pixel runs along the display's border, with the texts within it.
    """

    title: str
    lines: tuple[Line, ...] = ()
    hint: str = ""
    text: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    scroll: tuple[int, int] | None = None
    keys: str = ""
    qr: str = ""
    frame: bool = False
