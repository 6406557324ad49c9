"""A person at the terminal: keys press the buttons, the terminal shows the OLED and the board."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from device.laptop.table_view import TableSnapshot, TableView
from device.laptop.terminal import Terminal
from device.referee.inputs import Button
from device.session import Session

LOOK_S = 1 / 15
"""The interval of the terminal's updates in seconds."""

KEYS = {"a": Button.A, "b": Button.B, "c": Button.C, "s": Button.STOP}
"""The keys for the buttons; as capitals they hold the button."""

THROW, LEAVE = (" ", "t"), ("q",)


def play(
    session: Session,
    oled: Callable[[], Image.Image],
    press: Callable[[Button, bool], object],
    throw: Callable[[], str] | None = None,
    notice: str = "",
) -> None:
    """Play until the person quits; the game is stored.

    Args:
        session: The running box.
        oled: Returns what its display shows: 128x64 pixels, mode "1".
        press: Presses a button, a long time if the second argument is true; must return at once.
        throw: Rolls the dice, and returns why that is impossible, or ""; None for real dice.
        notice: A permanent line of text, such as the page's address.
    """
    trouble = ""
    with Terminal() as terminal:
        view = TableView(terminal.colours)
        while True:
            for key in terminal.keys(LOOK_S):
                if key in LEAVE:
                    return
                if key in THROW and throw is not None:
                    trouble = throw()
                elif button := KEYS.get(key.lower()):
                    press(button, key.isupper())
            session.check()
            seen = TableSnapshot(oled(), session.box.situation, trouble or notice)
            terminal.draw(view.panels(seen, *terminal.size()))
