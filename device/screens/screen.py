"""What a screen consists of, before it is drawn: a title, up to three lines beside the buttons, a footer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One of the three lines.

    Attributes:
        text: The words in the large type.
        more: What follows in the small type.
        button: The letter of the button beside it, where that button does something with this line.
        chosen: Whether the menu's cursor is on it.
    """

    text: str
    more: str = ""
    button: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen.

    Attributes:
        title: Whose turn it is, or what is being asked.
        lines: Up to three lines.
        footer: What the box waits for, or what the other buttons do.
        dice: Dice drawn as dice, at the right end of the title.
        die_cursor: Which of the dice is marked, if any.
        scroll: Where the lines are a part of a longer list: how many come before the first of them, and how many
            there are in all.
        qr: What a QR code on the right half says; "" where there is none.
    """

    title: str
    lines: tuple[Line, ...] = ()
    footer: str = ""
    dice: tuple[int, ...] = ()
    die_cursor: int | None = None
    scroll: tuple[int, int] | None = None
    qr: str = ""
